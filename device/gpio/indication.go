package gpio

import (
	"time"

	"davar/clock"
)

// Indication is what lamps and buzzer do at one moment.
type Indication struct {
	Light, Dark bool // the players' lamps are lit
	Buzzer      bool // the buzzer sounds
}

// How lamps blink and the buzzer calls.
const (
	pauseBlink = time.Second // of the interrupted player's lamp
	flagBlink  = 250 * time.Millisecond
	flagBeeps  = 3
)

// Indicate returns what lamps and buzzer do while the clock shows v: the lamp of the running side is lit; in a
// pause that of the interrupted side blinks each second; after a flag that of the flagged side blinks fast and
// the buzzer sounds three times. Ask again at least ten times a second while the clock stands.
func Indicate(v clock.View) Indication {
	var in Indication
	lit, side := true, v.Running
	switch {
	case v.Running != clock.Nobody:
	case v.Paused == clock.Flag:
		beat := v.PausedFor / flagBlink
		side, lit = v.Flagged, beat%2 == 0
		in.Buzzer = lit && beat < 2*flagBeeps
	default:
		side, lit = v.OnMove, v.PausedFor/(pauseBlink/2)%2 == 0
	}
	in.Light = lit && side == clock.Light
	in.Dark = lit && side == clock.Dark
	return in
}
