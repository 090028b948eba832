package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"reflect"
	"testing"

	"davar/device/analysis"
	"davar/rules"
	"davar/rules/referee"
	"davar/rules/transcript"
)

// recorded is a log with one match, as it stands.
type recorded struct{ t transcript.Transcript }

func (r *recorded) Transcript(context.Context, string) (*transcript.Transcript, error) {
	return &r.t, nil
}

func TestTheKibitzerJudgesEachTurnOnce(t *testing.T) {
	log := &recorded{}
	var asked, told []int64
	k := &kibitzer{
		journal: log, log: slog.New(slog.NewTextHandler(io.Discard, nil)), news: make(chan string, 1),
		judge: func(_ context.Context, _ *transcript.Transcript, g *transcript.Game, i int) (*analysis.Judged, error) {
			asked = append(asked, g.Turns[i].Seq)
			if g.Turns[i].Seq == 14 {
				return nil, errors.New("the engine has crashed")
			}
			return &analysis.Judged{Seq: g.Turns[i].Seq}, nil
		},
		tell: func(_ string, turn analysis.Judged) { told = append(told, turn.Seq) },
	}
	add := func(seq int64, kind transcript.Kind, unseen bool) {
		g := &log.t.Games[len(log.t.Games)-1]
		g.Turns = append(g.Turns, transcript.Turn{Seq: seq, Kind: kind, Unseen: unseen})
	}
	follow := func() {
		_ = k.follow(t.Context(), "m")
	}
	log.t.Games = []transcript.Game{{Number: 1}}
	follow()
	add(10, transcript.Roll, false)
	follow()
	add(12, transcript.Roll, true) // he is still playing it
	follow()
	log.t.Games[0].Turns[1].Unseen = false
	follow()
	add(13, transcript.Double, false)
	add(14, transcript.Take, false) // the engine fails
	follow()
	add(15, transcript.Set, false)
	log.t.Games[0].Turns[0].Seq = 16 // a play put right is judged anew
	follow()
	add(20, transcript.Drop, false)
	log.t.Games = append(log.t.Games, transcript.Game{Number: 2})
	add(23, transcript.Roll, false)
	follow()
	follow()
	if want := []int64{10, 12, 13, 14, 16, 20, 23}; !reflect.DeepEqual(asked, want) {
		t.Errorf("asked about %v, want %v", asked, want)
	}
	if want := []int64{10, 12, 13, 16, 20, 23}; !reflect.DeepEqual(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
	asked = nil
	for seq := range int64(30) {
		add(100+seq, transcript.Roll, false)
	}
	_ = k.follow(t.Context(), "another") // he comes to it in the middle
	if len(asked) != kibitzBack || asked[0] != 122 {
		t.Errorf("of a long game begun without him he asks about %v", asked)
	}
}

func TestTheKibitzerNeverHoldsUpTheTable(t *testing.T) {
	k := &kibitzer{news: make(chan string, 1)}
	side := rules.Light
	for range 100 { // nobody reads
		k.Publish(referee.Event{Match: "m", Type: referee.PlayMade, Side: &side})
	}
	k.Publish(referee.Event{Match: "n", Type: referee.Dance, Side: &side})
	k.Publish(referee.Event{Match: "o", Type: referee.ClockPressed, Side: &side})
	if match := <-k.news; match != "n" {
		t.Errorf("the newest play was in %s, he knows of %s", "n", match)
	}
}
