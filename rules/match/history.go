package match

import "fmt"

// History keeps a match as it stood before each closed turn, so that a director can go back to any of them
// (DIR-5). The zero value is an empty history.
type History struct {
	before []Match
}

// Close remembers m as it stands before the turn that is about to be closed.
func (h *History) Close(m *Match) { h.before = append(h.before, *m) }

// Len returns the number of turns closed, from 0.
func (h *History) Len() int { return len(h.before) }

// Undo returns the match as it stood before closed turn n, counted from 0, and forgets that turn and all later
// ones. It returns an error when there is no such turn.
func (h *History) Undo(n int) (Match, error) {
	if n < 0 || n >= len(h.before) {
		return Match{}, fmt.Errorf("match: undo turn %d: %d turns are closed", n, len(h.before))
	}
	m := h.before[n]
	h.before = h.before[:n]
	return m, nil
}
