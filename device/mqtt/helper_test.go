package mqtt

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"davar/rules"
	"davar/rules/referee"
)

// patience is how long a test waits for what must come; it only matters when something is broken.
const patience = 20 * time.Second

var place = Place{Club: "club", Table: "1"}

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// accounts of the tests' brokers.
var (
	director = User{Name: "director", Password: "open sesame", Role: Director}
	device   = User{Name: "device", Password: "board", Role: Table}
)

func startBroker(t testing.TB, listen string) *Broker {
	t.Helper()
	b, err := StartBroker(BrokerOptions{Listen: listen, Users: []User{director, device}, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stopBroker(b) })
	return b
}

var stoppedBrokers sync.Map

// stopBroker closes a broker once.
func stopBroker(b *Broker) {
	if _, done := stoppedBrokers.LoadOrStore(b, true); !done {
		_ = b.Close()
	}
}

func startPublisher(t testing.TB, o Options) *Publisher {
	t.Helper()
	if o.Place == (Place{}) {
		o.Place = place
	}
	o.Log = quiet
	p, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closePublisher(t, p) })
	return p
}

func closePublisher(t testing.TB, p *Publisher) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := p.Close(ctx); err != nil {
		t.Error(err)
	}
}

// returns runs f and fails when it does not come back.
func returns(t testing.TB, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatalf("%s does not return", what)
	}
}

// heard is a message a subscriber got.
type heard struct {
	topic    string
	body     string
	retained bool
}

// subscriber is a real client that keeps all it hears.
type subscriber struct {
	t      testing.TB
	client paho.Client
	lost   chan struct{}

	mu   sync.Mutex
	all  []heard
	news chan struct{}
}

// connect connects a client to url as u; a User without name is a stranger.
func connect(t testing.TB, url string, u User) *subscriber {
	t.Helper()
	s := &subscriber{t: t, lost: make(chan struct{}), news: make(chan struct{}, 1)}
	options := paho.NewClientOptions().AddBroker(url).SetUsername(u.Name).SetPassword(u.Password).
		SetProtocolVersion(4).SetAutoReconnect(false).SetConnectTimeout(patience).
		SetDefaultPublishHandler(s.take). // once for each message, however many subscriptions it matches
		SetConnectionLostHandler(func(paho.Client, error) { close(s.lost) })
	s.client = paho.NewClient(options)
	s.must(s.client.Connect())
	t.Cleanup(func() { s.client.Disconnect(0) })
	return s
}

// subscribe connects as u and subscribes.
func subscribe(t testing.TB, url string, u User, filters ...string) *subscriber {
	t.Helper()
	s := connect(t, url, u)
	for _, filter := range filters {
		s.must(s.client.Subscribe(filter, 1, nil))
	}
	return s
}

func (s *subscriber) must(token paho.Token) {
	s.t.Helper()
	if !token.WaitTimeout(patience) {
		s.t.Fatal("the broker does not answer")
	}
	if token.Error() != nil {
		s.t.Fatal(token.Error())
	}
}

// untilLost waits until the broker has ended the connection.
func (s *subscriber) untilLost() {
	s.t.Helper()
	select {
	case <-s.lost:
	case <-time.After(patience):
		s.t.Fatal("the broker did not end the connection")
	}
}

func (s *subscriber) take(_ paho.Client, m paho.Message) {
	s.mu.Lock()
	s.all = append(s.all, heard{m.Topic(), string(m.Payload()), m.Retained()})
	s.mu.Unlock()
	select {
	case s.news <- struct{}{}:
	default:
	}
}

func (s *subscriber) heard() []heard {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]heard(nil), s.all...)
}

// until waits until what was heard satisfies done, and returns it.
func (s *subscriber) until(what string, done func([]heard) bool) []heard {
	s.t.Helper()
	limit := time.After(patience)
	for {
		all := s.heard()
		if done(all) {
			return all
		}
		select {
		case <-s.news:
		case <-limit:
			s.t.Fatalf("waited in vain for %s; heard %+v", what, all)
		}
	}
}

// untilBody waits for a message on topic whose body holds text.
func (s *subscriber) untilBody(topic, text string) heard {
	s.t.Helper()
	var found heard
	s.until(topic+" with "+text, func(all []heard) bool {
		for _, h := range all {
			if h.topic == topic && strings.Contains(h.body, text) {
				found = h
				return true
			}
		}
		return false
	})
	return found
}

// events decodes what was heard on a topic as events.
func events(t testing.TB, all []heard, topic string) (list []EventPayload) {
	t.Helper()
	for _, h := range all {
		if h.topic == topic {
			var e EventPayload
			if err := json.Unmarshal([]byte(h.body), &e); err != nil {
				t.Fatalf("%s: %v", h.body, err)
			}
			list = append(list, e)
		}
	}
	return list
}

// hasEvent tells when the event with number seq was heard on topic.
func hasEvent(t testing.TB, topic string, seq int64) func([]heard) bool {
	return func(all []heard) bool {
		list := events(t, all, topic)
		return len(list) > 0 && list[len(list)-1].Seq >= seq
	}
}

// roll is an event of a match.
func roll(match string, seq int64) referee.Event {
	side := rules.Side(seq % 2)
	return referee.Event{Seq: seq, Match: match, Game: 1, TMS: seq * 1000, Type: referee.Roll, Side: &side, Dice: []int{3, 1}}
}

func rollsOf(match string, from, to int64) (list []referee.Event) {
	for seq := from; seq <= to; seq++ {
		list = append(list, roll(match, seq))
	}
	return list
}

// book is a journal in memory.
func book(all ...referee.Event) func(context.Context, string, int64, int) ([]referee.Event, error) {
	return func(_ context.Context, match string, from int64, limit int) (list []referee.Event, err error) {
		for _, e := range all {
			if e.Match == match && e.Seq >= from && len(list) < limit {
				list = append(list, e)
			}
		}
		return list, nil
	}
}

// freeAddress is an address nobody listens on.
func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// deviceAt signs the tests' table in at an address.
func deviceAt(address string) Server {
	return Server{URL: "tcp://" + address, User: device.Name, Password: device.Password}
}
