package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"gocv.io/x/gocv"

	"davar/device/recording"
	"davar/rules/referee"
	"davar/rules/referee/accuracy"
	"davar/rules/sighting"
	"davar/vision"
)

func newEvalSequenceCommand() *cobra.Command {
	var mode, corners string
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
			given, err := givenCorners(corners, "")
			if err != nil {
				return err
			}
			modes := film.ModeNames()
			if mode != "" {
				modes = []string{mode}
			}
			var report struct {
				Modes map[string]accuracy.Result `json:"modes"`
			}
			report.Modes = map[string]accuracy.Result{}
			for _, m := range modes {
				if report.Modes[m], err = evaluateFilm(cmd.Context(), film, m, given); err != nil {
					return err
				}
			}
			out := json.NewEncoder(cmd.OutOrStdout())
			out.SetIndent("", " ")
			return out.Encode(report)
		},
	}
	cmd.Flags().StringVar(&mode, "mode", "", "clock or pickup (default: each mode there is)")
	cmd.Flags().StringVar(&corners, "corners", "", cornersHelp)
	return cmd
}

// evaluateFilm referees the film in one mode and compares the events with what happened.
func evaluateFilm(ctx context.Context, film *recording.Film, mode string, corners *[4]vision.Pixel) (accuracy.Result, error) {
	file, err := os.Open(filepath.Join(film.Dir, "events.jsonl"))
	if err != nil {
		return accuracy.Result{}, fmt.Errorf("read what happened in the film: %w", err)
	}
	defer file.Close()
	truth, err := accuracy.ReadTruth(file)
	if err != nil {
		return accuracy.Result{}, fmt.Errorf("read what happened in the film: %w", err)
	}
	f, err := openFilm(film, mode, "eval")
	if err != nil {
		return accuracy.Result{}, err
	}
	f.corners = corners
	var costs []time.Duration
	seen := func(_ gocv.Mat, _ *sighting.Sighting, cost time.Duration) { costs = append(costs, cost) }
	var events []referee.Event
	err = f.replay(ctx, seen, func(batch []referee.Event) error {
		events = append(events, batch...)
		return nil
	})
	if err != nil {
		return accuracy.Result{}, err
	}
	result, err := accuracy.Compare(truth, events, mode)
	if err != nil {
		return result, err
	}
	result.Frames = len(costs)
	result.MSPerFrame = accuracy.Timing{Median: quantile(costs, 0.5), P95: quantile(costs, 0.95)}
	return result, nil
}

// quantile returns the q-quantile of the durations in milliseconds, 0 of none.
func quantile(durations []time.Duration, q float64) float64 {
	if len(durations) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(durations))
	return float64(sorted[int(q*float64(len(sorted)-1))].Microseconds()) / 1000
}
