package gpio

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var t0 = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func ms(n float64) time.Time { return t0.Add(time.Duration(n * float64(time.Millisecond))) }

// step is an edge, or a level read where level is true.
type step struct {
	at    float64 // ms
	down  bool
	level bool
}

func tell(events []Event) string {
	var words []string
	for _, e := range events {
		late := ""
		if e.Late {
			late = "~"
		}
		words = append(words, fmt.Sprintf("%s%s@%v", late, e.Kind, float64(e.At.Sub(t0))/float64(time.Millisecond)))
	}
	return strings.Join(words, " ")
}

func run(d *Debouncer, steps []step) (events []Event) {
	for _, s := range steps {
		if s.level {
			events = append(events, d.Level(ms(s.at), s.down)...)
		} else {
			events = append(events, d.Edge(ms(s.at), s.down)...)
		}
	}
	return events
}

func TestADebouncerTakes(t *testing.T) {
	const down, up, level = true, false, true
	for _, c := range []struct {
		sentence string
		steps    []step
		want     string
	}{
		{"the first edge of a bouncing press, at its own time",
			[]step{{10, down, false}, {10.4, up, false}, {11, down, false}, {13, up, false}, {17.9, down, false}, {40, down, level}}, "press@10"},
		{"a bouncing release for no press",
			[]step{{10, down, false}, {40, down, level}, {200, up, false}, {200.3, down, false}, {201, up, false}, {205, down, false},
				{207, up, false}, {237, up, level}, {500, up, level}}, "press@10"},
		{"the next press after a clean release",
			[]step{{10, down, false}, {90, up, false}, {130, down, false}, {170, up, false}}, "press@10 press@130"},
		{"a tap shorter than the lock-out as one press, and the next one too",
			[]step{{10, down, false}, {15, up, false}, {40, up, level}, {70, up, level}, {75, down, false}}, "press@10 press@75"},
		{"a break in the contact of a held button for no new press",
			[]step{{10, down, false}, {300, up, false}, {304, down, false}, {334, down, level}, {600, up, false}, {640, down, false}},
			"press@10 press@640"},
		{"a press whose edge was lost when the level is found down, and says so",
			[]step{{250, down, level}, {340, down, level}, {350, down, level}, {380, down, level}, {480, up, false}}, "~press@250"},
		{"a level that shows a press before its edge comes for nothing, and the edge for the press",
			[]step{{250, down, level}, {252, down, false}, {282, down, level}, {400, up, level}, {403, up, false}, {433, up, level},
				{500, down, false}}, "press@252 press@500"},
		{"a press just after the lock-out, its level seen first, as a press",
			[]step{{10, down, false}, {90, up, false}, {121, down, level}, {122, down, false}}, "press@10 press@122"},
		{"a release whose edge was lost when the level is found up",
			[]step{{10, down, false}, {300, up, level}, {400, up, level}, {430, up, level}, {500, down, false}}, "press@10 press@500"},
		{"presses that waited together in the queue at their own times",
			[]step{{10, down, false}, {90, up, false}, {210, down, false}, {290, up, false}, {700, up, level}}, "press@10 press@210"},
		{"a rising edge of a released button for nothing",
			[]step{{10, up, false}, {20, up, level}}, ""},
		{"ten seconds down as stuck, once, and its release as freed",
			[]step{{0, down, false}, {9999, down, level}, {10000, down, level}, {20000, down, level}, {30000, up, false}, {30030, up, level},
				{31000, down, false}}, "press@0 stuck@10000 freed@30000 press@31000"},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			if got := tell(run(NewDebouncer(LightButton, LockOut, t0, false), c.steps)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestAButtonThatIsDownAtTheStartIsNotPressedAndIsReportedAsStuck(t *testing.T) {
	d := NewDebouncer(DarkButton, LockOut, t0, true)
	got := tell(run(d, []step{{5, true, false}, {250, true, true}, {10000, true, true}, {10500, false, false}, {10530, false, true}, {11000, true, false}}))
	if want := "stuck@10000 freed@10500 press@11000"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAChatteringButtonIsReportedOnceAndPressesNothing(t *testing.T) {
	d := NewDebouncer(LightButton, LockOut, t0, false)
	var events []Event
	for i := range 3000 { // an edge each millisecond for three seconds
		events = append(events, d.Edge(ms(float64(i)), i%2 == 0)...)
	}
	if got := tell(events); got != "press@0 chatter@61" {
		t.Errorf("got %q", got)
	}
	if due, ok := d.Due(); !ok || due != ms(2999+30) {
		t.Errorf("due %v %v: it is not quiet yet", due, ok)
	}
	events = run(d, []step{{3030, false, true}, {9000, true, false}})
	if got := tell(events); got != "press@9000" {
		t.Errorf("after it: %q", got)
	}
}

func TestAPressCountsOnceHoweverItBounces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := NewDebouncer(LightButton, LockOut, t0, false)
		now, presses, want := t0, 0, 0
		var at []time.Time
		count := func(events []Event) {
			for _, e := range events {
				if e.Kind == Press {
					presses++
					at = append(at, e.At)
				}
			}
		}
		read := func(until time.Time, down bool) { // as a driver does when no edge comes
			for {
				due, ok := d.Due()
				if !ok || !due.Before(until) {
					return
				}
				count(d.Level(due, down))
			}
		}
		burst := func(down bool) {
			count(d.Edge(now, down))
			left := 8 * time.Millisecond
			for range rapid.IntRange(0, 7).Draw(t, "bounces") {
				for _, l := range []bool{!down, down} {
					gap := time.Duration(rapid.Int64Range(0, int64(left)).Draw(t, "gap"))
					left -= gap
					now = now.Add(gap)
					count(d.Edge(now, l))
				}
			}
			now = now.Add(left)
		}
		for range rapid.IntRange(1, 8).Draw(t, "presses") {
			pressed := now
			burst(true)
			want++
			if presses != want || !at[want-1].Equal(pressed) {
				t.Fatalf("%d presses at %v, want %d, the last at %v", presses, at, want, pressed)
			}
			held := time.Duration(rapid.Int64Range(int64(40*time.Millisecond), int64(2*time.Second)).Draw(t, "held"))
			read(now.Add(held), true)
			now = now.Add(held)
			burst(false)
			open := time.Duration(rapid.Int64Range(int64(40*time.Millisecond), int64(2*time.Second)).Draw(t, "open"))
			read(now.Add(open), false)
			now = now.Add(open)
		}
		if presses != want {
			t.Fatalf("%d presses in the end, want %d", presses, want)
		}
	})
}

func BenchmarkDebouncer(b *testing.B) {
	d := NewDebouncer(LightButton, LockOut, t0, false)
	for i := 0; b.Loop(); i++ {
		d.Edge(t0.Add(time.Duration(i)*100*time.Millisecond), i%2 == 0)
	}
}
