package watchdog

import (
	"context"
	"log/slog"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestThePulseNamesTheLoopThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPulse()
		if err := p.Check(); err != nil {
			t.Error(err)
		}
		judge, feed := p.Watch("the judge", 5*time.Second), p.Watch("the camera's loop", 20*time.Second)
		time.Sleep(6 * time.Second)
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), "the judge has not turned for 6s") {
			t.Errorf("after six seconds: %v", err)
		}
		judge.Beat()
		feed.Beat()
		if err := p.Check(); err != nil {
			t.Error(err)
		}
		for range 5 {
			time.Sleep(4500 * time.Millisecond)
			judge.Beat()
		}
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), "camera") {
			t.Errorf("only the judge has beaten: %v", err)
		}
	})
}

func TestTheWatchdogIsFedOnlyWhileThePulseBeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []string
		healthyAt := time.Duration(0)
		begun := time.Now()
		p := NewPulse()
		loop := p.Watch("the judge", 2*time.Second)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			feed(ctx, feeding{pulse: p, every: time.Second, proof: 6 * time.Second, log: slog.New(slog.DiscardHandler),
				healthy: func() { healthyAt = time.Since(begun) }, tell: func(s string) { told = append(told, s) }})
		}()
		beat := func(n int) {
			for range n {
				time.Sleep(time.Second)
				loop.Beat()
			}
			synctest.Wait()
		}
		beat(2)
		time.Sleep(5 * time.Second) // hangs: one second's feed is still due
		synctest.Wait()
		fed := len(told)
		if fed > 6 {
			t.Errorf("a hanging program was fed: %v", told)
		}
		if healthyAt != 0 {
			t.Errorf("a program that hangs within its proof is healthy after %v", healthyAt)
		}
		beat(8)
		if len(told) < fed+4 || healthyAt < 10*time.Second {
			t.Errorf("beating again it was told %v, healthy after %v", told, healthyAt)
		}
		stop()
		<-done
		if told[0] != "READY=1" || told[len(told)-1] != "STOPPING=1" || slices.Contains(told[1:len(told)-1], "READY=1") {
			t.Errorf("told %v", told)
		}
	})
}

func TestSystemdIsToldOnItsSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notify")
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	t.Setenv("NOTIFY_SOCKET", path)
	t.Setenv("WATCHDOG_USEC", "30000") // fed each ten milliseconds
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); Feed(ctx, NewPulse(), 0, nil, slog.New(slog.DiscardHandler)) }()
	next := func() string {
		var text [64]byte
		if err := socket.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
			t.Fatal(err)
		}
		n, err := socket.Read(text[:])
		if err != nil {
			t.Fatal(err)
		}
		return string(text[:n])
	}
	if got := []string{next(), next()}; got[0] != "READY=1" || got[1] != "WATCHDOG=1" {
		t.Errorf("systemd heard %v", got)
	}
	stop()
	<-done
}
