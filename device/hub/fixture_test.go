package hub

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"davar/device/mqtt"
	"davar/rules"
	"davar/rules/referee"
)

var quiet = slog.New(slog.DiscardHandler)

// patience is how long a test waits for what must come; it only matters when something is broken.
const patience = 60 * time.Second

func TestMain(m *testing.M) {
	if conf := os.Getenv(natsChild); conf != "" {
		beNATS(conf)
		return
	}
	if broker := os.Getenv(hubChild); broker != "" {
		beHub(broker)
		return
	}
	os.Exit(m.Run())
}

// table is a simulated table of the club "c".
type table struct {
	name      string
	publisher *mqtt.Publisher
	seq       int64
	state     referee.State
}

func seat(t testing.TB, broker mqtt.Server, name string) *table {
	t.Helper()
	return seatWith(t, mqtt.Options{Server: broker, Place: mqtt.Place{Club: "c", Table: name}})
}

func seatWith(t testing.TB, o mqtt.Options) *table {
	t.Helper()
	o.Log = quiet
	name := o.Place.Table
	p, err := mqtt.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		_ = p.Close(ctx)
	})
	return &table{name: name, publisher: p, state: referee.State{
		Match: "m" + name, Game: 1, Phase: "rolled", Players: [2]string{"Ada Berg", "Cyrus Dara"}, Length: 7, Turn: "light",
		Cube: referee.CubeState{Enabled: true, Value: 1}, Layout: referee.Layout{Bottom: "light", Home: "right"},
		Clock:  &referee.ClockView{RemainingMS: [2]int64{600_000, 600_000}, DelayMS: 12_000, Running: "light"},
		Points: [24]int{-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2},
	}}
}

// play has n things happen: a roll and its play in turn, and a new game after each fifty plays.
func (t *table) play(n int) {
	for range n {
		t.seq++
		side := rules.Side(t.seq / 2 % 2)
		e := referee.Event{Seq: t.seq, Match: t.state.Match, Game: 1, TMS: t.seq * 1000, Type: referee.Roll, Side: &side, Dice: []int{3, 1}, Confidence: 0.99}
		t.state.Seq, t.state.Turn, t.state.Dice = t.seq, side.String(), e.Dice
		if t.seq%2 == 0 {
			e.Type, e.Notation, e.Position = referee.PlayMade, "8/5 6/5", "4HPwATDgc/ABMA"
			if len(t.state.Plays) >= 50 {
				t.state.Plays = nil
			}
			t.state.Plays = append(t.state.Plays, referee.LastPlay{
				Seq: t.seq, Side: side.String(), Dice: e.Dice, Notation: e.Notation, Position: e.Position, Legal: true})
			t.state.Last = &t.state.Plays[len(t.state.Plays)-1]
		}
		t.publisher.Publish(e)
		t.publisher.SetState(t.state, time.Now(), 1)
	}
}

// openHub runs a hub until the test ends.
func openHub(t *testing.T, s Settings) *Hub {
	t.Helper()
	s.Listen, s.Log = "127.0.0.1:0", slog.New(slog.NewTextHandler(t.Output(), nil))
	h, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Listen(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := h.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		stop()
		running.Wait()
	})
	return h
}

// spectator follows one table at a hub and keeps what he hears, as his page would.
type spectator struct {
	t    testing.TB
	news chan struct{}

	mu     sync.Mutex
	events []told
	state  int64 // seq of the newest
	other  []string
}

type told struct {
	seq  int64
	when time.Time
}

// watch comes to a table of the club "c" as soon as the hub has it.
func watch(ctx context.Context, t testing.TB, h *Hub, table string) *spectator {
	t.Helper()
	s := &spectator{t: t, news: make(chan struct{}, 1)}
	answer := s.come(ctx, h.URL()+"/t/c/"+table+"/events")
	var reading sync.WaitGroup
	reading.Go(func() {
		defer answer.Body.Close()
		s.read(answer.Body)
	})
	t.Cleanup(func() {
		answer.Body.Close()
		reading.Wait()
	})
	return s
}

func (s *spectator) come(ctx context.Context, url string) *http.Response {
	s.t.Helper()
	for limit := time.Now().Add(patience); time.Now().Before(limit); time.Sleep(50 * time.Millisecond) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			s.t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			s.t.Fatal(err)
		}
		if answer.StatusCode == http.StatusOK {
			return answer
		}
		answer.Body.Close()
	}
	s.t.Fatalf("%s never comes", url)
	return nil
}

func (s *spectator) read(body io.Reader) {
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, 1<<20)
	name := ""
	for lines.Scan() {
		field, value, _ := strings.Cut(lines.Text(), ": ")
		switch field {
		case "event":
			name = value
		case "data":
			s.take(name, value)
		}
	}
}

func (s *spectator) take(name, data string) {
	s.mu.Lock()
	switch name {
	case "event":
		var e struct{ Seq int64 }
		_ = json.Unmarshal([]byte(data), &e)
		s.events = append(s.events, told{e.Seq, time.Now()})
	case "state":
		var m struct{ State struct{ Seq int64 } }
		_ = json.Unmarshal([]byte(data), &m)
		s.state = m.State.Seq
	default:
		s.other = append(s.other, name+" "+data)
	}
	s.mu.Unlock()
	select {
	case s.news <- struct{}{}:
	default:
	}
}

