package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"gocv.io/x/gocv"

	"davar/device/recording"
	"davar/rules/referee"
	"davar/rules/referee/accuracy"
	"davar/rules/sighting"
	"davar/vision"
	pictures "davar/vision/accuracy"
)

func newEvalSequenceCommand() *cobra.Command {
	var mode, corners, hardship string
	cmd := &cobra.Command{
		Use:   "sequence DIR",
		Short: "Accuracy of refereeing a filmed game",
		Long: "Referee a filmed game (a folder with video.mp4, match.json and events.jsonl) and print how the events agree with\n" +
			"its truth, for each mode there is, as one JSON object.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			film, err := recording.Open(args[0])
			if err != nil {
				return err
			}
			given, err := givenCorners(corners)
			if err != nil {
				return err
			}
			modes := film.ModeNames()
			if mode != "" {
				modes = []string{mode}
			}
			report, err := evaluateFilm(cmd.Context(), film, modes, view{corners: given, hardship: hardship})
			if err != nil {
				return err
			}
			out := json.NewEncoder(cmd.OutOrStdout())
			out.SetIndent("", " ")
			return out.Encode(struct {
				Modes map[string]accuracy.Result `json:"modes"`
			}{report})
		},
	}
	cmd.Flags().StringVar(&mode, "mode", "", "clock or pickup (default: each mode there is)")
	cmd.Flags().StringVar(&corners, "corners", "", cornersHelp)
	cmd.Flags().StringVar(&hardship, "hardship", "", "make the pictures worse first; one of\n"+hardshipsHelp())
	return cmd
}

// hardshipsHelp tells what hardships there are.
func hardshipsHelp() string {
	names, about := pictures.Hardships()
	for i := range names {
		names[i] += ": " + about[i]
	}
	return strings.Join(names, "\n")
}

// view says how a film is looked at.
type view struct {
	corners  *[4]vision.Pixel // nil: the board is found
	hardship string           // that the pictures come through; empty: none
}

// evaluateFilm looks at the film once, referees what was seen in each mode, and compares the events with what
// happened.
func evaluateFilm(ctx context.Context, film *recording.Film, modes []string, v view) (map[string]accuracy.Result, error) {
	file, err := os.Open(filepath.Join(film.Dir, "events.jsonl"))
	if err != nil {
		return nil, fmt.Errorf("read what happened in the film: %w", err)
	}
	defer file.Close()
	truth, err := accuracy.ReadTruth(file)
	if err != nil {
		return nil, fmt.Errorf("read what happened in the film: %w", err)
	}
	sightings, costs, err := watchFilm(ctx, film, v)
	if err != nil {
		return nil, err
	}
	results := map[string]accuracy.Result{}
	for _, mode := range modes {
		events, err := refereeFilm(film, mode, sightings)
		if err != nil {
			return nil, err
		}
		result, err := accuracy.Compare(truth, events, mode)
		if err != nil {
			return nil, err
		}
		result.Frames = len(costs)
		result.MSPerFrame = accuracy.Timing{Median: quantile(costs, 0.5), P95: quantile(costs, 0.95)}
		results[mode] = result
	}
	return results, nil
}

// watchFilm returns what is seen in each picture of the film, and what each cost.
func watchFilm(ctx context.Context, film *recording.Film, v view) (sightings []referee.Input, costs []time.Duration, err error) {
	f := footage{settings: referee.Settings{Layout: film.Layout}, pictures: film.Pictures(), corners: v.corners, hardship: v.hardship}
	seen := func(_ gocv.Mat, _ *sighting.Sighting, cost time.Duration) { costs = append(costs, cost) }
	err = f.watch(ctx, seen, func(in referee.Input) error {
		sightings = append(sightings, in)
		return nil
	})
	return sightings, costs, err
}

// refereeFilm returns what the referee says to the sightings and to the presses and decisions of the mode.
func refereeFilm(film *recording.Film, mode string, sightings []referee.Input) ([]referee.Event, error) {
	f, err := openFilm(film, mode, "eval")
	if err != nil {
		return nil, err
	}
	judge, err := referee.New(f.settings)
	if err != nil {
		return nil, err
	}
	// At the same time a press comes before a picture, as in feed.Feed; the sort is stable.
	inputs := append(slices.Clone(f.inputs), sightings...)
	slices.SortStableFunc(inputs, func(a, b referee.Input) int { return cmp.Compare(a.T, b.T) })
	var events []referee.Event
	for _, in := range inputs {
		events = append(events, judge.Handle(in)...)
	}
	return events, nil
}

// quantile returns the q-quantile of the durations in milliseconds, 0 of none.
func quantile(durations []time.Duration, q float64) float64 {
	if len(durations) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(durations))
	return float64(sorted[int(q*float64(len(sorted)-1))].Microseconds()) / 1000
}
