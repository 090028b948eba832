package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"gocv.io/x/gocv"

	"davar/cmd/davar/feed"
	"davar/config"
	"davar/device/camera"
	"davar/device/phrasebook"
	"davar/device/recording"
	"davar/rules/referee"
	"davar/rules/sighting"
	"davar/vision"
	"davar/vision/accuracy"
)

// footage is a recording ready to be refereed.
type footage struct {
	settings referee.Settings
	pictures string // what camera.Open takes
	inputs   []referee.Input
	corners  *[4]vision.Pixel // nil: the board is found
	hardship string           // that the pictures come through; empty: none
}

// openFootage finds out what source is: a filmed game with its match.json, or bare pictures that are refereed by
// the settings of c. mode chooses how turns end; empty: the film's only or first mode, or as c says.
func openFootage(source, mode string, c *config.Config, id string) (*footage, error) {
	info, err := os.Stat(source)
	if err != nil {
		return nil, fmt.Errorf("open the recording: %s is not there", source)
	}
	if info.IsDir() {
		film, err := recording.Open(source)
		if err == nil {
			return openFilm(film, mode, id)
		}
		if _, missing := os.Stat(source + "/match.json"); missing == nil {
			return nil, err
		}
	}
	if mode != "" {
		c.Turn.End = mode
	}
	settings, err := tableSettings(c, id)
	return &footage{settings: settings, pictures: source}, err
}

func openFilm(film *recording.Film, mode, id string) (*footage, error) {
	if mode == "" {
		mode = film.ModeNames()[0]
	}
	settings, err := filmSettings(film, mode, id)
	if err != nil {
		return nil, err
	}
	inputs, err := film.Inputs(mode)
	if err != nil {
		return nil, err
	}
	return &footage{settings: settings, pictures: film.Pictures(), inputs: inputs}, nil
}

// watch looks at the footage as fast as it goes and hands every picture's sighting and every recorded input to handle,
// in the order of time. seen, when set, gets each picture with what reading it cost.
func (f *footage) watch(ctx context.Context, seen func(gocv.Mat, *sighting.Sighting, time.Duration), handle func(referee.Input) error) error {
	source, err := f.open()
	if err != nil {
		return err
	}
	defer source.Close()
	eye, err := openEye(f.settings.Layout, f.corners, nil, 0, 0)
	if err != nil {
		return err
	}
	defer eye.Close()
	feed := feed.Feed{Source: source, Eye: eye, Inputs: f.inputs, Seen: seen}
	return feed.Run(ctx, func(_ context.Context, in referee.Input) error { return handle(in) })
}

// open opens the pictures, through the hardship if there is one.
func (f *footage) open() (camera.Source, error) {
	source, err := camera.Open(f.pictures, camera.Settings{})
	if err != nil || f.hardship == "" {
		return source, err
	}
	h, err := accuracy.NewHardship(f.hardship, 1)
	if err != nil {
		source.Close()
		return nil, err
	}
	return worse{source, h}, nil
}

// replay referees the footage as fast as it goes and hands over what each input leads to.
func (f *footage) replay(ctx context.Context, emit func([]referee.Event) error) error {
	judge, err := referee.New(f.settings)
	if err != nil {
		return err
	}
	return f.watch(ctx, nil, func(in referee.Input) error {
		if events := judge.Handle(in); len(events) > 0 {
			return emit(events)
		}
		return nil
	})
}

func newReplayCommand() *cobra.Command {
	var asJSON, strict bool
	var mode, configFile, evidence, corners string
	cmd := &cobra.Command{
		Use:   "replay SOURCE",
		Short: "Referee a recording as fast as it goes",
		Long: "Referee a recording: a filmed game (a folder with video.mp4 and match.json), a video file, or a folder of\n" +
			"pictures with frames.jsonl. The same recording always gives the same events.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := loadConfig(configFile)
			if err != nil {
				return err
			}
			film, err := openFootage(args[0], mode, &c, "replay")
			if err != nil {
				return err
			}
			if film.corners, err = givenCorners(corners); err != nil {
				return err
			}
			report, err := newReport(cmd.OutOrStdout(), asJSON, c.Language, film.settings.Players)
			if err != nil {
				return err
			}
			if err := film.replay(cmd.Context(), report.write); err != nil {
				return err
			}
			if evidence != "" {
				if err := saveEvidence(cmd.Context(), film.pictures, report.rulings, evidence); err != nil {
					return err
				}
			}
			if strict && len(report.rulings) > 0 {
				return errIrregular
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	cmd.Flags().BoolVar(&strict, "strict", false, "exit with status 3 if there was a ruling")
	cmd.Flags().StringVar(&mode, "mode", "", "what ends a turn: clock or pickup (default: as the recording says)")
	cmd.Flags().StringVar(&configFile, "config", "", "settings file")
	cmd.Flags().StringVar(&corners, "corners", "", cornersHelp)
	cmd.Flags().StringVar(&evidence, "evidence", "", "folder for the pictures before and after each ruling")
	return cmd
}

// report prints events and remembers the rulings among them.
type report struct {
	json    *json.Encoder
	words   *teller
	rulings []referee.Event
}

func newReport(out io.Writer, asJSON bool, lang string, players [2]string) (*report, error) {
	if asJSON {
		return &report{json: json.NewEncoder(out)}, nil
	}
	book, err := phrasebook.Open("")
	if err != nil {
		return nil, err
	}
	return &report{words: &teller{out: out, book: book, lang: lang, players: players}}, nil
}

func (r *report) write(events []referee.Event) error {
	for _, e := range events {
		if e.Type == referee.RulingMade {
			r.rulings = append(r.rulings, e)
		}
		if r.words != nil {
			r.words.Publish(e)
			continue
		}
		if err := r.json.Encode(e); err != nil {
			return fmt.Errorf("print the events: %w", err)
		}
	}
	return nil
}

// loadConfig reads the settings file, or takes the defaults when none is named.
func loadConfig(path string) (config.Config, error) {
	if path == "" {
		return config.Default(), nil
	}
	c, err := config.Load(path)
	if err != nil {
		return c, usageError{err}
	}
	return c, nil
}
