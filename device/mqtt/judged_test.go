package mqtt

import (
	"testing"
	"time"

	"davar/device/analysis"
	"davar/rules/referee"
)

// shownStates takes what is to be sent now out of an outbox and returns the newest state of each stream.
func shownStates(o *outbox, now time.Time) (private, public *StatePayload) {
	for {
		it, _, _ := o.next(now)
		if it == nil {
			return private, public
		}
		o.confirm(it, now)
		if it.state != nil {
			payload := it.stream.statePayload(*it.state)
			if it.stream.private {
				private = &payload
			} else {
				public = &payload
			}
		}
	}
}

func TestTheChancesComeWithThePublicTurnAndNeverBeforeNorToThePlayers(t *testing.T) {
	begun := time.Unix(1000, 0)
	judged := analysis.Judged{Seq: 2, Game: 1, After: &analysis.Chances{Win: 0.6123}, Play: &analysis.Play{Error: 0.0654}}
	play := func(o *outbox) {
		for seq, kind := range []string{referee.MatchStarted, referee.PlayMade, referee.Roll} {
			e := roll("m", int64(seq+1))
			e.Type, e.Game = kind, 1
			at := begun.Add(time.Duration(seq) * 10 * time.Second)
			o.publish(e, at)
			o.setState(snapshot{referee.State{Match: "m", Game: 1, Seq: e.Seq}, at, 1}, at)
		}
	}
	o := newOutbox(Policy{Delay: time.Minute})
	play(o)
	o.setJudged("m", judged)
	o.setJudged("m", analysis.Judged{Seq: 3, Game: 1, After: &analysis.Chances{Win: 0.1}})
	private, public := shownStates(o, begun.Add(62*time.Second))
	if private == nil || private.Judged != nil {
		t.Errorf("the table's own topic: %+v", private)
	}
	if public == nil || public.Seq != 1 || public.Judged == nil || public.Judged.Chances != nil || len(public.Judged.Errors) > 0 {
		t.Errorf("before the turn is due: %+v", public)
	}
	_, public = shownStates(o, begun.Add(95*time.Second))
	if public == nil || public.Seq != 2 || public.Judged.Chances == nil || public.Judged.Chances.Light.Win != 0.612 || public.Judged.Errors[2].Play != 0.065 {
		t.Errorf("with the turn: %+v", public)
	}
	judged.After = &analysis.Chances{Win: 0.7}
	o.setJudged("m", judged) // known later than the turn was shown
	if private, public = shownStates(o, begun.Add(96*time.Second)); public == nil || public.Judged.Chances.Light.Win != 0.7 || private != nil {
		t.Errorf("what is judged late: %+v, %+v", public, private)
	}

	live := newOutbox(Policy{})
	play(live)
	live.setJudged("m", judged)
	private, public = shownStates(live, begun.Add(time.Hour))
	if public == nil || public.Judged != nil || private.Judged != nil {
		t.Error("without a delay somebody is told the chances")
	}
}
