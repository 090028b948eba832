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
	a := armWatch{known: true, free: stripsOf(&free), last: stripsOf(&free)}
	at := time.Duration(0)
	for i, step := range []struct {
		levels *[motionWidth * motionHeight]uint8
		after  time.Duration
		want   bool
	}{
		{&free, 0, false},
		{&spot, time.Second, false}, // a checker laid down within the board
		{&crossed, time.Second, true},
		{&crossed, time.Second, true},
		{&free, time.Second, false},
		{&crossed, time.Second, true},
		{&crossed, time.Second, true},
		{&crossed, 2 * time.Second, true},
		{&crossed, time.Second, false}, // a thing somebody put there
		{&free, time.Second, true},
	} {
		at += step.after
		if got := a.observe(step.levels, at, 1, at); got != step.want {
			t.Errorf("step %d: arm %v, want %v", i, got, step.want)
		}
	}
}

func TestTheShadowAndTheRimOfAnArmAreNotTakenForTheFreeEdge(t *testing.T) {
	var a armWatch
	var levels [motionWidth * motionHeight]uint8
	paint := func(level uint8, wide int) bool {
		for i := range levels {
			levels[i] = 100
			if x := i % motionWidth; x >= 40 && x < 40+wide {
				levels[i] = level
			}
		}
		return a.observe(&levels, 0, 0, 0)
	}
	paint(100, 0)
	for level := uint8(100); level > 50; level -= 10 { // the shadow comes nearer
		paint(level, 10)
	}
	for wide := range 10 { // the arm reaches in
		paint(200, wide)
	}
	if !paint(200, 10) {
		t.Error("the arm is not noticed")
	}
	if paint(100, 0) {
		t.Error("the arm is gone and the free edge taken for one")
	}
}

func TestAWatchThatBeginsWithAnArmOverTheBoardLearnsTheFreeEdgeWhenItIsGone(t *testing.T) {
	var free, crossed [motionWidth * motionHeight]uint8
	for i := range free {
		free[i], crossed[i] = 100, 100
	}
	for y := range motionHeight / 2 {
		for x := 40; x < 50; x++ {
			crossed[y*motionWidth+x] = 160
		}
	}
	var a armWatch
	for i, step := range []struct {
		levels  *[motionWidth * motionHeight]uint8
		at      time.Duration
		hand    float32
		readAt  time.Duration
		want    bool
		because string
	}{
		{&crossed, 0, 0.95, 0, true, "the reader of points sees a hand"},
		{&crossed, time.Second, 0.95, 0, true, "it lies still"},
		{&free, 2 * time.Second, 0.95, 0, true, "nothing was read since it went"},
		{&free, 3 * time.Second, 0.05, 3 * time.Second, false, "the reader of points sees no hand any more"},
		{&crossed, 4 * time.Second, 0.05, 3 * time.Second, true, "it comes again"},
		{&crossed, 6 * time.Second, 0.05, 5 * time.Second, false, "it lies still and is no hand"},
	} {
		if got := a.observe(step.levels, step.at, step.hand, step.readAt); got != step.want {
			t.Errorf("step %d, %s: arm %v, want %v", i, step.because, got, step.want)
		}
	}
}

func TestAnArmIsHisBeforeWhomItCrossesTheEdgeFirst(t *testing.T) {
	var a armWatch
	var levels [motionWidth * motionHeight]uint8
	at := time.Duration(0)
	see := func(top, bottom bool) chair {
		for i := range levels {
			levels[i] = 100
			x, y := i%motionWidth, i/motionWidth
			if x >= 40 && x < 50 && (top && y < armRows || bottom && y >= motionHeight-armRows) {
				levels[i] = 160
			}
		}
		at += 100 * time.Millisecond
		a.observe(&levels, at, 0, at)
		return a.from
	}
	see(false, false)
	for i, step := range []struct {
		top, bottom bool
		want        chair
	}{
		{false, true, bottomChair},
		{true, true, bottomChair}, // he reaches across
		{false, true, bottomChair},
		{false, false, noChair},
		{true, false, topChair},
		{true, true, topChair},
		{false, true, bottomChair}, // the other's hand lies there still
		{false, false, noChair},
		{true, true, noChair}, // both at once: nobody can tell
		{false, false, noChair},
	} {
		if got := see(step.top, step.bottom); got != step.want {
			t.Errorf("step %d: chair %d, want %d", i, got, step.want)
		}
	}
}

func TestTheHandIsThePlayersWhoSitsThere(t *testing.T) {
	for _, c := range []struct {
		bottom string
		from   chair
		light  float32
		dark   float32
	}{
		{"light", bottomChair, armOwner, 0}, {"light", topChair, 0, armOwner}, {"dark", bottomChair, 0, armOwner},
		{"dark", topChair, armOwner, 0}, {"light", noChair, 0, 0},
	} {
		if by := (Layout{Bottom: c.bottom, Home: "right"}).reach(c.from); by != [2]float32{c.light, c.dark} {
			t.Errorf("%s at the bottom, chair %d: %v", c.bottom, c.from, by)
		}
	}
}
