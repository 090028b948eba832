package hub

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"davar/device/mqtt"
	"davar/device/phrasebook"
	"davar/device/web"
	"davar/rules/referee"
)

// defaultViewers is how many may watch at once unless it is said otherwise.
const defaultViewers = 20_000

// grace is how long a broker may be away before spectators are told: a node of a cluster that fails is replaced sooner.
const grace = 5 * time.Second

// Settings of a hub. Listen and Broker must be set.
type Settings struct {
	Listen  string      // where the pages are served, "127.0.0.1:8090"
	Broker  mqtt.Server // to follow; the account needs to read the public topics only, and be a director's where there are Accounts
	Club    string      // whose tables; empty: those of all clubs
	Embed   string      // whose pages may frame /embed, as web.Settings has it
	Viewers int         // at most so many streams at once; 0: 20,000
	// Accounts are the directors who may sign in to the console; none: there is no console.
	Accounts []web.Account
	// SessionKey is what hubs behind one load balancer share, as web.Settings has it.
	SessionKey []byte
	Book       *phrasebook.Book
	Log        *slog.Logger // nil discards
}

// Hub is one hub. Make it with New and call Run once.
type Hub struct {
	settings Settings
	hall     *web.Hall
	orders   *mqtt.Orders // nil: there is no console
}

// New prepares a hub; it opens nothing yet. Errors name the setting to mend.
func New(s Settings) (*Hub, error) {
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	if s.Viewers == 0 {
		s.Viewers = defaultViewers
	}
	if err := s.Broker.Check(); err != nil {
		return nil, fmt.Errorf("hub: hub.broker: %w", err)
	}
	h := &Hub{settings: s}
	o := web.Settings{Addr: s.Listen, Embed: s.Embed, MaxViewers: s.Viewers, Book: s.Book, Log: s.Log}
	if len(s.Accounts) > 0 {
		if s.Broker.User == "" {
			return nil, errors.New("hub: hub.accounts: a console needs a director's account at the broker: set hub.user and hub.password_file")
		}
		h.orders = mqtt.NewOrders()
		o.Accounts, o.SessionKey = s.Accounts, s.SessionKey
		o.Order = func(ctx context.Context, at web.Place, match string, d referee.Decision) error {
			return h.orders.Send(ctx, mqtt.Place(at), match, d)
		}
		o.Afar = outpost{h.orders}
	}
	var err error
	if h.hall, err = web.NewHall(o); err != nil {
		return nil, fmt.Errorf("hub: %w", err)
	}
	return h, nil
}

// Listen opens the port of the pages, so that one in use is told before anything else.
func (h *Hub) Listen() error { return h.hall.Listen() }

// URL returns the address of the pages for a browser on this machine.
func (h *Hub) URL() string { return h.hall.URL() }

// Run follows the broker and serves the pages until ctx ends and everything has stopped; then it returns nil. A broker
// that cannot be reached is tried on; wrong settings end it.
func (h *Hub) Run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	relay := newRelay(h.hall)
	defer relay.stop()
	var following sync.WaitGroup
	var wrong error
	following.Go(func() {
		defer stop()
		o := mqtt.FollowOptions{Server: h.settings.Broker, Club: h.settings.Club, Audience: relay, Log: h.settings.Log}
		if h.orders != nil {
			o.Staff, o.Orders = relay, h.orders
		}
		wrong = mqtt.Follow(ctx, o)
	})
	err := h.hall.Run(ctx)
	stop()
	following.Wait()
	if wrong != nil {
		return wrong
	}
	return err
}

// relay hands on to the hall what the follower hears.
type relay struct {
	hall  *web.Hall
	stand map[mqtt.Place]string // of each table, as heard last

	mu    sync.Mutex
	alarm *time.Timer // not nil: the broker is away
}

var (
	_ mqtt.Audience = (*relay)(nil)
	_ mqtt.Staff    = (*relay)(nil)
)

func newRelay(hall *web.Hall) *relay { return &relay{hall: hall, stand: map[mqtt.Place]string{}} }

// State shows a table.
func (r *relay) State(at mqtt.Place, s mqtt.StatePayload) {
	state, asOf, rate, late := s.Shown(time.Now())
	r.hall.SetState(web.Place(at), state, asOf, rate, late, s.Judged)
	r.hall.SetAway(web.Place(at), away(r.stand[at]))
}

// Event tells of an event.
func (r *relay) Event(at mqtt.Place, e mqtt.EventPayload) { r.hall.Publish(web.Place(at), e.Event) }

// Matches lists what is over.
func (r *relay) Matches(at mqtt.Place, finished []mqtt.FinishedMatch) {
	matches := make([]web.FinishedMatch, len(finished))
	for i, m := range finished {
		matches[i] = web.FinishedMatch(m)
	}
	r.hall.SetMatches(web.Place(at), matches)
}

// PrivateState shows a table to directors.
func (r *relay) PrivateState(at mqtt.Place, s mqtt.StatePayload) {
	state, asOf, rate, _ := s.Shown(time.Now())
	r.hall.SetPrivateState(web.Place(at), state, asOf, rate, web.Equipment{Faults: s.Faults, Asks: s.Asks})
	r.hall.SetAway(web.Place(at), away(r.stand[at]))
}

// PrivateEvent tells directors of an event.
func (r *relay) PrivateEvent(at mqtt.Place, e mqtt.EventPayload) {
	r.hall.PublishPrivate(web.Place(at), e.Event)
}

// Available notes how a table stands; it may come before the table's first state.
func (r *relay) Available(at mqtt.Place, word string) {
	if word == "" {
		delete(r.stand, at)
		r.hall.Remove(web.Place(at))
		return
	}
	r.stand[at] = word
	r.hall.SetAway(web.Place(at), away(word))
}

func away(word string) string {
	switch word {
	case mqtt.Stopped:
		return web.AwayStopped
	case mqtt.Offline:
		return web.AwayOffline
	}
	return ""
}

// Link tells the hall when the broker has been away for too long, and at once when it is back.
func (r *relay) Link(problem string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case problem == "":
		r.disarm()
		r.hall.SetDeaf(false)
	case r.alarm == nil:
		r.alarm = time.AfterFunc(grace, func() { r.hall.SetDeaf(true) })
	}
}

func (r *relay) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.disarm()
}

func (r *relay) disarm() {
	if r.alarm != nil {
		r.alarm.Stop()
		r.alarm = nil
	}
}
