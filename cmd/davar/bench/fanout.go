package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strconv"
)

// fanOutTest is the test of package hub that measures a hub when it is told a load.
const fanOutTest = "TestAHubUnderLoadTellsEverybodyEverythingOnce"

// fanOut measures what reaches spectators through a hub: tables that play, by spectators who watch, written 50x1000.
func (o *options) fanOut(ctx context.Context, load string) ([]Figure, error) {
	if _, err := os.Stat("device/hub"); err != nil {
		return nil, fmt.Errorf("%w: there is no device/hub", errAbsent)
	}
	args := []string{"test", "-count=1", "-run", fanOutTest, "-v", "-timeout", "15m", "./device/hub", "-load", load, "-load-time", o.loadTime.String()}
	out, err := command(ctx, "go", args...).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("device/hub: go test: %w: %s", err, lastLine(string(out)))
	}
	figures := parseFanOut(string(out))
	if figures == nil {
		return nil, fmt.Errorf("%w: %s tells no figures", errAbsent, fanOutTest)
	}
	for i := range figures {
		figures[i].Command = fmt.Sprintf("go test -count=1 -run %s -v ./device/hub -load %s -load-time %v", fanOutTest, load, o.loadTime)
	}
	return figures, nil
}

// fanOutLine is what the test says of one load: tables, spectators, ms from an event to the page, the hub's memory and
// processor, and how much each spectator is sent.
var fanOutLine = regexp.MustCompile(`(\d+) (\d+) \| ([\d.]+) ([\d.]+) [\d.]+ \| (\d+) \((\d+)\) (\d+)% \| ([\d.]+)`)

func parseFanOut(text string) []Figure {
	m := fanOutLine.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	name := fmt.Sprintf("%s tables, %s spectators: ", m[1], m[2])
	var figures []Figure
	for i, f := range []Figure{
		{Name: "event to page, median", Unit: "ms"}, {Name: "event to page, 99 %", Unit: "ms"},
		{Name: "memory", Unit: "MB"}, {Name: "memory at most", Unit: "MB"}, {Name: "of a core", Unit: "%"}, {Name: "to each spectator", Unit: "KB/s"},
	} {
		f.Name = name + f.Name
		f.Value, _ = strconv.ParseFloat(m[3+i], 64) // the expression lets only numbers through
		figures = append(figures, f)
	}
	return figures
}
