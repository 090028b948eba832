package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"gocv.io/x/gocv"

	"davar/device/camera"
	"davar/rules/referee"
)

// saveEvidence goes through the pictures once more and writes those before and after each ruling into dir.
func saveEvidence(ctx context.Context, pictures string, rulings []referee.Event, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("save the evidence: %w", err)
	}
	wanted := map[int64][]string{} // time of the picture in ms to the names it is saved under
	for _, e := range rulings {
		name := fmt.Sprintf("%04d_%s", e.Seq, e.Ruling.Code)
		wanted[e.Ruling.Before] = append(wanted[e.Ruling.Before], name+"_before.jpg")
		wanted[e.Ruling.After] = append(wanted[e.Ruling.After], name+"_after.jpg")
	}
	times := make([]int64, 0, len(wanted))
	for t := range wanted {
		times = append(times, t)
	}
	slices.Sort(times)
	source, err := camera.Open(pictures, camera.Settings{})
	if err != nil {
		return err
	}
	defer source.Close()
	img := gocv.NewMat()
	defer img.Close()
	for len(times) > 0 {
		p, err := source.Next(ctx, &img)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for len(times) > 0 && p.T >= time.Duration(times[0])*time.Millisecond {
			for _, name := range wanted[times[0]] {
				if !gocv.IMWrite(filepath.Join(dir, name), img) {
					return fmt.Errorf("save the evidence: %s cannot be written", filepath.Join(dir, name))
				}
			}
			times = times[1:]
		}
	}
	return nil
}
