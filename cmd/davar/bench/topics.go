package main

import (
	"context"
	"path/filepath"

	"davar/vision/accuracy"
)

const bundledFilm = "device/recording/testdata/dev1"

// goBench is Go benchmarks of one package that the README makes claims about.
type goBench struct{ topic, folder, pattern string }

// goBenches are the costs, in the order in which a picture or press goes through the house.
var goBenches = []goBench{
	{"plays", "rules", "Plays|Judge"},
	{"records", "rules/record", "."},
	{"clock", "clock", "."},
	{"press", "cmd/davar/panel", "."},
	{"press", "device/gpio", "."},
	{"vision cost", "vision", "."},
	{"referee cost", "rules/referee", "."},
	{"match log", "device/journal", "."},
	{"match log", "device/season", "."},
	{"publishing", "device/mqtt", "."},
	{"page", "device/web", "."},
}

// loads are the tables and spectators that a hub is measured with.
var loads = []string{"20x200", "50x1000"}

// stills are the sets of pictures whose truth is known, with the board's corners given or not: dice without a board are
// looked for in the same way.
var stills = []struct {
	name, truth string
	corners     []bool
}{
	{"rendered boards", "stills/dev/truth.jsonl", []bool{true, false}},
	{"photographs", "real/truth.jsonl", []bool{true, false}},
	{"dice", "dice/truth.jsonl", []bool{true}},
}

// topics returns everything that is measured.
func (o *options) topics() []topic {
	var all []topic
	for _, b := range goBenches {
		all = append(all, topic{b.topic, func(ctx context.Context) ([]Figure, error) { return b.run(ctx, o.budget) }})
	}
	for _, load := range loads {
		all = append(all, topic{"hub", func(ctx context.Context) ([]Figure, error) { return o.fanOut(ctx, load) }})
	}
	for _, noise := range []string{"none", "usual", ""} {
		all = append(all, topic{"referee errors", func(ctx context.Context) ([]Figure, error) { return o.simulate(ctx, noise) }})
	}
	for _, f := range []struct{ name, folder string }{
		{"the bundled film", bundledFilm},
		{"a film with incidents", filepath.Join(o.shared, "seq/dev2")},
	} {
		all = append(all, topic{"films", func(ctx context.Context) ([]Figure, error) { return o.film(ctx, f.name, f.folder, "") }})
	}
	worse, _ := accuracy.Hardships()
	for _, name := range worse {
		all = append(all, topic{"hardships", func(ctx context.Context) ([]Figure, error) { return o.film(ctx, name, bundledFilm, name) }})
	}
	for _, s := range stills {
		truth := filepath.Join(o.shared, s.truth)
		for _, given := range s.corners {
			all = append(all, topic{"vision accuracy", func(ctx context.Context) ([]Figure, error) { return o.stills(ctx, s.name, truth, given) }})
		}
	}
	return all
}
