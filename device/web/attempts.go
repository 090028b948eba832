package web

import (
	"net/netip"
	"sync"
	"time"
)

const (
	attemptsAtOnce   = 5                // wrong passwords before the wait begins
	attemptEvery     = 12 * time.Second // one more attempt after this long
	attemptsWatched  = 4096             // addresses remembered; beyond them strangers wait
	attemptsForgiven = attemptsAtOnce * attemptEvery
)

// attempts counts wrong passwords per address. The addresses of one IPv6 subnet count as one, since one machine
// has all of them.
type attempts struct {
	now func() time.Time

	mu   sync.Mutex
	used map[netip.Prefix]time.Time // when all attempts used so far are forgiven
}

func newAttempts(now func() time.Time) *attempts {
	return &attempts{now: now, used: map[netip.Prefix]time.Time{}}
}

func prefixOf(remote string) netip.Prefix {
	addr, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Prefix{}
	}
	ip, bits := addr.Addr().Unmap(), 32
	if ip.Is6() {
		bits = 64
	}
	prefix, err := ip.WithZone("").Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return prefix
}

// take uses up one attempt of the address (host:port) and reports whether it had one.
func (a *attempts) take(remote string) bool {
	key, now := prefixOf(remote), a.now()
	a.mu.Lock()
	defer a.mu.Unlock()
	until, known := a.used[key]
	if !known && len(a.used) >= attemptsWatched && !a.forget(now) {
		return false
	}
	if until.Before(now) {
		until = now
	}
	if until.Add(attemptEvery).Sub(now) > attemptsForgiven {
		return false
	}
	a.used[key] = until.Add(attemptEvery)
	return true
}

// giveBack returns an attempt that turned out to be right.
func (a *attempts) giveBack(remote string) {
	key := prefixOf(remote)
	a.mu.Lock()
	defer a.mu.Unlock()
	if until, ok := a.used[key]; ok {
		a.used[key] = until.Add(-attemptEvery)
	}
}

// forget drops addresses that are forgiven and reports whether that made room.
func (a *attempts) forget(now time.Time) bool {
	for key, until := range a.used {
		if !until.After(now) {
			delete(a.used, key)
		}
	}
	return len(a.used) < attemptsWatched
}
