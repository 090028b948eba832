package main

import (
	"context"
	"fmt"
	"time"

	"periph.io/x/conn/v3/i2c"

	"davar/cmd/davar/panel"
	"davar/cmd/davar/table"
	"davar/config"
	"davar/device/display"
	"davar/device/gpio"
	"davar/rules/referee"
)

// openButtons takes the lines of buttons and lamps, or simulates them where there are none. Lines that cannot be taken are
// no reason not to begin: they are told, tried again, and meanwhile the page and the keyboard press the clock.
func (s *station) openButtons(context.Context) error {
	if !s.config.Buttons.Enabled || s.film {
		sim := gpio.NewSim()
		s.buttons, s.lamps = sim, sim
		return nil
	}
	board, err := gpio.OpenPatiently(boardWiring(s.config.Buttons))
	if err != nil {
		return usageError{err}
	}
	s.onClose(func() {
		if err := board.Close(); err != nil {
			s.log.Warn("the buttons did not close", "error", err)
		}
	})
	s.buttons, s.lamps = board, board
	return nil
}

// boardWiring returns the lines that the settings name.
func boardWiring(b config.Buttons) gpio.Wiring {
	return gpio.Wiring{
		Light: gpio.Input(b.Light), Dark: gpio.Input(b.Dark), Pause: gpio.Input(b.Pause),
		LightLamp: gpio.Output{Pin: b.LEDs.Light}, DarkLamp: gpio.Output{Pin: b.LEDs.Dark}, Buzzer: gpio.Output{Pin: b.Buzzer},
	}
}

// openDisplays prepares the seven-segment displays, if there are any. A bus that cannot be opened and a display that does
// not answer are no reason not to begin: they are told, tried again, and meanwhile the page shows the clock.
func (s *station) openDisplays(context.Context) (err error) {
	if s.film || !anyDisplay(s.config.Displays) {
		return nil
	}
	bus := display.OpenBusPatiently(s.config.Displays.Bus)
	s.onClose(func() {
		if err := bus.Close(); err != nil {
			s.log.Warn("the displays' bus did not close", "error", err)
		}
	})
	s.displays, err = displaysOn(bus, s.config.Displays)
	return err
}

// anyDisplay tells whether the settings name a display.
func anyDisplay(d config.Displays) bool { return d.Light != "" || d.Dark != "" || d.Between != "" }

// displaysOn returns the displays that the settings name.
func displaysOn(bus i2c.Bus, d config.Displays) (*display.Table, error) {
	displays := &display.Table{}
	for _, place := range []struct {
		address string
		screen  *display.Screen
	}{{d.Light, &displays.Light}, {d.Dark, &displays.Dark}, {d.Between, &displays.Between}} {
		if place.address == "" {
			continue
		}
		address, err := config.DisplayAddress(place.address)
		if err == nil {
			*place.screen, err = display.NewHT16K33(bus, address, d.Brightness)
		}
		if err != nil {
			return nil, usageError{err}
		}
	}
	return displays, nil
}

// newPanel returns what stands beside the board.
func (s *station) newPanel(timeline table.Timeline) *panel.Panel {
	match := timeline.Match
	if s.film { // rounded, since a film's times went through the world's clock and back
		match = func(at time.Time) time.Duration { return timeline.Match(at).Round(time.Millisecond) }
	}
	return &panel.Panel{
		Buttons: s.buttons, Lamps: s.lamps, Displays: s.displays, Match: match, Log: s.log, Fault: s.fault,
		Submit: func(ctx context.Context, in referee.Input) error {
			_, err := s.table.Submit(ctx, in)
			select {
			case s.arrived <- struct{}{}: // a film's feed waits for its presses
			default:
			}
			return err
		},
	}
}

// fault tells the operator and the page of a device that fails, and with nil that it works again.
func (s *station) fault(what string, err error) {
	s.page.SetFault(what, err != nil)
	if s.publisher != nil {
		s.publisher.SetFault(what, err != nil)
	}
	s.health.fault(what, err)
	if err != nil {
		s.log.Error("a device of the table fails; the clock runs on", "device", what, "error", err)
	} else {
		s.log.Info("a device of the table works again", "device", what)
	}
}

// tap presses a simulated button for a film and returns when the referee has had the press, so that it comes
// before the next picture however fast the film runs.
func (s *station) tap(ctx context.Context, sim *gpio.Sim, in referee.Input) error {
	select {
	case <-s.arrived: // of a press from the page
	default:
	}
	sim.Tap(gpio.Button(in.Press.Side), s.table.Timeline.At(in.T))
	timeout := time.NewTimer(tapWait)
	defer timeout.Stop()
	select {
	case <-s.arrived:
		return nil
	case <-timeout.C:
		return fmt.Errorf("the film's press at %v did not come through the simulated buttons; is the speed too high?", in.T)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// tapWait is far longer than a simulated press takes.
const tapWait = 10 * time.Second
