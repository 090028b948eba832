package panel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"davar/clock"
	"davar/cmd/davar/table"
	"davar/device/display"
	"davar/device/gpio"
	"davar/device/gpio/gpiosim"
	"davar/device/web"
	"davar/rules"
	"davar/rules/referee"
	"davar/rules/timekeeper"
)

// rig is a set of buttons and lamps with the hands and eyes of a test.
type rig struct {
	buttons  gpio.Buttons
	lamps    gpio.Panel
	down, up func(gpio.Button)
	shown    func() gpio.Indication
	vanish   func(gone bool)
	close    func()
}

func simulated(testing.TB) rig {
	sim := gpio.NewSim()
	return rig{buttons: sim, lamps: sim, shown: sim.Shown, vanish: sim.Break, close: func() {},
		down: func(b gpio.Button) { sim.Down(b, time.Now()) }, up: func(b gpio.Button) { sim.Up(b, time.Now()) }}
}

// real is the real driver on the kernel's simulated chip.
func real(t testing.TB) rig {
	chip := gpiosim.New(t)
	pins := []string{"GPIO17", "GPIO27", "GPIO22"}
	var hands []func(high bool)
	release := func() {
		hands = nil
		for _, pin := range pins {
			hands = append(hands, chip.Hand(pin))
			hands[len(hands)-1](true)
		}
	}
	release()
	in := func(i int) gpio.Input { return gpio.Input{Pin: pins[i], ActiveLow: true, Pull: "up"} }
	board, err := gpio.Open(gpio.Wiring{Light: in(0), Dark: in(1), Pause: in(2),
		LightLamp: gpio.Output{Pin: "GPIO23"}, DarkLamp: gpio.Output{Pin: "GPIO24"}, Buzzer: gpio.Output{Pin: "GPIO25"}})
	if err != nil {
		t.Fatal(err)
	}
	return rig{buttons: board, lamps: board,
		down: func(b gpio.Button) { hands[b](false) }, up: func(b gpio.Button) { hands[b](true) },
		shown: func() gpio.Indication {
			return gpio.Indication{Light: chip.High("GPIO23"), Dark: chip.High("GPIO24"), Buzzer: chip.High("GPIO25")}
		},
		vanish: func(gone bool) {
			chip.Vanish(gone)
			if !gone {
				release()
			}
		},
		close: func() {
			if err := board.Close(); err != nil {
				t.Error(err)
			}
		},
	}
}

// onBoth runs a test on simulated buttons and, in a machine that has the kernel's simulated chip, on the real driver.
func onBoth(t *testing.T, test func(*testing.T, *house)) {
	for name, open := range map[string]func(testing.TB) rig{"simulated": simulated, "real": real} {
		t.Run(name, func(t *testing.T) { test(t, newHouse(t, open(t))) })
	}
}

// house is a whole table without a camera: clock, buttons, lamps and page.
type house struct {
	rig
	t     testing.TB
	table *table.Table
	panel *Panel
	page  *web.Server

	switched chan time.Time // when the clock was
}

// memory is a journal that forgets.
type memory struct{}

func (memory) Append(events []referee.Event, _ []byte, _ time.Duration) ([]referee.Event, error) {
	return events, nil
}

func newHouse(t testing.TB, r rig) *house {
	control, err := clock.Preset("usbgf-singles")
	if err != nil {
		t.Fatal(err)
	}
	h := furnish(t, r, control)
	h.open(t)
	h.until("the clock stands for the opening roll", func() bool { return h.shownState().Clock.Paused == "opening" })
	<-h.switched
	return h
}

// furnish makes a house whose parts can still be changed.
func furnish(t testing.TB, r rig, control clock.Control) *house {
	s := referee.DefaultSettings()
	s.Clock = &control
	judge, err := timekeeper.New(s)
	if err != nil {
		t.Fatal(err)
	}
	twin, err := timekeeper.New(s)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	page, err := web.New(web.Settings{Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	if err := page.Listen(); err != nil {
		t.Fatal(err)
	}
	h := &house{rig: r, t: t, page: page, switched: make(chan time.Time, 64)}
	timeline := table.Timeline{Start: time.Now(), Rate: 1}
	h.panel = &Panel{Buttons: r.buttons, Lamps: r.lamps, Match: timeline.Match, Log: log,
		Fault: func(what string, err error) { page.SetFault(what, err != nil) },
		Submit: func(ctx context.Context, in referee.Input) error {
			_, err := h.table.Submit(ctx, in)
			return err
		},
	}
	h.table = &table.Table{Referee: judge, Twin: twin, Timeline: timeline, Live: true, Journal: memory{},
		Sinks: []table.Sink{page}, Log: log,
		Switched: func(s clock.Still) {
			h.panel.Switched(s)
			select {
			case h.switched <- time.Now():
			default:
			}
		}}
	return h
}

// open runs the house until the test ends.
func (h *house) open(t testing.TB) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = h.page.Run(ctx) })
	running.Go(func() { h.panel.Run(ctx) })
	running.Go(func() { _ = h.table.Run(ctx, true) })
	t.Cleanup(func() {
		cancel()
		running.Wait()
		h.close()
	})
}

