package main

import (
	"context"
	"slices"
	"time"

	"davar/device/embargo"
	"davar/device/mqtt"
	"davar/device/web"
	"davar/rules/referee"
)

// decidedBefore returns the decisions and refusals of the match taken up, so that commands repeated after a restart are
// not carried out twice.
func (s *station) decidedBefore(ctx context.Context) ([]referee.Event, error) {
	if s.begun.last == 0 {
		return nil, nil
	}
	events, err := s.journal.Events(ctx, s.begun.match, 0, 0)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(events, func(e referee.Event) bool {
		return e.Type != referee.DecisionMade && e.Type != referee.DecisionRefused
	}), nil
}

// recall tells what spectators follow about the time before a restart: what is due is shown at once, the rest when it
// becomes it (PUB-1).
func (s *station) recall(ctx context.Context) error {
	return recall(ctx, s.journal.Events, s.vault.Given(), s.begun.match, time.Now(), s.page, s.publisher)
}

// recall tells page and publisher, which may be nil, of the matches of which states are kept, the one that goes on last.
func recall(ctx context.Context, events func(ctx context.Context, match string, from int64, limit int) ([]referee.Event, error),
	given []embargo.Given, goesOn string, now time.Time, page *web.Server, publisher *mqtt.Publisher) error {
	for len(given) > 0 {
		match := given[0].State.Match
		n := slices.IndexFunc(given, func(g embargo.Given) bool { return g.State.Match != match })
		if n < 0 {
			n = len(given)
		}
		all, err := events(ctx, match, 0, 0)
		if err != nil {
			return err
		}
		past := embargo.Past{Events: embargo.Date(all, now), Given: given[:n], Over: match != goesOn}
		page.Recall(past)
		if publisher != nil {
			publisher.Recall(past)
		}
		given = given[n:]
	}
	return nil
}
