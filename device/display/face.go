package display

import (
	"strings"
	"time"

	"davar/clock"
)

// Blink is how fast a whole display blinks; the chip does it by itself.
type Blink uint8

// Rates of blinking, in the chip's own numbers.
const (
	Steady Blink = iota
	Twice        // a second
	Once         // a second
	Slow         // once in two seconds
)

// Face is what one display shows. Faces are comparable.
type Face struct {
	Digits [4]byte // segments a to g of each digit in bits 0 to 6, its point in bit 7, left to right
	Colon  bool
	Blink  Blink
}

// point is the bit of a digit's decimal point.
const point = 0x80

// Segments of what the displays write. bit 0 is the top segment a, then clockwise b to f, g is the middle one.
var glyphs = map[rune]byte{
	'0': 0x3f, '1': 0x06, '2': 0x5b, '3': 0x4f, '4': 0x66, '5': 0x6d, '6': 0x7d, '7': 0x07, '8': 0x7f, '9': 0x6f,
	' ': 0x00, 'h': 0x74,
}

func write(text string) (d [4]byte) {
	for i, r := range []rune(text) {
		d[i] = glyphs[r]
	}
	return d
}

// Reserve returns the face of side's own display: his reserve in minutes and seconds, rounded up so that 0:00
// appears at the flag and not before, from 100 minutes on as hours, "1h40". While side is on move four points
// count down his delay by quarters of whole, the delay of a turn: when the last has gone the reserve runs. The
// display blinks once a second while side's turn is interrupted, and twice when his flag has fallen.
func Reserve(v clock.View, side clock.Side, whole time.Duration) Face {
	var f Face
	s := clock.Seconds(v.Remaining[side])
	if m := s / 60; m < 100 {
		f.Digits = write(pad(m, ' ') + pad(s%60, '0'))
		f.Colon = true
	} else {
		h := min(m/60, 9)
		f.Digits = write(string('0'+rune(h)) + "h" + pad(m%60, '0'))
	}
	if v.OnMove == side && whole > 0 {
		for i := range dots(v.Delay, whole) {
			f.Digits[i] |= point
		}
	}
	switch {
	case v.Fallen[side]:
		f.Blink = Twice
	case v.Running == clock.Nobody && v.OnMove == side:
		f.Blink = Once
	}
	return f
}

// Delay returns the face of the display between the players: the seconds left of the running delay, rounded up;
// dark when there is none. It blinks while the turn is interrupted.
func Delay(v clock.View) Face {
	s := clock.Seconds(v.Delay)
	if s == 0 {
		return Face{}
	}
	f := Face{Digits: write("  " + pad(min(s, 99), ' '))}
	if v.Running == clock.Nobody {
		f.Blink = Once
	}
	return f
}

// dots returns how many of four points stand for left of whole: all at the start, none only at the end.
func dots(left, whole time.Duration) int {
	return int(min((4*left+whole-1)/whole, 4))
}

// pad writes n, 0 to 99, in two places with fill before a single digit.
func pad(n int64, fill rune) string {
	tens := fill
	if n >= 10 {
		tens = '0' + rune(n/10)
	}
	return string(tens) + string('0'+rune(n%10))
}

// String returns the face as text, such as "13:48", "1.4:00" (one point lit) or "1h40"; blinking is not in it.
func (f Face) String() string {
	var b strings.Builder
	for i, d := range f.Digits {
		r := '?'
		for glyph, segments := range glyphs {
			if segments == d&^point {
				r = glyph
			}
		}
		b.WriteRune(r)
		if d&point != 0 {
			b.WriteByte('.')
		}
		if i == 1 && f.Colon {
			b.WriteByte(':')
		}
	}
	return b.String()
}
