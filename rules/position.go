package rules

import "fmt"

// Indices of a side's row in Position.Checkers that are not points.
const (
	Off = 0  // borne off
	Bar = 25 // on the bar
)

// Checkers is the number of checkers each side has (EQUIP-2).
const Checkers = 15

// Position says where the checkers of both sides stand. Checkers[s][p] is the number of checkers that
// side s has on p in its OWN numbering: 24 (rear) to 1 (ace point), Bar (25), Off (0) (SETUP-1). Point p of
// one side and point 25-p of the other are the same triangle. A side may have fewer than fifteen in all when
// a checker was excluded (IRREG-9). Positions are comparable with == and serve as map keys.
type Position struct {
	Checkers [2][26]uint8
}

// Pips returns the pip count of side s: the sum of point times checkers, bar 25, off 0 (PUB-4).
func (p *Position) Pips(s Side) int {
	sum := 0
	for point, n := range p.Checkers[s] {
		sum += point * int(n)
	}
	return sum
}

// InPlay returns how many checkers of side s are on its points and its bar.
func (p *Position) InPlay(s Side) int {
	n := 0
	for _, c := range p.Checkers[s][1:] {
		n += int(c)
	}
	return n
}

// Active returns how many checkers side s plays with: those in play and those borne off, fifteen unless some
// are excluded (IRREG-9).
func (p *Position) Active(s Side) int { return p.InPlay(s) + int(p.Checkers[s][Off]) }

// ClosedOut reports whether side s has a checker on the bar and the opponent holds all six entry points, so that
// s loses his turn without rolling (ENTER-7).
func (p *Position) ClosedOut(s Side) bool {
	if p.Checkers[s][Bar] == 0 {
		return false
	}
	for point := 1; point <= 6; point++ {
		if p.Checkers[s.Other()][point] < 2 {
			return false
		}
	}
	return true
}

// Contact reports whether the two sides can still hit each other: some checker has an enemy still before it.
func (p *Position) Contact() bool {
	rear := [2]int{}
	for s := range rear {
		for point := Bar; point >= 1; point-- {
			if p.Checkers[s][point] > 0 {
				rear[s] = point
				break
			}
		}
	}
	return rear[Light]+rear[Dark] > 25
}

// ImpossibleError says that a position cannot stand on any board (IRREG-11).
type ImpossibleError struct {
	Mixed  int    // light's number of a point on which both colours stand, 0 if there is none
	Active [2]int // checkers counted, by side
	Want   [2]int // checkers each side should have
}

// Error says what is wrong in one line.
func (e *ImpossibleError) Error() string {
	if e.Mixed != 0 {
		return fmt.Sprintf("rules: impossible position: checkers of both colours on light's %d point (IRREG-11)", e.Mixed)
	}
	return fmt.Sprintf("rules: impossible position: light has %d checkers (should be %d), dark %d (should be %d) (IRREG-11)",
		e.Active[Light], e.Want[Light], e.Active[Dark], e.Want[Dark])
}

// Check returns nil when the position can stand on a board on which each side has fifteen checkers less the
// excluded ones (IRREG-9), and an *ImpossibleError otherwise (IRREG-11).
func (p *Position) Check(excluded [2]int) error {
	e := ImpossibleError{
		Mixed:  p.mixed(),
		Active: [2]int{p.Active(Light), p.Active(Dark)},
		Want:   [2]int{Checkers - excluded[Light], Checkers - excluded[Dark]},
	}
	if e.Mixed != 0 || e.Active != e.Want {
		return &e
	}
	return nil
}

// mixed returns light's number of the lowest point that holds both colours, 0 if there is none.
func (p *Position) mixed() int {
	for point := 1; point <= 24; point++ {
		if p.Checkers[Light][point] > 0 && p.Checkers[Dark][25-point] > 0 {
			return point
		}
	}
	return 0
}
