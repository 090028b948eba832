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
	nameKey, roleKey = "name", "role" // of a session
)

// errSlowDown says that somebody has tried too often.
var errSlowDown = errors.New("web: sign in: too many attempts")

// caller is somebody who has proved who he is; the zero value is anybody.
type caller struct {
	Name string
	Role Role
}

// guard decides who may see and change what. Passwords are never written to a log nor kept in the clear.
type guard struct {
	hashes   map[string]Account // by name
	digest   [sha256.Size]byte  // of the director's password, where that was given in the clear
	plain    bool               // there is such a password
	stranger string             // a hash to compare with when the name is unknown, so that names cannot be told by the time it takes
	sessions *scs.SessionManager
	passes   *passes // not nil: they stand for sessions
	tablets  *tablets
	attempts *attempts
	turns    chan struct{} // bounds how many passwords are compared at once: a hash costs a tenth of a second
}

// NewSessions returns a place for sessions that outlives a server, for Settings.Sessions.
func NewSessions() scs.Store {
	// Only those who know a password get a session, so expired ones need no sweeping goroutine.
	return memstore.NewWithCleanupInterval(0)
}

// newSessionManager returns what keeps sessions in store; nil: in one of its own. scs.New would leave a goroutine behind that sweeps
// the store it comes with, once for each match.
func newSessionManager(store scs.Store) *scs.SessionManager {
	if store == nil {
		store = NewSessions()
	}
	return &scs.SessionManager{
		Lifetime: sessionLife, Store: store, Codec: scs.GobCodec{},
		ErrorFunc: func(w http.ResponseWriter, _ *http.Request, _ error) {
			http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		},
		Cookie: scs.SessionCookie{Name: "davar_session", Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Persist: true},
	}
}

func newGuard(s *Settings) (*guard, error) {
	g := &guard{
		hashes: map[string]Account{}, sessions: newSessionManager(s.Sessions), attempts: newAttempts(time.Now), turns: make(chan struct{}, 2),
	}
	for _, a := range s.Accounts {
		if err := a.check(); err != nil {
			return nil, err
		}
		g.hashes[a.Name], g.stranger = a, a.Hash
	}
	if err := g.setPassword(s.Password); err != nil {
		return nil, err
	}
	var err error
	g.tablets, err = openTablets(s.Folder)
	return g, err
}

// setPassword opens the director's own account.
func (g *guard) setPassword(password string) error {
	switch {
	case password == "":
	case strings.HasPrefix(password, "$2"):
		if _, err := bcrypt.Cost([]byte(password)); err != nil {
			return fmt.Errorf("web: set the password: it begins like a bcrypt hash and is none: %w", err)
		}
		g.hashes[directorsName] = Account{directorsName, Director, password}
	case len(password) < shortestPassword || len(password) > longestPassword:
		return fmt.Errorf("web: set the password: it must have %d to %d characters", shortestPassword, longestPassword)
	default:
		g.digest, g.plain = sha256.Sum256([]byte(password)), true
	}
	return nil
}

// open tells whether anybody can sign in.
func (g *guard) open() bool { return g.plain || len(g.hashes) > 0 }

// named tells whether a name is needed to sign in: there are more accounts than the director's.
func (g *guard) named() bool {
	_, own := g.hashes[directorsName]
	return len(g.hashes) > 1 || len(g.hashes) == 1 && !own
}

// right compares a password in a time that depends neither on how much of it is right nor on whether the name is known.
func (g *guard) right(name, password string) (caller, bool) {
	if !g.open() || len(password) > longestPassword || len(name) > longestName {
		return caller{}, false
	}
	if name == directorsName && g.plain {
		digest := sha256.Sum256([]byte(password))
		return caller{name, Director}, subtle.ConstantTimeCompare(digest[:], g.digest[:]) == 1
	}
	a, known := g.hashes[name]
	hash := a.Hash
	if !known {
		hash = g.stranger
	}
	g.turns <- struct{}{}
	defer func() { <-g.turns }()
	return caller{a.Name, a.Role}, bcrypt.CompareHashAndPassword([]byte(hash), []byte(password)) == nil && known
}

// try compares a password for somebody at a remote address, who has only so many attempts.
func (g *guard) try(remote, name, password string) (caller, bool, error) {
	if !g.attempts.take(remote) {
		return caller{}, false, errSlowDown
	}
	who, ok := g.right(name, password)
	if !ok {
		return caller{}, false, nil
	}
	g.attempts.giveBack(remote)
	return who, true, nil
}

// session returns who a living session or a paired tablet belongs to, the zero caller for anybody else.
func (g *guard) session(r *http.Request) caller {
	if g.passes != nil {
		return g.passOf(r)
	}
	if cookie, err := r.Cookie(g.sessions.Cookie.Name); err == nil {
		if ctx, err := g.sessions.Load(r.Context(), cookie.Value); err == nil {
			if role := g.sessions.GetString(ctx, roleKey); role != "" {
				return caller{g.sessions.GetString(ctx, nameKey), Role(role)}
			}
		}
	}
	if cookie, err := r.Cookie(tabletCookie); err == nil {
		if t, ok := g.tablets.find(cookie.Value); ok {
			return caller{t.Name, AtTable}
		}
	}
	return caller{}
}

// passOf returns whose pass a request carries.
func (g *guard) passOf(r *http.Request) caller {
	cookie, err := r.Cookie(passCookie)
	if err != nil {
		return caller{}
	}
	name := g.passes.read(cookie.Value, func(name string) string { return g.hashes[name].Hash })
	if name == "" {
		return caller{}
	}
	return caller{name, g.hashes[name].Role}
}

// signedIn reports whether the request carries a living session of a director.
func (g *guard) signedIn(r *http.Request) bool { return g.session(r).Role == Director }

// who returns who asks: by session, by a tablet's pairing, or, for programs, by the director's password or a tablet's
// token in the header "Authorization: Bearer". The error is errSlowDown when a token was refused unread.
func (g *guard) who(r *http.Request) (caller, error) {
	if c := g.session(r); c.Role != "" {
		return c, nil
	}
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return caller{}, nil
	}
	if t, ok := g.tablets.find(token); ok {
		return caller{t.Name, AtTable}, nil
	}
	c, _, err := g.try(r.RemoteAddr, directorsName, token)
	return c, err
}

// authorized reports whether the request comes from a director, as who tells.
func (g *guard) authorized(r *http.Request) (bool, error) {
	c, err := g.who(r)
	return c.Role == Director, err
}
