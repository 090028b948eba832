package results

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"davar/device/journal"
	"davar/device/phrasebook"
)

const (
	retryFirst = 5 * time.Second // after a failure
	retryLast  = 10 * time.Minute
	lookEvery  = 30 * time.Second // for matches whose delay has passed
)

// Settings of a desk.
type Settings struct {
	// To is the folder, or the address (http or https), that gets each finished match.
	To string
	// Delay is how long after its end a match is handed over at the earliest (PUB-1).
	Delay   time.Duration
	Journal *journal.Journal
	Book    *phrasebook.Book
	Log     *slog.Logger
	// Fault is called with the error when matches cannot be handed over, and with nil when they can again; nil: nobody
	// is told.
	Fault func(err error)
}

// Desk hands finished matches over. Make it with New and let Run work.
type Desk struct {
	Settings
	send   func(context.Context, *parcel) error
	now    func() time.Time
	failed bool
}

// New returns a desk; the error says what is wrong with the address.
func New(s Settings) (*Desk, error) {
	d := &Desk{Settings: s, now: time.Now}
	address, err := url.Parse(s.To)
	switch {
	case s.To == "":
		return nil, errors.New("results: no folder or address is named")
	case err == nil && (address.Scheme == "http" || address.Scheme == "https"):
		if address.Host == "" {
			return nil, fmt.Errorf("results: %s: the address has no host", s.To)
		}
		d.send = newPost(s.To).send
	case err == nil && len(address.Scheme) > 1: // one letter is a disk
		return nil, fmt.Errorf("results: %s: use a folder, or an address that begins with http or https", s.To)
	default:
		d.send = folder(s.To).send
	}
	return d, nil
}

// Run hands over what is finished and not handed over yet, now and as it comes, until ctx ends. What fails is tried again
// for as long as it takes.
func (d *Desk) Run(ctx context.Context) {
	wait := retryFirst
	for {
		next := lookEvery
		if err := d.handOver(ctx); err != nil && ctx.Err() == nil {
			d.told(err)
			next, wait = wait, min(2*wait, retryLast)
		} else if err == nil {
			d.told(nil)
			wait = retryFirst
		}
		timer := time.NewTimer(next)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
	}
}

// told tells of the first failure and of its end.
func (d *Desk) told(err error) {
	if failed := err != nil; failed != d.failed {
		d.failed = failed
		if d.Fault != nil {
			d.Fault(err)
		}
	}
}

// handOver hands over all matches that are due, the oldest first, and stops at the first that fails.
func (d *Desk) handOver(ctx context.Context) error {
	matches, err := d.Journal.Undelivered(ctx, d.To)
	if err != nil {
		return err
	}
	for _, m := range matches {
		over, err := time.Parse(time.RFC3339, m.Ended)
		if err == nil && d.now().Before(over.Add(d.Delay)) {
			continue
		}
		p, err := d.pack(ctx, m)
		if err != nil {
			return err
		}
		if err := d.send(ctx, p); err != nil {
			return fmt.Errorf("results: hand match %s over to %s: %w", m.ID, d.To, err)
		}
		if err := d.Journal.Delivered(ctx, m.ID, d.To); err != nil {
			return err
		}
		d.Log.Info("a finished match was handed over", "match", m.ID, "to", d.To)
	}
	return nil
}
