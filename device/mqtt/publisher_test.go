package mqtt

import (
	"context"
	"encoding/json"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"davar/rules/referee"
)

func TestALateViewerIsGreetedWithTheWholeState(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	p := startPublisher(t, Options{Server: b.Server()})
	asOf := time.Date(2026, 3, 21, 18, 0, 0, 5_000_000, time.UTC)
	p.SetState(referee.State{
		Match: "m", Seq: 7, Players: [2]string{"A", "B"},
		Clock: &referee.ClockView{RemainingMS: [2]int64{60000, 59000}, DelayMS: 800, Running: "dark", AsOfMS: 812},
	}, asOf, 1)
	early := subscribe(t, b.Server().URL, User{}, "davar/#")
	early.untilBody(place.Topic(StateLeaf), `"match":"m"`)

	late := subscribe(t, b.Server().URL, User{}, "davar/#")
	state := late.untilBody(place.Topic(StateLeaf), "")
	if !state.retained {
		t.Error("the state is not retained")
	}
	var got StatePayload
	if err := json.Unmarshal([]byte(state.body), &got); err != nil {
		t.Fatal(err)
	}
	if got.V != Version || got.Seq != 7 || got.Match != "m" || got.Players[1] != "B" {
		t.Errorf("got %s", state.body)
	}
	if got.Clock == nil || got.Clock.AsOf != "2026-03-21T18:00:00.005Z" || got.Clock.Rate != 1 || got.Clock.RemainingMS[1] != 59000 {
		t.Errorf("clock %+v", got.Clock)
	}
	if strings.Count(state.body, `"clock"`) != 1 {
		t.Errorf("the clock is there twice: %s", state.body)
	}
	if h := late.untilBody(place.Topic(AvailableLeaf), Online); !h.retained {
		t.Error("the availability is not retained")
	}
	for _, h := range late.heard() {
		if strings.Contains(h.topic, PrivateLevel) {
			t.Errorf("a stranger heard %+v", h)
		}
	}
}

func TestEventsComeInOrderEachWithTheOneBefore(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	p := startPublisher(t, Options{Server: b.Server()})
	s := subscribe(t, b.Server().URL, director, "davar/#")
	s.untilBody(place.Topic(AvailableLeaf), Online)
	const n = 500
	for _, e := range rollsOf("m", 1, n) {
		p.Publish(e)
	}
	for _, topic := range []string{place.Topic(EventLeaf), place.Topic(PrivateLevel, EventLeaf)} {
		got := events(t, s.until(topic, hasEvent(t, topic, n)), topic)
		if len(got) != n {
			t.Fatalf("%s: %d events, want %d", topic, len(got), n)
		}
		for i, e := range got {
			if e.Seq != int64(i+1) || e.Prev != int64(i) || e.V != Version || e.Match != "m" {
				t.Fatalf("%s: event %d is %+v", topic, i, e)
			}
		}
	}
}

func TestATableThatStopsInOrderSaysSoAndOneThatIsCutOffIsOffline(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	s := subscribe(t, b.Server().URL, User{}, place.Topic(AvailableLeaf))

	p := startPublisher(t, Options{Server: b.Server()})
	s.untilBody(place.Topic(AvailableLeaf), Online)
	p.Publish(roll("m", 1))
	closePublisher(t, p)
	s.untilBody(place.Topic(AvailableLeaf), Stopped)

	// The second table reaches the broker through a wire that is cut.
	wire := newWire(t, strings.TrimPrefix(b.Server().URL, "tcp://"))
	server := b.Server()
	server.URL = "tcp://" + wire.address
	startPublisher(t, Options{Server: server})
	s.until("online again", func(all []heard) bool { return len(all) > 0 && all[len(all)-1].body == Online })
	wire.cut()
	s.untilBody(place.Topic(AvailableLeaf), Offline)
	wire.mend()
	s.until("online after the cut", func(all []heard) bool { return all[len(all)-1].body == Online })

	var words []string
	for _, h := range s.heard() {
		words = append(words, h.body)
	}
	if want := []string{Online, Stopped, Online, Offline, Online}; !slices.Equal(slices.Compact(words), want) {
		t.Errorf("heard %q, want %q", words, want)
	}
}

