package panel

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"davar/clock"
	"davar/device/display"
	"davar/device/gpio"
	"davar/rules"
	"davar/rules/referee"
)

// What can fail, as Panel.Fault names it; the phrasebook has a text for each under "fault.".
const (
	FaultButtons  = "buttons"     // no button can be read
	FaultStuck    = "stuck"       // a button has been down for a long time
	FaultChatter  = "chatter"     // a button makes far more contacts than a hand can
	FaultLamps    = "lamps"       // lamps and buzzer cannot be set
	FaultDisplays = "displays"    // a display does not answer
	FaultBus      = "display_bus" // the displays' bus cannot be opened: none of them shines
)

// Panel is the devices of one table. Set its fields, give Switched to the table, and let Run work.
type Panel struct {
	Buttons  gpio.Buttons
	Lamps    gpio.Panel
	Displays *display.Table // nil: none are wired
	// Match returns the match's time at a moment of the world.
	Match func(time.Time) time.Duration
	// Submit hands an input to the table and returns when it has been judged; its error says that the table has
	// stopped.
	Submit func(ctx context.Context, in referee.Input) error
	// Fault is told of a device that fails, with the reason, and with nil when it works again. It must not block.
	Fault func(what string, err error)
	Log   *slog.Logger

	still atomic.Pointer[clock.Still]
	once  sync.Once
	moved chan struct{} // holds one token while the lamps have not seen the newest still
}

func (p *Panel) init() { p.once.Do(func() { p.moved = make(chan struct{}, 1) }) }

// Switched tells what the clock has become. It does not block.
func (p *Panel) Switched(still clock.Still) {
	p.init()
	p.still.Store(&still)
	select {
	case p.moved <- struct{}{}:
	default:
	}
}

// Run works until ctx ends; then lamps and displays are dark.
func (p *Panel) Run(ctx context.Context) {
	p.init()
	var devices sync.WaitGroup
	devices.Go(func() { p.watchButtons(ctx) })
	devices.Go(func() { p.light(ctx) })
	if p.Displays != nil {
		devices.Go(func() {
			p.Displays.Run(ctx, p.Look, p.displaysFail())
		})
	}
	devices.Wait()
}

// displaysFail returns what the displays tell their faults: to the players one that does not answer is another thing than
// a bus that is not there.
func (p *Panel) displaysFail() func(error) {
	told := "" // what is told to fail
	return func(err error) {
		what := FaultDisplays
		switch {
		case err == nil:
			what = ""
		case errors.Is(err, display.ErrBus):
			what = FaultBus
		}
		if told != "" && told != what {
			p.Fault(told, nil)
		}
		if told = what; err != nil {
			p.Fault(what, err)
		}
	}
}

// Look returns what the clock shows now and the delay of a whole turn.
func (p *Panel) Look() (clock.View, time.Duration) {
	still := p.still.Load()
	if still == nil {
		return clock.View{OnMove: clock.Nobody, Running: clock.Nobody, Flagged: clock.Nobody, Paused: clock.Opening}, 0
	}
	return still.View(p.Match(time.Now())), still.Delay()
}

// chatterHolds is how long a chattering button stays reported after it was last heard of.
const chatterHolds = time.Minute

// watchButtons hands presses to the table and tells of buttons that fail.
func (p *Panel) watchButtons(ctx context.Context) {
	var stuck [gpio.AllButtons]bool
	var chatter time.Time // when a button last chattered; zero: it is not reported
	for {
		e, err := p.Buttons.Next(ctx)
		if err != nil {
			return
		}
		switch e.Kind {
		case gpio.Press:
			if p.Press(ctx, e.Button, e.At) != nil {
				return
			}
			if !chatter.IsZero() && e.At.Sub(chatter) >= chatterHolds {
				chatter = time.Time{}
				p.Fault(FaultChatter, nil)
			}
		case gpio.Lost:
			p.Fault(FaultButtons, e.Err)
		case gpio.Back:
			stuck = [gpio.AllButtons]bool{}
			p.Fault(FaultStuck, nil)
			p.Fault(FaultButtons, nil)
			p.Log.Info("the buttons can be read again; presses in between were lost")
		case gpio.Stuck:
			stuck[e.Button] = true
			p.Fault(FaultStuck, faulty{e.Button, "has been down for a long time"})
		case gpio.Freed:
			if stuck[e.Button] = false; stuck == [gpio.AllButtons]bool{} {
				p.Fault(FaultStuck, nil)
			}
		case gpio.Chatter:
			chatter = e.At
			p.Fault(FaultChatter, faulty{e.Button, "makes far more contacts than a hand can: its wire is loose or it is worn out"})
		}
	}
}

// faulty is what is wrong with one button.
type faulty struct {
	button gpio.Button
	what   string
}

// Error names the button and what is wrong with it.
func (f faulty) Error() string { return "the " + f.button.String() + " button " + f.what }

// Press is a button going down at the moment at, on wires or elsewhere: a player's ends his turn, the pause button
// stops both clocks or, when they stand, lets play go on. Its error says that the table has stopped.
func (p *Panel) Press(ctx context.Context, b gpio.Button, at time.Time) error {
	in := referee.Input{T: p.Match(at)}
	switch b {
	case gpio.LightButton:
		in.Press = &referee.Press{Side: rules.Light}
	case gpio.DarkButton:
		in.Press = &referee.Press{Side: rules.Dark}
	default:
		what := referee.DecidePause
		if v, _ := p.Look(); v.Running == clock.Nobody {
			what = referee.DecideResume
		}
		in.Decision = &referee.Decision{What: what, By: "players"}
	}
	return p.Submit(ctx, in)
}
