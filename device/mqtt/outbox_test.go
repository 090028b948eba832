package mqtt

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"davar/device/embargo"

	"davar/rules/referee"
)

var dawn = time.Date(2026, 3, 21, 6, 0, 0, 0, time.UTC)

// drain takes everything that is due and names it, confirming each; it fetches from journal.
func drain(o *outbox, now time.Time, journal []referee.Event) (sent []string) {
	for {
		it, wish, _ := o.next(now)
		if it == nil && wish == nil {
			return sent
		}
		if it == nil {
			events, _ := book(journal...)(nil, wish.match, wish.from, chunkLimit)
			o.fill(*wish, events, now)
			continue
		}
		sent = append(sent, nameOf(it))
		o.confirm(it, now)
	}
}

func nameOf(it *item) string {
	audience := "public"
	if it.stream != nil && it.stream.private {
		audience = "private"
	}
	switch {
	case it.greeting:
		return "online"
	case it.response != nil:
		return "response " + it.response.payload.(ResponsePayload).Transaction
	case it.state != nil:
		return fmt.Sprintf("%s state %d", audience, it.state.state.Seq)
	}
	return fmt.Sprintf("%s event %s%d", audience, it.event.Match, it.event.Seq)
}

func state(seq int64) snapshot { return snapshot{referee.State{Match: "m", Seq: seq}, dawn, 1} }

func TestATableContradictsItsLastWillAfterAMomentAndOnce(t *testing.T) {
	o := newOutbox(Policy{})
	if got := drain(o, dawn, nil); !slices.Equal(got, []string{"online"}) {
		t.Fatalf("at first %v", got)
	}
	later := dawn.Add(time.Second)
	o.greet(later)
	if it, _, wake := o.next(dawn); it != nil || !wake.Equal(later) {
		t.Errorf("before the moment: %v, to be asked again at %v", it, wake)
	}
	if got := drain(o, later, nil); !slices.Equal(got, []string{"online"}) {
		t.Errorf("at the moment %v", got)
	}
	if got := drain(o, later.Add(time.Hour), nil); len(got) > 0 {
		t.Errorf("afterwards %v", got)
	}
}

func TestPublicTopicsLagBehindTheClosingOfATurnAndPrivateOnesDoNot(t *testing.T) {
	o := newOutbox(Policy{Delay: 2 * time.Minute})
	o.publish(roll("m", 1), dawn)
	o.setState(state(1), dawn)
	o.publish(roll("m", 2), dawn.Add(time.Minute)) // this throw closes the turn before
	o.setState(state(2), dawn.Add(time.Minute))
	for _, c := range []struct {
		after time.Duration
		want  []string
	}{
		{time.Minute, []string{"online", "private state 2", "private event m1", "private event m2"}},
		{3*time.Minute - 1, nil},
		{3 * time.Minute, []string{"public state 1", "public event m1"}},
		{time.Hour, nil},
	} {
		if sent := drain(o, dawn.Add(c.after), nil); !slices.Equal(sent, c.want) {
			t.Errorf("after %v: %q, want %q", c.after, sent, c.want)
		}
	}
	o.publish(roll("m", 3), dawn.Add(2*time.Hour))
	want := []string{"private event m3"}
	if sent := drain(o, dawn.Add(2*time.Hour+time.Minute), nil); !slices.Equal(sent, want) {
		t.Errorf("before the second turn is due: %q, want %q", sent, want)
	}
	want = []string{"public event m2", "public state 2"}
	if sent := drain(o, dawn.Add(2*time.Hour+2*time.Minute), nil); !slices.Equal(sent, want) {
		t.Errorf("when it is: %q, want %q", sent, want)
	}
}

func TestTheNextMomentToLookIsTheNextDueOne(t *testing.T) {
	o := newOutbox(Policy{Delay: time.Minute})
	o.publish(roll("m", 1), dawn)
	o.setState(state(1), dawn.Add(time.Second))
	drain(o, dawn.Add(time.Second), nil)
	if _, _, wake := o.next(dawn); !wake.IsZero() {
		t.Errorf("wake at %v for a turn that is open", wake)
	}
	o.publish(roll("m", 2), dawn.Add(10*time.Second))
	drain(o, dawn.Add(10*time.Second), nil)
	if _, _, wake := o.next(dawn); !wake.Equal(dawn.Add(70 * time.Second)) {
		t.Errorf("wake at %v", wake)
	}
	drain(o, dawn.Add(70*time.Second), nil)
	if _, _, wake := o.next(dawn); !wake.Equal(dawn.Add(71 * time.Second)) {
		t.Errorf("wake for the state at %v", wake)
	}
}

