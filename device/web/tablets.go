package web

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	tabletCookie  = "davar_tablet"
	codeLife      = 10 * time.Minute // how long a pairing code can be typed in
	codeLength    = 8
	mostTablets   = 100
	mostCodes     = 20
	tabletLife    = 400 * 24 * time.Hour // what browsers keep a cookie at most
	lastSeenEvery = time.Minute          // how exactly it is known when a tablet was last seen
)

var (
	errPaired = errors.New("web: pair a tablet: too many are paired; take the right from one that is no longer used")
	errNoCode = errors.New("web: pair a tablet: this code is not known, or older than ten minutes")
)

// Tablet is a unit at a table that was paired from the console.
type Tablet struct {
	ID     string    `json:"id"`
	Name   string    `json:"name"`
	Paired time.Time `json:"paired"`
	Seen   time.Time `json:"seen"` // to the minute; not kept across a restart
	// Hash is the SHA-256 of the token that the tablet alone holds.
	Hash string `json:"hash,omitempty"`
}

// pairing is a code shown on the console that waits to be typed in at a table.
type pairing struct {
	code, name string
	until      time.Time
}

// tablets knows the paired ones and the codes under way. The token of a tablet is 256 random bits: its plain hash is safe
// to keep and quick to compare.
type tablets struct {
	now   func() time.Time
	shelf shelf

	mu     sync.Mutex
	paired []Tablet
	codes  []pairing
}

func openTablets(folder string) (*tablets, error) {
	t := &tablets{now: time.Now, shelf: shelfIn(folder, "tablets.json")}
	return t, t.shelf.load(&t.paired)
}

// invite returns a code that pairs one tablet within ten minutes.
func (t *tablets) invite(name string) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	t.codes = slices.DeleteFunc(t.codes, func(p pairing) bool { return !now.Before(p.until) || p.name == name })
	if len(t.paired) >= mostTablets || len(t.codes) >= mostCodes {
		return "", errPaired
	}
	code := rand.Text()[:codeLength] // of 32 letters and digits that cannot be taken for each other: 40 bits
	t.codes = append(t.codes, pairing{code, name, now.Add(codeLife)})
	return code[:codeLength/2] + "-" + code[codeLength/2:], nil
}

// pair uses a code up and returns the new tablet's token, which is told this once.
func (t *tablets) pair(code string) (token string, tablet Tablet, err error) {
	code = strings.ToUpper(strings.NewReplacer("-", "", " ", "", "\u200c", "").Replace(code))
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	at := slices.IndexFunc(t.codes, func(p pairing) bool { return p.code == code && now.Before(p.until) })
	if at < 0 {
		return "", Tablet{}, errNoCode
	}
	token = rand.Text() + rand.Text()
	tablet = Tablet{ID: strings.ToLower(rand.Text()[:12]), Name: t.codes[at].name, Paired: now, Seen: now, Hash: digestOf(token)}
	paired := append(slices.Clone(t.paired), tablet)
	if err := t.shelf.save(paired); err != nil {
		return "", Tablet{}, err
	}
	t.paired, t.codes = paired, slices.Delete(t.codes, at, at+1)
	return token, tablet, nil
}

func digestOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// find returns the tablet that holds a token.
func (t *tablets) find(token string) (Tablet, bool) {
	if len(token) != 52 {
		return Tablet{}, false
	}
	hash := digestOf(token)
	t.mu.Lock()
	defer t.mu.Unlock()
	at := slices.IndexFunc(t.paired, func(p Tablet) bool { return p.Hash == hash })
	if at < 0 {
		return Tablet{}, false
	}
	if now := t.now(); now.Sub(t.paired[at].Seen) > lastSeenEvery {
		t.paired[at].Seen = now
	}
	return t.paired[at], true
}

// revoke takes the right from a tablet and reports whether there was one.
func (t *tablets) revoke(id string) (bool, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	rest := slices.DeleteFunc(slices.Clone(t.paired), func(p Tablet) bool { return p.ID == id })
	if len(rest) == len(t.paired) {
		return false, nil
	}
	// In memory first: a right that is taken must be gone even where the disk is full.
	t.paired = rest
	return true, t.shelf.save(rest)
}

// all returns the tablets, the newest first, without what proves who they are.
func (t *tablets) all() []Tablet {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := slices.Clone(t.paired)
	slices.Reverse(list)
	for i := range list {
		list[i].Hash = ""
	}
	return list
}
