package camera

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// exposure is what a Pi's own camera has found by itself, by libcamera's controls.
type exposure struct {
	shutter   float64 // ExposureTime, microseconds
	gain      float64 // AnalogueGain times DigitalGain
	red, blue float64 // ColourGains
	lens      float64 // LensPosition, dioptres
	focused   bool    // it has a lens that moves
}

// held returns the exposure as Holder.Hold tells it.
func (x *exposure) held() []Held {
	held := []Held{{"ExposureTime", x.shutter}, {"AnalogueGain", x.gain}, {"ColourGains, red", x.red}, {"ColourGains, blue", x.blue}}
	if x.focused {
		held = append(held, Held{"LensPosition", x.lens})
	}
	return held
}

// options has rpicam-vid keep the exposure; nil: it finds its own.
func (x *exposure) options() []string {
	if x == nil {
		return nil
	}
	options := []string{"--shutter", figure(x.shutter, 0), "--gain", figure(x.gain, 4), "--awbgains", figure(x.red, 4) + "," + figure(x.blue, 4)}
	if x.focused {
		options = append(options, "--autofocus-mode", "manual", "--lens-position", figure(x.lens, 4))
	}
	return options
}

// properties has libcamerasrc keep the exposure; nil: it finds its own.
func (x *exposure) properties() string {
	if x == nil {
		return ""
	}
	all := fmt.Sprintf(" ae-enable=false exposure-time=%s analogue-gain=%s awb-enable=false colour-gains=<%s,%s>",
		figure(x.shutter, 0), figure(x.gain, 4), figure(x.red, 4), figure(x.blue, 4))
	if x.focused {
		all += " af-mode=manual lens-position=" + figure(x.lens, 4)
	}
	return all
}

func figure(v float64, digits int) string { return strconv.FormatFloat(v, 'f', digits, 64) }

// readMetadata reads what rpicam-vid writes about each picture with --metadata-format txt, a line for each control and an
// empty one after the last, and tells each exposure that is whole. It returns when the stream ends.
func readMetadata(in io.Reader, tell func(exposure)) {
	lines := bufio.NewScanner(in)
	var x exposure
	digital := 1.0
	for lines.Scan() {
		name, value, ok := strings.Cut(lines.Text(), "=")
		figures := positive(value)
		switch {
		case !ok:
			if x.shutter > 0 && x.gain > 0 && x.red > 0 {
				x.gain *= digital
				tell(x)
			}
			x, digital = exposure{}, 1
		case name == "LensPosition": // 0 is far away
			if v, err := strconv.ParseFloat(value, 64); err == nil && v >= 0 && v < tooMuch {
				x.lens, x.focused = v, true
			}
		case name == "ExposureTime" && len(figures) == 1:
			x.shutter = figures[0]
		case name == "AnalogueGain" && len(figures) == 1:
			x.gain = figures[0]
		case name == "DigitalGain" && len(figures) == 1:
			digital = figures[0]
		case name == "ColourGains" && len(figures) == 2:
			x.red, x.blue = figures[0], figures[1]
		}
	}
}

// tooMuch is more than any of the figures can be.
const tooMuch = 1e9

// positive returns the figures of "1.5" or "[ 1.5, 2 ]"; none if one of them cannot be.
func positive(text string) (figures []float64) {
	for part := range strings.SplitSeq(strings.Trim(text, "[] "), ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || !(v > 0 && v < tooMuch) {
			return nil
		}
		figures = append(figures, v)
	}
	return figures
}

// keeper keeps a Pi camera's exposure. The camera takes it when it is opened, so it is opened anew to hold and to release.
type keeper struct {
	anew func() // opens the camera anew, soon

	mu     sync.Mutex
	newest *exposure // what it last told; nil: nothing
	kept   *exposure // nil: it finds its own
	mute   bool      // it was opened so that it does not tell
}

var errNotTold = errors.New("camera: hold: the camera has not told its exposure yet")

// see takes note of what the camera found.
func (k *keeper) see(x exposure) {
	k.mu.Lock()
	k.newest = &x
	k.mu.Unlock()
}

// opening returns the exposure with which to open the camera, nil for its own. A mute one tells nothing and keeps nothing.
func (k *keeper) opening(mute bool) *exposure {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.newest, k.mute = nil, mute
	if mute {
		return nil
	}
	return k.kept
}

// Hold implements Holder.
func (k *keeper) Hold() ([]Held, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept == nil {
		switch {
		case k.mute:
			return nil, ErrNothingToHold
		case k.newest == nil:
			return nil, errNotTold
		}
		k.kept = k.newest
		k.anew()
	}
	return k.kept.held(), nil
}

// Release implements Holder.
func (k *keeper) Release() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept != nil {
		k.kept = nil
		k.anew()
	}
	return nil
}
