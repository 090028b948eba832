package mqtt

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"davar/rules"
	"davar/rules/referee"
)

// chamber is where a follower's director sits: it keeps what he is shown.
type chamber struct {
	mu      sync.Mutex
	states  []int64
	events  []int64
	problem string
	news    chan struct{}
}

func newChamber() *chamber { return &chamber{news: make(chan struct{}, 1)} }

func (c *chamber) note(do func()) {
	c.mu.Lock()
	do()
	c.mu.Unlock()
	select {
	case c.news <- struct{}{}:
	default:
	}
}

func (c *chamber) State(Place, StatePayload) {}
func (c *chamber) Event(Place, EventPayload) {}
func (c *chamber) PrivateState(_ Place, s StatePayload) {
	c.note(func() { c.states = append(c.states, s.Seq) })
}
func (c *chamber) PrivateEvent(_ Place, e EventPayload) {
	c.note(func() { c.events = append(c.events, e.Seq) })
}
func (c *chamber) Matches(Place, []FinishedMatch) {}
func (c *chamber) Available(Place, string)        {}
func (c *chamber) Link(problem string)            { c.note(func() { c.problem = problem }) }

// until waits until what he knows is as it should be.
func (c *chamber) until(t *testing.T, what string, done func() bool) {
	t.Helper()
	limit := time.After(patience)
	for {
		c.mu.Lock()
		ok := done()
		c.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-c.news:
		case <-limit:
			t.Fatalf("the director waits in vain: %s", what)
		}
	}
}

func followAs(t *testing.T, server Server, c *chamber, orders *Orders) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var following sync.WaitGroup
	following.Go(func() {
		if err := Follow(ctx, FollowOptions{Server: server, Audience: c, Staff: c, Orders: orders, Log: quiet}); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		stop()
		following.Wait()
	})
}

func TestADirectorFarAwaySeesWhatIsHisAndHisOrdersAreAnswered(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	var o office
	p := startPublisher(t, Options{Server: b.Server(), Handle: o.handle, Policy: Policy{Delay: time.Hour}})
	p.Publish(roll("m", 1))
	p.SetState(referee.State{Match: "m", Seq: 1}, time.Now(), 1)
	c, orders := newChamber(), NewOrders()
	followAs(t, Server{URL: b.Server().URL, User: director.Name, Password: director.Password}, c, orders)
	c.until(t, "the state", func() bool { return len(c.states) > 0 })
	p.Publish(roll("m", 2))
	c.until(t, "event 2", func() bool { return len(c.events) > 0 && c.events[len(c.events)-1] == 2 })

	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := orders.Send(ctx, place, "m", referee.Decision{What: referee.DecideAdjust, Side: rules.Dark, RemainingMS: 90_000, By: "sara"}); err != nil {
		t.Error(err)
	}
	if err := orders.Send(ctx, place, "m", referee.Decision{What: referee.DecidePause, Why: "refuse"}); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "not now") {
		t.Errorf("what is refused: %v", err)
	}
	if err := orders.Send(ctx, place, "yesterday", referee.Decision{What: referee.DecidePause}); !errors.Is(err, ErrRefused) {
		t.Errorf("for a match that is over: %v", err)
	}
	decisions, who := o.taken()
	if len(decisions) != 2 || decisions[0].RemainingMS != 90_000 || decisions[0].Side != rules.Dark || who[0] != "sara ("+director.Name+")" {
		t.Errorf("carried out: %+v by %v", decisions, who)
	}
	short, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if err := orders.Send(short, Place{place.Club, "nobody"}, "", referee.Decision{What: referee.DecidePause}); err == nil || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("a table that is not there: %v", err)
	}
}

func TestAnOrderGivenWhileTheBrokerIsAwayIsCarriedOutOnce(t *testing.T) {
	address := freeAddress(t)
	b := startBroker(t, address)
	var o office
	p := startPublisher(t, Options{Server: deviceAt(address), Handle: o.handle})
	p.SetState(referee.State{Match: "m", Seq: 1}, time.Now(), 1)
	c, orders := newChamber(), NewOrders()
	followAs(t, Server{URL: "tcp://" + address, User: director.Name, Password: director.Password}, c, orders)
	c.until(t, "the state", func() bool { return len(c.states) > 0 })
	stopBroker(b)
	c.until(t, "that the broker is away", func() bool { return c.problem != "" })
	short, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if err := orders.Send(short, place, "", referee.Decision{What: referee.DecideResume}); err == nil || !strings.Contains(err.Error(), "no connection") {
		t.Errorf("without a broker: %v", err)
	}
	sent := make(chan error, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		sent <- orders.Send(ctx, place, "", referee.Decision{What: referee.DecidePause})
	}()
	startBroker(t, address)
	if err := <-sent; err != nil {
		t.Fatal(err)
	}
	if decisions, _ := o.taken(); len(decisions) != 1 || decisions[0].What != referee.DecidePause {
		t.Errorf("carried out: %+v", decisions)
	}
}

func TestAnAccountThatMayNotReadWhatIsPrivateIsToldSo(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	c := newChamber()
	followAs(t, Server{URL: b.Server().URL}, c, NewOrders())
	c.until(t, "words", func() bool { return strings.Contains(c.problem, "hub.user") })
}
