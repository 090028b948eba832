package mqtt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"davar/rules"
	"davar/rules/referee"
)

func accept(context.Context, referee.Decision, string) error { return nil }

// office keeps the decisions that were handed on.
type office struct {
	mu        sync.Mutex
	decisions []referee.Decision
	who       []string
}

func (o *office) handle(_ context.Context, d referee.Decision, who string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.decisions, o.who = append(o.decisions, d), append(o.who, who)
	if d.Why == "refuse" {
		return errors.New("table: not now")
	}
	return nil
}

func (o *office) taken() ([]referee.Decision, []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]referee.Decision(nil), o.decisions...), append([]string(nil), o.who...)
}

// answer waits for the answer to a transaction.
func (s *subscriber) answer(name, transaction string) ResponsePayload {
	s.t.Helper()
	h := s.untilBody(place.Topic(ResponseLevel, name), fmt.Sprintf(`"transaction":%q`, transaction))
	var r ResponsePayload
	if err := json.Unmarshal([]byte(h.body), &r); err != nil {
		s.t.Fatal(err)
	}
	return r
}

func TestADirectorsCommandIsCarriedOutOnceAndAnswered(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	var o office
	p := startPublisher(t, Options{Server: b.Server(), Handle: o.handle})
	s := subscribe(t, b.Server().URL, director, place.Topic(ResponseLevel, "+"), place.Topic(AvailableLeaf))
	s.untilBody(place.Topic(AvailableLeaf), Online)
	p.Publish(roll("m", 1))

	send := func(name, body string) {
		s.must(s.client.Publish(place.Topic(CommandLevel, name), 1, false, body))
	}
	send("adjust", `{"transaction":"a1","match":"m","side":"dark","remaining_ms":90000,"by":"the Queen","BY":"x"}`)
	if r := s.answer("adjust", "a1"); !r.OK || r.Match != "m" || r.V != Version || r.Error != "" {
		t.Errorf("answer %+v", r)
	}
	send("adjust", `{"transaction":"a1","match":"m","side":"dark","remaining_ms":90000}`)
	send("pause", `{"transaction":"p1","why":"refuse","person":"sara"}`)
	if r := s.answer("pause", "p1"); r.OK || r.Error != "table: not now" {
		t.Errorf("answer %+v", r)
	}
	decisions, who := o.taken()
	if len(decisions) != 2 {
		t.Fatalf("carried out: %+v", decisions)
	}
	if d := decisions[0]; d.What != referee.DecideAdjust || d.Side != rules.Dark || d.RemainingMS != 90000 {
		t.Errorf("carried out: %+v", d)
	}
	if who[0] != director.Name || decisions[0].By != director.Name {
		t.Errorf("by %q and %q, want the account", who[0], decisions[0].By)
	}
	if who[1] != "sara (director)" {
		t.Errorf("by %q, want the person and the account that speaks for her", who[1])
	}
	answers := 0
	for _, h := range s.heard() {
		if h.topic == place.Topic(ResponseLevel, "adjust") {
			answers++
		}
	}
	if answers != 2 {
		t.Errorf("%d answers to a repeated command, want one each", answers)
	}
}

func TestACommandThatMakesNoSenseIsAnsweredAndNotCarriedOut(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	var o office
	p := startPublisher(t, Options{Server: b.Server(), Handle: o.handle})
	s := subscribe(t, b.Server().URL, director, place.Topic(ResponseLevel, "+"), place.Topic(AvailableLeaf))
	s.untilBody(place.Topic(AvailableLeaf), Online)
	p.Publish(roll("m", 1))
	for i, c := range []struct{ name, body, says string }{
		{"explode", `{"transaction":"%s"}`, "no command"},
		{"pause", `{"transaction":"%s","wyh":"typo"}`, "wyh"},
		{"take", `{"transaction":"%s"}`, "which side"},
		{"take", `{"transaction":"%s","side":"green"}`, "green"},
		{"pause", `{"transaction":"%s","match":"yesterday"}`, "yesterday"},
		{"pause", `{"transaction":"%s","decision":"resume"}`, "resume"},
		{"pause", `{"transaction":"%s","v":99}`, "version"},
		{"pause", `{"transaction":"%s","person":"sara (hall)"}`, "brackets"},
		{"pause", `{"transaction":"%s","person":"light"}`, "players"},
		{"pause", `{"transaction":"%s","person":" sara"}`, "space"},
		{"pause", `{"transaction":"%s","person":"a name longer than any account of the pages"}`, "more than 40"},
	} {
		transaction := fmt.Sprint("t", i)
		s.must(s.client.Publish(place.Topic(CommandLevel, c.name), 1, false, fmt.Sprintf(c.body, transaction)))
		if r := s.answer(c.name, transaction); r.OK || !strings.Contains(r.Error, c.says) {
			t.Errorf("%s: %+v, want it to say %q", c.body, r, c.says)
		}
	}
	for _, body := range []string{`{}`, `nonsense`, ``, `[]`, `{"transaction":"` + strings.Repeat("x", maxTransaction+1) + `"}`, `{"transaction":7}`} {
		s.must(s.client.Publish(place.Topic(CommandLevel, "next"), 1, false, body))
	}
	s.until("six answers", func(all []heard) bool {
		n := 0
		for _, h := range all {
			if h.topic == place.Topic(ResponseLevel, "next") && strings.Contains(h.body, `"ok":false`) {
				n++
			}
		}
		return n == 6
	})
	if decisions, _ := o.taken(); len(decisions) != 0 {
		t.Errorf("carried out: %+v", decisions)
	}
}

