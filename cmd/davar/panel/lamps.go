package panel

import (
	"context"
	"time"

	"davar/device/gpio"
)

const (
	blink = 50 * time.Millisecond // how often blinking lamps are looked at
	again = time.Second           // how often lamps are set anew although nothing changed: their chip may have been reset
)

// light keeps lamps and buzzer showing the clock until ctx ends: at once when it was switched, and as they blink.
func (p *Panel) light(ctx context.Context) {
	tick := time.NewTicker(blink)
	defer tick.Stop()
	var shown gpio.Indication
	var set time.Time // when shown was set; zero: never, or in vain
	var failed bool
	for {
		v, _ := p.Look()
		if in := gpio.Indicate(v); in != shown || time.Since(set) >= again {
			err := p.Lamps.Show(in)
			if (err != nil) != failed {
				failed = err != nil
				p.Fault(FaultLamps, err)
			}
			shown, set = in, time.Now()
			if failed {
				set = time.Time{}
			}
		}
		select {
		case <-p.moved:
		case <-tick.C:
		case <-ctx.Done():
			_ = p.Lamps.Show(gpio.Indication{}) // as dark as they can be made
			return
		}
	}
}
