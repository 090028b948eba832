package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"
)

// options are the flags of the command.
type options struct {
	davar      string
	film       string
	hours      float64
	spectators int
	out        string // file for the report as JSON; empty: none
	keep       string // folder that is used and kept; empty: a temporary one
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var o options
	flag.StringVar(&o.davar, "davar", "bin/davar", "the program that is driven")
	flag.StringVar(&o.film, "film", "device/recording/testdata/dev1", "folder of the filmed game that is played over and over")
	flag.Float64Var(&o.hours, "hours", 1, "how long; 0.17 is ten minutes")
	flag.IntVar(&o.spectators, "spectators", 20, "how many spectators look at the page")
	flag.StringVar(&o.out, "out", "", "file for the report as JSON")
	flag.StringVar(&o.keep, "keep", "", "folder for the match log and the program's own log, kept afterwards")
	flag.Parse()
	if err := o.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// errFailed is returned when the table did not stand what happened to it; the report says what.
var errFailed = errors.New("soak: the table did not stand it")

func (o *options) run(ctx context.Context) error {
	if !(o.hours > 0 && o.hours <= 1000) {
		return fmt.Errorf("soak: -hours %v: use more than 0 and at most 1000", o.hours)
	}
	folder := o.keep
	if folder == "" {
		var err error
		if folder, err = os.MkdirTemp("", "davar-soak-"); err != nil {
			return fmt.Errorf("soak: make a folder: %w", err)
		}
		defer os.RemoveAll(folder)
	}
	length := time.Duration(o.hours * float64(time.Hour))
	s, err := furnish(o, folder)
	if err != nil {
		return err
	}
	report, err := s.soak(ctx, length, os.Stdout)
	s.clear()
	if err != nil {
		return err
	}
	report.print(os.Stdout)
	if o.out != "" {
		text, err := json.MarshalIndent(report, "", " ")
		if err == nil {
			err = os.WriteFile(o.out, append(text, '\n'), 0o644)
		}
		if err != nil {
			return fmt.Errorf("soak: write the report: %w", err)
		}
	}
	if len(report.Wrong) > 0 {
		return errFailed
	}
	return nil
}
