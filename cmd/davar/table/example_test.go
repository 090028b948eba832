package table_test

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"davar/clock"
	"davar/cmd/davar/table"
	"davar/rules"
	"davar/rules/referee"
	"davar/rules/timekeeper"
)

// memory is a journal that keeps nothing.
type memory struct{}

func (memory) Append(events []referee.Event, _ []byte, _ time.Duration) ([]referee.Event, error) {
	return events, nil
}

// screen shows what happens.
type screen struct{}

func (screen) Publish(e referee.Event)                          { fmt.Println(e.Seq, e.Type) }
func (screen) SetState(s referee.State, _ time.Time, _ float64) {}

// A table with a clock and nothing else: what is pressed is judged at once, written down, and then shown.
func Example() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	settings := referee.DefaultSettings()
	settings.Match, settings.Length = "m", 7
	control, err := clock.Preset("usbgf-singles")
	if err != nil {
		panic(err)
	}
	settings.Clock = &control
	judge := func() *timekeeper.Timekeeper {
		k, err := timekeeper.New(settings)
		if err != nil {
			panic(err)
		}
		return k
	}
	t := table.Table{
		Referee: judge(), Twin: judge(), Live: true, Journal: memory{}, Sinks: []table.Sink{screen{}},
		Timeline: table.Timeline{Start: time.Now(), Rate: 1}, Log: slog.New(slog.DiscardHandler),
	}
	ended := make(chan error)
	go func() { ended <- t.Run(ctx, false) }()
	if _, err := t.Submit(ctx, referee.Input{T: t.Timeline.Now(), Press: &referee.Press{Side: rules.Dark}}); err != nil {
		panic(err)
	}
	stop()
	fmt.Println(<-ended)
	// Output:
	// 1 match.started
	// 2 clock.started
	// 3 game.started
	// <nil>
}
