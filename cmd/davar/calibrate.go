package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"gocv.io/x/gocv"

	"davar/config"
	"davar/device/camera"
	"davar/rules/referee"
	"davar/vision"
)

func newCalibrateCommand() *cobra.Command {
	var configFile, corners, out, overlay string
	cmd := &cobra.Command{
		Use:   "calibrate",
		Short: "Find the board in the camera's picture, or take the corners given, and write them down",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := loadConfig(configFile)
			if err != nil {
				return err
			}
			given, err := givenCorners(corners, "")
			if err != nil {
				return err
			}
			img := gocv.NewMat()
			defer img.Close()
			if err := takePicture(cmd, &c, &img); err != nil {
				return err
			}
			reader, err := vision.NewReader()
			if err != nil {
				return err
			}
			defer reader.Close()
			still := stillReader{reader: reader, corners: given}
			reading, err := still.read(img)
			if err != nil {
				return err
			}
			board := calibration{Size: [2]int{img.Cols(), img.Rows()}, Layout: referee.Layout{Bottom: c.Match.Bottom, Home: c.Match.Home}}
			for i, corner := range reading.Geometry.Corners {
				board.Corners[i] = [2]float64{corner.X, corner.Y}
			}
			text, err := json.MarshalIndent(board, "", " ")
			if err != nil {
				return fmt.Errorf("write the calibration: %w", err)
			}
			if err := os.WriteFile(out, append(text, '\n'), 0o644); err != nil {
				return fmt.Errorf("write the calibration: %w", err)
			}
			vision.Overlay(&img, reading)
			if !gocv.IMWrite(overlay, img) {
				return fmt.Errorf("the picture %s cannot be written; does its name end in .jpg or .png?", overlay)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "wrote %s; look at %s: the outline must lie on the edge of the playing surface.\nIf it does not, give the corners with --corners.\n", out, overlay)
			return nil
		},
	}
	cmd.Flags().StringVar(&configFile, "config", "", "settings file")
	cmd.Flags().StringVar(&corners, "corners", "", cornersHelp)
	cmd.Flags().StringVar(&out, "out", "calibration.json", "file to write, for camera.calibration")
	cmd.Flags().StringVar(&overlay, "overlay", "calibration.jpg", "picture to write, with what was found drawn in")
	return cmd
}

// warmUp is how long a camera is given to set its exposure.
const warmUp = 2 * time.Second

// takePicture puts a picture of the configured camera into img: the first of a file, one after the warm-up of a
// live camera.
func takePicture(cmd *cobra.Command, c *config.Config, img *gocv.Mat) error {
	source, err := camera.Open(c.Camera.Source, camera.Settings{Width: c.Camera.Width, Height: c.Camera.Height, FPS: c.Camera.FPS})
	if err != nil {
		return err
	}
	defer source.Close()
	for {
		p, err := source.Next(cmd.Context(), img)
		if err != nil {
			return err
		}
		if p.T >= warmUp || isFile(c.Camera.Source) {
			return nil
		}
	}
}
