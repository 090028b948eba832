package mqtt

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"davar/rules/referee"
)

// FollowOptions say what a Follower listens to. Server and Audience must be set.
type FollowOptions struct {
	Server Server
	Club   string // empty: the tables of all clubs
	// ClientID names this follower to the broker, which keeps what happens for it while it is away; empty: one is
	// drawn. Two followers must not share one.
	ClientID string
	Audience Audience
	// Staff is told what tables show their director alone, undelayed; nil: nobody is. With it the account must be a
	// director's.
	Staff Staff
	// Orders takes decisions and requests to the tables; nil: none are made. With it the account must be a director's.
	Orders *Orders
	Log    *slog.Logger // nil: slog.Default
}

// Staff is told what a Follower hears of the private topics, by the goroutine that tells the Audience; no method may wait.
type Staff interface {
	// PrivateState is a table's newest state, as Audience.State tells the public one.
	PrivateState(at Place, s StatePayload)
	// PrivateEvent is one that has happened, each once and in the order of seq.
	PrivateEvent(at Place, e EventPayload)
}

// Audience is told what a Follower hears, by one goroutine at a time; no method may wait.
type Audience interface {
	// State is a table's newest public state: at least after each event, and once more whenever the connection
	// is new.
	State(at Place, s StatePayload)
	// Event is one that has happened, each once and in the order of seq.
	Event(at Place, e EventPayload)
	// Matches are those that are over at a table, the newest first.
	Matches(at Place, finished []FinishedMatch)
	// Available is how a table stands: Online, Stopped or Offline; empty when the broker knows it no more.
	Available(at Place, word string)
	// Link tells that everything is heard, or why nothing is, in words.
	Link(problem string)
}

// follower hears the topics of many tables. What it knows of them is kept over connections.
type follower struct {
	o     FollowOptions
	heard map[string]Position // newest event of each topic
	bad   map[string]bool     // topics of whose messages it was told that they cannot be read
}

// Follow listens until ctx ends, then it returns nil. It fails at once when the settings are wrong; a broker that cannot
// be reached is tried again and again, quickly: what a table says before a follower is back it may miss (settleTime).
func Follow(ctx context.Context, o FollowOptions) error {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.ClientID == "" {
		o.ClientID = "davar-hub-" + strings.ToLower(rand.Text()[:12])
	}
	if err := o.Server.Check(); err != nil {
		return fmt.Errorf("mqtt: %w", err)
	}
	if o.Club != "" {
		if err := (Place{o.Club, "1"}).Check(); err != nil {
			return fmt.Errorf("mqtt: %w", err)
		}
	}
	f := &follower{o: o, heard: map[string]Position{}, bad: map[string]bool{}}
	problem := ""
	for {
		served, err := f.serve(ctx)
		if ctx.Err() != nil {
			f.leave()
			return nil
		}
		if served {
			problem = ""
		}
		if words := explainConnect(err).Error(); words != problem {
			problem = words
			o.Log.Warn("mqtt: no connection to the broker; trying on", "broker", o.Server.URL, "problem", words)
		}
		o.Audience.Link(problem)
		pause := firstRetry
		if isRefused(err) {
			pause = lastRetry
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
}

// serve listens over one connection until it ends.
func (f *follower) serve(ctx context.Context) (served bool, err error) {
	options, err := f.o.Server.options(f.o.ClientID)
	if err != nil {
		return false, err
	}
	lost := make(chan error, 1)
	options.SetCleanSession(false).SetConnectionLostHandler(func(_ paho.Client, err error) { lost <- err }).
		SetDefaultPublishHandler(func(_ paho.Client, m paho.Message) { f.receive(m.Topic(), m.Payload()) })
	client := paho.NewClient(options)
	defer client.Disconnect(250)
	if err := finished(ctx, client.Connect(), f.o.Server.patience()); err != nil {
		return false, err
	}
	if err := f.subscribe(ctx, client); err != nil {
		return false, err
	}
	if o := f.o.Orders; o != nil {
		o.connected(func(topic string, body []byte) {
			go client.Publish(topic, qos, false, body) // the library may wait for as long as writeTimeout
		})
		defer o.connected(nil)
	}
	f.o.Log.Info("mqtt: following", "broker", f.o.Server.URL)
	f.o.Audience.Link("")
	select {
	case err := <-lost:
		return true, fmt.Errorf("connection lost: %w", err)
	case <-ctx.Done():
		return true, nil
	}
}

// subscribe asks for all that the follower is to hear.
func (f *follower) subscribe(ctx context.Context, client paho.Client) error {
	filters := map[string]byte{}
	for _, leaf := range []string{AvailableLeaf, StateLeaf, EventLeaf, MatchesLeaf} {
		filters[f.filter(leaf)] = qos
	}
	if f.o.Staff != nil {
		filters[f.filter(PrivateLevel+"/"+StateLeaf)] = qos
		filters[f.filter(PrivateLevel+"/"+EventLeaf)] = qos
	}
	if f.o.Orders != nil {
		filters[f.filter(ResponseLevel+"/+")] = qos
		filters[f.filter(PrivateLevel+"/"+PictureLeaf+"/"+f.o.Orders.reader)] = qos
	}
	token := client.SubscribeMultiple(filters, nil)
	if err := finished(ctx, token, confirmTimeout); err != nil {
		return err
	}
	if asked, ok := token.(*paho.SubscribeToken); ok {
		for filter, granted := range asked.Result() {
			if granted > 2 {
				return fmt.Errorf("the broker does not let this account read %s: check hub.user, which must be a director's where there is a console", filter)
			}
		}
	}
	return nil
}

// leave has the broker forget the follower: nothing is to be kept for one that does not come back.
func (f *follower) leave() {
	options, err := f.o.Server.options(f.o.ClientID)
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), connectTimeout)
	defer cancel()
	client := paho.NewClient(options)
	defer client.Disconnect(250)
	if err := finished(ctx, client.Connect(), connectTimeout); err != nil {
		f.o.Log.Debug("mqtt: the broker was not told goodbye", "error", err)
	}
}

