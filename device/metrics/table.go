package metrics

import (
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Table is the metrics of one table. Its methods may be called from any goroutine and wait for nothing.
type Table struct {
	registry   *prometheus.Registry
	newest     atomic.Pointer[time.Time] // when the newest picture was taken
	read       prometheus.Histogram
	confidence prometheus.Histogram
	lost       prometheus.Counter
	presses    map[string]prometheus.Counter // by side; never written after New
	events     *prometheus.CounterVec
	faults     *prometheus.GaugeVec
}

// New returns the metrics of a table run by the version of the program.
func New(version string) *Table {
	t := &Table{
		registry: prometheus.NewRegistry(),
		read: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "davar_read_seconds", Help: "Time to read one picture.",
			Buckets: []float64{.001, .0025, .005, .01, .02, .04, .08, .16, .32, .64, 1.28}}),
		confidence: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "davar_read_confidence",
			Help:    "Least probability of any of the 24 points in one still, open picture.",
			Buckets: []float64{.1, .25, .5, .75, .9, .95, .99, .999}}),
		lost:   prometheus.NewCounter(prometheus.CounterOpts{Name: "davar_camera_lost_total", Help: "Times the camera gave no picture in time."}),
		events: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "davar_events_total", Help: "Events of the referee."}, []string{"type"}),
		faults: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "davar_fault", Help: "1 while a device of the table fails."}, []string{"device"}),
	}
	presses := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "davar_presses_total", Help: "Presses of the clock's buttons."}, []string{"side"})
	t.presses = map[string]prometheus.Counter{}
	for _, side := range []string{"light", "dark"} { // made now: a press must not wait for a lock
		t.presses[side] = presses.WithLabelValues(side)
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{Name: "davar_build_info", Help: "Version of the program.", ConstLabels: prometheus.Labels{"version": version}})
	build.Set(1)
	age := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "davar_frame_age_seconds", Help: "Age of the newest picture; -1 before the first."}, t.age)
	t.registry.MustRegister(t.read, t.confidence, t.lost, presses, t.events, t.faults, build, age,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return t
}

func (t *Table) age() float64 {
	at := t.newest.Load()
	if at == nil {
		return -1
	}
	return time.Since(*at).Seconds()
}

// Picture counts a picture that came at a moment and took cost to read.
func (t *Table) Picture(at time.Time, cost time.Duration) {
	t.newest.Store(&at)
	t.read.Observe(cost.Seconds())
}

// Confidence notes the least probability of any point in a still, open picture.
func (t *Table) Confidence(p float64) { t.confidence.Observe(p) }

// Lost counts a camera that gave no picture in time.
func (t *Table) Lost() { t.lost.Inc() }

// Press counts a press by a side, light or dark. It takes no lock.
func (t *Table) Press(side string) {
	if c := t.presses[side]; c != nil {
		c.Inc()
	}
}

// Event counts an event of the referee by its type.
func (t *Table) Event(kind string) { t.events.WithLabelValues(kind).Inc() }

// Fault says whether a device fails.
func (t *Table) Fault(device string, fails bool) {
	value := 0.0
	if fails {
		value = 1
	}
	t.faults.WithLabelValues(device).Set(value)
}

// Queue has the length of a queue told, asked for when it is needed.
func (t *Table) Queue(name string, length func() int) {
	t.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "davar_queue_length", Help: "What waits in a queue.", ConstLabels: prometheus.Labels{"queue": name},
	}, func() float64 { return float64(length()) }))
}

// Gauge has a figure told, asked for when it is needed; the name begins with davar_.
func (t *Table) Gauge(name, help string, value func() float64) {
	t.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
}

// Handler serves the metrics in Prometheus' text format.
func (t *Table) Handler() http.Handler {
	return promhttp.HandlerFor(t.registry, promhttp.HandlerOpts{})
}
