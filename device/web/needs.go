package web

import (
	"cmp"
	"slices"
	"time"

	"davar/clock"
	"davar/rules/referee"
)

// ConsoleTable is one table as the director's console lists it.
type ConsoleTable struct {
	Club string // empty: there is one club alone
	Name string // what people call it: "1"
	Link string // the page with its details; empty: there is none here
	// Away says why nothing is heard of it (AwayStopped, AwayOffline, AwayUnknown); empty: it is there.
	Away   string
	State  *referee.State // undelayed; nil: nothing is known yet
	AsOf   time.Time      // moment at which the figures of State.Clock were true
	Rate   float64        // seconds of the match in one real second
	Faults []string       // devices that fail, named as the texts "fault." are
}

// Why a table needs the director, the most urgent first.
const (
	NeedAppeal   = "appeal"   // he has been called, or a ruling is contested (APP-3: the clocks stand)
	NeedFlag     = "flag"     // a player's time has run out (CLOCK-4)
	NeedQuestion = "question" // the referee asks
	NeedRuling   = "ruling"   // a ruling is open
	NeedCamera   = "camera"   // the board is not seen
	NeedAway     = "away"     // nothing is heard of the table
	NeedTime     = "time"     // a flag is about to fall
	NeedPaused   = "paused"   // the clocks stand
	NeedFault    = "fault"    // a device fails
	NeedScore    = "score"    // a game is over and its score is to be agreed (SCORE-4)
	NeedOver     = "over"     // the match is over
)

// urgency orders the needs.
var urgency = []string{
	NeedAppeal, NeedFlag, NeedQuestion, NeedRuling, NeedCamera, NeedAway, NeedTime, NeedPaused, NeedFault, NeedScore, NeedOver,
}

// shortTime is how much time a player has left when his flag is about to fall.
const shortTime = time.Minute

// blind are the notices and scenes that say that the board is not seen.
var blind = []string{"camera", "lost", "no_board", "dark", "blurred", "frozen"}

// ordinary are the reasons for which clocks stand in any game.
var ordinary = []string{"", string(clock.Opening), string(clock.BetweenGames), string(clock.MatchOver), string(clock.Break)}

// Needs returns why the table needs the director at the moment now, the most urgent first; none: it plays on by itself.
func (t *ConsoleTable) Needs(now time.Time) []string {
	var needs []string
	add := func(why string, holds bool) {
		if holds && !slices.Contains(needs, why) {
			needs = append(needs, why)
		}
	}
	add(NeedAway, t.Away != "" && t.Away != AwayStopped)
	add(NeedFault, len(t.Faults) > 0)
	if s := t.State; s != nil && t.Away == "" {
		for i := range s.Rulings {
			asks := len(s.Rulings[i].Answers) > 0
			add(NeedQuestion, asks)
			add(NeedRuling, !asks)
		}
		seen := !slices.Contains(blind, s.Notice)
		add(NeedCamera, !seen)
		add(NeedQuestion, seen && asksSomething(s.Notice))
		t.clockNeeds(s, now, add)
		add(NeedScore, s.Phase == "over")
		add(NeedOver, s.Phase == "match_over")
	}
	slices.SortFunc(needs, func(a, b string) int { return slices.Index(urgency, a) - slices.Index(urgency, b) })
	return needs
}

func (t *ConsoleTable) clockNeeds(s *referee.State, now time.Time, add func(string, bool)) {
	add(NeedAppeal, s.Appeal)
	c := s.Clock
	if c == nil || s.Phase == "match_over" {
		return
	}
	reason := clock.Reason(c.Paused)
	add(NeedFlag, c.Flagged != "" || reason == clock.Flag)
	add(NeedAppeal, reason == clock.Ruling)
	add(NeedPaused, !slices.Contains(ordinary, c.Paused) && reason != clock.Ruling && reason != clock.Flag)
	left, runs := t.left(now)
	add(NeedTime, runs && left < shortTime)
}

// left returns how long the running side has until its flag falls; false when none runs.
func (t *ConsoleTable) left(now time.Time) (time.Duration, bool) {
	c := t.State.Clock
	if c.Paused != "" || c.Flagged != "" || c.Running == "" {
		return 0, false
	}
	side := 0
	if c.Running == "dark" {
		side = 1
	}
	passed := time.Duration(float64(now.Sub(t.AsOf)) * t.Rate)
	return time.Duration(c.RemainingMS[side]+c.DelayMS)*time.Millisecond - passed, true
}

// asksSomething tells whether a notice waits for somebody's answer, and not only for the players to go on.
func asksSomething(notice string) bool {
	switch notice {
	case "confirm_position", "confirm_roll", "confirm_score", "confirm_cube", "not_seen", "unseen_turn", "turn_lost", "midgame", "show_board":
		return true
	}
	return false
}

// byNeed orders tables for the console: who needs the director first, then by name.
func byNeed(a, b *tableRow) int {
	rank := func(t *tableRow) int {
		if len(t.Needs) == 0 {
			return len(urgency)
		}
		return slices.Index(urgency, t.Needs[0])
	}
	return cmp.Or(rank(a)-rank(b), cmp.Compare(len(b.Needs), len(a.Needs)), compareNaturally(a.Club, b.Club), compareNaturally(a.Name, b.Name))
}
