package mqtt

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// session is one connection to the broker, from its making to its end. The client library's own reconnecting is
// not used: it would send again, by its own rules, what the outbox keeps by ours (a message it holds while
// reconnecting may be told as delivered and not be). One goroutine owns a session.
type session struct {
	p      *Publisher
	client paho.Client
	lost   chan error
	served bool // the connection came about

	flying    []flight  // sent and not confirmed, oldest first
	matchesAt time.Time // when the finished matches are to be told; zero: not now
}

// flight is a message on its way; item is nil for the second copy of an item.
type flight struct {
	token paho.Token
	item  *item
	since time.Time
}

// qos is that of every message but pictures: at least once.
const qos = 1

// serve connects, sends what there is to send, and returns when the connection ends or the publisher is closed.
func (s *session) serve() error {
	if err := s.connect(); err != nil {
		return err
	}
	defer s.client.Disconnect(250)
	s.served = true
	if err := s.listen(); err != nil {
		return err
	}
	if s.p.again && !s.p.o.Server.isCluster() {
		if err := s.settle(); err != nil {
			return err
		}
	}
	if s.p.o.Finished != nil {
		s.matchesAt = time.Now()
	}
	s.p.setStatus(Status{Connected: true})
	s.p.o.Log.Info("mqtt: connected", "broker", s.p.o.Server.URL)
	err := s.pump()
	s.p.outbox.rewind(s.unconfirmed(), time.Now())
	if err == nil {
		s.farewell()
	}
	return err
}

// settle lets those come back who listen.
func (s *session) settle() error {
	pause := time.NewTimer(settleTime)
	defer pause.Stop()
	select {
	case <-pause.C:
	case <-s.p.closing.Done():
	case err := <-s.lost:
		return fmt.Errorf("connection lost: %w", err)
	}
	return nil
}

func (s *session) connect() error {
	options, err := s.p.o.Server.options(s.p.o.ClientID)
	if err != nil {
		return err
	}
	s.lost = make(chan error, 1)
	options.SetWill(s.p.o.Place.Topic(AvailableLeaf), Offline, qos, true).
		SetConnectionLostHandler(func(_ paho.Client, err error) { s.lost <- err })
	s.client = paho.NewClient(options)
	token := s.client.Connect()
	select {
	case <-token.Done():
		return token.Error()
	case <-s.p.closing.Done():
	case <-time.After(s.p.o.Server.patience()): // the library's own limit has failed
	}
	s.client.Disconnect(0)
	return errors.New("no connection in time")
}

// listen subscribes to commands, and to the table's own availability: the last will of a connection that broke
// may reach the broker after the greeting of the next.
func (s *session) listen() error {
	filters := map[string]byte{s.p.o.Place.Topic(AvailableLeaf): qos}
	if s.p.commands != nil || s.p.counter != nil {
		filters[s.p.o.Place.Topic(CommandLevel, "+")] = qos
	}
	token := s.client.SubscribeMultiple(filters, s.receive)
	if !token.WaitTimeout(confirmTimeout) {
		return errors.New("the broker does not confirm a subscription")
	}
	if err := token.Error(); err != nil {
		return fmt.Errorf("subscribe to commands: %w", err)
	}
	return nil
}

// receive must not wait: the library delivers, confirms and keeps alive behind it.
func (s *session) receive(_ paho.Client, m paho.Message) {
	if m.Topic() == s.p.o.Place.Topic(AvailableLeaf) {
		if string(m.Payload()) == Offline {
			s.p.outbox.greet(time.Now().Add(answerWait))
			s.p.wake()
		}
		return
	}
	name := m.Topic()[strings.LastIndexByte(m.Topic(), '/')+1:]
	switch {
	case m.Retained(): // an old command is no command
	case s.p.counter != nil && slices.Contains(asks, name):
		s.p.counter.receive(message{name, m.Payload()})
	case s.p.commands != nil:
		s.p.commands.receive(message{name, m.Payload()})
	}
}

