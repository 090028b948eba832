package referee_test

import (
	"testing"
	"time"

	"davar/clock"
	"davar/rules"
	"davar/rules/referee"
)

func TestAFlagLosesNothingWhileOvertimeIsLeft(t *testing.T) { // CLOCK-4
	s := referee.DefaultSettings()
	control, err := clock.Preset("usbgf-singles")
	if err != nil {
		t.Fatal(err)
	}
	control.Overtime = time.Minute
	s.Clock, s.OpeningSeen = &control, false
	r, err := referee.New(s)
	if err != nil {
		t.Fatal(err)
	}
	decide := func(at time.Duration, d referee.Decision) referee.State {
		t.Helper()
		d.By = "director"
		for _, e := range r.Handle(referee.Input{T: at, Decision: &d}) {
			if e.Type == referee.DecisionRefused {
				t.Fatalf("%s is refused: %s", d.What, e.Refusal)
			}
		}
		return r.State()
	}
	decide(0, referee.Decision{What: referee.DecideStart, Side: rules.Light})
	if s := decide(2*time.Second, referee.Decision{What: referee.DecideForfeit, Side: rules.Light}); s.Clock.DelayMS != 0 {
		t.Errorf("the delay is forfeit, %d ms are left", s.Clock.DelayMS)
	}
	flag := 14*time.Minute + 2*time.Second
	r.Handle(referee.Input{T: flag + time.Second})
	if s := r.State(); s.Clock.Flagged != "light" || s.Winner != "" {
		t.Fatalf("after the first flag %+v, winner %q", s.Clock, s.Winner)
	}
	decide(flag+10*time.Second, referee.Decision{What: referee.DecideOvertime})
	if s := decide(flag+20*time.Second, referee.Decision{What: referee.DecideResume}); s.Clock.Running != "light" || s.Clock.RemainingMS[0] != 60_000 {
		t.Fatalf("in overtime %+v", s.Clock)
	}
	r.Handle(referee.Input{T: flag + 90*time.Second})
	if s := r.State(); s.Winner != "dark" || s.Phase != "match_over" {
		t.Errorf("after the second flag: winner %q, phase %s", s.Winner, s.Phase)
	}
}
