package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"time"
)

// options are the flags of the command.
type options struct {
	davar  string // the program that is measured
	shared string // folder with pictures and films that are not part of the project
	out    string // where the figures are written; empty: nowhere
	base   string // figures to compare with; empty: none
	only   string // which topics, a regular expression of their names
	budget string // how long each Go benchmark runs, as go test -benchtime takes it
	games  int    // simulated games a noise

	loadTime time.Duration // how long a hub is measured under each load
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var o options
	flag.StringVar(&o.davar, "davar", "bin/davar", "the program that is measured")
	flag.StringVar(&o.shared, "shared", "../shared/data", "folder with pictures and films that are not part of the project")
	flag.StringVar(&o.out, "out", "", "file that the figures are written to")
	flag.StringVar(&o.base, "base", "", "file of an earlier run to compare with")
	flag.StringVar(&o.only, "only", "", "regular expression of the topics to measure (default: all)")
	flag.StringVar(&o.budget, "benchtime", "1s", "how long each Go benchmark runs")
	flag.DurationVar(&o.loadTime, "load-time", 10*time.Second, "how long a hub is measured under each load")
	flag.IntVar(&o.games, "games", 20, "how many games are simulated with each noise")
	flag.Parse()
	if err := o.run(ctx, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run measures, prints to out and tells its progress to progress. The file to compare with is read first, so that a wrong
// name is told before the long part. Interrupted, it tells what it has.
func (o *options) run(ctx context.Context, out, progress io.Writer) error {
	only, err := regexp.Compile(o.only)
	if err != nil {
		return fmt.Errorf("bench: -only: %w", err)
	}
	var base *Run
	if o.base != "" {
		if base, err = readRun(o.base); err != nil {
			return err
		}
	}
	now := Run{Date: time.Now().UTC().Truncate(time.Second), Machine: thisMachine(), Versions: versions(ctx, o.davar)}
	for _, t := range o.topics() {
		if !only.MatchString(t.name) || ctx.Err() != nil {
			continue
		}
		fmt.Fprintf(progress, "measuring %s\n", t.name)
		now.measure(ctx, t)
	}
	now.Machine.LoadAfter = load()
	if err := now.print(out); err != nil {
		return err
	}
	if o.out != "" {
		if err := now.write(o.out); err != nil {
			return err
		}
		fmt.Fprintf(out, "\nwritten to %s\n", o.out)
	}
	if base != nil {
		if err := printComparison(out, base, &now); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}
