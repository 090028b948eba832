package main

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// cable is the network between a browser and a server. It can be pulled out and put in again.
type cable struct {
	t      *testing.T
	to     string // the server's address
	at     string // its own
	bearer sync.WaitGroup

	mu     sync.Mutex
	listen net.Listener // nil: it is out
	conns  map[net.Conn]bool
}

func newCable(t *testing.T, to string) *cable {
	c := &cable{t: t, to: to, at: "127.0.0.1:0", conns: map[net.Conn]bool{}}
	c.plug()
	t.Cleanup(func() {
		c.pull()
		c.bearer.Wait()
	})
	return c
}

// plug puts it in.
func (c *cable) plug() {
	c.t.Helper()
	l, err := net.Listen("tcp", c.at)
	if err != nil {
		c.t.Fatal(err)
	}
	c.mu.Lock()
	c.listen, c.at = l, l.Addr().String()
	c.mu.Unlock()
	c.bearer.Go(func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			c.bearer.Go(func() { c.carry(near) })
		}
	})
}

// pull takes it out: what was on its way is lost, and nothing new comes through.
func (c *cable) pull() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.listen != nil {
		c.listen.Close()
		c.listen = nil
	}
	for conn := range c.conns {
		conn.Close()
	}
}

func (c *cable) carry(near net.Conn) {
	defer near.Close()
	far, err := net.Dial("tcp", c.to)
	if err != nil {
		return
	}
	defer far.Close()
	c.mu.Lock()
	out := c.listen == nil
	c.conns[near], c.conns[far] = true, true
	c.mu.Unlock()
	if out {
		return
	}
	var both sync.WaitGroup
	for from, to := range map[net.Conn]net.Conn{near: far, far: near} {
		both.Go(func() {
			_, _ = io.Copy(to, from)
			near.Close()
			far.Close()
		})
	}
	both.Wait()
	c.mu.Lock()
	delete(c.conns, near)
	delete(c.conns, far)
	c.mu.Unlock()
}

// A spectator follows the demo to its end. Underway he changes the language, loads the page anew, and loses the network for
// a while; the page goes on by itself and shows what he has missed.
func TestADemoIsFollowedToItsEndThroughALostNetwork(t *testing.T) {
	browser := browse(t)
	faults := make(chan string, 100)
	if err := chromedp.Listen(browser.ctx, func(event any) {
		if e, ok := event.(*runtime.EventExceptionThrown); ok {
			faults <- (&chromedp.ExceptionError{ExceptionDetails: e.ExceptionDetails}).Error()
		}
	}); err != nil {
		t.Fatal(err)
	}
	d := startDemo(t, t.TempDir(), "--speed", "8")
	line := newCable(t, strings.TrimPrefix(d.page, "http://"))
	browser.visit("http://" + line.at + "/?lang=en")
	browser.until(`document.querySelectorAll('.checker').length === 30 && document.getElementById('link').dataset.state === 'live'`)
	browser.until(`document.querySelectorAll('.turn').length >= 2`)
	browser.run(`document.getElementById('language').click()`)
	browser.until(`document.documentElement.dir === 'rtl'`)
	browser.visit("http://" + line.at + "/")
	browser.until(`document.documentElement.dir === 'rtl' && document.querySelectorAll('.turn').length >= 2 && document.getElementById('link').dataset.state === 'live'`)

	browser.run(`window.loadedOnce = true`)
	line.pull()
	browser.until(`document.getElementById('link').dataset.state !== 'live'`)
	missed := d.state(t).State.Seq
	for d.state(t).State.Seq < missed+4 {
		d.line(t) // play goes on
	}
	line.plug()
	browser.until(`document.getElementById('link').dataset.state === 'live'`)
	d.until(t, "The film has ended")
	const played = `fetch('/state.json').then((r) => r.json()).then((m) => m.state.plays.length)`
	end, err := chromedp.Run(browser.ctx, chromedp.Evaluate[int](played, chromedp.EvalAwaitPromise))
	if err != nil || end < 20 {
		t.Fatalf("%d turns were played: %v", end, err)
	}
	browser.until(fmt.Sprintf(`document.querySelectorAll('.turn').length === %d`, end))
	browser.until(`document.querySelectorAll('.checker').length === 30 && window.loadedOnce`)
	select {
	case why := <-faults:
		t.Errorf("the page failed: %s", why)
	case <-time.After(0):
	}
}
