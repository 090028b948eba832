package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	referee "davar/rules/referee/accuracy"
	"davar/rules/referee/refereetest"
	"davar/vision/accuracy"
)

// eval runs davar eval and reads its report; it returns the command as a person would type it.
func (o *options) eval(ctx context.Context, report any, args ...string) (string, error) {
	args = append([]string{"eval"}, args...)
	run := command(ctx, o.davar, args...)
	var errs bytes.Buffer
	run.Stderr = &errs
	out, err := run.Output()
	typed := "davar " + strings.Join(args, " ")
	if err != nil {
		return typed, fmt.Errorf("%s: %w: %s", typed, err, lastLine(errs.String()))
	}
	if err := json.Unmarshal(out, report); err != nil {
		return typed, fmt.Errorf("%s: its answer is no report: %w", typed, err)
	}
	return typed, nil
}

// gathered collects figures that one command gave.
type gathered struct {
	prefix, command string
	figures         []Figure
}

func (g *gathered) add(name, unit string, value float64, higher bool) {
	g.figures = append(g.figures, Figure{Name: g.prefix + name, Value: value, Unit: unit, Higher: higher, Command: g.command})
}

// share adds a share that is nil where nothing was asked.
func (g *gathered) share(name string, value *float64) {
	if value != nil {
		g.add(name, "share", *value, true)
	}
}

// simulate measures the referee's errors in simulated games with one noise of the camera.
func (o *options) simulate(ctx context.Context, noise string) ([]Figure, error) {
	args := []string{"referee", "--games", strconv.Itoa(o.games), "--seed", "7000", "--json"}
	name := "measured"
	if noise != "" {
		args, name = append(args, "--noise", noise), noise
	}
	var r refereetest.Report
	command, err := o.eval(ctx, &r, args...)
	if err != nil {
		return nil, err
	}
	g := gathered{prefix: "noise " + name + ": ", command: command}
	g.add("turns", "count", float64(r.Turns), true)
	g.add("rolls right", "share", r.Rolls.Share, true)
	g.add("plays right", "share", r.Plays.Share, true)
	g.add("cube actions right", "share", r.Cube.Share, true)
	g.add("breaches found", "share", r.Detected.Share, true)
	g.add("breaches found within 2 s", "share", r.InTime.Share, true)
	g.add("false rulings a turn", "share", r.FalseRulings.Share, false)
	g.add("questions a turn", "share", r.Questions.Share, false)
	g.add("announced after, median", "ms", float64(r.Delay.MedianMS), false)
	g.add("announced after, 99 %", "ms", float64(r.Delay.P99MS), false)
	return g.figures, nil
}

// film measures how a filmed game is refereed, its pictures made worse by a hardship unless that is empty.
func (o *options) film(ctx context.Context, name, folder, hardship string) ([]Figure, error) {
	if _, err := os.Stat(filepath.Join(folder, "events.jsonl")); err != nil {
		return nil, fmt.Errorf("%w: there is no film in %s", errAbsent, folder)
	}
	var r struct{ Modes map[string]referee.Result }
	args := []string{"sequence", folder}
	if hardship != "" {
		args = append(args, "--hardship", hardship)
	}
	command, err := o.eval(ctx, &r, args...)
	if err != nil {
		return nil, err
	}
	g := gathered{command: command}
	for _, mode := range slices.Sorted(maps.Keys(r.Modes)) {
		m := r.Modes[mode]
		g.prefix = name + ", " + mode + ": "
		for _, t := range []struct {
			what string
			referee.Tally
		}{{"rolls", m.Rolls}, {"plays", m.Plays}, {"cube", m.Cube}, {"incidents", m.Incidents}} {
			if t.Expected > 0 {
				g.add(fmt.Sprintf("%s right of %d", t.what, t.Expected), "count", float64(t.Right), true)
			}
		}
		g.add("false rulings", "count", float64(m.FalseRulings), false)
		g.add("questions", "count", float64(m.Questions), false)
		g.add("a picture, median", "ms", m.MSPerFrame.Median, false)
		g.add("a picture, 95 %", "ms", m.MSPerFrame.P95, false)
	}
	return g.figures, nil
}

// stills measures how single pictures are read, those of one quality by themselves where their truth tells it.
func (o *options) stills(ctx context.Context, name, truth string, given bool) ([]Figure, error) {
	if _, err := os.Stat(truth); err != nil {
		return nil, fmt.Errorf("%w: there is no %s", errAbsent, truth)
	}
	args, how := []string{"stills", truth}, "found alone"
	if given {
		args, how = append(args, "--given-corners"), "corners given"
	}
	var r accuracy.Report
	command, err := o.eval(ctx, &r, args...)
	if err != nil {
		return nil, err
	}
	g := gathered{command: command}
	parts := map[string]*accuracy.Report{"": &r}
	if len(r.Quality) > 1 {
		parts = r.Quality
	}
	for _, quality := range slices.Sorted(maps.Keys(parts)) {
		g.prefix = strings.TrimSpace(quality+" "+name) + ", " + how + ": "
		g.picture(parts[quality], given)
	}
	return g.figures, nil
}

// picture adds the figures of one set of pictures.
func (g *gathered) picture(r *accuracy.Report, given bool) {
	g.add("pictures", "count", float64(r.Images), true)
	g.share("points right", r.PointsExact)
	g.share("whole boards right", r.PositionsExact)
	if !given {
		g.share("board found", r.CornersOK)
	}
	g.share("dice found", r.Dice.Recall)
	g.share("values right", r.Dice.ValueAccuracy)
	g.share("flat or cocked told right", r.Dice.CockedAccuracy)
	g.share("pictures with all dice right", r.Dice.PicturesExact)
	g.add("a picture, median", "ms", r.MS.Median, false)
	g.add("a picture, 95 %", "ms", r.MS.P95, false)
}
