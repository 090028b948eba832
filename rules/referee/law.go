package referee

import "davar/rules"

// law answers questions about plays.
type law struct {
	gen     *rules.Generator
	options rules.Options
}

func newLaw(o rules.Options) law { return law{gen: rules.NewGenerator(o), options: o} }

// plays returns all legal plays, valid until the next call.
func (l *law) plays(pos *rules.Position, side rules.Side, dice rules.Dice) []rules.Play {
	return l.gen.Plays(pos, side, dice)
}

// verdict is what the rules say about a play.
type verdict struct {
	Legal  bool
	Code   string
	Rules  []string
	Points string
}

// judge says whether the play of dice from before to after is legal, and what it breaks.
func (l *law) judge(before *rules.Position, side rules.Side, dice rules.Dice, after *rules.Position) verdict {
	for _, play := range l.plays(before, side, dice) {
		if play.Final == *after {
			return verdict{Legal: true}
		}
	}
	return verdict{Code: "M12"}
}
