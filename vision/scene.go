package vision

import (
	"errors"
	"image"
	"time"

	"davar/rules/sighting"

	"gocv.io/x/gocv"
)

// scene tells pictures that can be read from those that cannot.
func (w *Watcher) scene(t time.Duration, last *changes) sighting.Scene {
	if !w.hadSame || !w.motion.identical {
		w.same, w.hadSame = t, true
	}
	switch {
	case w.settings.FrozenAfter > 0 && t-w.same >= w.settings.FrozenAfter:
		return sighting.SceneFrozen
	case w.motion.mean < darkest:
		return sighting.SceneDark
	case last.all > wholeMoves:
		w.suspect = true
		return sighting.SceneMoving
	case w.motion.detail < blurs*w.sharp:
		return sighting.SceneBlurred
	}
	if w.sharp == 0 {
		w.sharp = w.motion.detail
	}
	w.sharp += (w.motion.detail - w.sharp) / 100
	return sighting.SceneClear
}

// lose forgets where the board lies and what was read.
func (w *Watcher) lose() {
	w.geometry, w.sharp, w.bumps = nil, 0, 0
	w.forget()
}

// forget makes everything be read anew.
func (w *Watcher) forget() {
	w.motion.forget()
	w.arm.forget()
	w.reads = [regionCount]int{}
	w.pointsAt.taken, w.diceAt.taken, w.seekAt.taken = false, false, false
}

// locate sets the geometry: from the settings, or from the picture, where it looks only now and then.
func (w *Watcher) locate(bgr gocv.Mat) (ok bool, err error) {
	if w.settings.Corners != nil && !w.strayed {
		seen, _, err := w.board.at(bgr, *w.settings.Corners)
		if err != nil {
			return false, err
		}
		g, err := w.settings.geometry(seen.BarLeft, seen.BarRight)
		if err != nil {
			return false, err
		}
		return true, w.adopt(bgr, g)
	}
	if (w.frames-1)%seekEvery != 0 {
		return false, nil
	}
	g, err := w.board.find(bgr)
	if errors.Is(err, ErrNoBoard) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, w.adopt(bgr, g)
}

// adopt makes g, seen through the lens that the settings tell of, the board's geometry and remembers where the corners are seen beside those of g: there they are taken
// to be seen still when the board has moved, so that corners set by hand stay as exact as they were.
func (w *Watcher) adopt(bgr gocv.Mat, g *Geometry) (err error) {
	if w.bias, err = w.board.pin.look(bgr, g); err != nil {
		return err
	}
	w.geometry = g.through(w.settings.Bend, image.Pt(w.size[0], w.size[1]))
	w.forget()
	return nil
}

// check looks whether the board still lies where it did, and follows it when it does not. It tells whether the board
// seems to have moved: what is seen then is not to be believed. It is followed after two looks that agree; one corner
// alone is a hand.
func (w *Watcher) check(bgr gocv.Mat) (moved bool, err error) {
	w.checked = w.frames
	seen, err := w.board.pin.look(bgr, w.geometry)
	if err != nil {
		return false, err
	}
	off := seen.less(&w.bias)
	if w.suspect = off.beyond(bumpedBy) >= bumpedCorners; !w.suspect {
		w.bumps = 0
		return false, nil
	}
	if w.bumps++; w.bumps < bumpedChecks {
		return true, nil
	}
	w.suspect, w.bumps = false, 0
	return true, w.follow(bgr, off)
}

// follow moves the geometry by off, then to where each corner is seen. A board that went further than its corners can
// be followed is lost, and found again.
func (w *Watcher) follow(bgr gocv.Mat, off offsets) error {
	for range 1 + pinnings {
		g, err := NewGeometry(off.apply(w.geometry), w.geometry.BarLeft, w.geometry.BarRight)
		if err != nil {
			w.stray()
			return nil
		}
		w.geometry = g.through(w.settings.Bend, image.Pt(w.size[0], w.size[1]))
		near, err := w.board.pin.look(bgr, g)
		if err != nil {
			return err
		}
		off = near.less(&w.bias)
	}
	if off.beyond(bumpedBy) > 0 {
		w.stray()
		return nil
	}
	w.forget()
	return nil
}

// stray loses the board; it is not where anybody placed it.
func (w *Watcher) stray() {
	w.lose()
	w.strayed = true
}
