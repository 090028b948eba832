package season

import (
	"cmp"
	"slices"

	"davar/device/analysis"
)

// Line is what a player did, or all players of a club, or one player in one match.
type Line struct {
	Name    string `json:"name"`    // empty: nobody has said it
	Matches int    `json:"matches"` // played to the end
	Won     int    `json:"won"`     // of them; of a club 0: both may be of it
	Games   int    `json:"games"`   // with a result
	GameWon int    `json:"games_won"`
	Gammons int    `json:"gammons"` // games won doubly or triply
	Points  int    `json:"points"`  // won
	Against int    `json:"against"` // lost
	Rolls   int    `json:"rolls"`
	Doubles int    `json:"doubles"` // rolled
	Pips    int    `json:"pips"`    // rolled, doubles played four times
	Hits    int    `json:"hits"`
	Danced  int    `json:"danced"`
	Turns   int    `json:"turns"` // played, of which the time is known
	Time    int64  `json:"time_ms"`
	// Rulings are the announcements about his turns that were not withdrawn, by code; those that only the director may
	// know (PUB-2, MON-4) are in Private instead.
	Rulings map[string]int `json:"rulings,omitempty"`
	Private map[string]int `json:"private,omitempty"`
	Illegal int            `json:"illegal,omitempty"` // illegal plays that stood; for the director
	// Judged are the matches that are analysed wholly, Errors what they come to.
	Judged int             `json:"judged"`
	Errors analysis.Player `json:"errors"`
}

// PerTurn is the mean time of a turn in milliseconds, 0 when none is known.
func (l *Line) PerTurn() int64 {
	if l.Turns == 0 {
		return 0
	}
	return l.Time / int64(l.Turns)
}

// Announced is how many rulings were announced.
func (l *Line) Announced() int {
	n := 0
	for _, count := range l.Rulings {
		n += count
	}
	return n
}

// Codes lists the codes of the rulings, the most frequent first.
func (l *Line) Codes() []string {
	codes := make([]string, 0, len(l.Rulings))
	for code := range l.Rulings {
		codes = append(codes, code)
	}
	slices.SortFunc(codes, func(a, b string) int { return cmp.Or(l.Rulings[b]-l.Rulings[a], cmp.Compare(a, b)) })
	return codes
}

// add counts what is on another line as well.
func (l *Line) add(o *Line) {
	l.Matches += o.Matches
	l.Won += o.Won
	l.Games += o.Games
	l.GameWon += o.GameWon
	l.Gammons += o.Gammons
	l.Points += o.Points
	l.Against += o.Against
	l.Rolls += o.Rolls
	l.Doubles += o.Doubles
	l.Pips += o.Pips
	l.Hits += o.Hits
	l.Danced += o.Danced
	l.Turns += o.Turns
	l.Time += o.Time
	l.Illegal += o.Illegal
	l.Judged += o.Judged
	l.Errors.Merge(o.Errors)
	l.Rulings, l.Private = merged(l.Rulings, o.Rulings), merged(l.Private, o.Private)
}

func merged(to, from map[string]int) map[string]int {
	for code, n := range from {
		if to == nil {
			to = map[string]int{}
		}
		to[code] += n
	}
	return to
}

// hide removes what only the director may know.
func (l *Line) hide() { l.Private, l.Illegal = nil, 0 }
