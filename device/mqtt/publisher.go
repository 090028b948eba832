package mqtt

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"davar/device/analysis"
	"davar/device/embargo"
	"davar/rules/referee"
)

// Waits of the publisher.
const (
	connectTimeout = 5 * time.Second
	writeTimeout   = 5 * time.Second
	confirmTimeout = 10 * time.Second // a broker that takes longer is treated as lost
	keepAlive      = 10 * time.Second
	firstRetry     = 250 * time.Millisecond
	lastRetry      = 5 * time.Second
	clusterRetry   = 250 * time.Millisecond
	clusterConnect = 2 * time.Second
	// A broker gives a client up after half as much again as it says it keeps alive, which a busy network must not use up:
	// a silent node is left after six and a half seconds at most, while others elect leaders anyway.
	clusterAlive = 3 * time.Second // whole seconds
	clusterPing  = 2 * time.Second
	journalRetry = time.Second
	window       = 64 // messages on their way at a time
	// settleTime is how long a table waits after a connection was lost and came back: a broker that was killed has forgotten
	// who listened, and followers, who have lost it at the same moment, are to be there before the table goes on. A cluster
	// does not forget.
	settleTime = 2 * firstRetry
	// matchesWait is how long after the public state tells that a match is over it is among the finished ones.
	matchesWait = 5 * time.Second
	// answerWait is how long a table that hears its own last will waits before it contradicts: a broker hands one message
	// to its clients one after the other, and an answer at once could reach a viewer before what it answers.
	answerWait = 250 * time.Millisecond
)

// Options say what a Publisher shows where. Server and Place must be set.
type Options struct {
	Server Server
	Place  Place
	Policy Policy
	// Discovery is the prefix below which the table describes itself to Home Assistant; empty: it does not. Its topics
	// lie outside Root: an outside broker must let the table's account write <prefix>/device/+/config.
	Discovery string
	// ClientID names this table to the broker; empty: one is drawn. Keep one and the same over restarts where
	// possible, so that the broker ends the old session first. Two tables must not share one.
	ClientID string
	// Backfill returns up to limit events of a match from seq from on, oldest first: the journal's Events. It is
	// asked for events that no longer fit in memory. nil: those are lost to viewers.
	Backfill func(ctx context.Context, match string, from int64, limit int) ([]referee.Event, error)
	// Handle carries out a decision that came as a command; who is the account it came from when the broker is
	// ours, else the name in the command, after the person it speaks for: "sara (hall)". Its error is answered to the
	// sender. It is called by one goroutine at a time. nil: commands are not listened to.
	Handle func(ctx context.Context, d referee.Decision, who string) error
	// Desk is what the director may ask for besides. The zero Desk: nothing.
	Desk Desk
	// Finished returns the matches that are over and that spectators may know of by now, the newest first: what the topic
	// matches holds. It is asked whenever the table comes to a broker, and when a match is over for spectators too. nil:
	// there is no such topic.
	Finished func(ctx context.Context) ([]FinishedMatch, error)
	// Decided are the decisions and refusals that the journal holds of the match taken up. A command whose
	// transaction is among them was carried out before the restart: it is answered, not carried out again.
	Decided []referee.Event
	Log     *slog.Logger // nil: slog.Default
}

// Publisher sends what happens at a table to a broker. Its methods never wait for network, disk or broker, and
// may be called from any goroutine.
type Publisher struct {
	o        Options
	outbox   *outbox
	commands *commands
	counter  *counter           // nil: nothing can be asked for
	leave    context.CancelFunc // ends the counter
	asking   sync.WaitGroup     // for the counter
	notify   chan struct{}      // holds one wake-up for the sender
	closing  context.Context    // done: say goodbye
	close    context.CancelFunc
	abort    context.Context // done: hurry
	kill     context.CancelFunc
	running  sync.WaitGroup

	mu     sync.Mutex
	status Status
	again  bool // of the goroutine in run alone: there has been a connection before
}

// Status is how the publisher stands, for logs, pages and doctor.
type Status struct {
	Connected bool
	Problem   string // in words, empty when connected
	Lost      int64  // events that neither memory nor journal had any more
}

