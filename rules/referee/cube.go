package referee

import (
	"errors"

	"davar/rules"
	"davar/rules/match"
	"davar/rules/sighting"
)

// stepCube follows the cube before a roll (CUBE-7): offered near the middle of a half, taken by placing it on
// one's own side. It reports whether it did anything.
func (r *Referee) stepCube() bool {
	g := &r.Match.Game
	place, steady := r.Eyes.Cube.steady()
	if !steady || !r.Settings.Cube || r.Eyes.Cube.Since < r.Since && g.Phase != match.AwaitAnswer && !r.cubeMoved(place) {
		return false
	}
	switch {
	case g.Phase == match.AwaitRoll && (place == sighting.CubeOfferedLeft || place == sighting.CubeOfferedRight):
		return r.double(g.Turn)
	case g.Phase == match.AwaitRoll && place == owned(g.Turn.Other()) && r.cubeMoved(place) && r.turned():
		// Offered and taken between two clear pictures.
		return r.double(g.Turn) && r.take(g.Turn.Other())
	case g.Phase == match.AwaitAnswer && place == owned(g.Offer.By.Other()):
		return r.take(g.Offer.By.Other())
	}
	return false
}

// turned tells whether the cube shows twice its former value.
func (r *Referee) turned() bool {
	return r.Eyes.Cube.Values >= cubePictures && r.Eyes.Cube.Value == 2*r.Match.Game.Cube.Value
}

// cubeMoved tells whether the cube lies elsewhere than it should.
func (r *Referee) cubeMoved(place sighting.CubePlace) bool {
	c := &r.Match.Game.Cube
	if !c.Owned {
		return place != sighting.CubeMiddle
	}
	return place != owned(c.Owner)
}

func owned(side rules.Side) sighting.CubePlace {
	if side == rules.Light {
		return sighting.CubeLight
	}
	return sighting.CubeDark
}

// double offers the cube for side, or announces why he may not.
func (r *Referee) double(side rules.Side) bool {
	if err := r.Match.Double(side); err != nil {
		var broken *match.RuleError
		if errors.As(err, &broken) && broken.Code != "" && !r.asked(broken.Code) {
			r.Asked = append(r.Asked, broken.Code)
			r.rule(broken.Code, side, nil)
		}
		return false
	}
	r.emit(Event{Type: CubeOffered, Side: &side, Cube: r.Match.Game.Offer.Value, Confidence: 0.99})
	return true
}

// take accepts the double for side.
func (r *Referee) take(side rules.Side) bool {
	if err := r.Match.Take(side); err != nil {
		return false
	}
	r.Plays = append(r.Plays, LastPlay{Seq: r.Seq, Side: side.Other().String(), Notation: "double", Legal: true})
	seq := r.emit(Event{Type: CubeTaken, Side: &side, Cube: r.Match.Game.Cube.Value, Confidence: 0.99})
	r.Plays = append(r.Plays, LastPlay{Seq: seq, Side: side.String(), Notation: "take", Legal: true})
	r.Since = r.Now
	return true
}

// drop refuses the double for side: the game is over (CUBE-4) unless that would end the match (CUBE-17).
func (r *Referee) drop(side rules.Side) {
	cube := r.Match.Game.Cube.Value
	dropped, err := r.Match.Drop(side)
	switch {
	case err != nil:
	case !dropped:
		r.rule("C5", side, nil)
		r.emit(Event{Type: CubeTaken, Side: &side, Cube: r.Match.Game.Cube.Value})
	default:
		r.emit(Event{Type: CubeDropped, Side: &side, Cube: cube})
		r.Plays = append(r.Plays, LastPlay{Seq: r.Seq, Side: side.String(), Notation: "drop", Legal: true})
		r.gameOver()
	}
}
