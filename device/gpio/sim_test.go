package gpio

import (
	"testing"
	"testing/synctest"
	"time"

	"davar/clock"
)

func TestSimulatedButtonsConform(t *testing.T) {
	conformance(t, synctest.Test, func(*testing.T) rig {
		s := NewSim()
		return rig{Buttons: s, Panel: s, shown: s.Shown, vanish: s.Break, close: func() {},
			down: func(b Button) { s.Down(b, time.Now()) }, up: func(b Button) { s.Up(b, time.Now()) }}
	})
}

func TestATapIsOnePressAndADoubleClickToo(t *testing.T) {
	synctest.Test(t, tapAndDoubleClick)
}

func tapAndDoubleClick(t *testing.T) {
	s := NewSim()
	r := rig{Buttons: s}
	now := time.Now()
	s.Tap(LightButton, now)
	s.Tap(LightButton, now.Add(5*time.Millisecond))
	s.Tap(DarkButton, now.Add(6*time.Millisecond))
	s.Tap(AllButtons, now)
	if e := r.next(t); e.Button != LightButton || !e.At.Equal(now) {
		t.Errorf("got %+v", e)
	}
	if e := r.next(t); e.Button != DarkButton || !e.At.Equal(now.Add(6*time.Millisecond)) {
		t.Errorf("got %+v", e)
	}
	r.quiet(t, 4*LockOut)
	s.Tap(LightButton, time.Now())
	if e := r.next(t); e.Kind != Press {
		t.Errorf("got %+v", e)
	}
}

func TestLampsShowWhoseTimeRuns(t *testing.T) {
	const half = 500 * time.Millisecond
	paused := func(why clock.Reason, d time.Duration) clock.View {
		return clock.View{Running: clock.Nobody, OnMove: clock.Dark, Flagged: clock.Nobody, Paused: why, PausedFor: d}
	}
	flagged := func(d time.Duration) clock.View {
		v := paused(clock.Flag, d)
		v.OnMove, v.Flagged = clock.Light, clock.Light
		return v
	}
	opening := paused(clock.Opening, 0)
	opening.OnMove = clock.Nobody
	for _, c := range []struct {
		sentence string
		view     clock.View
		want     Indication
	}{
		{"the running side's lamp is lit", clock.View{Running: clock.Light, OnMove: clock.Light}, Indication{Light: true}},
		{"the interrupted side's lamp blinks: on", paused(clock.Ruling, 0), Indication{Dark: true}},
		{"the interrupted side's lamp blinks: off", paused(clock.Ruling, half), Indication{}},
		{"for the opening roll both are dark", opening, Indication{}},
		{"a flag is heard and seen", flagged(0), Indication{Light: true, Buzzer: true}},
		{"between beeps it is neither", flagged(flagBlink), Indication{}},
		{"after three beeps it is only seen", flagged(6 * flagBlink), Indication{Light: true}},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			if got := Indicate(c.view); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}