func (s *spectator) wait(what string, done func() bool) {
	s.t.Helper()
	limit := time.After(patience)
	for {
		s.mu.Lock()
		ok := done()
		s.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-s.news:
		case <-limit:
			s.mu.Lock()
			defer s.mu.Unlock()
			s.t.Fatalf("a spectator waits in vain for %s; he has %d events, state %d", what, len(s.events), s.state)
		}
	}
}

// until waits for the event with number seq.
func (s *spectator) until(seq int64) {
	s.t.Helper()
	s.wait(fmt.Sprintf("event %d", seq), func() bool { return len(s.events) > 0 && s.events[len(s.events)-1].seq >= seq })
}

// untilState waits for the state after event seq.
func (s *spectator) untilState(seq int64) {
	s.t.Helper()
	s.wait(fmt.Sprintf("state %d", seq), func() bool { return s.state >= seq })
}

// eachOnce checks that he heard all events up to seq, each once and in order, from at the latest the one named.
func (s *spectator) eachOnce(from, to int64) {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.events[0].seq > from {
		s.t.Fatalf("the first event heard is %d", s.events[0].seq)
	}
	for i := range s.events[1:] {
		if a, b := s.events[i].seq, s.events[i+1].seq; b != a+1 {
			s.t.Fatalf("event %d follows %d", b, a)
		}
	}
	if last := s.events[len(s.events)-1].seq; last != to {
		s.t.Fatalf("the last event heard is %d, want %d", last, to)
	}
}

// longestWait is the longest time between two events.
func (s *spectator) longestWait() (longest time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.events[1:] {
		longest = max(longest, s.events[i+1].when.Sub(s.events[i].when))
	}
	return longest
}

// checkDoor tries what an access list must forbid, at a broker with the accounts table and director.
func checkDoor(t *testing.T, urls, tables, directors string) {
	t.Helper()
	board := seat(t, mqtt.Server{URL: urls, User: "table", Password: tables}, "1")
	board.play(3)
	var mu sync.Mutex
	heard := map[string]string{}
	connect := func(user, password string, topics ...string) paho.Client {
		o := paho.NewClientOptions().SetUsername(user).SetPassword(password).SetProtocolVersion(4).SetConnectRetry(true).
			SetConnectRetryInterval(200 * time.Millisecond).SetAutoReconnect(true).SetMaxReconnectInterval(200 * time.Millisecond)
		for url := range strings.SplitSeq(urls, ",") {
			o.AddBroker(url)
		}
		o.SetDefaultPublishHandler(func(_ paho.Client, m paho.Message) {
			mu.Lock()
			defer mu.Unlock()
			heard[user+" "+m.Topic()] = string(m.Payload())
		})
		c := paho.NewClient(o)
		if token := c.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
			t.Fatalf("%q cannot connect: %v", user, token.Error())
		}
		t.Cleanup(func() { c.Disconnect(0) })
		for _, topic := range topics {
			if token := c.Subscribe(topic, 1, nil); !token.WaitTimeout(patience) {
				t.Fatalf("%q cannot subscribe to %s", user, topic)
			}
		}
		return c
	}
	director := connect("director", directors, "davar/#")
	connect("", "", "davar/c/1/state", "davar/c/1/private/state", "davar/c/1/command/+", "davar/c/1/event")
	reader := "davar/c/1/" + mqtt.PrivateLevel + "/picture/+"
	connect("", "", reader)
	forger, unit := connect("", ""), connect("table", tables)
	unit.Publish("davar/c/1/command/pause", 1, false, "forged").WaitTimeout(time.Second)
	unit.Publish("davar/c/1/private/picture/x", 0, false, "for directors").WaitTimeout(time.Second)
	forger.Publish("davar/c/1/state", 1, true, "forged").WaitTimeout(time.Second)
	forger.Publish("davar/c/1/command/pause", 1, false, "forged").WaitTimeout(time.Second)
	director.Publish("davar/c/1/state", 1, true, "forged").WaitTimeout(time.Second)
	director.Publish("davar/c/1/command/pause", 1, false, `{"transaction":"t"}`).WaitTimeout(time.Second)
	board.play(1)
	has := func(key, text string) bool {
		mu.Lock()
		defer mu.Unlock()
		return strings.Contains(heard[key], text)
	}
	for _, want := range [][2]string{
		{" davar/c/1/state", `"seq":4`}, {" davar/c/1/event", `"seq":4`}, {"director davar/c/1/private/state", `"seq":4`},
		{"director davar/c/1/command/pause", `"t"`}, {"director davar/c/1/private/picture/x", "for directors"},
	} {
		for limit := time.Now().Add(patience); !has(want[0], want[1]); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(limit) {
				t.Fatalf("%q is never heard with %s", want[0], want[1])
			}
		}
	}
	mu.Lock()
	defer mu.Unlock()
	for key, body := range heard {
		if body == "forged" || strings.HasPrefix(key, " ") && (strings.Contains(key, "/private/") || strings.Contains(key, "/command/")) {
			t.Errorf("heard: %s %.80s", key, body)
		}
	}
}
