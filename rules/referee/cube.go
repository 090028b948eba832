package referee

import (
	"errors"
	"strconv"
	"time"

	"davar/rules"
	"davar/rules/match"
	"davar/rules/sighting"
)

// strayFor is for how long a cube must lie where nothing explains it, or show what it should not, before that is said.
const strayFor = 1500 * time.Millisecond

// watchCube notes that the cube was seen where it belongs: only then does its being elsewhere mean anything.
func (r *Referee) watchCube() {
	if place, steady := r.Eyes.Cube.steady(); steady && !r.cubeMoved(place) {
		r.CubeHome = true
		r.withdrawCode("C6")
		r.settleCodes("C1", "C2", "C3") // the void offer is taken back
	}
}

// stepCube follows the cube before a roll (CUBE-7): offered near the middle of a half, taken by placing it on
// one's own side. It reports whether it did anything.
func (r *Referee) stepCube() bool {
	g := &r.Match.Game
	place, steady := r.Eyes.Cube.steady()
	if g.Phase == match.AwaitAnswer {
		return steady && place == owned(g.Offer.By.Other()) && r.take(g.Offer.By.Other()) || r.answeredByDeed()
	}
	if !steady || !r.Settings.Cube || g.Phase != match.AwaitRoll || !r.cubeMoved(place) || !r.CubeHome && !r.turned() {
		return false
	}
	switch place {
	case sighting.CubeOfferedLeft, sighting.CubeOfferedRight:
		switch {
		case r.asked(lateDouble): // that offer is void, though it lies there still
			return false
		case !r.offered():
		case r.hasThrown(g.Turn) && !g.Crawford && !r.changed():
			if r.once(lateDouble) {
				r.rule("C1", g.Turn, nil)
			}
			return false
		default:
			if r.Blind != nil || !r.Settings.timed() && r.mayHaveDanced() {
				// He has ended his turn, perhaps without a play: it is the next player who doubles.
				return r.playedUnseen(r.Now, "double") || r.dancedUnseen(r.Now)
			}
			r.OfferPut = true
			// Where the board has changed, it is the next player who doubles, after a turn of which no roll was seen.
			return r.playedUnseen(r.Now, "double") || r.double(g.Turn)
		}
	case owned(g.Turn.Other()):
		if r.turned() { // offered and taken between two clear pictures
			return r.double(g.Turn) && r.take(g.Turn.Other())
		}
	}
	// After a turn that is not made out, or that may have been played unseen, the next player may have doubled.
	if r.Eyes.Cube.lies() && r.Eyes.Cube.sure() && r.Blind == nil && r.unchanged() && !r.asked("C6") {
		r.Asked = append(r.Asked, "C6")
		r.rule("C6", g.Turn, nil)
	}
	return false
}

// lateDouble notes that C1 was said of a double after a throw of which one die is not seen.
const lateDouble = "C1 of one die"

// answeredByDeed finds out what became of a double from what is done next: the doubler rolls, so it was taken; the
// board is set up anew, so it was dropped.
func (r *Referee) answeredByDeed() bool {
	by := r.Match.Game.Offer.By
	v := &r.Eyes.View
	if start := rules.Start(r.Match.Options.Rules.Variant); *r.base() != start && v.Pictures >= 2*rulePictures && v.wrong(&start) == 0 {
		r.drop(by.Other())
		return true
	}
	fresh := r.Eyes.Dice.fresh()
	if len(fresh) != 2 || min(fresh[0].Rest, fresh[1].Rest) < faultPictures {
		return false
	}
	his := r.inRightHalf(fresh, by)
	if place, steady := r.Eyes.Cube.steady(); steady && !r.cubeMoved(place) && (his || r.OfferPut) {
		r.takeBackOffer()
		return false
	}
	return his && r.take(by.Other())
}

// takeBackOffer ends an offer of the cube that proves to have been none: it lies where it lay before.
func (r *Referee) takeBackOffer() {
	r.Match.Game.Phase, r.Match.Game.Offer, r.OfferPut = match.AwaitRoll, match.Offer{}, false
}

