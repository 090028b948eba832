package main

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"gocv.io/x/gocv"

	"davar/cmd/davar/panel"
	"davar/cmd/davar/table"
	"davar/device/camera"
	"davar/device/doctor"
	"davar/device/metrics"
	"davar/device/watchdog"
	"davar/device/web"
	"davar/rules/referee"
	"davar/rules/sighting"
)

// Loops that must turn: the judge looks at the clock ten times a second, and a camera that is lost says so every two
// seconds; reading one picture on a loaded Pi may take seconds.
const (
	judgeTurns  = 10 * time.Second
	cameraTurns = time.Minute
)

// health knows how the running table does: for metrics, doctor and watchdog.
type health struct {
	metrics *metrics.Table
	pulse   *watchdog.Pulse
	lookout *lookout // nil: there is no camera

	mu     sync.Mutex
	faults map[string]error // of devices that fail, by what the phrasebook calls them
}

func newHealth() *health {
	return &health{metrics: metrics.New(programVersion()), pulse: watchdog.NewPulse(), faults: map[string]error{}}
}

// fault takes note of a device that fails, and with nil that it works again.
func (h *health) fault(what string, err error) {
	h.metrics.Fault(what, err != nil)
	h.mu.Lock()
	defer h.mu.Unlock()
	if delete(h.faults, what); err != nil {
		h.faults[what] = err
	}
}

// failing returns the first of the devices that fails.
func (h *health) failing(devices ...string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, what := range devices {
		if err := h.faults[what]; err != nil {
			return err
		}
	}
	return nil
}

// observed is a judge that is seen to work. It adds no lock to the clock's path.
type observed struct {
	table.Judge
	health *health
	judge  *watchdog.Loop
	camera *watchdog.Loop // nil: there is no camera
}

// Handle implements table.Judge.
func (o *observed) Handle(in referee.Input) []referee.Event {
	o.judge.Beat()
	switch {
	case in.Press != nil:
		o.health.metrics.Press(in.Press.Side.String())
	case in.Sighting != nil:
		if o.camera != nil {
			o.camera.Beat()
		}
		o.sighted(in.Sighting)
	}
	return o.Judge.Handle(in)
}

func (o *observed) sighted(s *sighting.Sighting) {
	if s.Scene == sighting.SceneLost {
		o.health.metrics.Lost()
	}
	if s.Scene != sighting.SceneClear || !s.Still {
		return
	}
	least := float32(1)
	for i := range s.Points {
		if _, p := s.Points[i].Counts.Best(); !s.Points[i].Hidden {
			least = min(least, p)
		}
	}
	o.health.metrics.Confidence(float64(least))
}

// eventCount counts the referee's events; it is a sink.
type eventCount struct{ metrics *metrics.Table }

// Publish counts an event.
func (t eventCount) Publish(e referee.Event) { t.metrics.Event(string(e.Type)) }

// SetState does nothing: events alone are counted.
func (t eventCount) SetState(referee.State, time.Time, float64) {}

// openHealth opens the address at which the program tells how it does, if one is set.
func (s *station) openHealth(context.Context) (err error) {
	if s.pictures != "" {
		c := s.config.Camera
		l := &lookout{asked: float64(c.FPS), calibrated: s.corners != nil, source: s.source, steady: camera.Steadier{Source: s.source, Log: s.log}}
		if camera.IsAsked(s.pictures) {
			l.askedSize = [2]int{c.Width, c.Height}
		}
		s.health.lookout = l
	}
	if s.config.Metrics.Listen == "" {
		return nil
	}
	s.status, err = metrics.Listen(s.config.Metrics.Listen, metrics.Pages{
		Metrics: s.health.metrics.Handler(), Healthy: s.health.pulse.Check, Log: s.log,
		Examine: func(ctx context.Context) any { return s.examine(ctx) },
	})
	return err
}

