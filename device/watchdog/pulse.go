package watchdog

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Pulse is the beat of loops that must turn. Make it with NewPulse. It is safe for concurrent use.
type Pulse struct {
	mu    sync.Mutex
	loops []*Loop
	now   func() time.Time
}

// Loop is one of them.
type Loop struct {
	name  string
	limit time.Duration
	last  atomic.Pointer[time.Time]
	now   func() time.Time
}

// NewPulse returns a pulse without loops, which always beats.
func NewPulse() *Pulse { return &Pulse{now: time.Now} }

// Watch adds a loop that must beat at least every limit; its first limit begins now.
func (p *Pulse) Watch(name string, limit time.Duration) *Loop {
	l := &Loop{name: name, limit: limit, now: p.now}
	l.Beat()
	p.mu.Lock()
	p.loops = append(p.loops, l)
	p.mu.Unlock()
	return l
}

// Beat says that the loop has turned once more. It waits for nothing.
func (l *Loop) Beat() {
	at := l.now()
	l.last.Store(&at)
}

// Check returns an error that names the first loop whose beat is overdue; nil while all turn.
func (p *Pulse) Check() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.loops {
		if silent := p.now().Sub(*l.last.Load()); silent > l.limit {
			return fmt.Errorf("watchdog: %s has not turned for %v", l.name, silent.Round(time.Second))
		}
	}
	return nil
}
