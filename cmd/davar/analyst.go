package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"davar/device/analysis"
	"davar/device/journal"
	"davar/rules/referee"
)

const (
	analysisPlies = 2
	// analysisBack is how many of the newest matches are looked through for one that is not analysed yet.
	analysisBack = 20
)

// analyst has finished matches judged in the background, one after the other. It is a sink, to learn of a match's end.
type analyst struct {
	journal *journal.Journal
	engine  analysis.Engine
	folder  string
	log     *slog.Logger
	ended   chan struct{} // holds one: a match has ended
}

// newAnalyst returns nil where GNU Backgammon is not installed.
func newAnalyst(j *journal.Journal, log *slog.Logger) *analyst {
	path, err := analysis.Program()
	if err != nil {
		return nil
	}
	return &analyst{
		journal: j, engine: analysis.Engine{Path: path, Plies: analysisPlies, Last: true}, folder: analysis.Folder(j.Path()), log: log,
		ended: make(chan struct{}, 1),
	}
}

// Publish notes that a match has ended.
func (a *analyst) Publish(e referee.Event) {
	if e.Type != referee.MatchEnded {
		return
	}
	select {
	case a.ended <- struct{}{}:
	default:
	}
}

// SetState does nothing.
func (a *analyst) SetState(referee.State, time.Time, float64) {}

// run judges what is finished and not judged yet, and then whatever ends, until ctx ends.
func (a *analyst) run(ctx context.Context) {
	for {
		if err := a.judge(ctx); err != nil && ctx.Err() == nil {
			a.log.Warn("a finished match could not be analysed", "error", err)
		}
		select {
		case <-a.ended:
		case <-ctx.Done():
			return
		}
	}
}

// judge analyses the newest matches that lack it; one that fails does not hold up the others.
func (a *analyst) judge(ctx context.Context) error {
	matches, err := a.journal.Find(ctx, journal.Query{Limit: analysisBack})
	if err != nil {
		return err
	}
	var errs []error
	for _, m := range matches {
		if !m.Finished() {
			continue
		}
		if known, err := analysis.Load(a.folder, m.ID); err == nil && known != nil && known.Complete() {
			continue
		}
		t, err := a.journal.Transcript(ctx, m.ID)
		if err == nil && len(t.Games) > 0 {
			err = a.engine.Analyse(ctx, t, func(done *analysis.Analysis) error {
				a.log.Info("a finished match is being analysed", "match", m.ID, "games", done.Done, "of", done.Of)
				return done.Save(a.folder)
			})
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