// observe has judge, feed and queues of the assembled table watched.
func (s *station) observe() {
	h := s.health
	if !s.film { // a film's judge turns with its pictures
		seen := &observed{Judge: s.table.Referee, health: h, judge: h.pulse.Watch("the judge", judgeTurns)}
		if s.source != nil {
			seen.camera = h.pulse.Watch("the camera's loop", cameraTurns)
		}
		s.table.Referee = seen
	}
	s.table.Sinks = append(s.table.Sinks, eventCount{h.metrics})
	h.metrics.Queue("journal", s.table.Waiting)
	if s.witness != nil {
		h.metrics.Queue("pictures", func() int { return len(s.witness.wishes) })
	}
	if s.publisher != nil {
		h.metrics.Gauge("davar_broker_connected", "1 while the broker is connected.", func() float64 {
			if s.publisher.Status().Connected {
				return 1
			}
			return 0
		})
	}
	if _, counted := camera.Mats(); counted {
		h.metrics.Gauge("davar_mats", "Open Mats of OpenCV.", func() float64 { n, _ := camera.Mats(); return float64(n) })
	}
}

// seen is told of each picture that was read.
func (s *station) seen(picture gocv.Mat, sight *sighting.Sighting, cost time.Duration) {
	s.health.metrics.Picture(time.Now(), cost)
	s.health.lookout.see(picture, sight, cost)
	if s.witness != nil {
		s.witness.see(picture, sight, cost)
	}
	s.window.see(picture, s.eye.Reading())
}

// examine is the doctor's report of the running table: it disturbs nothing.
func (s *station) examine(ctx context.Context) doctor.Report {
	var checks []doctor.Check
	if s.health.lookout != nil {
		checks = append(checks, doctor.Camera(s.health.lookout.tell))
	}
	checks = append(checks, doctor.Check{Name: "devices", Look: func(context.Context) []doctor.Finding { return s.devices() }})
	return doctor.Examine(ctx, slices.Concat(checks, machineChecks(&s.config)))
}

// symptoms is the doctor's report for the director's page.
func (s *station) symptoms(ctx context.Context, lang string) (told []web.Symptom) {
	for _, f := range s.examine(ctx).Findings {
		says, do := f.Tell(s.book, lang)
		told = append(told, web.Symptom{Check: f.Check, State: string(f.State), Says: says, Do: do})
	}
	return told
}

// devices tells of what is in use, by the faults that were noticed.
func (s *station) devices() []doctor.Finding {
	var found []doctor.Finding
	tell := func(check string, wired bool, without, well, ill string, err error) {
		f := doctor.Finding{Check: check, State: doctor.Skipped, Key: without}
		switch {
		case wired && err != nil:
			f.State, f.Key, f.Params = doctor.Fault, ill, map[string]string{"error": err.Error(), "folder": s.config.Journal.Path}
		case wired:
			f.State, f.Key = doctor.Good, well
		}
		found = append(found, f)
	}
	h := s.health
	tell("buttons", s.config.Buttons.Enabled && !s.film, "buttons_none", "buttons_live", "buttons_closed",
		h.failing(panel.FaultButtons, panel.FaultStuck, panel.FaultChatter))
	if err := h.failing(panel.FaultLamps); err != nil {
		tell("lamps", true, "", "", "lamps_closed", err)
	}
	if err := h.failing(panel.FaultBus); err != nil {
		tell("displays", true, "", "", "displays_closed", err)
	} else {
		tell("displays", s.displays != nil, "displays_none", "displays_live", "displays_silent", h.failing(panel.FaultDisplays))
	}
	tell("broker", s.publisher != nil, "broker_none", "broker_live", "broker_away", s.brokerProblem())
	if err := h.failing("log", "pictures"); err != nil {
		tell("disk", true, "", "", "disk_closed", err)
	}
	if err := h.failing("results"); err != nil {
		tell("disk", true, "", "", "results_late", err)
	}
	return found
}

func (s *station) brokerProblem() error {
	if s.publisher == nil {
		return nil
	}
	status := s.publisher.Status()
	if status.Connected {
		return nil
	}
	if status.Problem == "" {
		return errors.New("connecting")
	}
	return errors.New(status.Problem)
}
