package panel

import (
	"context"
	"flag"
	"io"
	"log/slog"
	"net"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"davar/clock"
	"davar/device/gpio"
	"davar/device/mqtt"
	"davar/rules/referee"
)

// loadedFor is how long the loaded machine is watched. go test ./cmd/davar/panel -run Loaded -loaded 10m -timeout 15m
var loadedFor = flag.Duration("loaded", 3*time.Second, "how long the clock is watched on a loaded machine")

// spin keeps every core busy until ctx ends.
func spin(ctx context.Context, t testing.TB) {
	var busy sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		busy.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				for range 1 << 16 {
					n ^= n << 1
				}
			}
		})
	}
	t.Cleanup(busy.Wait)
}

// stalledCamera is a feed whose device never gives a picture.
type stalledCamera struct{}

func (stalledCamera) Run(ctx context.Context, _ func(context.Context, referee.Input) error) error {
	<-ctx.Done()
	return ctx.Err()
}

// stalledDisk is a journal whose writes take for ever, until the test ends.
type stalledDisk struct{ over <-chan struct{} }

func (d stalledDisk) Append(events []referee.Event, _ []byte, _ time.Duration) ([]referee.Event, error) {
	<-d.over
	return events, nil
}

// stalledBroker listens, takes connections and never answers.
func stalledBroker(t testing.TB) *mqtt.Publisher {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var held sync.WaitGroup
	held.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			held.Go(func() { _, _ = io.Copy(io.Discard, c) })
		}
	})
	publisher, err := mqtt.Start(mqtt.Options{Server: mqtt.Server{URL: "tcp://" + l.Addr().String()},
		Place: mqtt.Place{Club: "c", Table: "t"}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = publisher.Close(ctx) // nobody will ever answer
		l.Close()
		held.Wait()
	})
	return publisher
}

// book is a clock kept by hand, of the presses' own times: without a delay all time is somebody's.
type book struct {
	spent [2]time.Duration
	side  int
	since time.Time
}

func (b *book) press(at time.Time) {
	b.spent[b.side] += at.Sub(b.since)
	b.side, b.since = 1-b.side, at
}

func (b *book) at(t time.Time) [2]time.Duration {
	spent := b.spent
	spent[b.side] += t.Sub(b.since)
	return spent
}

// pressed is what became of the presses of a clock on a loaded machine.
type pressed struct {
	wrong time.Duration   // by how much the clock differed from the one kept by hand, at most
	took  []time.Duration // from each press to the clock's having switched, in order of size
}

func (p pressed) at(share float64) time.Duration { return p.took[int(share*float64(len(p.took)-1))] }

// pressLoaded presses a clock as long as goOn says, while all cores are busy and camera, broker and disk stand still, and
// compares it with one kept by hand. A press that is lost ends the test.
func pressLoaded(t testing.TB, goOn func(presses int) bool) pressed {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	spin(ctx, t)
	sim := gpio.NewSim()
	r := simulated(t)
	r.buttons, r.lamps, r.shown = sim, sim, sim.Shown
	control := clock.Control{System: clock.Plain, Bonus: time.Hour}
	h := furnish(t, r, control)
	h.table.Feed = stalledCamera{}
	h.table.Journal = stalledDisk{ctx.Done()}
	h.table.Sinks = append(h.table.Sinks, stalledBroker(t))
	h.open(t)
	<-h.switched

	at := time.Now()
	sim.Tap(gpio.DarkButton, at)
	<-h.switched
	hand := book{side: 0, since: at}
	var all pressed
	check := func() {
		before := time.Now()
		v, _ := h.panel.Look()
		after := time.Now()
		early, late := hand.at(before), hand.at(after)
		for side := range v.Remaining {
			spent := time.Hour - v.Remaining[side]
			all.wrong = max(all.wrong, early[side]-spent, spent-late[side])
		}
	}
	gap := 120 * time.Millisecond
	for presses := 0; goOn(presses); presses++ {
		<-time.After(gap)
		check()
		gap = 70*time.Millisecond + (gap*7)%(400*time.Millisecond)
		at := time.Now()
		sim.Tap(gpio.Button(presses%2), at) // light is on move first
		select {
		case switched := <-h.switched:
			all.took = append(all.took, switched.Sub(at))
		case <-time.After(20 * time.Second):
			t.Fatalf("press %d was lost", presses+1)
		}
		hand.press(at)
		check()
	}
	slices.Sort(all.took)
	return all
}

func TestOnALoadedMachineTheClockIsExactAndLosesNoPress(t *testing.T) {
	begun := time.Now()
	all := pressLoaded(t, func(int) bool { return time.Since(begun) < *loadedFor })
	if all.wrong > 5*time.Millisecond {
		t.Errorf("the clock was wrong by %v", all.wrong)
	}
	t.Logf("%d presses in %v, none lost; the clock was wrong by at most %v; from press to switched: median %v, 99 %% %v, longest %v",
		len(all.took), *loadedFor, all.wrong, all.at(0.5), all.at(0.99), all.at(1))
}

// BenchmarkPressOnALoadedMachine reports how exact the clock is and how soon it switches while all else stands still.
func BenchmarkPressOnALoadedMachine(b *testing.B) {
	all := pressLoaded(b, func(presses int) bool { return presses < b.N })
	b.ReportMetric(all.wrong.Seconds()*1e3, "ms-wrong")
	b.ReportMetric(all.at(0.5).Seconds()*1e3, "ms-median")
	b.ReportMetric(all.at(0.99).Seconds()*1e3, "ms-p99")
}
