package clock

import (
	"testing"
	"time"
)

func benchClock(b *testing.B) *Clock {
	c, err := New(presets[0], [2]time.Duration{10_000 * time.Hour, 10_000 * time.Hour}, 0)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := c.Press(0, Dark); err != nil {
		b.Fatal(err)
	}
	return c
}

func BenchmarkView(b *testing.B) {
	c := benchClock(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c.View(time.Duration(i))
	}
}

func BenchmarkPress(b *testing.B) {
	c := benchClock(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%200 == 0 { // a long game
			c.past = c.past[:0]
		}
		if _, err := c.Press(time.Duration(i)*time.Millisecond, Side(i%2)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheckpoint(b *testing.B) {
	c := benchClock(b)
	for i := range 150 {
		if _, err := c.Press(time.Duration(i)*time.Second, Side(i%2)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		c.Checkpoint(200 * time.Second)
	}
}
