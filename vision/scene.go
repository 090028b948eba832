package vision

import (
	"errors"
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
	w.reads = [regionCount]int{}
}

// locate sets the geometry: from the settings, or from the picture, where it looks only now and then.
func (w *Watcher) locate(bgr gocv.Mat) (ok bool, err error) {
	if w.settings.Corners != nil {
		_, f, err := w.board.at(bgr, *w.settings.Corners)
		if err != nil {
			return false, err
		}
		w.geometry, err = w.settings.geometry(max(f.barLeft, 0.3), min(f.barRight, 0.7))
		if err != nil {
			return false, err
		}
		w.bias = f.offsets
		return true, nil
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
	f, err := w.board.frame.look(bgr, g)
	if err != nil {
		return false, err
	}
	w.geometry, w.bias = g, f.offsets
	w.forget()
	return true, nil
}

// check looks whether the board still lies where it did, and follows it when it does not. It tells whether the
// board has moved; a single odd look is not believed.
func (w *Watcher) check(bgr gocv.Mat) (moved bool, err error) {
	f, err := w.board.frame.look(bgr, w.geometry)
	if err != nil {
		return false, err
	}
	if f.offsets.from(&w.bias) < bumpedBy && f.nothing < noBoard {
		w.bumps = 0
		return false, nil
	}
	if w.bumps++; w.bumps < bumpedChecks {
		return false, nil
	}
	w.bumps = 0
	if f.nothing >= noBoard && w.settings.Corners == nil {
		w.lose()
		return true, nil
	}
	return true, w.follow(bgr, f.offsets)
}

// follow moves the geometry to where the frame network sees the board now. What the network saw beside the corners
// when they were set, it is taken to see beside them still: corners set by hand stay as exact as they were.
func (w *Watcher) follow(bgr gocv.Mat, seen offsets) error {
	for range refinements {
		var corners [4]Pixel
		for i, c := range unitSquare {
			corners[i] = w.geometry.ToPicture(c[0]+seen[i][0]-w.bias[i][0], c[1]+seen[i][1]-w.bias[i][1])
		}
		g, err := NewGeometry(corners, w.geometry.BarLeft, w.geometry.BarRight)
		if err != nil {
			w.lose()
			return nil
		}
		w.geometry = g
		f, err := w.board.frame.look(bgr, g)
		if err != nil {
			return err
		}
		if seen = f.offsets; seen.from(&w.bias) < settled {
			break
		}
	}
	w.forget()
	return nil
}
