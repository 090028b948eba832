package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"davar/device/journal"
	"davar/rules/referee"
)

// Report is what a soak found.
type Report struct {
	Lasted   string              `json:"lasted"`
	Rounds   int                 `json:"rounds"` // times the film was seen to its end
	Faults   map[string][]string `json:"faults"` // how long after each the table was well again
	Left     []string            `json:"left"`   // faults that could not be tried, and why
	Presses  int                 `json:"presses"`
	Refused  int                 `json:"refused"`   // presses that the referee had no use for
	Unheard  int                 `json:"unheard"`   // presses while the program was down
	Matches  int                 `json:"matches"`   // in the match log
	Games    int                 `json:"games"`     // of them, refereed to their end
	Plays    int                 `json:"plays"`     // in the match log, with dances
	Events   int                 `json:"events"`    // in the match log
	Private  int                 `json:"private"`   // different events on the director's topic
	Public   int                 `json:"public"`    // different events on the public topic
	Pages    int                 `json:"pages"`     // different moments on spectators' pages
	Updates  int                 `json:"updates"`   // of all spectators' pages together
	NotShown int                 `json:"not_shown"` // events of the log that the viewer, who came and went with the broker, did not get
	Drift    drift               `json:"drift"`     // of the program that ran longest
	Wrong    []string            `json:"wrong"`     // what the table did not stand
}

func (r *Report) happened(name string, took time.Duration) {
	if r.Faults == nil {
		r.Faults = map[string][]string{}
	}
	r.Faults[name] = append(r.Faults[name], took.String())
}

func (r *Report) pressed(err error) {
	r.Presses++
	switch {
	case errors.Is(err, errRefused):
		r.Refused++
	case err != nil:
		r.Unheard++
	}
}

func (s *scene) wrong(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.report.Wrong = append(s.report.Wrong, fmt.Sprintf(format, args...))
}

// prove compares what was shown with the match log, and looks at memory.
func (s *scene) prove(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	r, err := journal.OpenReader(ctx, filepath.Join(s.disk.folder, "davar.db"))
	if err != nil {
		return err
	}
	defer r.Close()
	if _, err := r.Verify(ctx); err != nil {
		s.wrong("the match log is not whole: %v", err)
	}
	written, err := s.written(ctx, r)
	if err != nil {
		return err
	}
	s.compare(written)
	for _, run := range s.runs {
		if d := driftOf(run); d.Samples > s.report.Drift.Samples {
			s.report.Drift = d
		}
	}
	if !s.report.Drift.flat() {
		s.wrong("memory or goroutines grew: %+v", s.report.Drift)
	}
	return nil
}

// written returns the types of all events of the log.
func (s *scene) written(ctx context.Context, r *journal.Reader) (map[position]string, error) {
	matches, err := r.Matches(ctx)
	if err != nil {
		return nil, err
	}
	s.report.Matches = len(matches)
	all := map[position]string{}
	for _, m := range matches {
		events, err := r.Events(ctx, m.ID, 1, 0)
		if err != nil {
			return nil, err
		}
		for i, e := range events {
			if e.Seq != int64(i+1) {
				s.wrong("event %d of match %s is numbered %d", i+1, m.ID, e.Seq)
			}
			all[position{m.ID, e.Seq}] = e.Type
			switch e.Type {
			case referee.GameEnded:
				s.report.Games++
			case referee.PlayMade, referee.Dance:
				s.report.Plays++
			}
		}
	}
	s.report.Events = len(all)
	return all, nil
}

// compare finds what was shown and is not written.
func (s *scene) compare(written map[position]string) {
	s.shown.mu.Lock()
	defer s.shown.mu.Unlock()
	s.report.Private, s.report.Public = len(s.shown.private), len(s.shown.public)
	s.report.Pages, s.report.Updates = len(s.shown.pages), s.shown.updates
	for where, seen := range map[string]map[position]string{"the director's topic": s.shown.private, "the public topic": s.shown.public} {
		for at, kind := range seen {
			if have, ok := written[at]; !ok || have != kind {
				s.wrong("%s on %s was shown as event %d of %s; the log has %q there", kind, where, at.seq, at.match, have)
			}
		}
	}
	for at := range s.shown.pages {
		if _, ok := written[at]; !ok {
			s.wrong("a page showed event %d of %s, which the log does not have", at.seq, at.match)
		}
	}
	for at := range written {
		if _, ok := s.shown.private[at]; !ok {
			s.report.NotShown++
		}
	}
	if s.report.Events == 0 || s.report.Private == 0 || s.report.Public == 0 || s.report.Updates == 0 {
		s.wrong("nothing happened: %d events, %d on the director's topic, %d on the public one, %d updates of pages",
			s.report.Events, s.report.Private, s.report.Public, s.report.Updates)
	}
	slices.Sort(s.report.Wrong)
}

// print tells the report to people.
func (r *Report) print(w io.Writer) {
	fmt.Fprintf(w, "\n%s, the film %d times\n", r.Lasted, r.Rounds)
	for _, name := range slices.Sorted(maps.Keys(r.Faults)) {
		fmt.Fprintf(w, "  %s %d times; well again after %v\n", name, len(r.Faults[name]), r.Faults[name])
	}
	for _, left := range r.Left {
		fmt.Fprintf(w, "  not tried: %s\n", left)
	}
	fmt.Fprintf(w, "%d presses, %d of no use to the referee, %d while the program was down\n", r.Presses, r.Refused, r.Unheard)
	fmt.Fprintf(w, "%d matches with %d events, %d plays, %d games to their end; shown: %d to the director, %d to the public, %d moments on pages in %d updates; %d not got by a viewer who went with the broker\n",
		r.Matches, r.Events, r.Plays, r.Games, r.Private, r.Public, r.Pages, r.Updates, r.NotShown)
	fmt.Fprintf(w, "memory %.0f → %.0f MB, goroutines %.0f → %.0f (%d samples)\n",
		r.Drift.MemoryMB[0], r.Drift.MemoryMB[1], r.Drift.Goroutines[0], r.Drift.Goroutines[1], r.Drift.Samples)
	if len(r.Wrong) == 0 {
		fmt.Fprintln(w, "nothing that was shown is lost; the table got over everything")
	}
	for _, wrong := range r.Wrong {
		fmt.Fprintf(w, "WRONG: %s\n", wrong)
	}
}
