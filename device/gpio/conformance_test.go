package gpio

import (
	"context"
	"errors"
	"testing"
	"time"

	"davar/clock"
)

// rig is a set of buttons under test together with the hands that press them and the eyes that see its lamps.
type rig struct {
	Buttons
	Panel
	down, up func(Button)
	shown    func() Indication
	vanish   func(gone bool)
	close    func()
}

// conformance is what every set of buttons and lamps must do, simulated or real. inTime runs each test in the
// time its buttons live in.
func conformance(t *testing.T, inTime func(*testing.T, func(*testing.T)), open func(*testing.T) rig) {
	for _, c := range []struct {
		sentence string
		test     func(*testing.T, rig)
	}{
		{"a press is reported once, with its button and the time it happened", pressesAreReported},
		{"the times of two buttons' presses keep their order", orderIsKept},
		{"a bouncing press counts once", bouncesCountOnce},
		{"a button held down is one press until it is released", holdingIsOnePress},
		{"a press switches the clock, and the lamps follow it", pressesSwitchTheClock},
		{"the lamps and the buzzer do as they are told", lampsFollow},
		{"waiting ends with its context", waitingEnds},
		{"buttons that vanish are reported, and work again when they come back", vanishingIsSurvived},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			inTime(t, func(t *testing.T) {
				r := open(t)
				defer r.close()
				c.test(t, r)
			})
		})
	}
}

// hold lets the time of a hand's movement pass; it waits for nothing.
func hold(d time.Duration) { <-time.After(d) }

func (r rig) next(t *testing.T) Event {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	e, err := r.Next(ctx)
	if err != nil {
		t.Fatalf("no event came: %v", err)
	}
	return e
}

func (r rig) quiet(t *testing.T, d time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	if e, err := r.Next(ctx); err == nil {
		t.Fatalf("unexpected %+v", e)
	}
}

func (r rig) press(t *testing.T, b Button) {
	t.Helper()
	r.down(b)
	if e := r.next(t); e.Kind != Press || e.Button != b {
		t.Fatalf("got %+v, want a press of %v", e, b)
	}
}

func pressesAreReported(t *testing.T, r rig) {
	for _, b := range []Button{LightButton, DarkButton, PauseButton} {
		before := time.Now()
		r.down(b)
		e := r.next(t)
		if e.Kind != Press || e.Button != b || e.Late || e.At.Before(before) || time.Since(e.At) < 0 {
			t.Fatalf("got %+v, want a press of %v after %v", e, b, before)
		}
		r.quiet(t, 2*LockOut)
		r.up(b)
		r.quiet(t, 3*LockOut)
	}
}

func orderIsKept(t *testing.T, r rig) {
	for range 5 {
		for _, first := range []Button{LightButton, DarkButton} {
			second := 1 - first
			r.down(first)
			hold(5 * time.Millisecond)
			r.down(second)
			a, b := r.next(t), r.next(t)
			if b.At.Before(a.At) {
				a, b = b, a
			}
			if a.Button != first || b.Button != second {
				t.Fatalf("pressed %v, then %v; got %+v, then %+v", first, second, a, b)
			}
			r.quiet(t, LockOut)
			r.up(first)
			r.up(second)
			r.quiet(t, 3*LockOut)
		}
	}
}

// bounce changes the contact of b to down or up with so many bounces, 0.8 ms each, and returns how long that took.
func (r rig) bounce(b Button, down bool, times int) time.Duration {
	to, back := r.up, r.down
	if down {
		to, back = r.down, r.up
	}
	start := time.Now()
	to(b)
	for range times {
		hold(400 * time.Microsecond)
		back(b)
		hold(400 * time.Microsecond)
		to(b)
	}
	return time.Since(start)
}

