package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"davar/device/mqtt"
)

// scene is a table with everything around it.
type scene struct {
	camera     *netCamera
	stopCamera context.CancelFunc
	broker     *mqtt.Broker
	brokerAt   string
	users      []mqtt.User
	wire       *wire
	disk       *disk
	table      *table
	shown      *shown
	viewer     paho.Client
	spectators int
	faults     []fault

	mu     sync.Mutex // guards report.Wrong
	report Report
	runs   [][]sample // of each program started
}

// recovery is how long the table may take to be well again after a fault was mended. A camera is tried again after 8 s
// at the latest, a broker likewise; a busy machine needs more.
const recovery = 90 * time.Second

// leap is by how much the clock jumps: a machine without a clock of its own, or one that is an hour off, asks NTP.
const leap = time.Hour

// furnish sets everything up; the program does not run yet.
func furnish(o *options, folder string) (*scene, error) {
	s := &scene{shown: newShown(), spectators: o.spectators}
	davar, err := filepath.Abs(o.davar)
	if err != nil {
		return nil, fmt.Errorf("soak: find the program: %w", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stopCamera = stop
	if s.camera, err = startCamera(ctx, o.film); err != nil {
		stop()
		return nil, err
	}
	if s.brokerAt, err = freeAddress(); err != nil {
		return nil, err
	}
	if s.disk, err = mountDisk(filepath.Join(folder, "log")); err != nil {
		return nil, err
	}
	if s.wire, err = startWire(s.brokerAt); err != nil {
		return nil, err
	}
	if s.table, err = newTable(davar, folder, s.disk.folder, s.camera.url(), s.wire.addr()); err != nil {
		return nil, err
	}
	s.users = []mqtt.User{{Name: "director", Password: s.table.password, Role: mqtt.Table}, {Name: "viewer", Password: "viewer", Role: mqtt.Director}}
	if err := s.startBroker(); err != nil {
		return nil, err
	}
	s.viewer = s.shown.subscribe(s.brokerAt, s.users[1])
	s.faults = s.allFaults()
	return s, nil
}

func (s *scene) startBroker() (err error) {
	s.broker, err = mqtt.StartBroker(mqtt.BrokerOptions{Listen: s.brokerAt, Users: s.users, Log: slog.New(slog.DiscardHandler)})
	return err
}

func (s *scene) allFaults() []fault {
	always := func(f func()) func() error { return func() error { f(); return nil } }
	all := []fault{
		{name: "process killed", begin: func() error { return s.table.kill() }, end: always(func() {}), restarts: true, blinds: true},
		{name: "camera unplugged", begin: always(func() { s.camera.unplug(true) }), end: always(func() { s.camera.unplug(false) }), blinds: true},
		{name: "broker down", begin: func() error { return s.broker.Close() }, end: s.startBroker},
		{name: "network cut", begin: always(func() { s.wire.cut(true) }), end: always(func() { s.wire.cut(false) })},
		{name: "camera hangs", begin: always(func() { s.camera.hang(true) }), end: always(func() { s.camera.hang(false) }), blinds: true},
	}
	if s.disk.mounted {
		all = append(all, fault{name: "disk full", begin: func() error { return s.disk.fill(true) }, end: func() error { return s.disk.fill(false) }})
	} else {
		s.report.Left = append(s.report.Left, "disk full: mounting a small disk needs root")
	}
	if wallReached {
		all = append(all,
			fault{name: "clock put forward", begin: func() error { return s.table.jump(leap) }, end: func() error { return s.table.jump(0) }},
			fault{name: "clock put back", begin: func() error { return s.table.jump(-leap) }, end: func() error { return s.table.jump(0) }})
	} else {
		s.report.Left = append(s.report.Left, "the clock jumps: that of one program can be set on Linux on amd64 alone")
	}
	return all
}

// clear takes everything down again.
func (s *scene) clear() {
	s.viewer.Disconnect(100)
	s.wire.stop()
	_ = s.broker.Close()
	s.stopCamera()
	s.camera.stop()
	s.table.log.Close()
	s.disk.unmount()
}

// soak plays for so long and proves at the end what must hold. What it returns as an error is its own; what the table did
// not stand is in the report.
func (s *scene) soak(ctx context.Context, length time.Duration, progress io.Writer) (*Report, error) {
	if err := s.table.start(); err != nil {
		return nil, err
	}
	begun := time.Now()
	around, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	for range s.spectators {
		running.Go(func() { s.shown.spectate(around, "http://"+s.table.page) })
	}
	running.Go(func() { s.pressOn(around) })
	running.Go(func() { s.watch(around) })
	running.Go(func() { s.playOn(around) })
	err := s.awaitWell(ctx, 2*recovery)
	if err != nil {
		err = fmt.Errorf("soak: the table did not begin: %w", err)
	}
	for _, h := range schedule(length, s.faults) {
		if err == nil {
			err = s.happen(ctx, h, begun, progress)
		}
	}
	if err == nil {
		err = pause(ctx, time.Until(begun.Add(length)))
	}
	stop()
	running.Wait()
	s.report.Lasted = time.Since(begun).Round(time.Second).String()
	s.report.Rounds = s.camera.seen()
	if stopped := s.table.end(syscall.SIGINT, 30*time.Second); stopped != nil {
		s.wrong("%v", stopped)
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	for _, crash := range s.table.fell() {
		s.wrong("%s", crash)
	}
	// Interrupted, it still tells what it has seen.
	return &s.report, s.prove(context.WithoutCancel(ctx))
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// happen lets one fault happen, mends it, and sees whether the table gets over it.
func (s *scene) happen(ctx context.Context, h happening, begun time.Time, progress io.Writer) error {
	if err := pause(ctx, time.Until(begun.Add(h.at))); err != nil {
		return err
	}
	f := s.faults[h.fault]
	s.camera.hold(f.blinds)
	defer s.camera.hold(false)
	if err := f.begin(); err != nil {
		return fmt.Errorf("soak: %s: %w", f.name, err)
	}
	waited := error(nil)
	if !f.restarts {
		waited = pause(ctx, h.lasts)
	}
	mended := time.Now()
	if err := f.end(); err != nil {
		return fmt.Errorf("soak: mend: %s: %w", f.name, err)
	}
	if waited != nil {
		return waited
	}
	err := s.awaitWell(ctx, recovery)
	took := time.Since(mended).Round(100 * time.Millisecond)
	s.report.happened(f.name, took)
	fmt.Fprintf(progress, "%6s  %s for %v, well again after %v\n", time.Since(begun).Round(time.Second), f.name, h.lasts, took)
	if err != nil && ctx.Err() == nil {
		s.wrong("%s: not well after %v: %v", f.name, recovery, err)
	}
	if f.restarts {
		_ = s.resume(ctx) // refused where there was nothing to resume
	}
	return ctx.Err()
}

// awaitWell waits until the table is fully at work.
func (s *scene) awaitWell(ctx context.Context, within time.Duration) (err error) {
	for until := time.Now().Add(within); time.Now().Before(until); {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var g map[string]float64
		if g, err = s.table.gauges(ctx); err == nil {
			if err = well(g); err == nil {
				return nil
			}
		}
		_ = pause(ctx, 200*time.Millisecond)
	}
	return err
}

// resume has the clocks go on that a restart left standing.
func (s *scene) resume(ctx context.Context) error {
	return s.table.post(ctx, "/decision", `{"decision":"resume"}`)
}

// pressOn presses what the players press in the film.
func (s *scene) pressOn(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case in := <-s.camera.press:
			path, body := "/press", ""
			if in.Press != nil {
				body = fmt.Sprintf(`{"side":%q}`, in.Press.Side)
			} else {
				path, body = "/decision", fmt.Sprintf(`{"decision":%q}`, in.Decision.What)
			}
			s.report.pressed(s.pressUntilHeard(ctx, path, body))
		}
	}
}

// pressUntilHeard presses as somebody does who sees that his clock still runs: again while the program is down, and after
// a word to the director where the clocks stand, as they do after a restart. It returns what became of the first press.
func (s *scene) pressUntilHeard(ctx context.Context, path, body string) error {
	first := s.table.post(ctx, path, body)
	err := first
	for until := time.Now().Add(recovery); err != nil && ctx.Err() == nil && time.Now().Before(until); {
		if errors.Is(err, errRefused) {
			if s.resume(ctx) != nil {
				return err // the clocks run: the referee has no use for it
			}
			return s.table.post(ctx, path, body)
		}
		_ = pause(ctx, 200*time.Millisecond)
		err = s.table.post(ctx, path, body)
	}
	return first
}

// playOn has the director set up a match anew each time the film has ended, and the film played again for it.
func (s *scene) playOn(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.camera.over:
		}
		err := errors.New("")
		for until := time.Now().Add(2 * recovery); err != nil && ctx.Err() == nil && time.Now().Before(until); {
			if err = s.table.post(ctx, "/director/setup", `{"values":{},"abandon":true}`); err != nil {
				_ = pause(ctx, time.Second) // what fails now may not fail later
			}
		}
		if err != nil && ctx.Err() == nil {
			s.wrong("no match could be set up for %v: %v", 2*recovery, err)
		}
		select {
		case <-ctx.Done():
			return
		case s.camera.again <- struct{}{}:
		}
	}
}

// watch looks at what the program uses, some times a minute.
func (s *scene) watch(ctx context.Context) {
	for pause(ctx, 5*time.Second) == nil {
		age := s.table.age()
		g, err := s.table.gauges(ctx)
		if err != nil {
			continue
		}
		if n := len(s.runs); n == 0 || len(s.runs[n-1]) > 0 && s.runs[n-1][len(s.runs[n-1])-1].at > age {
			s.runs = append(s.runs, nil) // another program
		}
		last := &s.runs[len(s.runs)-1]
		*last = append(*last, sample{age, g["process_resident_memory_bytes"] / (1 << 20), g["go_goroutines"]})
	}
}
