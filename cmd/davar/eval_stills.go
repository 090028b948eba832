package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"gocv.io/x/gocv"

	"davar/vision"
	"davar/vision/accuracy"
)

func newEvalStillsCommand() *cobra.Command {
	var given bool
	var fit noiseFit
	cmd := &cobra.Command{
		Use:   "stills TRUTH.jsonl",
		Short: "Accuracy and time of reading single pictures",
		Long: "Read every picture that a truth file names (they lie beside it) and print accuracy and time as one JSON object.\n" +
			"Pictures without corners in the truth show dice alone.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			report, err := evaluateStills(cmd.Context(), args[0], given, &fit)
			if err == nil {
				err = fit.save(args[0], given)
			}
			if err != nil {
				return err
			}
			out := json.NewEncoder(cmd.OutOrStdout())
			out.SetIndent("", " ")
			return out.Encode(report)
		},
	}
	cmd.Flags().BoolVar(&given, "given-corners", false, "take the board's corners from the truth")
	fit.flag(cmd)
	return cmd
}

func evaluateStills(ctx context.Context, truthFile string, given bool, fit *noiseFit) (*accuracy.Report, error) {
	file, err := os.Open(truthFile)
	if err != nil {
		return nil, fmt.Errorf("read the truth: %w", err)
	}
	defer file.Close()
	truths, err := accuracy.ReadTruth(file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", truthFile, err)
	}
	reader, err := vision.NewReader()
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	dice, err := vision.NewFinder()
	if err != nil {
		return nil, err
	}
	defer dice.Close()
	var score accuracy.Score
	for i := range truths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t := &truths[i]
		img, err := openPicture(filepath.Join(filepath.Dir(truthFile), t.Image))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Image, err)
		}
		begun := time.Now()
		reading, err := readForTruth(reader, dice, img, t, given)
		took := time.Since(begun)
		score.Add(t, reading, err, took)
		fit.add(t, reading, took)
		img.Close()
	}
	return score.Report(), nil
}

// readForTruth reads the picture the way its truth allows to measure.
func readForTruth(reader *vision.Reader, finder *vision.Finder, img gocv.Mat, t *accuracy.Truth, given bool) (*vision.Reading, error) {
	if t.Corners == nil {
		dice, _, err := finder.Find(img, nil)
		return &vision.Reading{Dice: dice}, err
	}
	if !given {
		return reader.Read(img)
	}
	var corners [4]vision.Pixel
	for k, c := range *t.Corners {
		corners[k] = vision.Pixel{X: c[0], Y: c[1]}
	}
	return reader.ReadAt(img, corners)
}
