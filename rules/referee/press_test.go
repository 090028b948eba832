package referee

import (
	"testing"
	"time"

	"davar/rules"
)

func TestAPressCountsAtItsOwnTimeThoughALaterMomentWasHandledBefore(t *testing.T) {
	r, err := New(DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	// The clock stands for the opening roll; light threw the lower die and presses: dark's time runs (OPEN-9).
	r.Handle(Input{T: 10 * time.Second})
	events := r.Handle(Input{T: 9900 * time.Millisecond, Press: &Press{Side: rules.Light}})
	if len(events) == 0 || events[0].Clock == nil || events[0].Clock.Running != "dark" {
		t.Fatalf("the press leads to %+v", events)
	}
	r.Handle(Input{T: 21950 * time.Millisecond}) // twelve seconds and a little later by the press's own time
	clock := r.State().Clock
	if got := clock.RemainingMS[rules.Dark]; got != 839950 {
		t.Errorf("dark has %d ms, want 839950: twelve seconds free from 9.9 s on, 50 ms used", got)
	}
}
