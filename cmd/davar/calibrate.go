package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"gocv.io/x/gocv"

	"davar/config"
	"davar/device/camera"
	"davar/vision"
)

func newCalibrateCommand() *cobra.Command {
	var configFile, corners, out, overlay string
	cmd := &cobra.Command{
		Use:   "calibrate [IMAGE...]",
		Short: "Learn where the board lies and, from the starting position, what it looks like",
		Long: "Find the board in the camera's picture, or take the corners given, and write down where it lies. When it shows the\n" +
			"starting position, learn how it is set up and what its points and checkers look like. Of several pictures the first\n" +
			"that shows the starting position counts.",
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := loadConfig(configFile)
			if err != nil {
				return err
			}
			given, err := givenCorners(corners)
			if err != nil {
				return err
			}
			reader, err := vision.NewReader()
			if err != nil {
				return err
			}
			defer reader.Close()
			b := calibrator{reader: reader, corners: given, supposed: vision.Layout{Bottom: c.Match.Bottom, Home: c.Match.Home}}
			if len(args) > 0 {
				err = b.tryPictures(args, overlay)
			} else {
				err = b.tryCamera(cmd, &c, overlay)
			}
			if err != nil {
				return err
			}
			if err := writeCalibration(out, b.board); err != nil {
				return err
			}
			b.tell(cmd.OutOrStdout(), out, overlay)
			return nil
		},
	}
	cmd.Flags().StringVar(&configFile, "config", "", "settings file")
	cmd.Flags().StringVar(&corners, "corners", "", cornersHelp)
	cmd.Flags().StringVar(&out, "out", "calibration.json", "file to write, for camera.calibration")
	cmd.Flags().StringVar(&overlay, "overlay", "calibration.jpg", "picture to write, with what was found drawn in")
	return cmd
}

// calibrator learns a board from pictures of it.
type calibrator struct {
	reader   *vision.Reader
	corners  *[4]vision.Pixel // by hand; nil: the board is found
	supposed vision.Layout    // where the picture does not tell it

	board *vision.Calibration // what was learned
}

// tryPictures tries one file after the other until one shows the starting position.
func (b *calibrator) tryPictures(names []string, overlay string) error {
	for _, name := range names {
		img, err := openPicture(name)
		if err == nil {
			err = b.try(img, overlay)
			img.Close()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if b.board.Looks != nil {
			return nil
		}
	}
	return nil
}

func (b *calibrator) tryCamera(cmd *cobra.Command, c *config.Config, overlay string) error {
	img := gocv.NewMat()
	defer img.Close()
	if err := takePicture(cmd, c, &img); err != nil {
		return err
	}
	return b.try(img, overlay)
}

// try learns what it can from the picture and writes it with what was found drawn in.
func (b *calibrator) try(img gocv.Mat, overlay string) error {
	board, reading, err := b.reader.Calibrate(img, b.corners, b.supposed)
	if err != nil && !errors.Is(err, vision.ErrNoStart) {
		return err
	}
	b.board = board
	vision.Overlay(&img, reading)
	if !gocv.IMWrite(overlay, img) {
		return fmt.Errorf("the picture %s cannot be written; does its name end in .jpg or .png?", overlay)
	}
	return nil
}

// tell says what was learned and what is left to do.
func (b *calibrator) tell(w io.Writer, out, overlay string) {
	fmt.Fprintf(w, "wrote %s; look at %s: the outline must lie on the edge of the playing surface.\nIf it does not, give the corners with --corners.\n", out, overlay)
	if b.board.Looks == nil {
		fmt.Fprintln(w, "The board does not show the starting position: what it looks like will be learned when a game starts.")
		return
	}
	l := b.board.Layout
	fmt.Fprintf(w, "learned from the starting position: %s sits at the bottom, the home boards are on the %s.\n", l.Bottom, l.Home)
	if b.board.Bend != 0 {
		fmt.Fprintln(w, "The lens bends straight lines; that is allowed for from now on.")
	}
	if vision.Layout(l) != b.supposed {
		fmt.Fprintf(w, "The settings say otherwise: set match.bottom to %s and match.home to %s.\n", l.Bottom, l.Home)
	}
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
