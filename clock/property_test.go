package clock

import (
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// act is one call on a clock, drawn at random.
type act struct {
	after time.Duration // since the act before
	kind  int
	side  Side
	d     time.Duration
}

var acts = rapid.Custom(func(t *rapid.T) act {
	return act{
		after: time.Duration(rapid.OneOf(rapid.Int64Range(0, int64(30*sec)), rapid.Int64Range(0, 3),
			rapid.Int64Range(0, int64(5*time.Minute))).Draw(t, "after")),
		kind: rapid.SampledFrom([]int{0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}).Draw(t, "kind"),
		side: Side(rapid.IntRange(0, 1).Draw(t, "side")),
		d:    time.Duration(rapid.Int64Range(1, int64(5*time.Minute)).Draw(t, "d")),
	}
})

var controls = rapid.Custom(func(t *rapid.T) Control {
	c := Control{System: rapid.SampledFrom(systems).Draw(t, "system"), Bonus: sec,
		Mechanical: rapid.Bool().Draw(t, "mechanical")}
	if c.System != Plain && c.System != Hourglass {
		c.Delay = time.Duration(rapid.Int64Range(0, int64(20*sec)).Draw(t, "delay"))
	}
	if rapid.Bool().Draw(t, "has overtime") {
		c.Overtime = time.Minute
	}
	return c
})

// do performs the act at moment at. Refusals are part of the game.
func (a act) do(c *Clock, at time.Duration) (changes []Change) {
	switch a.kind {
	case 0:
		changes, _ = c.Press(at, a.side)
	case 1:
		changes, _ = c.Start(at, a.side)
	case 2:
		changes, _ = c.Pause(at, pauseReasons[int(a.d)%len(pauseReasons)], a.d)
	case 3:
		changes, _ = c.Resume(at)
	case 4:
		changes, _ = c.Stop(at, stopReasons[int(a.d)%len(stopReasons)])
	case 5:
		changes, _ = c.Adjust(at, a.side, a.d, "director", "")
	case 6:
		changes, _ = c.ForfeitDelay(at, a.side, "director", "")
	case 7:
		changes, _ = c.GrantOvertime(at, "director")
	case 8:
		changes, _ = c.Undo(at, "director", "")
	case 9:
		changes = c.Tick(at)
	}
	return changes
}

func drawClock(t *rapid.T) (*Clock, [2]time.Duration) {
	r := [2]time.Duration{}
	for s := range r {
		r[s] = time.Duration(rapid.Int64Range(1, int64(10*time.Minute)).Draw(t, "reserve"))
	}
	c, err := New(controls.Draw(t, "control"), r, 0)
	if err != nil {
		t.Fatal(err)
	}
	return c, r
}

func TestTimeIsConservedWhateverHappens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, start := drawClock(t)
		var now time.Duration
		for _, a := range rapid.SliceOfN(acts, 0, 60).Draw(t, "acts") {
			now += a.after
			a.do(c, now)
			acc := c.Account(now)
			if sum := acc.Stopped + acc.TakenBack + acc.Free[0] + acc.Free[1] + acc.Used[0] + acc.Used[1]; sum != now {
				t.Fatalf("after %+v at %v the account holds %v: %+v", a, now, sum, acc)
			}
			v := c.View(now)
			for s := range start {
				want := start[s] + acc.Given[s] - acc.Used[s]
				if v.Remaining[s] != max(want, 0) {
					t.Fatalf("side %d shows %v, its account says %v", s, v.Remaining[s], want)
				}
				if v.Remaining[s] == 0 && !v.Fallen[s] {
					t.Fatalf("side %d has nothing left and no flag", s)
				}
				if v.Remaining[s] > 0 && v.Fallen[s] && !c.control.Mechanical {
					t.Fatalf("side %d has %v left and a fallen flag", s, v.Remaining[s])
				}
				if want > 0 && Seconds(v.Remaining[s]) == 0 {
					t.Fatalf("side %d shows 0:00 with %v left", s, want)
				}
			}
			if v.Running != Nobody && v.Running != v.OnMove {
				t.Fatalf("%q runs in %q's turn", v.Running, v.OnMove)
			}
		}
	})
}

func TestTicksAndLooksChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		quiet, _ := drawClock(t)
		busy, err := Restore(throughJSON(t, quiet.Checkpoint(0)))
		if err != nil {
			t.Fatal(err)
		}
		var now time.Duration
		var heard, told []Change
		for _, a := range rapid.SliceOfN(acts, 0, 40).Draw(t, "acts") {
			then := now
			now += a.after
			for range rapid.IntRange(0, 5).Draw(t, "ticks") { // in any order, also before the last change
				at := time.Duration(rapid.Int64Range(0, int64(now)).Draw(t, "tick"))
				heard = append(heard, busy.Tick(at)...)
				busy.View(max(at, then))
			}
			if a.kind == 9 {
				continue
			}
			heard = append(heard, a.do(busy, now)...)
			told = append(told, a.do(quiet, now)...)
		}
		heard, told = append(heard, busy.Tick(now)...), append(told, quiet.Tick(now)...)
		if !reflect.DeepEqual(heard, told) {
			t.Fatalf("a clock that is looked at reports\n%+v, else\n%+v", heard, told)
		}
		if b, q := busy.View(now), quiet.View(now); b != q {
			t.Fatalf("shows %+v, else %+v", b, q)
		}
	})
}

func TestARestoredClockGoesOnExactlyAsTheOriginal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, _ := drawClock(t)
		var now time.Duration
		story := rapid.SliceOfN(acts, 0, 40).Draw(t, "acts")
		cut := rapid.IntRange(0, len(story)).Draw(t, "cut")
		for _, a := range story[:cut] {
			now += a.after
			a.do(c, now)
		}
		twin, err := Restore(throughJSON(t, c.Checkpoint(now)))
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range story[cut:] {
			now += a.after
			if x, y := a.do(c, now), a.do(twin, now); !reflect.DeepEqual(x, y) {
				t.Fatalf("after %+v the original says %+v, its twin %+v", a, x, y)
			}
		}
		if c.View(now) != twin.View(now) {
			t.Fatalf("original %+v, twin %+v", c.View(now), twin.View(now))
		}
	})
}

func TestAKilledClockLosesAtMostTheIntervalAndNeverRunsTheWrongSide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, _ := drawClock(t)
		const interval = sec
		var now time.Duration
		durable := c.Checkpoint(0) // written at each act and each second
		for _, a := range rapid.SliceOfN(acts, 0, 40).Draw(t, "acts") {
			now += a.after
			a.do(c, now)
			durable = c.Checkpoint(now)
		}
		lived := time.Duration(rapid.Int64Range(0, int64(10*sec)).Draw(t, "lived on"))
		durable = throughJSON(t, durable)
		durable.AsOf += lived / interval * interval
		killed := now + lived
		back, changes, err := Restart(durable, killed+time.Hour, interval)
		if err != nil {
			t.Fatal(err)
		}
		was, is := c.View(killed), back.View(killed+time.Hour)
		if is.Running != Nobody || is.OnMove != was.OnMove {
			t.Fatalf("%q was on move, now %q, running %q", was.OnMove, is.OnMove, is.Running)
		}
		missing := changes[len(changes)-1].Missing
		for s := range was.Remaining {
			if d := (is.Remaining[s] - was.Remaining[s]).Abs(); d > missing {
				t.Fatalf("side %d: %v before, %v after, only %v said to be missing", s, was.Remaining[s], is.Remaining[s], missing)
			}
		}
	})
}
