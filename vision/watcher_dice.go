package vision

import (
	"time"

	"gocv.io/x/gocv"
)

// diceDue is pointsDue for dice and cube, which may lie anywhere.
func (w *Watcher) diceDue(since, last *changes) bool {
	if w.seekAt.taken {
		if begun := w.motion.since(&w.seekAt); !begun.changed() {
			return true // what was begun is worth going on with
		}
		w.seekAt.taken = false
	}
	if !w.diceAt.taken {
		return true
	}
	for i := range since.region {
		if since.settled(last, i) {
			return true
		}
	}
	return !last.any() && w.diceReads < averaged && w.doubtDice()
}

// doubtDice tells whether what was read of the dice leaves doubt.
func (w *Watcher) doubtDice() bool {
	for i := range w.likely.Dice {
		if _, p := w.likely.Dice[i].Best(); p < doubtless {
			return true
		}
	}
	return false
}

// atLeisure is the time between two frames from which one frame may cost as much as all of a finding of dice.
const atLeisure = 50 * time.Millisecond

// seekDice takes the next step of finding dice and cube, where frames come slowly all of them; since is what changed since they were last
// read.
func (w *Watcher) seekDice(bgr gocv.Mat, since *changes) error {
	if !w.seekAt.taken {
		w.dice.Begin()
		w.seekAt = w.motion.last
	}
	var dice []Die
	var cube *Cube
	for done := false; !done; {
		var err error
		if dice, cube, done, err = w.dice.Step(bgr, w.geometry); err != nil {
			return err
		}
		if !done && w.pace < atLeisure {
			return nil
		}
	}
	w.likely.Dice, w.likely.Cube, w.likely.Geometry = dice, cube, w.geometry
	weighGround(&w.likely)
	weighLean(&w.likely)
	for i := range w.likely.Dice {
		d := &w.likely.Dice[i]
		d.Light = lightness(d.bright * w.light.factor())
	}
	if !w.diceAt.taken || since.changed() {
		w.diceReads = 0
	}
	w.diceReads++
	w.diceAt, w.seekAt.taken = w.seekAt, false
	return nil
}