// shownState is what the page shows.
func (h *house) shownState() (s struct {
	Clock  referee.ClockView
	Faults []string
	TMS    int64 `json:"t_ms"`
}) {
	h.t.Helper()
	answer, err := http.Get(h.page.URL() + "/state.json")
	if err != nil {
		h.t.Fatal(err)
	}
	defer answer.Body.Close()
	var body struct{ State any }
	body.State = &s
	if answer.StatusCode != http.StatusOK {
		return s
	}
	if err := json.NewDecoder(answer.Body).Decode(&body); err != nil {
		h.t.Fatal(err)
	}
	return s
}

// until waits for something that follows by itself.
func (h *house) until(what string, is func() bool) {
	h.t.Helper()
	over := time.After(20 * time.Second)
	for !is() {
		select {
		case <-over:
			h.t.Fatalf("never: %s", what)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// press presses b as a hand does and returns how long the clock took to switch.
func (h *house) press(b gpio.Button) time.Duration {
	h.t.Helper()
	at := time.Now()
	h.down(b)
	var took time.Duration
	select {
	case switched := <-h.switched:
		took = switched.Sub(at)
	case <-time.After(20 * time.Second):
		h.t.Fatalf("the press of %v never switched the clock", b)
	}
	<-time.After(50 * time.Millisecond) // the finger stays down
	h.up(b)
	<-time.After(70 * time.Millisecond)
	return took
}

func (h *house) lit(want gpio.Indication) {
	h.t.Helper()
	h.until("the lamps follow the clock", func() bool { return h.shown() == want })
}

func TestPressesSwitchTheClockAndTheLampsAndDisplaysFollow(t *testing.T) {
	onBoth(t, func(t *testing.T, h *house) {
		var took []time.Duration
		for i := range 20 {
			took = append(took, h.press(gpio.Button((i+1)%2))) // dark threw the lower die
			h.lit(gpio.Indication{Light: i%2 == 0, Dark: i%2 == 1})
		}
		slices.Sort(took)
		t.Logf("from the contact to the clock switched: median %v, longest %v", took[len(took)/2], took[len(took)-1])
		h.press(gpio.PauseButton)
		if v, _ := h.panel.Look(); v.Running != clock.Nobody || v.Paused != clock.Director || v.OnMove != clock.Dark {
			t.Errorf("after the pause button: %+v", v)
		}
		h.until("dark's lamp blinks", func() bool { return h.shown() == gpio.Indication{} })
		h.lit(gpio.Indication{Dark: true})
		h.press(gpio.PauseButton)
		if v, _ := h.panel.Look(); v.Running != clock.Dark {
			t.Errorf("after the second: %+v", v)
		}
	})
}

func TestTheClockRunsOnThePageWhileItsButtonsAreGone(t *testing.T) {
	onBoth(t, func(t *testing.T, h *house) {
		h.press(gpio.DarkButton)
		h.vanish(true)
		h.until("the page says that the buttons are gone", func() bool { return slices.Contains(h.shownState().Faults, FaultButtons) })
		before, _ := h.panel.Look()
		if s := h.shownState(); s.Clock.Running != "light" || before.Running != clock.Light {
			t.Fatalf("the clock does not run on: %+v", s)
		}
		in := referee.Input{T: h.table.Timeline.Now(), Press: &referee.Press{Side: rules.Light}} // from the page
		if events, err := h.table.Submit(t.Context(), in); err != nil || len(events) != 1 {
			t.Fatal(events, err)
		}
		h.until("the page shows the press", func() bool { return h.shownState().Clock.Running == "dark" })
		<-h.switched
		h.vanish(false)
		h.until("the page says that they are back", func() bool { return len(h.shownState().Faults) == 0 })
		h.lit(gpio.Indication{Dark: true})
		h.press(gpio.DarkButton)
		h.lit(gpio.Indication{Light: true})
		v, _ := h.panel.Look()
		if spent := 28*time.Minute - v.Remaining[0] - v.Remaining[1]; spent != 0 && v.Delay > 0 && h.table.Timeline.Now() < 12*time.Second {
			t.Errorf("%v are gone within the delay", spent)
		}
	})
}

func TestABuzzerSoundsAtTheFlag(t *testing.T) {
	h := newHouse(t, simulated(t))
	h.press(gpio.DarkButton)
	d := referee.Decision{What: referee.DecideAdjust, Side: rules.Light, RemainingMS: 1, By: "director"}
	for _, d := range []referee.Decision{{What: referee.DecideForfeit, Side: rules.Light, By: "director"}, d} {
		if _, err := h.table.Submit(t.Context(), referee.Input{T: h.table.Timeline.Now(), Decision: &d}); err != nil {
			t.Fatal(err)
		}
	}
	h.until("the buzzer sounds", func() bool { return h.shown().Buzzer })
	h.until("the page shows the flag", func() bool { return h.shownState().Clock.Flagged == "light" })
}

// scriptedButtons report what a test says.
type scriptedButtons chan gpio.Event

func (b scriptedButtons) Next(ctx context.Context) (gpio.Event, error) {
	select {
	case e := <-b:
		return e, nil
	case <-ctx.Done():
		return gpio.Event{}, ctx.Err()
	}
}

func TestAButtonThatFailsIsToldAndSoIsItsMending(t *testing.T) {
	buttons := make(scriptedButtons)
	told := make(chan string, 16)
	p := &Panel{Buttons: buttons, Lamps: gpio.NewSim(), Log: slog.New(slog.DiscardHandler),
		Match:  func(time.Time) time.Duration { return 0 },
		Submit: func(context.Context, referee.Input) error { return nil },
		Fault: func(what string, err error) {
			if err == nil {
				what = "no " + what
			}
			told <- what
		}}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); p.Run(ctx) }()
	begun := time.Now()
	for _, c := range []struct {
		event gpio.Event
		told  []string
	}{
		{gpio.Event{Kind: gpio.Stuck, Button: gpio.LightButton}, []string{"stuck"}},
		{gpio.Event{Kind: gpio.Stuck, Button: gpio.DarkButton}, []string{"stuck"}},
		{gpio.Event{Kind: gpio.Freed, Button: gpio.LightButton}, nil}, // the other still is
		{gpio.Event{Kind: gpio.Freed, Button: gpio.DarkButton}, []string{"no stuck"}},
		{gpio.Event{Kind: gpio.Chatter, Button: gpio.LightButton, At: begun}, []string{"chatter"}},
		{gpio.Event{Kind: gpio.Press, Button: gpio.LightButton, At: begun.Add(time.Second)}, nil},
		{gpio.Event{Kind: gpio.Press, Button: gpio.LightButton, At: begun.Add(2 * chatterHolds)}, []string{"no chatter"}},
		{gpio.Event{Kind: gpio.Lost, Err: errors.New("unplugged")}, []string{"buttons"}},
		{gpio.Event{Kind: gpio.Back}, []string{"no stuck", "no buttons"}},
	} {
		buttons <- c.event
		for _, want := range c.told {
			if got := <-told; got != want {
				t.Errorf("after %+v it tells %q, want %q", c.event, got, want)
			}
		}
	}
	cancel()
	<-done
	if len(told) > 0 {
		t.Errorf("it tells %q, of which nobody asked", <-told)
	}
}

// glass is a display that can break.
type glass struct {
	mu     sync.Mutex
	face   display.Face
	broken error
}

func (g *glass) Show(f display.Face) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.broken == nil {
		g.face = f
	}
	return g.broken
}