func TestALastWillThatComesLateIsAnswered(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	startPublisher(t, Options{Server: b.Server()})
	s := subscribe(t, b.Server().URL, device, place.Topic(AvailableLeaf))
	s.untilBody(place.Topic(AvailableLeaf), Online)
	s.must(s.client.Publish(place.Topic(AvailableLeaf), 1, true, Offline))
	s.until("online again", func(all []heard) bool { return len(all) >= 3 && all[len(all)-1].body == Online })
}

// eventsOnce checks that a viewer who goes by seq has each event from 1 to n, in order.
func eventsOnce(t *testing.T, all []heard, topic string, n int64) {
	t.Helper()
	seen := int64(0)
	for _, e := range events(t, all, topic) {
		switch {
		case e.Seq == seen+1:
			seen = e.Seq
		case e.Seq > seen:
			t.Fatalf("%s: event %d after %d", topic, e.Seq, seen)
		}
	}
	if seen != n {
		t.Fatalf("%s: the last event is %d, want %d", topic, seen, n)
	}
}

func TestNothingIsMissingAfterTheBrokerWasAway(t *testing.T) {
	address := freeAddress(t)
	b := startBroker(t, address)
	const total = 3 * recentLimit // more than memory holds
	p := startPublisher(t, Options{Server: deviceAt(address), Backfill: book(rollsOf("m", 1, total)...)})
	topic := place.Topic(EventLeaf)

	first := subscribe(t, "tcp://"+address, User{}, "davar/#")
	for _, e := range rollsOf("m", 1, 10) {
		p.Publish(e)
	}
	p.SetState(referee.State{Match: "m", Seq: 10}, time.Now(), 1)
	before := first.until("event 10", hasEvent(t, topic, 10))
	eventsOnce(t, before, topic, 10)
	// What the broker has confirmed is known for sure only now.
	waitFor(t, "confirmation", func() bool { return p.Cursor().Public.Seq == 10 && p.Cursor().Private.Seq == 10 })
	stopBroker(b)
	first.untilLost()

	for _, e := range rollsOf("m", 11, total) {
		p.Publish(e)
	}
	p.SetState(referee.State{Match: "m", Seq: total}, time.Now(), 1)

	// The viewer is there before the table is.
	again := startBroker(t, "127.0.0.1:0")
	first = subscribe(t, again.Server().URL, User{}, "davar/#")
	forward(t, address, strings.TrimPrefix(again.Server().URL, "tcp://"))
	all := first.until("the last event", hasEvent(t, topic, total))
	got := events(t, all, topic)
	if got[0].Seq > 11 || got[0].Prev != got[0].Seq-1 {
		t.Errorf("it goes on with event %d after %d", got[0].Seq, got[0].Prev)
	}
	eventsOnce(t, append(before, all...), topic, total)
	first.untilBody(place.Topic(StateLeaf), `"seq":3072`)
	if lost := p.Status().Lost; lost != 0 {
		t.Errorf("%d events are lost", lost)
	}
}

func TestTheBrokerIsRestartedTenTimesAndEveryEventArrives(t *testing.T) {
	inside := startBroker(t, "127.0.0.1:0") // the viewer's side stays up, the table's wire is cut
	wire := newWire(t, strings.TrimPrefix(inside.Server().URL, "tcp://"))
	all := rollsOf("m", 1, 1100)
	p := startPublisher(t, Options{Server: deviceAt(wire.address), Backfill: book(all...)})
	s := subscribe(t, inside.Server().URL, director, "davar/#")
	for i := range 11 {
		for _, e := range all[i*100 : (i+1)*100] {
			p.Publish(e)
		}
		if i < 10 {
			s.until("some of it", hasEvent(t, place.Topic(EventLeaf), int64(i*100+20)))
			wire.cut()
			wire.mend()
		}
	}
	for _, topic := range []string{place.Topic(EventLeaf), place.Topic(PrivateLevel, EventLeaf)} {
		eventsOnce(t, s.until("the last event", hasEvent(t, topic, 1100)), topic, 1100)
	}
}

