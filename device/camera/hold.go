package camera

import "errors"

// ErrNothingToHold is Hold's error for a source whose exposure and focus cannot be held: it has none, or they are set
// elsewhere.
var ErrNothingToHold = errors.New("camera: hold: this camera has no automatic exposure or focus that can be stopped from here")

// Held is a value that a camera keeps.
type Held struct {
	Name  string  `json:"name"` // as its driver calls it
	Value float64 `json:"value"`
}

// Holder is a source whose exposure, gain, white balance and focus can be held. Its methods may be called from any
// goroutine, while another reads.
type Holder interface {
	// Hold stops what the camera changes by itself where it is now, and returns what is held. It stays so when the camera is
	// lost and comes back, until Release. Its error is ErrNothingToHold where there is nothing to hold.
	Hold() ([]Held, error)
	// Release lets the camera change by itself again what Hold stopped.
	Release() error
}

// Hold holds s, if it can be held.
func Hold(s Source) ([]Held, error) {
	if h, ok := s.(Holder); ok {
		return h.Hold()
	}
	return nil, ErrNothingToHold
}

// Release releases s, if it can be held.
func Release(s Source) error {
	if h, ok := s.(Holder); ok {
		return h.Release()
	}
	return nil
}
