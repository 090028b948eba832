package display

import (
	"context"
	"errors"
	"slices"
	"time"

	"davar/clock"
)

// Screen is one display.
type Screen interface {
	// Show puts the face on the display; its error says that the display cannot be reached.
	Show(Face) error
	// Off makes the display dark.
	Off() error
}

// Table is the displays of one table; those that are not wired are nil.
type Table struct {
	Light, Dark Screen
	Between     Screen // for the delay
}

// Show puts the view on all displays, whole being the delay of a turn, and returns the errors of those that
// cannot be reached, joined: what is wrong with them all is said once. The others are right.
func (t *Table) Show(v clock.View, whole time.Duration) error {
	failed := slices.DeleteFunc([]error{
		show(t.Light, Reserve(v, clock.Light, whole)),
		show(t.Dark, Reserve(v, clock.Dark, whole)),
		show(t.Between, Delay(v)),
	}, func(err error) bool { return err == nil })
	return errors.Join(slices.CompactFunc(failed, func(a, b error) bool { return a.Error() == b.Error() })...)
}

func show(s Screen, f Face) error {
	if s == nil {
		return nil
	}
	return s.Show(f)
}

// Look returns what the clock shows now and the delay of a turn. It must not wait for anything.
type Look func() (v clock.View, whole time.Duration)

// How often Run looks at the clock, and how often it tries a display that does not answer.
const (
	frame = 50 * time.Millisecond
	again = time.Second
)

// Run keeps the displays showing what look returns until ctx is done, then makes them dark and returns. fault is
// called when a display stops answering, with the errors of all that do not, and with nil when all answer again. A stuck bus holds up
// nothing but Run.
func (t *Table) Run(ctx context.Context, look Look, fault func(error)) {
	tick := time.NewTicker(frame)
	defer tick.Stop()
	patient := Table{Light: patiently(t.Light), Dark: patiently(t.Dark), Between: patiently(t.Between)}
	told := ""
	for {
		err := patient.Show(look())
		if text(err) != told {
			fault(err)
			told = text(err)
		}
		select {
		case <-ctx.Done():
			t.off()
			return
		case <-tick.C:
		}
	}
}

// patient is a screen that is left alone for a while after it failed, so that it does not slow the others.
type patient struct {
	Screen
	failed error
	next   time.Time
}

func patiently(s Screen) Screen {
	if s == nil {
		return nil
	}
	return &patient{Screen: s}
}

// Show implements Screen; a screen that failed is left in peace for a while.
func (p *patient) Show(f Face) error {
	now := time.Now()
	if p.failed != nil && now.Before(p.next) {
		return p.failed
	}
	p.failed, p.next = p.Screen.Show(f), now.Add(again)
	return p.failed
}

func (t *Table) off() {
	for _, s := range []Screen{t.Light, t.Dark, t.Between} {
		if s != nil {
			_ = s.Off() // a display that does not answer is as dark as we can make it
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
