package referee

import "davar/rules"

// law answers questions about plays, with memory kept between them.
type law struct {
	gen   *rules.Generator
	judge *rules.Judge
}

func newLaw(o rules.Options) law { return law{gen: rules.NewGenerator(o), judge: rules.NewJudge(o)} }

// plays returns all legal plays, valid until the next call.
func (l *law) plays(pos *rules.Position, side rules.Side, dice rules.Dice) []rules.Play {
	return l.gen.Plays(pos, side, dice)
}
