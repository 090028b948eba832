package embargo

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"sync"
	"time"

	"davar/device/durable"
	"davar/rules/referee"
)

// Given is a state with the moment a table gave it. AsOf is when the figures of its clock were true, Rate how many times as
// fast as the world the match's time runs.
type Given struct {
	State referee.State `json:"state"`
	AsOf  time.Time     `json:"as_of"`
	Rate  float64       `json:"rate"`
	At    time.Time     `json:"at"`
}

// Past is what there was of a match before a restart: its events, oldest first, and the states with which its closed turns
// ended, as a Vault has kept them. Over says that the match goes on no more.
type Past struct {
	Events []Dated
	Given  []Given
	Over   bool
}

// Vault keeps on disk, over a restart and a power cut, the states that spectators see now or are still to see: those with
// which closed turns ended. An open turn is not kept, nor anything when there is no delay. It is a sink of a table; its
// methods never wait for the disk and may be called from any goroutine.
type Vault struct {
	path string
	log  *slog.Logger
	now  func() time.Time
	news chan struct{} // holds one: something is to be written

	mu      sync.Mutex
	embargo *Embargo
	kept    []Given // oldest first
	last    *Given  // the newest, whose turn is open
	final   bool    // a state that comes now ends its turn
}

// OpenVault opens the vault in a file, which need not be there. One that cannot be read is begun anew: spectators then
// wait until the next turn is due.
func OpenVault(path string, delay time.Duration, log *slog.Logger) *Vault {
	v := &Vault{path: path, log: log, now: time.Now, news: make(chan struct{}, 1), embargo: New(delay)}
	if delay <= 0 {
		return v
	}
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &v.kept)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		v.kept = nil
		log.Warn("what spectators saw last cannot be read; they wait for the next turn that is due", "file", path, "error", err)
	}
	return v
}

// Given returns what is kept, oldest first.
func (v *Vault) Given() []Given {
	v.mu.Lock()
	defer v.mu.Unlock()
	return append([]Given(nil), v.kept...)
}

// Publish takes note of an event: one that closes a turn has the state before it kept.
func (v *Vault) Publish(e referee.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.embargo.delay <= 0 {
		return
	}
	if v.last != nil && (e.Match != v.last.State.Match || closesBefore(e.Type)) {
		v.keep()
	}
	v.embargo.Saw(e, v.now())
	v.final = v.final || closesItself(e.Type)
}

// SetState takes note of the newest state.
func (v *Vault) SetState(s referee.State, asOf time.Time, rate float64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.embargo.delay <= 0 {
		return
	}
	v.last = &Given{s, asOf, rate, v.now()}
	if v.final {
		v.keep()
	}
	v.final = false
}

// keep keeps the newest state, and lets go of those that others have taken the place of before spectators; the lock is
// held.
func (v *Vault) keep() {
	v.kept = append(v.kept, *v.last)
	v.last = nil
	for len(v.kept) > 1 {
		next := &v.kept[1]
		if due, closed := v.embargo.Due(next.State.Match, next.State.Seq, next.At); !closed || due.After(v.now()) {
			break
		}
		v.kept = v.kept[1:]
	}
	if n := len(v.kept); n > vaultLimit {
		v.kept = v.kept[n-vaultLimit:]
	}
	select {
	case v.news <- struct{}{}:
	default: // one is enough
	}
}

// vaultLimit bounds how many states are kept: more turns than that are not closed within any sensible delay.
const vaultLimit = 256

// Run writes until ctx ends and the last is written.
func (v *Vault) Run(ctx context.Context) {
	for {
		select {
		case <-v.news:
			v.save()
		case <-ctx.Done():
			select {
			case <-v.news:
				v.save()
			default:
			}
			return
		}
	}
}

func (v *Vault) save() {
	text, err := json.Marshal(v.Given())
	if err == nil {
		// Readable for the program's own user alone: it holds what is not public yet.
		err = durable.Write(v.path, text, 0o600)
	}
	if err != nil {
		v.log.Warn("what spectators are to see cannot be kept for a restart", "error", err)
	}
}

// Date gives the events of a journal the moments at which they were written: now where one does not say, or names a
// moment to come, since a clock that was set back must not hold anything up for longer than the delay.
func Date(events []referee.Event, now time.Time) []Dated {
	dated := make([]Dated, len(events))
	for i, e := range events {
		dated[i] = Dated{Event: e, At: written(e, now)}
	}
	return dated
}

func written(e referee.Event, now time.Time) time.Time {
	at, err := time.Parse(time.RFC3339, e.At)
	if err != nil || at.After(now) {
		return now
	}
	return at
}
