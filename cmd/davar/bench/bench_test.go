package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestWhatGoTestPrintsIsRead(t *testing.T) {
	printed := `goos: linux
pkg: davar/rules
cpu: AMD EPYC
BenchmarkPlays/iran_pair-2         	 1000000	       402.5 ns/op	   2500000 plays/s	       0 B/op	       0 allocs/op
BenchmarkSighting-16	     100	      1.5 µs-median
BenchmarkBroken
PASS
ok  	davar/rules	2.1s
`
	want := []Figure{
		{Name: "Plays/iran_pair", Value: 402.5, Unit: "ns/op"},
		{Name: "Plays/iran_pair", Value: 2500000, Unit: "plays/s", Higher: true},
		{Name: "Plays/iran_pair", Value: 0, Unit: "B/op"},
		{Name: "Plays/iran_pair", Value: 0, Unit: "allocs/op"},
		{Name: "Sighting", Value: 1.5, Unit: "µs-median"},
	}
	if got := parseBenchmarks(strings.NewReader(printed)); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestWhatTheHubsTestTellsIsRead(t *testing.T) {
	figures := parseFanOut("=== RUN   TestA/20x200\n    load_test.go:187: 20 200 | 4.4 21.0 58.3 | 61 (64) 17% | 0.8 | 41%\n--- PASS\n")
	var got []float64
	for _, f := range figures {
		got = append(got, f.Value)
	}
	if want := []float64{4.4, 21, 61, 64, 17, 0.8}; !reflect.DeepEqual(got, want) || figures[1].Name != "20 tables, 200 spectators: event to page, 99 %" {
		t.Errorf("%+v, want %v", figures, want)
	}
	if parseFanOut("PASS\n") != nil {
		t.Error("figures from nothing")
	}
}

func TestADifferenceIsCalledOneOnlyWhereItMeansSomething(t *testing.T) {
	for _, c := range []struct {
		name      string
		unit      string
		higher    bool
		base, now float64
		want      string
	}{
		{"a time within what a busy machine does", "ns/op", false, 100, 109, ""},
		{"a longer time", "ns/op", false, 100, 120, "worse"},
		{"a shorter time", "ms-p99", false, 100, 80, "better"},
		{"bytes of what is allocated once", "B/op", false, 2, 26, ""},
		{"more bytes each time", "B/op", false, 200, 400, "worse"},
		{"one more allocation", "allocs/op", false, 20, 21, "worse"},
		{"a point read better", "share", true, 0.991, 0.992, "better"},
		{"a false ruling", "count", false, 0, 1, "worse"},
		{"the same", "share", true, 0.5, 0.5, ""},
	} {
		base, now := Figure{Value: c.base, Unit: c.unit, Higher: c.higher}, Figure{Value: c.now, Unit: c.unit, Higher: c.higher}
		if got := verdict(base, now); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestTwoRunsAreCompared(t *testing.T) {
	machine := Machine{Processor: "Pi", Cores: 4}
	base := Run{Machine: machine, Versions: map[string]string{"davar": "1"}, Figures: []Figure{
		{Topic: "clock", Name: "Press", Value: 100, Unit: "ns/op"}, {Topic: "clock", Name: "View", Value: 7, Unit: "ns/op"},
		{Topic: "gone", Name: "Old", Value: 1, Unit: "ns/op"}}}
	now := Run{Machine: machine, Figures: []Figure{
		{Topic: "clock", Name: "Press", Value: 150, Unit: "ns/op"}, {Topic: "clock", Name: "View", Value: 7, Unit: "ns/op"},
		{Topic: "hub", Name: "Fan", Value: 1, Unit: "ns/op"}}}
	var out strings.Builder
	if err := printComparison(&out, &base, &now); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Press", "+50.0 %", "worse", "1 figures as before (times within 10 %), 1 new, 1 measured then and not now"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), "another machine") || strings.Contains(out.String(), "other work") {
		t.Errorf("one quiet machine is taken for two, or a busy one:\n%s", &out)
	}
	now.Figures[0].Load = 18
	out.Reset()
	if err := printComparison(&out, &base, &now); err != nil || strings.Contains(out.String(), "worse") || !strings.Contains(out.String(), "other work then or now: 1\n") {
		t.Errorf("%v: a time of a busy machine is compared:\n%s", err, &out)
	}
}

func TestARunIsReadAsItWasWrittenAndAGapEndsNothing(t *testing.T) {
	r := Run{Date: time.Unix(0, 0).UTC(), Machine: thisMachine(), Versions: map[string]string{"go": "1"}}
	figure := Figure{Name: "x", Value: 1.5, Unit: "ms", Command: "davar eval"}
	for _, m := range []topic{
		{"none", func(context.Context) ([]Figure, error) { return nil, errAbsent }},
		{"some", func(context.Context) ([]Figure, error) { return []Figure{figure}, nil }},
	} {
		r.measure(t.Context(), m)
	}
	path := filepath.Join(t.TempDir(), "bench.json")
	if err := r.write(path); err != nil {
		t.Fatal(err)
	}
	again, err := readRun(path)
	if err != nil || !reflect.DeepEqual(again, &r) {
		t.Errorf("%+v read as %+v, %v", r, again, err)
	}
	var out strings.Builder
	if err := r.print(&out); err != nil || !strings.Contains(out.String(), "$ davar eval") || !strings.Contains(out.String(), "none: not measured") {
		t.Errorf("printed %q, %v", &out, err)
	}
}

func TestWhatIsMissingIsSaidBeforeTheLongPart(t *testing.T) {
	o := options{base: filepath.Join(t.TempDir(), "old.json")}
	if err := o.run(t.Context(), t.Output(), t.Output()); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := (goBench{"hub", "nowhere", "."}).run(t.Context(), "1x"); !errors.Is(err, errAbsent) {
		t.Error(err)
	}
	if _, err := o.film(t.Context(), "x", t.TempDir(), ""); !errors.Is(err, errAbsent) {
		t.Error(err)
	}
	if _, err := o.stills(t.Context(), "x", "nowhere.jsonl", true); !errors.Is(err, errAbsent) {
		t.Error(err)
	}
}
