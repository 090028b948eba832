package vision

import (
	"testing"
	"time"
)

func TestAnArmIsNoticedUntilItGoesOrHasLainStillForLong(t *testing.T) {
	var free, crossed, spot [motionWidth * motionHeight]uint8
	for i := range free {
		free[i], crossed[i], spot[i] = 100, 100, 100
	}
	for y := range motionHeight / 2 {
		for x := 40; x < 50; x++ {
			crossed[y*motionWidth+x] = 160
			if y >= 4 {
				spot[y*motionWidth+x] = 160
			}
		}
	}
	var a armWatch
	at := time.Duration(0)
	for i, step := range []struct {
		levels *[motionWidth * motionHeight]uint8
		moves  bool
		after  time.Duration
		want   bool
	}{
		{&free, false, 0, false},
		{&spot, true, time.Second, false}, // a checker laid down within the board
		{&crossed, true, time.Second, true},
		{&crossed, false, time.Second, true},
		{&free, true, time.Second, false},
		{&crossed, true, time.Second, true},
		{&crossed, false, time.Second, true},
		{&crossed, false, 5 * time.Second, true},
		{&crossed, false, time.Second, false}, // a thing somebody put there
		{&free, false, time.Second, true},
	} {
		at += step.after
		if got := a.observe(step.levels, step.moves, at); got != step.want {
			t.Errorf("step %d: arm %v, want %v", i, got, step.want)
		}
	}
}
