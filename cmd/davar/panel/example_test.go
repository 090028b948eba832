package panel_test

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"davar/cmd/davar/panel"
	"davar/device/gpio"
	"davar/rules/referee"
)

// A finger on the light button becomes a press of light's clock, at the moment of the contact.
func Example() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	begun := time.Now()
	buttons := gpio.NewSim()
	pressed := make(chan referee.Input)
	p := panel.Panel{
		Buttons: buttons, Lamps: buttons, Log: slog.New(slog.DiscardHandler),
		Match: func(moment time.Time) time.Duration { return moment.Sub(begun) },
		Submit: func(_ context.Context, in referee.Input) error {
			pressed <- in
			return nil
		},
		Fault: func(what string, err error) { fmt.Println(what, err) },
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		p.Run(ctx)
	}()
	buttons.Down(gpio.LightButton, begun.Add(3*time.Second))
	in := <-pressed
	fmt.Println(in.T, in.Press.Side)
	stop()
	<-ended
	// Output:
	// 3s light
}
