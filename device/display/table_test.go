package display

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"davar/clock"
)

// glass is a Screen that remembers what is on it.
type glass struct {
	mu     sync.Mutex
	face   Face
	dark   bool
	broken error
}

func (g *glass) Show(f Face) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.broken == nil {
		g.face = f
	}
	return g.broken
}

func (g *glass) Off() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.dark = true
	return g.broken
}

func (g *glass) breakIt(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.broken = err
}

func (g *glass) String() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.face.String()
}

func TestTheDisplaysFollowTheClockAndSurviveEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		control, err := clock.Preset("usbgf-singles")
		if err != nil {
			t.Fatal(err)
		}
		c, err := clock.New(control, [2]time.Duration{14 * time.Minute, 14 * time.Minute}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Press(0, clock.Dark); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		look := func() (clock.View, time.Duration) { return c.View(time.Since(begin)), control.Delay }
		var faults []error
		light, dark := &glass{}, &glass{}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			(&Table{Light: light, Dark: dark}).Run(ctx, look, func(err error) { faults = append(faults, err) })
		}()
		after := func(d time.Duration, wantLight, wantDark string) {
			t.Helper()
			<-time.After(d - time.Since(begin))
			synctest.Wait()
			if light.String() != wantLight || dark.String() != wantDark {
				t.Errorf("after %v: %q %q, want %q %q", d, light, dark, wantLight, wantDark)
			}
		}
		after(10*time.Millisecond, "1.4.:0.0.", "14:00")
		after(20020*time.Millisecond, "13:52", "14:00")
		dark.breakIt(errors.New("pulled"))
		after(30020*time.Millisecond, "13:42", "14:00") // a dead display costs its second, not the other's time
		dark.breakIt(nil)
		after(32020*time.Millisecond, "13:40", "14:00")
		cancel()
		<-ended
		if len(faults) != 2 || faults[0] == nil || faults[1] != nil {
			t.Errorf("faults %v, want one and its end", faults)
		}
		if !light.dark || !dark.dark {
			t.Error("the displays still shine")
		}
	})
}