// pump sends until the connection is lost, or, when the publisher is closed, until nothing is due and all is
// confirmed; then its error is nil.
func (s *session) pump() error {
	for {
		wake, err := s.sendDue()
		if err != nil {
			return err
		}
		closing := s.p.closing.Done()
		if s.p.closing.Err() != nil {
			if len(s.flying) == 0 || s.p.abort.Err() != nil {
				return nil
			}
			closing = nil
		}
		if err := s.await(wake, closing); err != nil {
			return err
		}
	}
}

// sendDue sends all that is due and fits into the window, and returns when to look again.
func (s *session) sendDue() (wake time.Time, err error) {
	if err := s.sendMatches(); err != nil {
		return time.Time{}, err
	}
	wake, err = s.sendItems()
	if !s.matchesAt.IsZero() && (wake.IsZero() || s.matchesAt.Before(wake)) {
		wake = s.matchesAt
	}
	return wake, err
}

// sendMatches tells which matches are over, when it is time to.
func (s *session) sendMatches() error {
	now := time.Now()
	if s.matchesAt.IsZero() || now.Before(s.matchesAt) {
		return nil
	}
	s.matchesAt = time.Time{}
	finished, err := s.p.o.Finished(s.p.abort)
	if err != nil {
		s.p.o.Log.Error("mqtt: cannot read which matches are over; trying on", "error", err)
		s.matchesAt = now.Add(journalRetry)
		return nil
	}
	payload := MatchesPayload{V: Version, Matches: append([]FinishedMatch{}, finished...)}
	return s.sendJSON(s.p.o.Place.Topic(MatchesLeaf), true, payload, nil)
}

// sendItems sends what the outbox holds, as far as it is due and fits into the window.
func (s *session) sendItems() (wake time.Time, err error) {
	for len(s.flying) < window && s.p.abort.Err() == nil {
		it, wish, at := s.p.outbox.next(time.Now())
		switch {
		case it != nil:
			if err := s.sendItem(it); err != nil {
				return time.Time{}, err
			}
		case wish != nil:
			if !s.fetch(*wish) {
				return time.Now().Add(journalRetry), nil
			}
		default:
			return at, nil
		}
	}
	return time.Time{}, nil
}

// fetch asks the journal, and reports whether it answered.
func (s *session) fetch(n need) bool {
	if s.p.o.Backfill == nil {
		s.p.outbox.fill(n, nil, time.Now())
		return true
	}
	events, err := s.p.o.Backfill(s.p.abort, n.match, n.from, chunkLimit)
	if err != nil {
		s.p.o.Log.Error("mqtt: cannot read events again; trying on", "match", n.match, "from", n.from, "error", err)
		return false
	}
	s.p.outbox.fill(n, events, time.Now())
	return true
}

func (s *session) sendItem(it *item) error {
	place := s.p.o.Place
	switch {
	case it.greeting:
		if prefix := s.p.o.Discovery; prefix != "" {
			if err := s.sendJSON(discoveryTopic(prefix, place), true, describe(place), nil); err != nil {
				return err
			}
		}
		return s.send(place.Topic(AvailableLeaf), true, []byte(Online), it)
	case it.picture != nil:
		return s.sendPicture(it)
	case it.response != nil:
		return s.sendJSON(place.Topic(ResponseLevel, it.response.name), false, it.response.payload, it)
	case it.state != nil:
		if !it.stream.private && it.state.state.Phase == "match_over" && s.p.o.Finished != nil {
			s.matchesAt = time.Now().Add(matchesWait)
		}
		return s.sendJSON(it.stream.topic(place, StateLeaf), true, it.stream.statePayload(*it.state), it)
	}
	payload := EventPayload{V: Version, Prev: it.prev, Event: *it.event}
	if it.event.Ruling != nil && !it.stream.private {
		if err := s.sendJSON(place.Topic(RulingLeaf), false, payload, nil); err != nil {
			return err
		}
	}
	return s.sendJSON(it.stream.topic(place, EventLeaf), false, payload, it)
}