// finished waits for the answer to a request.
func finished(ctx context.Context, token paho.Token, patience time.Duration) error {
	select {
	case <-token.Done():
		return token.Error()
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(patience):
		return errors.New("the broker does not answer")
	}
}

func (f *follower) filter(leaf string) string {
	club := f.o.Club
	if club == "" {
		club = "+"
	}
	return Root + "/" + club + "/+/" + leaf
}

// receive takes a message in.
func (f *follower) receive(topic string, body []byte) {
	levels := strings.Split(topic, "/")
	if len(levels) < 4 || levels[0] != Root {
		return
	}
	at := Place{levels[1], levels[2]}
	if at.Check() != nil {
		return
	}
	if err := f.take(at, levels[3:], topic, body); err != nil && !f.bad[topic] {
		f.bad[topic] = true
		f.o.Log.Warn("mqtt: a message cannot be read and is passed over, as are later ones like it", "topic", topic, "error", err)
	}
}

// take hands on what came on the leaf of a table.
func (f *follower) take(at Place, leaf []string, topic string, body []byte) error {
	tellState, tellEvent := f.o.Audience.State, f.o.Audience.Event
	if leaf[0] == PrivateLevel && len(leaf) == 2 && f.o.Staff != nil {
		tellState, tellEvent, leaf = f.o.Staff.PrivateState, f.o.Staff.PrivateEvent, leaf[1:]
	}
	switch {
	case leaf[0] == ResponseLevel && len(leaf) == 2 && f.o.Orders != nil:
		return f.o.Orders.answer(at, leaf[1], body)
	case leaf[0] == PrivateLevel && len(leaf) == 3 && leaf[1] == PictureLeaf && f.o.Orders != nil:
		return f.o.Orders.picture(at, body)
	case len(leaf) != 1:
		return nil
	case leaf[0] == AvailableLeaf:
		switch word := string(body); word {
		case "", Online, Stopped, Offline:
			f.o.Audience.Available(at, word)
		default:
			return fmt.Errorf("%.20q is none of online, stopped, offline", word)
		}
	case leaf[0] == StateLeaf && len(body) > 0: // an empty one is taken back
		s, err := decodeState(body)
		if err != nil {
			return err
		}
		tellState(at, s)
	case leaf[0] == MatchesLeaf && len(body) > 0:
		list, err := decodeMatches(body)
		if err != nil {
			return err
		}
		f.o.Audience.Matches(at, list.Matches)
	case leaf[0] == EventLeaf:
		e, err := decodeEvent(body)
		if err != nil {
			return err
		}
		if f.isNew(topic, e) {
			tellEvent(at, e)
		}
	}
	return nil
}

// isNew reports whether an event was not heard before: delivery is at least once.
func (f *follower) isNew(topic string, e EventPayload) bool {
	if was := f.heard[topic]; was.Match == e.Match && was.Seq >= e.Seq {
		return false
	}
	f.heard[topic] = Position{e.Match, e.Seq}
	return true
}

// decodeState reads what the topic state holds.
func decodeState(body []byte) (s StatePayload, err error) {
	if len(body) > maxPacket {
		return s, errors.New("it is too long")
	}
	if err := json.Unmarshal(body, &s); err != nil {
		return s, err
	}
	return s, checkVersion(s.V)
}

// decodeMatches reads what the topic matches holds.
func decodeMatches(body []byte) (m MatchesPayload, err error) {
	if len(body) > maxPacket {
		return m, errors.New("it is too long")
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return m, err
	}
	return m, checkVersion(m.V)
}

// decodeEvent reads what the topics event and ruling hold.
func decodeEvent(body []byte) (e EventPayload, err error) {
	if len(body) > maxPacket {
		return e, errors.New("it is too long")
	}
	if err := json.Unmarshal(body, &e); err != nil {
		return e, err
	}
	return e, checkVersion(e.V)
}

func checkVersion(v int) error {
	if v != Version {
		return fmt.Errorf("it has version %d, this program knows %d", v, Version)
	}
	return nil
}

// Shown returns the state as the table had it, the moment at which its clock's figures were true, how many times as fast
// as the world the match's time runs, and how late it is shown. Without a clock, or when the moment cannot be read, that
// moment is now.
func (s StatePayload) Shown(now time.Time) (state referee.State, asOf time.Time, rate float64, late time.Duration) {
	state, asOf, rate = s.State, now, 1
	if s.Clock != nil {
		view := s.Clock.ClockView
		state.Clock = &view
		if at, err := time.Parse(time.RFC3339, s.Clock.AsOf); err == nil && at.Before(now) {
			asOf = at
		}
		if s.Clock.Rate > 0 {
			rate = s.Clock.Rate
		}
	}
	return state, asOf, rate, time.Duration(max(s.DelayMS, 0)) * time.Millisecond
}
