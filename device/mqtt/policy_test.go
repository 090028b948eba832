package mqtt

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"davar/rules/referee"
)

func ruling(seq int64, audience string) referee.Event {
	return referee.Event{Seq: seq, Match: "m", Type: referee.RulingMade, Ruling: &referee.RulingBody{
		Code: "M1", Audience: audience, Nearest: []string{"8/5 6/5"}, ID: seq,
	}}
}

func TestThePublicHearsRulingsForTheTableOnlyAndNeverABetterPlay(t *testing.T) {
	for audience, want := range map[string]bool{"table": true, "director": false, "log": false, "": false} {
		given := ruling(1, audience)
		e, show := Policy{}.publicEvent(given)
		if show != want {
			t.Errorf("audience %q: shown %v, want %v", audience, show, want)
		}
		if show && (e.Ruling.Nearest != nil || given.Ruling.Nearest == nil) {
			t.Errorf("audience %q: %+v, the event given now %+v", audience, e.Ruling, given.Ruling)
		}
	}
	if _, show := (Policy{}).publicEvent(referee.Event{Type: referee.RulingMade}); show {
		t.Error("a ruling without a body is shown")
	}
	s := Policy{}.publicState(referee.State{Rulings: []referee.RulingBody{*ruling(1, "table").Ruling, *ruling(2, "director").Ruling}})
	if len(s.Rulings) != 1 || s.Rulings[0].ID != 1 || s.Rulings[0].Nearest != nil {
		t.Errorf("state shows %+v", s.Rulings)
	}
}

func TestWhatIsAskedOfTheDirectorAloneIsNotPublic(t *testing.T) {
	for audience, want := range map[string]bool{"table": true, "director": false, "log": false} {
		e := ruling(1, audience)
		e.Type, e.Why, e.Ruling.Code = referee.Attention, "not_seen", "X1"
		if _, show := (Policy{}).publicEvent(e); show != want {
			t.Errorf("a question to the %s: shown %v, want %v", audience, show, want)
		}
		s := Policy{}.publicState(referee.State{Notice: "not_seen", NoticeTo: audience})
		if (s.Notice != "") != want {
			t.Errorf("the notice to the %s in the state: %q", audience, s.Notice)
		}
	}
}

func TestASilentRefereeDoesNotTellThePublicWhichPlayWasIllegal(t *testing.T) {
	no := false
	play := referee.Event{Type: referee.PlayMade, Legal: &no}
	state := referee.State{Last: &referee.LastPlay{Seq: 2}, Plays: []referee.LastPlay{{Seq: 1, Legal: true}, {Seq: 2}}}
	before, _ := json.Marshal(state)

	if e, _ := (Policy{Silent: true}).publicEvent(play); e.Legal != nil {
		t.Error("the event tells")
	}
	if e, _ := (Policy{}).publicEvent(play); e.Legal == nil || *e.Legal {
		t.Error("an announced illegal play is hidden")
	}
	if s := (Policy{Silent: true}).publicState(state); !s.Last.Legal || !s.Plays[1].Legal {
		t.Error("the state tells")
	}
	if s := (Policy{}).publicState(state); s.Last.Legal || s.Plays[1].Legal {
		t.Error("an announced illegal play is hidden in the state")
	}
	if after, _ := json.Marshal(state); string(after) != string(before) {
		t.Error("the state given was changed")
	}
}

func TestWhoDecidedAndWhyIsNotThePublicsBusiness(t *testing.T) {
	e, show := Policy{}.publicEvent(referee.Event{Type: referee.DecisionMade, What: "pause", By: "A. Name", Why: "illness"})
	if !show || e.By != "" || e.Why != "" || e.What != "pause" {
		t.Errorf("shown %v: %+v", show, e)
	}
	if e, show := (Policy{}).publicEvent(referee.Event{Type: referee.DecisionRefused, What: "undo", By: "A. Name"}); show {
		t.Errorf("a decision that was refused is shown: %+v", e)
	}
}

// Every public byte is read: nothing of a secret ruling, and nothing before its time.
func TestNothingPrivateGoesOutOnPublicTopics(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	p := startPublisher(t, Options{Server: b.Server()})
	stranger := subscribe(t, b.Server().URL, User{}, "#")
	boss := subscribe(t, b.Server().URL, director, "davar/#")
	boss.untilBody(place.Topic(AvailableLeaf), Online)
	secret := ruling(2, "director")
	for _, e := range []referee.Event{roll("m", 1), secret, ruling(3, "table"), roll("m", 4)} {
		p.Publish(e)
	}
	p.SetState(referee.State{Match: "m", Seq: 4, Rulings: []referee.RulingBody{*secret.Ruling}}, time.Now(), 1)
	stranger.untilBody(place.Topic(StateLeaf), `"seq":4`)
	all := stranger.until("event 4", hasEvent(t, place.Topic(EventLeaf), 4))
	for _, h := range all {
		if strings.Contains(h.body, "nearest") || strings.Contains(h.body, "director") || strings.Contains(h.topic, PrivateLevel) {
			t.Errorf("a stranger heard %+v", h)
		}
	}
	var seqs, prevs []int64
	for _, e := range events(t, all, place.Topic(EventLeaf)) {
		seqs, prevs = append(seqs, e.Seq), append(prevs, e.Prev)
	}
	if want := []int64{1, 3, 4}; !reflect.DeepEqual(seqs, want) || !reflect.DeepEqual(prevs, []int64{0, 1, 3}) {
		t.Errorf("public events %v after %v", seqs, prevs)
	}
	if got := events(t, all, place.Topic(RulingLeaf)); len(got) != 1 || got[0].Seq != 3 {
		t.Errorf("public rulings %+v", got)
	}
	boss.until("event 4", hasEvent(t, place.Topic(PrivateLevel, EventLeaf), 4))
	boss.untilBody(place.Topic(PrivateLevel, EventLeaf), "8/5 6/5")
	boss.untilBody(place.Topic(PrivateLevel, StateLeaf), "8/5 6/5")
}
