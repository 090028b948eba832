package mqtt

import (
	"context"
	"flag"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"davar/rules/referee"
)

var mosquittoKills = flag.Int("mosquitto-kills", 10, "how often Mosquitto is killed at a random moment")

// stayer is a spectator who stays through everything and writes down what he is told.
type stayer struct {
	mu     sync.Mutex
	events []int64
	state  int64
	there  bool // the table's availability was told: he hears what happens from now on
}

func (s *stayer) State(_ Place, p StatePayload) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = p.Seq
}

func (s *stayer) Event(_ Place, e EventPayload) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, e.Seq)
}

func (s *stayer) Matches(Place, []FinishedMatch) {}
func (s *stayer) Available(Place, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.there = true
}
func (s *stayer) Link(string) {}

func (s *stayer) has(seq int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state == seq && len(s.events) > 0 && s.events[len(s.events)-1] == seq
}

// Mosquitto is killed at any moment and comes back a moment later, while a table plays. A spectator who stays has every
// event once, in order, and the right state.
func TestMosquittoIsKilledAtAnyMomentAndWhoStaysHasEverythingOnce(t *testing.T) {
	m := newMosquitto(t)
	m.start()
	server := Server{URL: "tcp://" + m.address, User: tableAccount.Name, Password: tableAccount.Password}
	var all []referee.Event
	var mu sync.Mutex
	journal := func(ctx context.Context, match string, from int64, limit int) ([]referee.Event, error) {
		mu.Lock()
		defer mu.Unlock()
		return book(all...)(ctx, match, from, limit)
	}
	p := startPublisher(t, Options{Server: server, Backfill: journal})
	viewer := &stayer{}
	ctx, stop := context.WithCancel(t.Context())
	var following, playing sync.WaitGroup
	following.Go(func() {
		if err := Follow(ctx, FollowOptions{Server: Server{URL: server.URL}, Audience: viewer, Log: quiet}); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		stop()
		following.Wait()
	})
	happen := func() int64 {
		mu.Lock()
		defer mu.Unlock()
		e := roll("m", int64(len(all)+1))
		all = append(all, e)
		p.Publish(e)
		p.SetState(referee.State{Match: "m", Seq: e.Seq}, time.Now(), 1)
		return e.Seq
	}
	waitFor(t, "the spectator", func() bool {
		viewer.mu.Lock()
		defer viewer.mu.Unlock()
		return viewer.there
	})
	first := happen()
	waitFor(t, "the first event", func() bool { return viewer.has(first) })

	enough := make(chan struct{})
	playing.Go(func() {
		pace := time.NewTicker(5 * time.Millisecond)
		defer pace.Stop()
		for {
			select {
			case <-enough:
				return
			case <-pace.C:
				happen()
			}
		}
	})
	seed := time.Now().UnixNano()
	random := rand.New(rand.NewPCG(uint64(seed), 1))
	for range *mosquittoKills {
		<-time.After(time.Duration(random.IntN(1500)) * time.Millisecond)
		m.kill()
		<-time.After(time.Duration(random.IntN(300)) * time.Millisecond)
		m.start()
	}
	close(enough)
	playing.Wait()
	last := happen()
	waitFor(t, "the last event and state", func() bool { return viewer.has(last) })
	viewer.mu.Lock()
	defer viewer.mu.Unlock()
	want := make([]int64, last)
	for i := range want {
		want[i] = int64(i + 1)
	}
	if !slices.Equal(viewer.events, want) {
		for i, seq := range viewer.events {
			if seq != int64(i+1) {
				t.Fatalf("seed %d: after %d events event %d comes", seed, i, seq)
			}
		}
		t.Fatalf("seed %d: he has %d events of %d", seed, len(viewer.events), last)
	}
}