func bouncesCountOnce(t *testing.T, r rig) {
	const want, most = 40, 60
	const longestBurst = 10 // bounces: the worst buttons take 8 ms to come to rest
	judged, tried := 0, 0
	for ; judged < want && tried < most; tried++ {
		ctx, cancel := context.WithCancel(context.Background())
		var longest time.Duration
		go func() {
			defer cancel()
			longest = r.bounce(DarkButton, true, 1+tried%longestBurst)
			hold(3 * LockOut)
			longest = max(longest, r.bounce(DarkButton, false, 1+tried%longestBurst))
			hold(3 * LockOut)
		}()
		var events []Event
		for {
			e, err := r.Next(ctx)
			if err != nil {
				break
			}
			if e.Kind != Chatter { // so many bounces so fast may well be called that
				events = append(events, e)
			}
		}
		if longest > LockOut { // a loaded machine stretched the bounces to what no button does
			continue
		}
		judged++
		if len(events) != 1 || events[0].Kind != Press || events[0].Button != DarkButton {
			t.Fatalf("a bouncing press gave %+v", events)
		}
	}
	t.Logf("%d presses of %d, bouncing for up to 8 ms, were over within the lock-out, and each counted once", judged, tried)
}

func holdingIsOnePress(t *testing.T, r rig) {
	r.press(t, LightButton)
	r.quiet(t, 3*poll)
	r.up(LightButton)
	r.quiet(t, 3*LockOut)
	r.press(t, LightButton)
	r.up(LightButton)
	r.quiet(t, 3*LockOut)
}

func pressesSwitchTheClock(t *testing.T, r rig) {
	control, err := clock.Preset("usbgf-singles")
	if err != nil {
		t.Fatal(err)
	}
	c, err := clock.New(control, [2]time.Duration{time.Minute, time.Minute}, 0)
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	for i, want := range []Indication{{Light: true}, {Dark: true}, {Light: true}, {Dark: true}} {
		b := Button((i + 1) % 2) // dark threw the lower die and presses first
		r.down(b)
		e := r.next(t)
		at := e.At.Sub(begin)
		if _, err := c.Press(at, clock.Side(e.Button)); err != nil {
			t.Fatalf("press %d: %v", i+1, err)
		}
		if err := r.Show(Indicate(c.View(at))); err != nil {
			t.Fatal(err)
		}
		if got := r.shown(); got != want {
			t.Errorf("after press %d the lamps show %+v, want %+v", i+1, got, want)
		}
		r.up(b)
		r.quiet(t, 3*LockOut)
	}
}

func lampsFollow(t *testing.T, r rig) {
	for _, in := range []Indication{{Light: true}, {Dark: true}, {Buzzer: true}, {Light: true, Dark: true, Buzzer: true}, {}} {
		if err := r.Show(in); err != nil {
			t.Fatal(err)
		}
		if got := r.shown(); got != in {
			t.Errorf("shown %+v, want %+v", got, in)
		}
	}
}

func waitingEnds(t *testing.T, r rig) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() {
		_, err := r.Next(ctx)
		ended <- err
	}()
	cancel()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("it waits on")
	}
	r.press(t, LightButton)
	r.up(LightButton)
	if _, err := r.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a done context: %v", err)
	}
}

func vanishingIsSurvived(t *testing.T, r rig) {
	r.press(t, DarkButton)
	r.up(DarkButton)
	r.quiet(t, 3*LockOut)
	r.vanish(true)
	if e := r.next(t); e.Kind != Lost || e.Err == nil {
		t.Fatalf("got %+v, want the loss", e)
	}
	if err := r.Show(Indication{Light: true}); err == nil {
		t.Error("lamps that are gone must say so")
	}
	r.quiet(t, 6*poll)
	if err := r.Show(Indication{Light: true}); err == nil {
		t.Error("and go on saying so")
	}
	r.vanish(false)
	if e := r.next(t); e.Kind != Back {
		t.Fatalf("got %+v, want the return", e)
	}
	r.press(t, DarkButton)
	r.up(DarkButton)
	r.quiet(t, 3*LockOut)
	if err := r.Show(Indication{Dark: true}); err != nil || r.shown() != (Indication{Dark: true}) {
		t.Errorf("lamps after the return: %+v, %v", r.shown(), err)
	}
}
