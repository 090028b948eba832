package table

import (
	"context"
	"time"
)

// Timeline ties the match's time to the world's: the match's time was From at the moment Start and runs Rate
// times as fast. It relies on the monotonic clock alone.
type Timeline struct {
	Start time.Time
	From  time.Duration
	Rate  float64 // 1 at a live table
}

// Now returns the match's time.
func (tl Timeline) Now() time.Duration { return tl.Match(time.Now()) }

// Match returns the match's time at the moment.
func (tl Timeline) Match(moment time.Time) time.Duration {
	return tl.From + time.Duration(float64(moment.Sub(tl.Start))*tl.Rate)
}

// At returns the moment at which the match's time is t.
func (tl Timeline) At(t time.Duration) time.Time {
	return tl.Start.Add(time.Duration(float64(t-tl.From) / tl.Rate))
}

// Wait returns when the match's time has come to t, or with ctx.Err() when ctx ends first.
func (tl Timeline) Wait(ctx context.Context, t time.Duration) error {
	d := time.Until(tl.At(t))
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
