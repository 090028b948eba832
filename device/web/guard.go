package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/alexedwards/scs/v2/memstore"
	"golang.org/x/crypto/bcrypt"
)

const (
	shortestPassword = 8
	longestPassword  = 72 // what bcrypt takes
	sessionLife      = 12 * time.Hour
	sessionKey       = "director"
)

// errSlowDown says that somebody has tried too often.
var errSlowDown = errors.New("web: sign in: too many attempts")

// guard decides who may change a match. Passwords are never written to a log nor kept in the clear.
type guard struct {
	hash     []byte            // bcrypt hash, or nil
	digest   [sha256.Size]byte // of a password given in the clear
	open     bool              // false: nobody can sign in
	sessions *scs.SessionManager
	attempts *attempts
	turns    chan struct{} // bounds how many passwords are compared at once: a hash costs a tenth of a second
}

func newGuard(password string) (*guard, error) {
	g := &guard{sessions: scs.New(), attempts: newAttempts(time.Now), turns: make(chan struct{}, 2)}
	// Only those who know the password get a session, so expired ones need no sweeping goroutine.
	g.sessions.Store = memstore.NewWithCleanupInterval(0)
	g.sessions.Lifetime = sessionLife
	g.sessions.Cookie.Name = "davar_session"
	g.sessions.Cookie.SameSite = http.SameSiteStrictMode
	g.sessions.Cookie.HttpOnly = true
	switch {
	case password == "":
		return g, nil
	case strings.HasPrefix(password, "$2"):
		if _, err := bcrypt.Cost([]byte(password)); err != nil {
			return nil, fmt.Errorf("web: set the password: it begins like a bcrypt hash and is none: %w", err)
		}
		g.hash = []byte(password)
	case len(password) < shortestPassword || len(password) > longestPassword:
		return nil, fmt.Errorf("web: set the password: it must have %d to %d characters", shortestPassword, longestPassword)
	default:
		g.digest = sha256.Sum256([]byte(password))
	}
	g.open = true
	return g, nil
}

// right compares a password in a time that does not depend on how much of it is right.
func (g *guard) right(password string) bool {
	if !g.open || len(password) > longestPassword {
		return false
	}
	if g.hash != nil {
		g.turns <- struct{}{}
		defer func() { <-g.turns }()
		return bcrypt.CompareHashAndPassword(g.hash, []byte(password)) == nil
	}
	digest := sha256.Sum256([]byte(password))
	return subtle.ConstantTimeCompare(digest[:], g.digest[:]) == 1
}

// try compares a password for somebody at a remote address, who has only so many attempts.
func (g *guard) try(remote, password string) (bool, error) {
	if !g.attempts.take(remote) {
		return false, errSlowDown
	}
	if !g.right(password) {
		return false, nil
	}
	g.attempts.giveBack(remote)
	return true, nil
}

// signedIn reports whether the request carries a living session.
func (g *guard) signedIn(r *http.Request) bool {
	cookie, err := r.Cookie(g.sessions.Cookie.Name)
	if err != nil {
		return false
	}
	ctx, err := g.sessions.Load(r.Context(), cookie.Value)
	return err == nil && g.sessions.GetBool(ctx, sessionKey)
}

// authorized reports whether the request may change the match: by session, or by the password as a bearer token
// (for programs). The error is errSlowDown when a token was refused unread.
func (g *guard) authorized(r *http.Request) (bool, error) {
	if g.signedIn(r) {
		return true, nil
	}
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return false, nil
	}
	return g.try(r.RemoteAddr, token)
}