func TestAfterARestartOfTheTableWhatWasNotConfirmedIsSentAgain(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	s := subscribe(t, b.Server().URL, director, "davar/#")
	journal := append(rollsOf("old", 1, 40), rollsOf("m", 1, 30)...)
	p := startPublisher(t, Options{Server: b.Server(), Backfill: book(journal...)})
	p.Resume("m", 30, Cursor{Private: Position{"m", 12}, Public: Position{"old", 35}})
	p.Publish(roll("m", 31))
	topic := place.Topic(EventLeaf)
	got := events(t, s.until("event 31", func(all []heard) bool {
		list := events(t, all, topic)
		return len(list) > 0 && list[len(list)-1].Seq == 31
	}), topic)
	if len(got) != 5+31 || got[0].Match != "old" || got[0].Seq != 36 || got[5].Match != "m" || got[5].Seq != 1 {
		t.Errorf("public: %d events, first %+v", len(got), got[0].Event)
	}
	topic = place.Topic(PrivateLevel, EventLeaf)
	got = events(t, s.until("event 31", hasEvent(t, topic, 31)), topic)
	if len(got) != 19 || got[0].Seq != 13 || got[0].Prev != 12 {
		t.Errorf("private: %d events, first %+v", len(got), got[0])
	}
	waitFor(t, "confirmation", func() bool {
		return p.Cursor() == Cursor{Private: Position{"m", 31}, Public: Position{"m", 31}}
	})
}

func TestNeitherASlowNorAnAbsentBrokerHoldsTheTableUp(t *testing.T) {
	for name, address := range map[string]string{
		"nobody listens":          freeAddress(t),
		"it accepts and is mute":  muteServer(t),
		"its name does not exist": "no.such.host.invalid:1883",
	} {
		t.Run(name, func(t *testing.T) {
			p := startPublisher(t, Options{Server: deviceAt(address)})
			returns(t, "publishing", func() {
				for _, e := range rollsOf("m", 1, 20_000) {
					p.Publish(e)
					p.SetState(referee.State{Match: "m", Seq: e.Seq}, time.Now(), 1)
				}
			})
			returns(t, "closing", func() { _ = p.Close(context.Background()) })
		})
	}
}

func TestABrokerThatStopsConfirmingIsGivenUpAndTriedAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED with -short: it waits for the limit of ten seconds")
	}
	b := startBroker(t, "127.0.0.1:0")
	wire := newWire(t, strings.TrimPrefix(b.Server().URL, "tcp://"))
	p := startPublisher(t, Options{Server: deviceAt(wire.address), Backfill: book(rollsOf("m", 1, 20)...)})
	s := subscribe(t, b.Server().URL, User{}, "davar/#")
	p.Publish(roll("m", 1))
	s.until("event 1", hasEvent(t, place.Topic(EventLeaf), 1))
	wire.stall()
	for _, e := range rollsOf("m", 2, 20) {
		p.Publish(e)
	}
	waitFor(t, "the loss to be noticed", func() bool { return !p.Status().Connected })
	wire.cut()
	wire.mend()
	eventsOnce(t, s.until("event 20", hasEvent(t, place.Topic(EventLeaf), 20)), place.Topic(EventLeaf), 20)
}

func TestStartSaysWhatIsWrongWithTheSettings(t *testing.T) {
	for _, c := range []struct {
		o    Options
		says string
	}{
		{Options{Server: Server{URL: "tcp://h:1"}, Place: Place{"a/b", "1"}}, "club"},
		{Options{Server: Server{URL: "tcp://h:1"}, Place: Place{"a", ""}}, "table"},
		{Options{Server: Server{URL: "somewhere"}, Place: place}, "tcp://"},
		{Options{Server: Server{URL: "http://h:1"}, Place: place}, "use tcp"},
		{Options{Server: Server{URL: "ssl://h:1", CAFile: "absent.pem"}, Place: place}, "absent.pem"},
		{Options{Server: Server{URL: "ssl://h:1", CAFile: "helper_test.go"}, Place: place}, "no PEM"},
		{Options{Server: Server{URL: "ssl://h:1", CertFile: "absent.pem"}, Place: place}, "our certificate"},
	} {
		if _, err := Start(c.o); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want it to say %q", c.o, err, c.says)
		}
	}
}

// waitFor polls a condition of the publisher, which tells nobody when it changes.
func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	limit := time.After(patience)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// muteServer accepts connections and never says a word.
func muteServer(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l.Addr().String() // the kernel accepts into its backlog
}
