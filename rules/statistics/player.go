package statistics

import (
	"slices"

	"davar/rules"
	"davar/rules/referee"
	"davar/rules/transcript"
)

// Player is what one player did in a match, or in several.
type Player struct {
	Dice    Dice
	Turns   int // rolls played
	Hits    int // enemy checkers sent to the bar
	Danced  int // rolls with which nothing could be played
	Illegal int // illegal plays that stood
	used    []int64
}

// Match is the statistics of one transcript.
type Match struct {
	Players [2]Player // by side
	// Sets are the sets of dice in play (EQUIP-3): one that both players used, or one of each player.
	Sets []Dice
}

// Of counts a transcript.
func Of(t *transcript.Transcript) Match {
	var m Match
	for i := range t.Games {
		turns := t.Games[i].Turns
		for k := range turns {
			if turns[k].Kind == transcript.Roll {
				m.Players[turns[k].Side].add(&turns[k])
			}
		}
	}
	m.Sets = []Dice{m.Players[rules.Light].Dice, m.Players[rules.Dark].Dice}
	if oneSet(t.Settings) {
		m.Sets[0].Merge(m.Sets[1])
		m.Sets = m.Sets[:1]
	}
	return m
}

// oneSet tells whether both players threw the same dice: with a clock they do unless it was settled otherwise.
func oneSet(s *referee.Settings) bool {
	switch {
	case s == nil:
		return true
	case s.DiceSets > 0:
		return s.DiceSets == 1
	}
	return s.TurnEnd == "clock"
}

func (p *Player) add(t *transcript.Turn) {
	p.Dice.Add(t.Dice[0], t.Dice[1])
	if t.Unseen {
		return
	}
	p.Turns++
	p.Hits += t.Hits()
	if t.Danced() {
		p.Danced++
	}
	if t.Illegal {
		p.Illegal++
	}
	p.used = append(p.used, t.Used)
}

// Merge counts what the player did in another match as well.
func (p *Player) Merge(o Player) {
	p.Dice.Merge(o.Dice)
	p.Turns += o.Turns
	p.Hits += o.Hits
	p.Danced += o.Danced
	p.Illegal += o.Illegal
	p.used = append(p.used, o.used...)
}

// Time is how long a player's turns took, in milliseconds.
type Time struct {
	Total, Mean, Median, Longest int64
}

// Time returns how long the turns took, from the end of the other's turn to the end of his own, pauses not counted.
func (p *Player) Time() Time {
	var t Time
	if len(p.used) == 0 {
		return t
	}
	sorted := slices.Sorted(slices.Values(p.used))
	for _, u := range sorted {
		t.Total += u
	}
	n := len(sorted)
	t.Mean, t.Median, t.Longest = t.Total/int64(n), sorted[n/2], sorted[n-1]
	return t
}