// Start starts publishing. It fails when the settings are wrong (an unreadable certificate, a bad name); a
// broker that cannot be reached is no failure: it is tried again, at first quickly and then every five seconds.
func Start(o Options) (*Publisher, error) {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.ClientID == "" {
		o.ClientID = "davar-" + strings.ToLower(rand.Text()[:12])
	}
	if err := o.Place.Check(); err != nil {
		return nil, fmt.Errorf("mqtt: %w", err)
	}
	if err := o.Server.Check(); err != nil {
		return nil, fmt.Errorf("mqtt: %w", err)
	}
	p := &Publisher{o: o, outbox: newOutbox(o.Policy), notify: make(chan struct{}, 1)}
	p.status.Problem = "not connected yet"
	p.closing, p.close = context.WithCancel(context.Background())
	p.abort, p.kill = context.WithCancel(context.Background())
	if o.Handle != nil {
		p.commands = newCommands(o.Handle, o.Log, p.outbox.newest, p.respond)
		p.commands.recall(o.Decided)
		p.running.Go(func() { p.commands.run(p.abort) })
	}
	if names := o.Desk.names(); len(names) > 0 {
		p.outbox.private.asks = names
		p.counter = newCounter(o.Desk, o.Log, p.outbox.newest, func(name string, payload any) { p.respond(response{name, payload}) }, p.show)
		open, leave := context.WithCancel(p.abort)
		p.leave = leave
		p.asking.Go(func() { p.counter.run(open) })
	}
	p.running.Go(p.run)
	return p, nil
}

// Publish shows an event, once it is durable. Events of a match are given in the order of their seq.
func (p *Publisher) Publish(e referee.Event) {
	p.outbox.publish(e, time.Now())
	p.wake()
}

// SetState shows the state after the events published so far. asOf is the moment at which the figures of its
// clock were true, rate how many times as fast as the world the match's time runs: 1 at a live table.
func (p *Publisher) SetState(s referee.State, asOf time.Time, rate float64) {
	p.outbox.setState(snapshot{s, asOf, rate}, time.Now())
	p.wake()
}

// SetJudged shows what an engine makes of one turn of a match, to spectators who are shown the turn late and with it;
// where nothing is held back nobody learns of it.
func (p *Publisher) SetJudged(match string, turn analysis.Judged) {
	p.outbox.setJudged(match, turn)
	p.wake()
}

// SetFault says to the director that a device of the table fails, or works again; what names it as the texts "fault." of
// the phrasebook do.
func (p *Publisher) SetFault(what string, fails bool) {
	p.outbox.setFault(what, fails)
	p.wake()
}

// Resume tells, after a restart and before anything else, that the journal holds the events of match up to last,
// and how far the broker had confirmed them then. What it had not is sent again, by Backfill.
func (p *Publisher) Resume(match string, last int64, from Cursor) {
	p.outbox.resume(match, last, from)
	p.wake()
}

// Recall tells, after a restart and before anything is published, what there was of a match, so that the public topics
// show at once what is due and later what becomes it. Matches are given one after the other, the one that goes on last.
func (p *Publisher) Recall(past embargo.Past) {
	p.outbox.recall(past, time.Now())
	p.wake()
}

// Cursor returns how far the broker has confirmed, to be kept for Resume.
func (p *Publisher) Cursor() Cursor { return p.outbox.cursor() }

// Status returns how the publisher stands.
func (p *Publisher) Status() Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.status
	s.Lost = p.outbox.losses()
	return s
}

// Close sends what is due, says Stopped and disconnects. It returns when all is over, at the latest when ctx
// ends; a broker that cannot be reached is not waited for. The Publisher is of no use afterwards.
func (p *Publisher) Close(ctx context.Context) error {
	stop := context.AfterFunc(ctx, p.kill)
	defer stop()
	if p.counter != nil { // who has set up the next match is to hear of it
		p.leave()
		p.asking.Wait()
	}
	p.close()
	p.running.Wait()
	p.kill()
	return nil
}

func (p *Publisher) respond(r response) {
	p.outbox.respond(r)
	p.wake()
}

func (p *Publisher) show(reader string, picture PicturePayload) {
	p.outbox.show(reader, picture)
	p.wake()
}

func (p *Publisher) wake() {
	select {
	case p.notify <- struct{}{}:
	default: // one wake-up is enough
	}
}

// run keeps one connection after the other until the publisher is closed.
func (p *Publisher) run() {
	defer p.kill()
	for wait := firstRetry; ; wait = min(2*wait, p.o.Server.slowest()) {
		s := &session{p: p}
		err := s.serve()
		if s.served {
			wait, p.again = firstRetry, true
		}
		if p.closing.Err() != nil {
			p.setStatus(Status{Problem: "stopped"})
			return
		}
		p.report(err)
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-p.closing.Done():
			timer.Stop()
		}
	}
}

// report tells a failure, once in a row of the same.
func (p *Publisher) report(err error) {
	problem := explainConnect(err).Error()
	p.mu.Lock()
	news := p.status.Connected || p.status.Problem != problem
	p.mu.Unlock()
	p.setStatus(Status{Problem: problem})
	if news {
		p.o.Log.Warn("mqtt: no connection; the table plays on and nothing is lost", "broker", p.o.Server.URL, "problem", problem)
	}
}

func (p *Publisher) setStatus(s Status) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status = s
}
