package main

import (
	"context"
	"time"

	"davar/device/journal"
	"davar/device/mqtt"
)

const (
	// mostFinished is how many matches a table tells of that are over.
	mostFinished = 50
	// lastTurn is how long after the delay has passed the end of a match is shown at the latest (package embargo).
	lastTurn = 5 * time.Second
)

// finishedMatches returns what the topic matches holds: the matches of this table's log that are over, and have been for
// longer than spectators are behind, the newest first.
func finishedMatches(ctx context.Context, log *journal.Reader, delay time.Duration, now time.Time) ([]mqtt.FinishedMatch, error) {
	all, err := log.Find(ctx, journal.Query{Limit: 2 * mostFinished})
	if err != nil {
		return nil, err
	}
	if delay > 0 {
		delay += lastTurn
	}
	var finished []mqtt.FinishedMatch
	for _, m := range all {
		at, err := time.Parse(time.RFC3339, m.Ended)
		if err != nil || now.Before(at.Add(delay)) || len(finished) == mostFinished {
			continue // in play, or not yet over for spectators
		}
		finished = append(finished, mqtt.FinishedMatch{
			Match: m.ID, Players: m.Players, Length: m.Length, Score: m.Score, Winner: m.Winner, Event: m.Event, Ended: m.Ended,
		})
	}
	return finished, nil
}
