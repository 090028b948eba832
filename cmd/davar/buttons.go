package main

import (
	"context"
	"fmt"
	"time"

	"davar/device/gpio"
	"davar/rules"
	"davar/rules/referee"
)

// watchButtons hands presses to the referee until ctx ends.
func (s *station) watchButtons(ctx context.Context) {
	for {
		e, err := s.buttons.Next(ctx)
		if err != nil {
			return
		}
		switch e.Kind {
		case gpio.Press:
			s.pressed(ctx, e)
		case gpio.Lost:
			s.log.Error("the buttons cannot be read; the page's buttons still work", "error", e.Err)
		case gpio.Back:
			s.log.Info("the buttons can be read again; presses in between were lost")
		default:
			s.log.Warn("a button needs a look", "button", e.Button, "what", e.Kind)
		}
	}
}

func (s *station) pressed(ctx context.Context, e gpio.Event) {
	// Rounded, since a film's times went through the world's clock and back.
	in := referee.Input{T: s.table.Timeline.Match(e.At).Round(time.Millisecond)}
	switch e.Button {
	case gpio.LightButton:
		in.Press = &referee.Press{Side: rules.Light}
	case gpio.DarkButton:
		in.Press = &referee.Press{Side: rules.Dark}
	default:
		what := referee.DecidePause
		if s.standing.Load() {
			what = referee.DecideResume
		}
		in.Decision = &referee.Decision{What: what, By: "players"}
	}
	if _, err := s.table.Submit(ctx, in); err != nil {
		return // the table has stopped
	}
	select {
	case s.arrived <- struct{}{}: // a film's feed waits for its presses
	default:
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

// lamps returns what shows the running side: it hands the newest to a goroutine of its own, since a line may
// block, and never waits.
func (s *station) lamps() func(running string) {
	newest := make(chan string, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for running := range newest {
			if err := s.panel.Show(gpio.Indication{Light: running == "light", Dark: running == "dark"}); err != nil {
				s.log.Warn("the lamps cannot be set", "error", err)
			}
		}
	}()
	s.onClose(func() { close(newest); <-done })
	return func(running string) {
		s.standing.Store(running == "")
		select {
		case <-newest: // overtaken
		default:
		}
		newest <- running
	}
}