func TestARetainedCommandIsNotCarriedOutAgainAfterAReconnection(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	s := subscribe(t, b.Server().URL, director, "davar/#")
	s.must(s.client.Publish(place.Topic(CommandLevel, "pause"), 1, true, `{"transaction":"old"}`))
	s.untilBody(place.Topic(CommandLevel, "pause"), "old") // it has gone to all there are
	var o office
	startPublisher(t, Options{Server: b.Server(), Handle: o.handle})
	s.untilBody(place.Topic(AvailableLeaf), Online)
	s.must(s.client.Publish(place.Topic(CommandLevel, "resume"), 1, false, `{"transaction":"new"}`))
	s.answer("resume", "new")
	if decisions, _ := o.taken(); len(decisions) != 1 || decisions[0].What != referee.DecideResume {
		t.Errorf("carried out: %+v", decisions)
	}
	late := subscribe(t, b.Server().URL, director, place.Topic(CommandLevel, "+"), place.Topic(AvailableLeaf))
	late.untilBody(place.Topic(AvailableLeaf), Online)
	if all := late.heard(); len(all) != 1 {
		t.Errorf("the broker kept a command: %+v", all)
	}
}

func TestOldTransactionsAreForgottenOnlyByAndBy(t *testing.T) {
	c := newCommands(accept, quiet, func() Position { return Position{} }, func(response) {})
	for i := range remembered + 10 {
		c.carryOut(context.Background(), message{"pause", fmt.Appendf(nil, `{"transaction":"%d"}`, i)})
	}
	if len(c.answers) != remembered || len(c.order) != remembered {
		t.Errorf("%d answers and %d keys are kept, want %d", len(c.answers), len(c.order), remembered)
	}
}

func FuzzDecodeCommand(f *testing.F) {
	for _, body := range []string{
		`{"transaction":"t","side":"dark"}`, `{"transaction":"t","score":{"light":1,"dark":2}}`, `{"transaction":"t","position":{}}`,
		`{"transaction":"t","Side":null}`, `null`, `[]`, `{"transaction":"t","side":"light","SIDE":"dark"}`,
	} {
		f.Add("take", []byte(body))
		f.Add("score", []byte(body))
	}
	f.Fuzz(func(t *testing.T, name string, body []byte) {
		command, transaction, err := decodeCommand(message{name, body})
		if err != nil {
			return
		}
		if transaction == "" || len(transaction) > maxTransaction || command.What != name {
			t.Errorf("%q taken as %+v", body, command)
		}
		if _, known := referee.AboutSide(name); !known {
			t.Errorf("unknown command %q taken", name)
		}
	})
}

func TestACommandCarriedOutBeforeARestartIsAnsweredAndNotCarriedOutAgain(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	var first, second office
	before := startPublisher(t, Options{Server: b.Server(), Handle: first.handle})
	s := subscribe(t, b.Server().URL, director, "davar/#")
	s.untilBody(place.Topic(AvailableLeaf), Online)
	send := func(name, body string) { s.must(s.client.Publish(place.Topic(CommandLevel, name), 1, false, body)) }
	send("pause", `{"transaction":"t1"}`)
	s.answer("pause", "t1")
	closePublisher(t, before)
	s.untilBody(place.Topic(AvailableLeaf), Stopped)
	taken, _ := first.taken()
	if len(taken) != 1 || taken[0].Transaction != "t1" {
		t.Fatalf("the table was told %+v: it cannot write the transaction down", taken)
	}

	startPublisher(t, Options{Server: b.Server(), Handle: second.handle, Decided: []referee.Event{
		{Seq: 7, Match: "m", Type: referee.DecisionMade, What: "pause", Transaction: "t1"},
		{Seq: 8, Match: "m", Type: referee.DecisionRefused, What: "resume", Transaction: "t2", Refusal: "not paused"},
	}})
	s.until("the table again", func(all []heard) bool {
		return slices.ContainsFunc(all[1:], func(h heard) bool { return h.topic == place.Topic(AvailableLeaf) && h.body == Online })
	})
	send("pause", `{"transaction":"t1"}`)
	send("resume", `{"transaction":"t2"}`)
	send("pause", `{"transaction":"t3"}`)
	s.answer("pause", "t3")
	if r := s.untilBody(place.Topic(ResponseLevel, "pause"), `"seq":7`); !strings.Contains(r.body, `"ok":true`) {
		t.Errorf("what was carried out is answered by %s", r.body)
	}
	if r := s.answer("resume", "t2"); r.OK || r.Error != "not paused" {
		t.Errorf("what was refused is answered by %+v", r)
	}
	if taken, _ := second.taken(); len(taken) != 1 || taken[0].Transaction != "t3" {
		t.Errorf("carried out after the restart: %+v", taken)
	}
}
