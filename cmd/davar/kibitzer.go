package main

import (
	"context"
	"log/slog"
	"time"

	"davar/device/analysis"
	"davar/device/journal"
	"davar/rules/referee"
	"davar/rules/transcript"
)

// kibitzer says of each turn of the match in play what it was worth and who is how likely to win, for spectators who
// follow it late (PUB-1); players never hear him (EQUIP-9). He is a sink, to learn that something was played. What he
// cannot judge in time is shown without.
type kibitzer struct {
	journal interface {
		Transcript(ctx context.Context, id string) (*transcript.Transcript, error)
	}
	judge func(ctx context.Context, t *transcript.Transcript, g *transcript.Game, i int) (*analysis.Judged, error)
	tell  func(match string, turn analysis.Judged)
	log   *slog.Logger
	news  chan string // holds one: the match in which something was played

	match string
	known map[int64]bool // turns that were judged, or could not be
}

// kibitzLimit is how long the engine may think about one turn.
const kibitzLimit = 30 * time.Second

// kibitzBack is how many turns back he goes when he comes to a match: what is older spectators have seen.
const kibitzBack = 8

// newKibitzer returns nil where GNU Backgammon is not installed.
func newKibitzer(j *journal.Journal, tell func(string, analysis.Judged), log *slog.Logger) *kibitzer {
	path, err := analysis.Program()
	if err != nil {
		return nil
	}
	engine := &analysis.Engine{Path: path, Plies: analysisPlies, Last: true, Limit: kibitzLimit}
	return &kibitzer{journal: j, judge: engine.Turn, tell: tell, log: log, news: make(chan string, 1)}
}

// Publish notes that something was played.
func (k *kibitzer) Publish(e referee.Event) {
	switch e.Type {
	case referee.PlayMade, referee.Dance, referee.CubeOffered, referee.CubeTaken, referee.CubeDropped, referee.TurnEnded, referee.GameEnded:
	default:
		return
	}
	select {
	case <-k.news: // an older one
	default:
	}
	select {
	case k.news <- e.Match:
	default:
	}
}

// SetState does nothing.
func (k *kibitzer) SetState(referee.State, time.Time, float64) {}

// run judges what is played until ctx ends.
func (k *kibitzer) run(ctx context.Context) {
	for {
		select {
		case match := <-k.news:
			if err := k.follow(ctx, match); err != nil && ctx.Err() == nil {
				k.log.Warn("the chances of a turn could not be found out", "error", err)
			}
		case <-ctx.Done():
			return
		}
	}
}

// follow judges the turns of the match's newest game that are new; one that cannot be judged is passed over.
func (k *kibitzer) follow(ctx context.Context, match string) error {
	t, err := k.journal.Transcript(ctx, match)
	if err != nil || len(t.Games) == 0 {
		return err
	}
	come := k.match != match
	if come {
		k.match, k.known = match, map[int64]bool{}
	}
	// Between two looks a game may have ended and the next begun.
	for i := max(0, len(t.Games)-2); i < len(t.Games); i++ {
		g := &t.Games[i]
		for n := range g.Turns {
			turn := &g.Turns[n]
			switch {
			case k.known[turn.Seq] || turn.Kind == transcript.Set || turn.Kind == transcript.Roll && turn.Unseen:
				continue
			case come && (i < len(t.Games)-1 || n < len(g.Turns)-kibitzBack):
				k.known[turn.Seq] = true
				continue
			}
			k.known[turn.Seq] = true
			judged, turnErr := k.judge(ctx, t, g, n)
			if turnErr != nil {
				err = turnErr
			} else {
				k.tell(match, *judged)
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return err
}
