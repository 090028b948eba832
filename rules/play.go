package rules

// Move is one checker moved by one die: From and To in the mover's own numbering, From 25 is the bar, To 0 is
// off. Hit says that an enemy blot stood on To (HIT-1).
type Move struct {
	From, To uint8
	Hit      bool
}

// Play is one complete legal turn: up to four moves (N of Moves are used) and the position they lead to.
// Two plays with the same Final are the same play (MOVE-14); Moves is then one way to reach it.
type Play struct {
	Moves [4]Move
	N     uint8
	Final Position
}

// Hits returns how many enemy blots the play hits.
func (p *Play) Hits() int {
	n := 0
	for _, m := range p.Moves[:p.N] {
		if m.Hit {
			n++
		}
	}
	return n
}

// Plays returns all complete legal plays of mover in the standard game: one Play for each distinct final
// position, none when nothing can be played (MOVE-13). A caller who needs many uses a Generator.
func Plays(pos *Position, mover Side, dice Dice) []Play {
	var g Generator
	return g.Plays(pos, mover, dice)
}
