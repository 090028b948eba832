package referee_test

import (
	"slices"
	"testing"
	"time"

	"davar/rules/referee"
	"davar/rules/referee/refereetest"
)

// BenchmarkSighting measures what one sighting costs in simulated games of careless players, doubles included.
func BenchmarkSighting(b *testing.B) {
	settings := referee.DefaultSettings()
	played, err := refereetest.PlayGame(settings, refereetest.UsualNoise(), refereetest.Habits{Careless: 0.2, Doubles: 0.04}, 5)
	if err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	for b.Loop() {
		settings.OpeningSeen, settings.DiceSets = true, 2
		r, err := referee.New(settings)
		if err != nil {
			b.Fatal(err)
		}
		for _, in := range played.Inputs {
			start := time.Now()
			r.Handle(in)
			took = append(took, time.Since(start))
		}
	}
	slices.Sort(took)
	at := func(share float64) float64 {
		return float64(took[int(share*float64(len(took)-1))]) / float64(time.Microsecond)
	}
	b.ReportMetric(at(0.5), "µs-median")
	b.ReportMetric(at(0.99), "µs-p99")
	b.ReportMetric(at(0.9995), "µs-p99.95")
	b.ReportMetric(at(1), "µs-max")
}