// answeredByPress takes a press of the player who was offered the cube for his taking it, unless it was put back.
func (r *Referee) answeredByPress(side rules.Side) {
	if place, steady := r.Eyes.Cube.steady(); r.OfferPut && steady && !r.cubeMoved(place) {
		r.takeBackOffer()
		return
	}
	r.take(side)
}

// offered tells whether the cube has been put where it is offered, with the new value up if that can be read.
func (r *Referee) offered() bool {
	place, steady := r.Eyes.Cube.steady()
	if !steady || !r.Settings.Cube || place != sighting.CubeOfferedLeft && place != sighting.CubeOfferedRight {
		return false
	}
	return r.turned() || r.CubeHome && r.Eyes.Cube.sure() && r.Eyes.Cube.Values < cubePictures
}

// watchLateDouble points out a double after the roll (CUBE-1, OPEN-8).
func (r *Referee) watchLateDouble() {
	if r.Ended != nil || !r.offered() || r.Eyes.Cube.Pictures < 2*cubePictures || r.asked("C1") {
		return
	}
	if !r.Settings.timed() && !r.rollLies() {
		// It is the next player who doubles: his dice are gone, or were never seen, and he has played.
		if r.Roll.Seen[0].Rest > 0 || r.completeSince(r.Now) {
			r.endTurn(r.Now, "double")
		}
		return
	}
	r.Asked = append(r.Asked, "C1")
	code := "C1"
	if r.Match.Game.Crawford {
		code = "C3"
	}
	r.rule(code, r.Roll.Side, nil)
}

// watchCubeValue points out once in a game that the cube does not show its value (EQUIP-4): in its owner's hands, and
// read the same in many pictures without doubt.
func (r *Referee) watchCubeValue() {
	c := &r.Match.Game.Cube
	place, steady := r.Eyes.Cube.steady()
	if !steady || !c.Owned || place != owned(c.Owner) || !r.Eyes.Cube.shows() || !r.Eyes.Cube.legible() {
		return
	}
	if r.Eyes.Cube.Value == c.Value {
		r.withdrawCode("C4")
		r.CubeWrong = false
		return
	}
	if !r.CubeWrong {
		r.CubeWrong = true
		r.rule("C4", c.Owner, map[string]string{"x": strconv.Itoa(c.Value)})
	}
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
	r.OfferSeq = r.emit(Event{Type: CubeOffered, Side: &side, Cube: r.Match.Game.Offer.Value, Confidence: 0.99})
	return true
}

// take accepts the double for side.
func (r *Referee) take(side rules.Side) bool {
	before := r.Match.Game
	if err := r.Match.Take(side); err != nil {
		return false
	}
	r.taken(before)
	r.CubeHome, r.OfferPut = false, false
	return true
}

// taken tells that the double which was on offer before is taken.
func (r *Referee) taken(before match.Game) {
	by := before.Offer.By
	side := by.Other()
	r.keepDouble(before)
	r.Plays = append(r.Plays, LastPlay{Seq: r.OfferSeq, Side: by.String(), Notation: "double", Legal: true})
	seq := r.emit(Event{Type: CubeTaken, Side: &side, Cube: r.Match.Game.Cube.Value, Confidence: 0.99})
	r.Plays = append(r.Plays, LastPlay{Seq: seq, Side: side.String(), Notation: "take", Legal: true})
}

// drop refuses the double for side: the game is over (CUBE-4) unless that would end the match (CUBE-17).
func (r *Referee) drop(side rules.Side) {
	before := r.Match.Game
	cube := before.Cube.Value
	dropped, err := r.Match.Drop(side)
	switch {
	case err != nil:
	case !dropped:
		r.rule("C5", side, nil)
		r.taken(before)
		r.CubeHome = false // it is still on its way
	default:
		r.keepDouble(before)
		r.emit(Event{Type: CubeDropped, Side: &side, Cube: cube})
		r.Plays = append(r.Plays, LastPlay{Seq: r.Seq, Side: side.String(), Notation: "drop", Legal: true})
		r.gameOver()
	}
}