func (g *glass) Off() error { return g.Show(display.Face{}) }

func (g *glass) set(broken error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.broken = broken
}

func (g *glass) String() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.face.String()
}

func TestADisplayThatFailsIsToldAndDisturbsNobody(t *testing.T) {
	light, dark := &glass{}, &glass{}
	r := simulated(t)
	var told []string
	var mu sync.Mutex
	still, now := clock.Still{}, time.Now()
	c, err := clock.New(clock.Control{System: clock.Plain}, [2]time.Duration{time.Minute, time.Hour}, 0)
	if err != nil {
		t.Fatal(err)
	}
	still = c.Still()
	p := &Panel{Buttons: r.buttons, Lamps: r.lamps, Displays: &display.Table{Light: light, Dark: dark},
		Match: func(at time.Time) time.Duration { return at.Sub(now) }, Log: slog.New(slog.DiscardHandler),
		Fault: func(what string, err error) {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, what)
		}}
	p.Switched(still)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); p.Run(ctx) }()
	h := &house{t: t}
	h.until("both displays show the reserve", func() bool { return light.String() == " 1:00" && dark.String() == "60:00" })
	dark.set(errors.New("pulled"))
	if _, err := c.Press(0, clock.Dark); err != nil {
		t.Fatal(err)
	}
	p.Switched(c.Still())
	h.until("light's display goes on", func() bool { return light.String() != " 1:00" })
	dark.set(nil)
	h.until("the fault and its end are told", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(told) == 0 || len(told) == 2 // dark's face may not have changed meanwhile
	})
	cancel()
	<-done
	if light.String() != "    " {
		t.Errorf("the displays still show %q", light.String())
	}
}

func TestABusThatIsNotThereIsToldOtherwiseThanASilentDisplay(t *testing.T) {
	type fault struct {
		what   string
		failed bool
	}
	var told []fault
	p := &Panel{Fault: func(what string, err error) { told = append(told, fault{what, err != nil}) }}
	fail := p.displaysFail()
	for _, err := range []error{fmt.Errorf("no node: %w", display.ErrBus), errors.New("no acknowledge"), errors.New("none of two"), nil, display.ErrBus, nil} {
		fail(err)
	}
	want := []fault{{FaultBus, true}, {FaultBus, false}, {FaultDisplays, true}, {FaultDisplays, true}, {FaultDisplays, false}, {FaultBus, true}, {FaultBus, false}}
	if !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
}
