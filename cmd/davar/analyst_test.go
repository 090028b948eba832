package main

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"davar/device/analysis"
	"davar/device/journal"
	"davar/rules/referee"
	"davar/rules/referee/refereetest"
)

// filmedLog is a log that holds the filmed game dev1, refereed up to event last (0: all of it) and ended.
func filmedLog(t *testing.T, last int) *journal.Journal {
	t.Helper()
	s, played, err := refereetest.RefereeFilm(os.DirFS("../../rules/referee/refereetest/testdata/dev1"), "clock", "film")
	if err != nil {
		t.Fatal(err)
	}
	log, err := journal.Open(t.Context(), filepath.Join(t.TempDir(), "davar.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	events := played.Events
	if last > 0 {
		events = events[:last]
	}
	if events[len(events)-1].Type != referee.MatchEnded && last == 0 {
		events = append(events, referee.Event{Match: "film", Seq: int64(len(events) + 1), Game: 1, Type: referee.MatchEnded})
	}
	header := &journal.Header{Players: s.Players, Length: s.Length, Settings: &s}
	if _, err := log.Append(journal.Batch{Match: "film", Header: header, Events: events}); err != nil {
		t.Fatal(err)
	}
	return log
}

func engineHere(t *testing.T) string {
	t.Helper()
	path, err := analysis.Program()
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	return path
}

func TestAFinishedMatchIsAnalysedOnceInTheBackground(t *testing.T) {
	log := filmedLog(t, 0)
	a := newAnalyst(log, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if engineHere(t); !a.engine.Last {
		t.Error("the analysis does not go behind everything else")
	}
	a.engine.Plies, a.engine.Last = 0, false // a machine under test may leave it nothing
	a.Publish(referee.Event{Type: referee.MatchEnded})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { a.run(ctx); close(done) }()
	select {
	case a.ended <- struct{}{}: // it has room when what has ended before is judged
	case <-time.After(3 * time.Minute):
		t.Error("no end of the analysis")
	}
	stop()
	<-done
	found, err := analysis.Load(a.folder, "film")
	if err != nil {
		t.Fatal(err)
	}
	if found == nil || !found.Complete() || len(found.Plays) < 30 || len(found.Cubes) == 0 {
		t.Fatalf("%+v", found)
	}
	before := analysis.Written(a.folder, "film")
	if err := a.judge(t.Context()); err != nil || analysis.Written(a.folder, "film") != before {
		t.Errorf("it is analysed again (%v)", err)
	}
	a.engine.Path = "/bin/false"
	if err := os.RemoveAll(a.folder); err != nil {
		t.Fatal(err)
	}
	if err := a.judge(t.Context()); err == nil {
		t.Error("that the engine fails is not told")
	}
}

func TestTheKibitzerJudgesAMatchInPlayWithGNUBackgammon(t *testing.T) {
	log := filmedLog(t, 60)
	engine := &analysis.Engine{Path: engineHere(t), Limit: time.Minute}
	var told []analysis.Judged
	k := &kibitzer{
		journal: log, judge: engine.Turn, tell: func(_ string, turn analysis.Judged) { told = append(told, turn) },
		log: slog.New(slog.NewTextHandler(io.Discard, nil)), news: make(chan string, 1),
	}
	if err := k.follow(t.Context(), "film"); err != nil {
		t.Fatal(err)
	}
	if len(told) < kibitzBack-1 {
		t.Fatalf("%d turns are judged", len(told))
	}
	for _, turn := range told {
		if turn.Play == nil && turn.Cube == nil || turn.After == nil || turn.After.Win <= 0 || turn.After.Win >= 1 {
			t.Errorf("%+v", turn)
		}
	}
}
