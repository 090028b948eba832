package embargo

import (
	"testing"
	"time"

	"davar/rules/referee"
)

var noon = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// given returns an event of match m as given at second s of the afternoon.
func given(seq int64, kind string, s int) Dated {
	return Dated{referee.Event{Match: "m", Seq: seq, Type: kind}, noon.Add(time.Duration(s) * time.Second)}
}

// turns are two turns, the second of which is open.
var turns = []Dated{
	given(1, referee.MatchStarted, 0), given(2, referee.GameStarted, 10), given(3, referee.PlayMade, 12), given(4, referee.TurnEnded, 30),
	given(5, referee.Roll, 40), given(6, referee.PlayMade, 55),
}

func TestATurnIsDueWhenItsWindowHasClosedAndTheDelayHasPassed(t *testing.T) {
	b := New(2 * time.Minute)
	for _, e := range turns {
		b.Saw(e.Event, e.At)
	}
	for _, c := range []struct {
		name string
		seq  int64
		at   int // second
		want int // second; -1: not yet
	}{
		{"the match's beginning is no turn", 1, 0, 120},
		{"the opening roll waits for the next throw", 2, 10, 160},
		{"the play is shown as long after the roll as it was made", 3, 12, 162},
		{"but a long thought is cut short", 4, 30, 164},
		{"a state goes with the event it follows", 4, 39, 164},
		{"an open turn is not due", 5, 40, -1},
		{"nor is anything in it", 6, 55, -1},
	} {
		due, closed := b.Due("m", c.seq, noon.Add(time.Duration(c.at)*time.Second))
		if closed != (c.want >= 0) || closed && !due.Equal(noon.Add(time.Duration(c.want)*time.Second)) {
			t.Errorf("%s: due %v, %v", c.name, due.Sub(noon), closed)
		}
	}
}

func TestAnInvalidThrowClosesTheWindowToo(t *testing.T) {
	b := New(time.Minute)
	for _, e := range append(turns[:6:6], given(7, referee.RollInvalid, 60)) {
		b.Saw(e.Event, e.At)
	}
	if due, closed := b.Due("m", 5, noon.Add(40*time.Second)); !closed || !due.Equal(noon.Add(2*time.Minute)) {
		t.Errorf("due %v, %v", due.Sub(noon), closed)
	}
	if _, closed := b.Due("m", 7, noon.Add(time.Minute)); closed {
		t.Error("the throw itself belongs to the turn that it opens")
	}
}

func TestTheEndOfAMatchClosesItsLastTurnAndSoDoesTheNextMatch(t *testing.T) {
	b := New(time.Minute)
	for _, e := range append(turns[:6:6], given(7, referee.MatchEnded, 90)) {
		b.Saw(e.Event, e.At)
	}
	if due, closed := b.Due("m", 7, noon.Add(90*time.Second)); !closed || due.Before(noon.Add(150*time.Second)) {
		t.Errorf("the end is due %v, %v", due.Sub(noon), closed)
	}
	b.Saw(given(8, referee.ClockAdjusted, 100).Event, noon.Add(100*time.Second))
	if _, closed := b.Due("m", 8, noon.Add(100*time.Second)); closed {
		t.Error("what comes after the end is due at once")
	}
	b.Saw(referee.Event{Match: "n", Seq: 1, Type: referee.MatchStarted}, noon.Add(200*time.Second))
	if due, closed := b.Due("m", 8, noon.Add(100*time.Second)); !closed || !due.Equal(noon.Add(260*time.Second)) {
		t.Errorf("when the next match begins, the rest is due %v, %v", due.Sub(noon), closed)
	}
}

func TestWithoutADelayEverythingIsDueAtOnce(t *testing.T) {
	b := New(0)
	b.Saw(turns[0].Event, turns[0].At)
	if due, closed := b.Due("m", 1, noon); !closed || !due.Equal(noon) {
		t.Errorf("due %v, %v", due, closed)
	}
}

func TestAfterARestartAnOpenTurnStaysOpenUntilTheNextThrow(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(b *Embargo)
	}{
		{"recalled before the next event", func(b *Embargo) {
			b.Recall(turns, false, noon)
			b.Saw(given(7, referee.Attention, 500).Event, noon.Add(500*time.Second))
		}},
		{"recalled after it", func(b *Embargo) {
			b.Saw(given(7, referee.Attention, 500).Event, noon.Add(500*time.Second))
			b.Recall(turns, false, noon)
		}},
	} {
		b := New(time.Minute)
		c.do(b)
		if due, closed := b.Due("m", 3, noon.Add(12*time.Second)); !closed || !due.Equal(noon.Add(102*time.Second)) {
			t.Errorf("%s: the closed turn is due %v, %v", c.name, due.Sub(noon), closed)
		}
		if _, closed := b.Due("m", 6, noon.Add(55*time.Second)); closed {
			t.Errorf("%s: the open turn is due", c.name)
		}
		b.Saw(given(8, referee.Roll, 600).Event, noon.Add(600*time.Second))
		if due, closed := b.Due("m", 6, noon.Add(55*time.Second)); !closed || due.Before(noon.Add(660*time.Second)) {
			t.Errorf("%s: after the throw it is due %v, %v", c.name, due.Sub(noon), closed)
		}
	}
}

func TestAnOlderMatchThatIsOverIsDueAsAWhole(t *testing.T) {
	b := New(time.Minute)
	b.Saw(referee.Event{Match: "n", Seq: 1, Type: referee.MatchStarted}, noon.Add(time.Hour))
	b.Recall(turns, true, noon.Add(time.Hour))
	if due, closed := b.Due("m", 6, noon.Add(55*time.Second)); !closed || due.Before(noon.Add(time.Hour+time.Minute)) {
		t.Errorf("due %v, %v", due.Sub(noon), closed)
	}
	if due, _ := b.Due("m", 3, noon.Add(12*time.Second)); !due.Equal(noon.Add(102 * time.Second)) {
		t.Errorf("its closed turn is due %v", due.Sub(noon))
	}
}

func TestWhatHasBeenShownIsForgotten(t *testing.T) {
	b := New(time.Minute)
	for seq := range int64(1000) {
		b.Saw(given(seq+1, referee.Roll, int(seq)).Event, noon.Add(time.Duration(seq)*time.Second))
		b.Forget("m", seq-3)
	}
	if len(b.turns) > 5 {
		t.Errorf("%d turns are remembered", len(b.turns))
	}
}
