package mqtt

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"davar/rules/referee"
)

func TestATableTellsWhichMatchesAreOverWhenItComesAndWhenOneEnds(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	var over atomic.Int64
	over.Store(1)
	p := startPublisher(t, Options{Server: b.Server(), Finished: func(context.Context) ([]FinishedMatch, error) {
		all := []FinishedMatch{{Match: "m2", Players: [2]string{"A", "B"}, Ended: "2026-06-01T13:00:00Z"}, {Match: "m1", Players: [2]string{"C", "D"}}}
		return all[2-over.Load():], nil
	}})
	s := subscribe(t, b.Server().URL, User{}, place.Topic(MatchesLeaf))
	if h := s.untilBody(place.Topic(MatchesLeaf), `"match":"m1"`); strings.Contains(h.body, "m2") {
		t.Errorf("at first it tells %s", h.body)
	}
	over.Store(2)
	p.SetState(referee.State{Match: "m2", Seq: 9, Phase: "match_over"}, time.Now(), 1)
	s.untilBody(place.Topic(MatchesLeaf), `"match":"m2"`)
	late := subscribe(t, b.Server().URL, User{}, "davar/#")
	late.untilBody(place.Topic(MatchesLeaf), `{"v":1,"matches":[{"match":"m2","players":["A","B"]`)
}
