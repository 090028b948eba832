package watchdog

import (
	"context"
	"log/slog"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// Feed tells systemd that the program is ready once the pulse has beaten for a moment, feeds its watchdog (WatchdogSec
// in the unit) while the pulse beats, and says goodbye when ctx ends. Healthy, when not nil, is called once, when the
// pulse has beaten for as long as proof. Where systemd did not start the program all but healthy is left out.
func Feed(ctx context.Context, pulse *Pulse, proof time.Duration, healthy func(), log *slog.Logger) {
	interval, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		log.Warn("the watchdog's interval cannot be read; it is not fed", "error", err)
	}
	feed(ctx, feeding{
		pulse: pulse, every: every(interval), proof: proof, healthy: healthy, log: log,
		tell: func(state string) {
			if _, err := daemon.SdNotify(false, state); err != nil {
				log.Warn("systemd cannot be told how the program does", "error", err)
			}
		},
	})
}

// every returns how often to feed: three times in the interval that systemd allows, and each second without one.
func every(interval time.Duration) time.Duration {
	if interval <= 0 {
		return time.Second
	}
	return interval / 3
}

// feeding is Feed with what a test replaces.
type feeding struct {
	pulse   *Pulse
	every   time.Duration
	proof   time.Duration
	healthy func()
	log     *slog.Logger
	tell    func(state string)
	tick    <-chan time.Time // nil: every
}

func feed(ctx context.Context, f feeding) {
	tick := f.tick
	if tick == nil {
		t := time.NewTicker(f.every)
		defer t.Stop()
		tick = t.C
	}
	f.tell(daemon.SdNotifyReady)
	well := time.Now() // since when the pulse has beaten without a gap
	ailing := false
	for {
		select {
		case now := <-tick:
			err := f.pulse.Check()
			if err != nil {
				if !ailing {
					f.log.Error("a loop of the program hangs; the watchdog is not fed any more", "error", err)
				}
				ailing, well = true, now
				continue
			}
			if ailing {
				f.log.Info("the program's loops turn again")
			}
			ailing = false
			f.tell(daemon.SdNotifyWatchdog)
			if f.healthy != nil && now.Sub(well) >= f.proof {
				f.healthy()
				f.healthy = nil
			}
		case <-ctx.Done():
			f.tell(daemon.SdNotifyStopping)
			return
		}
	}
}
