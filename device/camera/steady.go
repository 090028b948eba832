package camera

import (
	"errors"
	"log/slog"
)

// Steadier keeps a camera's pictures comparable: it holds exposure and focus once the board is known, since they must not
// follow the hands over it, and lets them adapt when the light of the room has changed. The zero value with a Source works.
type Steadier struct {
	Source Source
	Log    *slog.Logger // nil: slog.Default

	given bool // there is nothing to hold
	held  bool
	light float64 // brightness when it was held
	off   int     // looks in a row at which it was another
}

// Limits of a Steadier.
const (
	otherLight = 1.5 // as many times brighter or darker is another light
	otherLooks = 2   // at so many looks in a row, and no hand
)

// See is told every few seconds how bright the picture is (Quality.Light) and whether the board is known.
func (s *Steadier) See(light float64, board bool) {
	switch {
	case s.given:
	case !s.held && board:
		s.hold(light)
	case s.held && (light > otherLight*s.light || light*otherLight < s.light):
		if s.off++; s.off >= otherLooks {
			s.release()
		}
	default:
		s.off = 0
	}
}

func (s *Steadier) hold(light float64) {
	held, err := Hold(s.Source)
	switch {
	case errors.Is(err, ErrNothingToHold):
		s.given = true
		return
	case err != nil && len(held) == 0:
		s.log().Warn("the camera's exposure and focus cannot be held now", "error", err)
		return
	case err != nil:
		s.log().Warn("not all of the camera's exposure and focus can be held", "error", err)
	}
	s.held, s.light, s.off = true, light, 0
	s.log().Info("the camera's exposure and focus are held", "at", held)
}

func (s *Steadier) release() {
	if err := Release(s.Source); err != nil {
		s.log().Warn("the camera does not adapt to the light by itself again", "error", err)
		return
	}
	s.held, s.off = false, 0
	s.log().Info("the light has changed; the camera adapts to it")
}

func (s *Steadier) log() *slog.Logger {
	if s.Log == nil {
		return slog.Default()
	}
	return s.Log
}
