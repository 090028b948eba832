package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"gocv.io/x/gocv"

	"davar/device/journal"
	"davar/rules/referee"
	"davar/rules/sighting"
)

const (
	shotEvery   = 500 * time.Millisecond // between pictures remembered, by the match's time and by the world's
	shotsKept   = 240                    // two minutes: a ruling shows the board before a turn that may have taken long
	shotsBytes  = 64 << 20
	shotQuality = 80
	// shotNear is how far from the moment wanted a picture may have been taken.
	shotNear = 5 * time.Second
	// wishesAhead is how many pictures may wait to be written.
	wishesAhead = 64
	witnessWait = 5 * time.Second // before a picture of a ruling is tried again
)

// witness keeps pictures of what the referee rules on, and of each turn's end: it remembers still pictures for a while
// and has the journal keep those that an event turns out to rest on. It is a sink, and never holds up the feed.
type witness struct {
	journal *journal.Journal
	match   string
	fault   func(what string, err error)
	log     *slog.Logger
	wishes  chan journal.Picture
	failing bool // the last picture could not be written; run's own

	mu    sync.Mutex
	shots []shot // oldest first
	bytes int
	taken time.Time // of the last one, by the world's clock
}

// shot is one remembered picture.
type shot struct {
	t    time.Duration
	jpeg []byte
}

func newWitness(j *journal.Journal, match string, log *slog.Logger, fault func(string, error)) *witness {
	return &witness{journal: j, match: match, log: log, fault: fault, wishes: make(chan journal.Picture, wishesAhead)}
}

// see remembers the picture if nothing moves in it.
func (w *witness) see(picture gocv.Mat, s *sighting.Sighting, _ time.Duration) {
	if !s.Still || !w.due(s.T) {
		return
	}
	encoded, err := gocv.IMEncodeWithParams(gocv.JPEGFileExt, picture, []int{gocv.IMWriteJpegQuality, shotQuality})
	if err != nil {
		w.log.Warn("a picture could not be kept as evidence", "error", err)
		return
	}
	defer encoded.Close()
	w.remember(shot{s.T, append([]byte(nil), encoded.GetBytes()...)})
}

// due tells whether it is time for another picture.
func (w *witness) due(t time.Duration) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if time.Since(w.taken) < shotEvery/2 {
		return false
	}
	return len(w.shots) == 0 || t >= w.shots[len(w.shots)-1].t+shotEvery
}

func (w *witness) remember(s shot) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.taken = time.Now()
	w.shots, w.bytes = append(w.shots, s), w.bytes+len(s.jpeg)
	for len(w.shots) > shotsKept || w.bytes > shotsBytes {
		w.bytes -= len(w.shots[0].jpeg)
		w.shots = w.shots[1:]
	}
}

// nearest returns the picture taken nearest to t, nil when there is none near enough.
func (w *witness) nearest(t time.Duration) *shot {
	w.mu.Lock()
	defer w.mu.Unlock()
	var best *shot
	for i := range w.shots {
		if s := &w.shots[i]; best == nil || (s.t-t).Abs() < (best.t-t).Abs() {
			best = s
		}
	}
	if best == nil || (best.t-t).Abs() > shotNear {
		return nil
	}
	found := *best
	return &found
}

// Publish wishes for the pictures an event rests on.
func (w *witness) Publish(e referee.Event) {
	wish := func(role string, t int64) {
		select {
		case w.wishes <- journal.Picture{Match: w.match, Seq: e.Seq, Role: role, TMS: t}:
		default: // the disk does not keep up
		}
	}
	switch e.Type {
	case referee.RulingMade:
		wish(journal.Before, e.Ruling.Before)
		wish(journal.After, e.Ruling.After)
	case referee.PlayMade, referee.Dance:
		wish(journal.TurnEnd, e.TMS)
	}
}

// SetState does nothing: events alone need evidence.
func (w *witness) SetState(referee.State, time.Time, float64) {}

// run writes the pictures wished for until ctx ends, and then those that wait.
func (w *witness) run(ctx context.Context) {
	for {
		select {
		case p := <-w.wishes:
			w.keep(ctx, p)
		case <-ctx.Done():
			for {
				select {
				case p := <-w.wishes:
					w.keep(ctx, p)
				default:
					return
				}
			}
		}
	}
}

// keep writes one picture. Where the disk is full, one of a ruling is tried until there is room.
func (w *witness) keep(ctx context.Context, p journal.Picture) {
	s := w.nearest(time.Duration(p.TMS) * time.Millisecond)
	if s == nil {
		return
	}
	p.TMS = s.t.Milliseconds()
	for {
		err := w.journal.Keep(context.WithoutCancel(ctx), p, s.jpeg)
		if failing := err != nil; failing != w.failing {
			w.failing = failing
			w.fault("pictures", err)
		}
		if !errors.Is(err, journal.ErrFull) || p.Role == journal.TurnEnd {
			return
		}
		timer := time.NewTimer(witnessWait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
	}
}