func TestADelayedClockCountsDownFromTheDelayedMoment(t *testing.T) {
	o := newOutbox(Policy{Delay: 2 * time.Minute})
	s := state(1)
	s.state.Clock = &referee.ClockView{Running: "light"}
	if got := o.public.statePayload(dated{snapshot: s, late: 2 * time.Minute}).Clock.AsOf; got != "2026-03-21T06:02:00.000Z" {
		t.Errorf("public as of %s", got)
	}
	if got := o.private.statePayload(dated{snapshot: s}).Clock.AsOf; got != "2026-03-21T06:00:00.000Z" {
		t.Errorf("private as of %s", got)
	}
}

func TestTheDelayHoldsAcrossARestart(t *testing.T) {
	journal := rollsOf("m", 1, 4)
	journal[0].At = "2026-03-21T05:50:00.000Z"
	journal[1].At = "2026-03-21T05:57:00.000Z" // closed the first turn, which is due
	journal[2].At = "2026-03-21T05:59:30.000Z" // closed the second, due in a minute and a half
	journal[3].At = "2031-01-01T00:00:00.000Z" // the clock was wrong: the third is due in two minutes
	o := newOutbox(Policy{Delay: 2 * time.Minute})
	o.resume("m", 4, Cursor{Private: Position{"m", 4}})
	for _, c := range []struct {
		after time.Duration
		want  []string
	}{
		{0, []string{"online", "public event m1"}},
		{90*time.Second - time.Millisecond, nil},
		{90 * time.Second, []string{"public event m2"}},
		{119 * time.Second, nil},
		{120 * time.Second, []string{"public event m3"}},
		{time.Hour, nil}, // the fourth turn was open when the table stopped, and is
	} {
		if sent := drain(o, dawn.Add(c.after), journal); !slices.Equal(sent, c.want) {
			t.Errorf("after %v: %q, want %q", c.after, sent, c.want)
		}
	}
	o.publish(roll("m", 5), dawn.Add(2*time.Hour))
	drain(o, dawn.Add(2*time.Hour), journal)
	if sent := drain(o, dawn.Add(2*time.Hour+2*time.Minute), journal); !slices.Equal(sent, []string{"public event m4"}) {
		t.Errorf("closed after the restart: %q", sent)
	}
}

func TestOfManyStatesOnlyTheNewestDueIsSent(t *testing.T) {
	o := newOutbox(Policy{})
	for seq := range int64(3 * stateLimit) {
		o.setState(state(seq), dawn)
	}
	want := []string{"online", "private state 3071", "public state 3071"}
	if sent := drain(o, dawn, nil); !slices.Equal(sent, want) {
		t.Errorf("%q, want %q", sent, want)
	}
}

func TestAfterALostConnectionGreetingAndStateComeFirstThenWhatWasNotConfirmed(t *testing.T) {
	o := newOutbox(Policy{})
	o.publish(roll("m", 1), dawn)
	o.setState(state(1), dawn)
	drain(o, dawn, nil)
	o.publish(roll("m", 2), dawn)
	o.respond(response{"pause", ResponsePayload{Transaction: "t"}})
	answer, _, _ := o.next(dawn)
	if it, _, _ := o.next(dawn); nameOf(it) != "private event m2" {
		t.Fatalf("sent %s", nameOf(it))
	}
	later := dawn.Add(2 * resendTime) // what was confirmed long ago is not sent again
	o.rewind([]*item{answer}, later)
	want := []string{"online", "response t", "private state 1", "private event m2", "public state 1", "public event m2"}
	if sent := drain(o, later, nil); !slices.Equal(sent, want) {
		t.Errorf("%q, want %q", sent, want)
	}
}

func TestAnEventSentAgainStillNamesTheOneBefore(t *testing.T) {
	o := newOutbox(Policy{})
	for _, e := range rollsOf("m", 1, 4) {
		o.publish(e, dawn)
	}
	send := func() (list []*item) {
		for it, _, _ := o.next(dawn); it != nil; it, _, _ = o.next(dawn) {
			if it.event != nil && !it.stream.private {
				list = append(list, it)
			}
		}
		return list
	}
	first := send()
	o.confirm(first[0], dawn)
	o.confirm(first[1], dawn.Add(resendTime))
	o.rewind(nil, dawn.Add(resendTime+time.Second)) // the second was confirmed only just before
	again := send()
	if len(again) != 3 || again[0].event.Seq != 2 || again[0].prev != 1 || again[2].prev != 3 {
		t.Errorf("%d sent again, the first %+v", len(again), again[0])
	}
	if end := o.cursor().Public; end.Seq != 1 {
		t.Errorf("after a restart it would go on after %+v", end)
	}
}

