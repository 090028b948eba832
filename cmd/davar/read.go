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
			r := stillReader{layout: vision.Layout{Bottom: bottom, Home: home}, overlay: overlay}
			if err := r.place(corners, calibrationFile); err != nil {
				return err
			}
			if r.board != nil && !cmd.Flags().Changed("bottom") && !cmd.Flags().Changed("home") {
				r.layout = vision.Layout(r.board.Layout)
			}
			if overlay != "" && len(args) > 1 {
				return usagef("--overlay takes one picture at a time")
			}
			reader, err := vision.NewReader()
			if err != nil {
				return err
			}
			defer reader.Close()
			r.reader = reader
			return r.readAll(args, asJSON, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a picture")
	cmd.Flags().StringVar(&corners, "corners", "", cornersHelp)
	cmd.Flags().StringVar(&calibrationFile, "calibration", "", "file written by davar calibrate: the board's place and looks; --corners wins over its place")
	cmd.Flags().StringVar(&overlay, "overlay", "", "write the picture with what was read drawn in")
	cmd.Flags().StringVar(&bottom, "bottom", "light", "who sits at the bottom of the picture: light or dark (default with --calibration: as it says)")
	cmd.Flags().StringVar(&home, "home", "right", "side of the home boards in the picture: left or right (default with --calibration: as it says)")
	return cmd
}

// cornersHelp explains the flag --corners wherever it is.
const cornersHelp = "x,y,x,y,x,y,x,y of the playing surface, from the top left clockwise (default: the board is found)"

// givenCorners returns the corners a person gave, nil when he gave none.
func givenCorners(corners string) (*[4]vision.Pixel, error) {
	if corners == "" {
		return nil, nil
	}
	return parseCorners(corners)
}

// stillReader reads single pictures.
type stillReader struct {
	reader  *vision.Reader
	corners *[4]vision.Pixel    // nil: as board says
	board   *vision.Calibration // nil: found in each picture
	layout  vision.Layout
	overlay string // file for the picture with the reading drawn in
}

// place takes up what a person knows of where the board lies: corners given by hand win over a calibration's.
func (r *stillReader) place(corners, calibrationFile string) (err error) {
	if r.corners, err = givenCorners(corners); err != nil || calibrationFile == "" {
		return err
	}
	r.board, err = readCalibration(calibrationFile)
	return err
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
	switch {
	case r.board != nil && r.corners != nil:
		board := r.board.At(*r.corners, [2]int{img.Cols(), img.Rows()})
		return r.reader.ReadCalibrated(img, board)
	case r.board != nil:
		return r.reader.ReadCalibrated(img, r.board)
	case r.corners != nil:
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
