package journal

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// BenchmarkAppend measures one durable batch: one event, and a referee checkpoint of the size given. It reports
// the median and the 99th percentile beside the mean.
func BenchmarkAppend(b *testing.B) {
	for _, size := range []int{0, 4 << 10, 32 << 10} {
		b.Run(fmt.Sprintf("checkpoint=%dKiB", size>>10), func(b *testing.B) {
			j := mustOpen(b, filepath.Join(b.TempDir(), "davar.db"))
			var checkpoint []byte
			if size > 0 {
				checkpoint = make([]byte, size)
			}
			took := make([]time.Duration, 0, b.N)
			seq := int64(0)
			b.ResetTimer()
			for range b.N {
				seq++
				batch := Batch{Match: "m", Events: rolls("m", seq, 1), Checkpoint: checkpoint}
				began := time.Now()
				mustAppend(b, j, batch)
				took = append(took, time.Since(began))
			}
			b.StopTimer()
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs/p50")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs/p99")
		})
	}
}

// BenchmarkReopen measures opening a journal of 100,000 events and finding the match to go on with.
func BenchmarkReopen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "davar.db")
	j := mustOpen(b, path)
	for seq := int64(1); seq <= 100_000; seq += 500 {
		mustAppend(b, j, Batch{Match: "m", Events: rolls("m", seq, 500), Checkpoint: make([]byte, 32<<10)})
	}
	j.Close()
	b.ResetTimer()
	for range b.N {
		j, err := Open(context.Background(), path)
		if err != nil {
			b.Fatal(err)
		}
		if _, ok, err := j.Last(context.Background()); err != nil || !ok {
			b.Fatal(ok, err)
		}
		j.Close()
	}
}