// sendPicture sends a picture at most once, to who asked for it and while he is there.
func (s *session) sendPicture(it *item) error {
	body, err := json.Marshal(it.picture.payload)
	if err != nil {
		return nil // there is nothing in it that cannot be written
	}
	return s.sendAt(0, s.p.o.Place.Topic(PrivateLevel, PictureLeaf, it.picture.reader), false, body, it)
}

func (s *session) sendJSON(topic string, retained bool, payload any, it *item) error {
	body, err := json.Marshal(payload)
	if err != nil {
		// It will be no better the next time.
		s.p.o.Log.Error("mqtt: cannot write a message", "topic", topic, "error", err)
		if it != nil {
			s.p.outbox.confirm(it, time.Now())
		}
		return nil
	}
	return s.send(topic, retained, body, it)
}

// send hands a message to the client library. When the connection breaks at that very moment the library can
// wait for all of writeTimeout; it is then left waiting by itself.
func (s *session) send(topic string, retained bool, body []byte, it *item) error {
	return s.sendAt(qos, topic, retained, body, it)
}

func (s *session) sendAt(qos byte, topic string, retained bool, body []byte, it *item) error {
	f := flight{item: it, since: time.Now()}
	handed := make(chan paho.Token, 1)
	go func() { handed <- s.client.Publish(topic, qos, retained, body) }()
	select {
	case f.token = <-handed:
	case err := <-s.lost:
		s.flying = append(s.flying, f) // to be sent again
		return fmt.Errorf("connection lost: %w", err)
	}
	s.flying = append(s.flying, f)
	select {
	case <-f.token.Done():
		return f.token.Error()
	default:
		return nil
	}
}

// await returns when the oldest message is confirmed, when there may be something new to send, or, with an
// error, when the connection is lost.
func (s *session) await(wake time.Time, closing <-chan struct{}) error {
	var confirmed <-chan struct{}
	deadline := wake
	if len(s.flying) > 0 {
		confirmed = s.flying[0].token.Done()
		if late := s.flying[0].since.Add(confirmTimeout); deadline.IsZero() || late.Before(deadline) {
			deadline = late
		}
	}
	var timer <-chan time.Time
	if !deadline.IsZero() {
		t := time.NewTimer(time.Until(deadline))
		defer t.Stop()
		timer = t.C
	}
	select {
	case err := <-s.lost:
		return fmt.Errorf("connection lost: %w", err)
	case <-confirmed:
		return s.land()
	case <-s.p.notify:
	case <-closing:
	case <-s.p.abort.Done():
	case <-timer:
		if len(s.flying) > 0 && time.Since(s.flying[0].since) >= confirmTimeout {
			return errors.New("the broker confirms nothing")
		}
	}
	return nil
}

// land takes in all confirmations there are, in the order of sending.
func (s *session) land() error {
	for len(s.flying) > 0 {
		select {
		case <-s.flying[0].token.Done():
		default:
			return nil
		}
		if err := s.flying[0].token.Error(); err != nil {
			return err
		}
		if it := s.flying[0].item; it != nil {
			s.p.outbox.confirm(it, time.Now())
		}
		s.flying = s.flying[1:]
	}
	return nil
}

// unconfirmed are the items of which nobody knows whether the broker has them.
func (s *session) unconfirmed() (items []*item) {
	for _, f := range s.flying {
		if f.item != nil {
			items = append(items, f.item)
		}
	}
	return items
}

// farewell says that the table has stopped in order. Only then no last will is sent.
func (s *session) farewell() {
	token := s.client.Publish(s.p.o.Place.Topic(AvailableLeaf), qos, true, Stopped)
	select {
	case <-token.Done():
	case <-s.p.abort.Done():
	case <-time.After(confirmTimeout):
	}
}