func TestWithoutAJournalWhatNoLongerFitsInMemoryIsCountedAsLost(t *testing.T) {
	o := newOutbox(Policy{})
	const total = 2*recentLimit + 100
	for _, e := range rollsOf("m", 1, total) {
		o.publish(e, dawn)
	}
	sent := drain(o, dawn, nil)
	kept := (len(sent) - 1) / 2
	if kept < recentLimit/2 || sent[len(sent)-1] != fmt.Sprintf("public event m%d", total) {
		t.Errorf("%d events kept, the last thing sent %q", kept, sent[len(sent)-1])
	}
	if lost := o.losses(); lost != int64(2*(total-kept)) {
		t.Errorf("%d counted as lost, %d were", lost, 2*(total-kept))
	}
}

// However events come, connections break and memory overflows: each audience gets each event of each match once
// or again, never one before those ahead of it.
func TestNoEventIsEverSkipped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := newOutbox(Policy{Delay: time.Duration(rapid.IntRange(0, 3).Draw(t, "delay")) * time.Second})
		var journal []referee.Event
		now := dawn
		var sent []*item
		got := map[string][]string{}
		seen := map[string]bool{}
		match, seq := 1, int64(0)
		step := func() bool {
			it, wish, _ := o.next(now)
			switch {
			case it != nil:
				sent = append(sent, it)
				if it.event != nil && !seen[nameOf(it)] {
					seen[nameOf(it)] = true
					audience := "public"
					if it.stream.private {
						audience = "private"
					}
					got[audience] = append(got[audience], fmt.Sprint(it.event.Match, it.event.Seq))
				}
			case wish != nil:
				events, _ := book(journal...)(nil, wish.match, wish.from, chunkLimit/8)
				o.fill(*wish, events, now)
			}
			return it != nil || wish != nil
		}
		t.Repeat(map[string]func(*rapid.T){
			"publish": func(t *rapid.T) {
				for range rapid.SampledFrom([]int{1, 2, 7, recentLimit + 3}).Draw(t, "n") {
					seq++
					e := roll(fmt.Sprint("m", match, "-"), seq)
					e.At = now.Format(wallFormat)
					journal = append(journal, e)
					o.publish(e, now)
				}
				o.setState(state(seq), now)
			},
			"next match": func(t *rapid.T) { match, seq = match+1, 0 },
			"wait":       func(t *rapid.T) { now = now.Add(time.Second) },
			"send": func(t *rapid.T) {
				for range rapid.IntRange(1, 50).Draw(t, "n") {
					step()
				}
			},
			"confirm": func(t *rapid.T) {
				for range rapid.IntRange(0, len(sent)).Draw(t, "n") {
					o.confirm(sent[0], now)
					sent = sent[1:]
				}
			},
			"lose the connection": func(t *rapid.T) {
				o.rewind(sent, now)
				sent = nil
			},
		})
		seq++
		end := roll(fmt.Sprint("m", match, "-"), seq)
		end.Type, end.At = referee.MatchEnded, now.Format(wallFormat) // closes what is open
		journal = append(journal, end)
		o.publish(end, now)
		now = now.Add(time.Hour)
		for step() {
		}
		var want []string
		for _, e := range journal {
			want = append(want, fmt.Sprint(e.Match, e.Seq))
		}
		for _, audience := range []string{"private", "public"} {
			if !slices.Equal(got[audience], want) {
				t.Fatalf("%s got %d events, want %d", audience, len(got[audience]), len(want))
			}
		}
		if o.losses() != 0 {
			t.Fatalf("%d are counted as lost", o.losses())
		}
	})
}

func TestAfterARestartThePublicTopicShowsWhatIsDueAndNoMore(t *testing.T) {
	o := newOutbox(Policy{Delay: time.Minute})
	at := func(s int) time.Time { return dawn.Add(time.Duration(s) * time.Second) }
	given := func(seq int64, s int) embargo.Given {
		return embargo.Given{State: referee.State{Match: "m", Seq: seq}, AsOf: at(s), Rate: 1, At: at(s)}
	}
	past := embargo.Past{Given: []embargo.Given{given(1, 0), given(2, 50)}}
	for i, e := range rollsOf("m", 1, 3) { // each throw closes the turn before
		past.Events = append(past.Events, embargo.Dated{Event: e, At: at(50 * i)})
	}
	o.resume("m", 3, Cursor{Private: Position{"m", 3}, Public: Position{"m", 1}})
	o.recall(past, at(120))
	o.setState(state(3), at(120)) // the turn that was open and is so still
	journal := rollsOf("m", 1, 3)
	for i := range journal {
		journal[i].At = at(50 * i).Format(wallFormat)
	}
	for _, c := range []struct {
		second int
		want   []string
	}{
		{120, []string{"online", "private state 3", "public state 1"}},
		{159, nil},
		{160, []string{"public event m2", "public state 2"}},
		{9999, nil},
	} {
		if sent := drain(o, at(c.second), journal); !slices.Equal(sent, c.want) {
			t.Errorf("in second %d: %q, want %q", c.second, sent, c.want)
		}
	}
}
