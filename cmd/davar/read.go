package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"gocv.io/x/gocv"

	"davar/rules"
	"davar/rules/match"
	"davar/rules/record"
	"davar/vision"
)

func newReadCommand() *cobra.Command {
	var asJSON bool
	var corners, calibrationFile, overlay, bottom, home string
	cmd := &cobra.Command{
		Use:   "read IMAGE...",
		Short: "Say what is on the board in a picture",
		Long: "Say what is on the board in a picture: points, bar, dice and cube, as a drawing with its XGID or, with --json, as\n" +
			"one JSON object a picture with a confidence for everything that is said.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			given, err := givenCorners(corners, calibrationFile)
			if err != nil {
				return err
			}
			if overlay != "" && len(args) > 1 {
				return usagef("--overlay takes one picture at a time")
			}
			reader, err := vision.NewReader()
			if err != nil {
				return err
			}
			defer reader.Close()
			r := stillReader{reader: reader, corners: given, layout: vision.Layout{Bottom: bottom, Home: home}, overlay: overlay}
			return r.readAll(args, asJSON, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a picture")
	cmd.Flags().StringVar(&corners, "corners", "", cornersHelp)
	cmd.Flags().StringVar(&calibrationFile, "calibration", "", "file written by davar calibrate, in place of --corners")
	cmd.Flags().StringVar(&overlay, "overlay", "", "write the picture with what was read drawn in")
	cmd.Flags().StringVar(&bottom, "bottom", "light", "who sits at the bottom of the picture: light or dark")
	cmd.Flags().StringVar(&home, "home", "right", "side of the home boards in the picture: left or right")
	return cmd
}

// cornersHelp explains the flag --corners wherever it is.
const cornersHelp = "x,y,x,y,x,y,x,y of the playing surface, from the top left clockwise (default: the board is found)"

// givenCorners returns the corners a person gave, nil when he gave none.
func givenCorners(corners, calibrationFile string) (*[4]vision.Pixel, error) {
	switch {
	case corners != "" && calibrationFile != "":
		return nil, usagef("give --corners or --calibration, not both")
	case corners != "":
		return parseCorners(corners)
	case calibrationFile != "":
		c, err := readCalibration(calibrationFile)
		if err != nil {
			return nil, err
		}
		return c.pixels(), nil
	}
	return nil, nil
}

// stillReader reads single pictures.
type stillReader struct {
	reader  *vision.Reader
	corners *[4]vision.Pixel // nil: found in each picture
	layout  vision.Layout
	overlay string // file for the picture with the reading drawn in
}

// readAll reads every picture, says what is wrong with those that cannot be read, and fails if there was one.
func (r *stillReader) readAll(names []string, asJSON bool, out, errs io.Writer) error {
	failed := 0
	for _, name := range names {
		if err := r.readOne(name, asJSON, len(names) > 1, out); err != nil {
			if len(names) == 1 {
				return fmt.Errorf("%s: %w", name, err)
			}
			fmt.Fprintf(errs, "davar: %s: %v\n", name, err)
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d pictures could not be read", failed, len(names))
	}
	return nil
}

func (r *stillReader) readOne(name string, asJSON, titled bool, out io.Writer) error {
	img, err := openPicture(name)
	if err != nil {
		return err
	}
	defer img.Close()
	reading, err := r.read(img)
	if err != nil {
		return err
	}
	if r.overlay != "" {
		vision.Overlay(&img, reading)
		if !gocv.IMWrite(r.overlay, img) {
			return fmt.Errorf("the overlay %s cannot be written; does its name end in .jpg or .png?", r.overlay)
		}
	}
	if asJSON {
		return json.NewEncoder(out).Encode(vision.Describe(reading, name, [2]int{img.Cols(), img.Rows()}, r.layout))
	}
	if titled {
		fmt.Fprintf(out, "%s\n", name)
	}
	return r.print(reading, [2]int{img.Cols(), img.Rows()}, out)
}

func (r *stillReader) read(img gocv.Mat) (*vision.Reading, error) {
	if r.corners != nil {
		return r.reader.ReadAt(img, *r.corners)
	}
	return r.reader.Read(img)
}

// print draws the board and says what dice and cube show.
func (r *stillReader) print(reading *vision.Reading, size [2]int, out io.Writer) error {
	shown := vision.Describe(reading, "", size, r.layout)
	position, err := r.layout.Position(reading)
	if err != nil {
		return err
	}
	view := rules.Light
	if r.layout.Bottom == "dark" {
		view = rules.Dark
	}
	fmt.Fprint(out, rules.Draw(&position, view))
	for _, d := range shown.Dice {
		state := ""
		if d.Cocked {
			state = ", cocked"
		}
		fmt.Fprintf(out, "die %d on the %s%s (%.0f %%)\n", d.Value, d.On, state, 100*d.Confidence)
	}
	if shown.Cube != nil {
		fmt.Fprintf(out, "cube %d, %s (%.0f %%)\n", shown.Cube.Value, shown.Cube.Where, 100*shown.Cube.Confidence)
	}
	moment := record.Moment{Position: position, Turn: view, Cube: match.Cube{Value: 1}}
	if id, err := moment.XGID(); err == nil {
		fmt.Fprintln(out, id)
	} else {
		fmt.Fprintf(out, "no XGID: %v\n", err)
	}
	return nil
}

// openPicture reads a picture of any depth and number of channels; vision makes of it what it needs.
func openPicture(name string) (gocv.Mat, error) {
	if _, err := os.Stat(name); err != nil {
		return gocv.Mat{}, fmt.Errorf("there is no such file")
	}
	img := gocv.IMRead(name, gocv.IMReadColor)
	if img.Empty() {
		img.Close()
		return gocv.Mat{}, fmt.Errorf("this is not a picture that can be read; use JPEG or PNG")
	}
	return img, nil
}
