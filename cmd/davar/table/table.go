package table

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"davar/clock"
	"davar/rules/referee"
)

// Journal makes outcomes durable.
type Journal interface {
	// Append writes the events, the referee's checkpoint after them and the match's time at that moment in one
	// transaction and returns when they are safe, the events as written. On an error nothing is written.
	Append(events []referee.Event, checkpoint []byte, t time.Duration) ([]referee.Event, error)
}

// Sink shows what happened to somebody. Neither method may block.
type Sink interface {
	Publish(e referee.Event)
	SetState(s referee.State, asOf time.Time, rate float64)
}

// Judge turns inputs into events; package referee has it. It belongs to one goroutine.
type Judge interface {
	Handle(in referee.Input) []referee.Event
	State() referee.State
	Checkpoint() ([]byte, error)
	// Clock returns the clock after the last input; false when none is used.
	Clock() (clock.Still, bool)
}

// Feed brings what is not pressed or decided by people; package feed has it.
type Feed interface {
	// Run hands every input to handle, in the order of time, until there are no more (nil is returned), ctx ends or
	// handle fails.
	Run(ctx context.Context, handle func(context.Context, referee.Input) error) error
}

// Table is one table. Make it with its fields set and call Run once.
type Table struct {
	Referee  Judge
	Twin     Judge // in the same state as Referee, for the scribe alone
	Timeline Timeline
	Feed     Feed // nil: nobody watches the board
	Live     bool // time passes by itself; a film brings its own with its pictures
	Journal  Journal
	Sinks    []Sink
	// Switched, when set, is called with the clock as soon as something has happened to it, before anything is
	// written down; it must not block.
	Switched func(clock.Still)
	Log      *slog.Logger

	once    sync.Once
	ordered chan referee.Input // sightings and a film's own inputs
	ended   chan struct{}      // closed when the feed has no more pictures
	urgent  chan request       // presses and decisions of people
	outbox  *outbox
	shown   clock.Still // what Switched was last called with; the judge's own
}

// request is an input whose sender waits for the answer.
type request struct {
	in     referee.Input
	answer chan []referee.Event
}

// ErrOver says that the table has stopped and takes no more inputs.
var ErrOver = errors.New("table: hand in a press or decision: the table has stopped")

func (t *Table) init() {
	t.once.Do(func() {
		t.ordered = make(chan referee.Input)
		t.ended = make(chan struct{})
		t.urgent = make(chan request)
		t.outbox = newOutbox()
	})
}

// Submit hands a press or a decision made now to the referee and returns what follows from it.
func (t *Table) Submit(ctx context.Context, in referee.Input) ([]referee.Event, error) {
	t.init()
	r := request{in: in, answer: make(chan []referee.Event, 1)}
	select {
	case t.urgent <- r:
	case <-ctx.Done():
		return nil, ErrOver
	}
	select {
	case events := <-r.answer:
		return events, nil
	case <-ctx.Done():
		return nil, ErrOver
	}
}

// FilmEnded waits until the last picture of a film was refereed; false when ctx ended before.
func (t *Table) FilmEnded(ctx context.Context) bool {
	t.init()
	select {
	case <-t.ended:
		return true
	case <-ctx.Done():
		return false
	}
}

// Waiting returns how many outcomes wait to be written down.
func (t *Table) Waiting() int {
	t.init()
	return t.outbox.length()
}

// Run works until the feed ends, ctx ends or the feed fails; what was judged by then is written and shown before
// it returns. Live cameras never end by themselves. With hold, Run stays after the end of the feed until ctx ends.
func (t *Table) Run(ctx context.Context, hold bool) error {
	t.init()
	var workers sync.WaitGroup
	judging, stopJudge := context.WithCancel(context.WithoutCancel(ctx))
	defer stopJudge()
	t.outbox.put(outcome{first: true})
	t.look() // before the judge owns the referee
	workers.Go(func() { t.judge(judging) })
	workers.Go(func() { t.scribe(judging) })

	err := t.feed(ctx)
	if err == nil {
		close(t.ended)
		if hold {
			<-ctx.Done()
		}
	}
	stopJudge()
	workers.Wait()
	if err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("table: watch the board: %w", err)
	}
	return nil
}

func (t *Table) feed(ctx context.Context) error {
	if t.Feed == nil {
		<-ctx.Done()
		return ctx.Err()
	}
	return t.Feed.Run(ctx, func(ctx context.Context, in referee.Input) error {
		select {
		case t.ordered <- in:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
}

// judge gives inputs to the referee one after the other; people's come first.
func (t *Table) judge(ctx context.Context) {
	defer t.outbox.close()
	tick := time.NewTicker(tickEvery)
	defer tick.Stop()
	ended := t.ended
	defer func() { // the feed may end and the table stop in one moment
		select {
		case <-ended:
			t.outbox.put(outcome{over: true})
		default:
		}
	}()
	for {
		select { // a press that waits goes before a picture that waits
		case r := <-t.urgent:
			r.answer <- t.handle(r.in)
			continue
		default:
		}
		select {
		case r := <-t.urgent:
			r.answer <- t.handle(r.in)
		case in := <-t.ordered:
			t.handle(in)
		case <-tick.C:
			t.handleTick()
		case <-ended:
			ended = nil
			t.outbox.put(outcome{over: true})
		case <-ctx.Done():
			return
		}
	}
}

// tickEvery is how often a table without pictures and presses looks at its clock.
const tickEvery = 100 * time.Millisecond

// handleTick lets time pass at a live table, a little late: a press made just before a flag falls may still be on its
// way from the button.
func (t *Table) handleTick() {
	if now := t.Timeline.Now() - clock.Grace; t.Live && now > 0 {
		t.handle(referee.Input{T: now})
	}
}

// Over is the match's time with which the journal is told that a film has been seen to its end.
const Over time.Duration = 1<<63 - 1

func (t *Table) handle(in referee.Input) []referee.Event {
	events := t.Referee.Handle(in)
	t.look()
	t.outbox.put(outcome{in: in, events: events})
	return events
}

// look tells when something has happened to the clock.
func (t *Table) look() {
	if t.Switched == nil {
		return
	}
	if still, ok := t.Referee.Clock(); ok && still != t.shown {
		t.shown = still
		t.Switched(still)
	}
}
