package hub

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"davar/device/mqtt"
)

var (
	loads    = flag.String("load", "", "measure a hub under loads such as 50x1000,200x10000: tables that play by spectators who watch")
	loadTime = flag.Duration("load-time", 30*time.Second, "how long each load is measured")
	loadHub  = flag.String("load-hub", "", "the program davar whose hub is measured; without it this test is the hub")
)

// hubChild names the environment variable by which the test's program becomes a hub, of the broker it holds.
const hubChild = "DAVAR_TEST_HUB"

// beHub is the hub's whole program: what davar hub does.
func beHub(broker string) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	h, err := New(Settings{Listen: os.Getenv(hubChild + "_AT"), Broker: mqtt.Server{URL: broker}})
	if err == nil {
		err = h.Run(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A hub of its own process serves many tables and spectators; each hears each event of his table once, in order. With
// -load it is measured: from an event at a table to the page, and what the hub takes.
func TestAHubUnderLoadTellsEverybodyEverythingOnce(t *testing.T) {
	if *loads == "" {
		l := newLoad(t, 5, 60)
		l.play(200*time.Millisecond, 3*time.Second)
		return
	}
	t.Log("tables spectators | event → page ms: p50 p99 max | hub: MB (most) % of a core | KB/s to each spectator | all took % of a core")
	for text := range strings.SplitSeq(*loads, ",") {
		var tables, spectators int
		if _, err := fmt.Sscanf(text, "%dx%d", &tables, &spectators); err != nil {
			t.Fatalf("-load %q: write tables x spectators like 200x10000", text)
		}
		t.Run(text, func(t *testing.T) { newLoad(t, tables, spectators).play(time.Second, *loadTime) })
	}
}

// load is a broker, tables that play and spectators who watch them over one hub, each spectator one table.
type load struct {
	t          testing.TB
	hub        *exec.Cmd
	at         string
	tables     []*busyTable
	spectators []*follower
	measuring  atomic.Bool
}

// busyTable is a table that notes when its events happened.
type busyTable struct {
	*table
	when [1 << 12]atomic.Int64 // nanoseconds since the epoch, by seq
}

func newLoad(t *testing.T, tables, spectators int) *load {
	t.Helper()
	broker, err := mqtt.StartBroker(mqtt.BrokerOptions{Listen: "127.0.0.1:0", Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = broker.Close() })
	l := &load{t: t, at: freeAddress(t)}
	l.startHub("tcp://" + broker.Addr())
	for i := range tables {
		seated := &busyTable{table: seat(t, broker.Server(), strconv.Itoa(i+1))}
		seated.table.play(60) // in the middle of a game
		l.tables = append(l.tables, seated)
	}
	for i := range l.tables {
		l.untilShown("/t/c/" + strconv.Itoa(i+1) + "/state.json")
	}
	l.seatSpectators(spectators)
	return l
}

func (l *load) startHub(broker string) {
	l.hub = exec.Command(os.Args[0])
	if *loadHub != "" {
		l.hub = exec.Command(*loadHub, "hub", "--broker", broker, "--listen", l.at)
	}
	l.hub.Env = append(os.Environ(), hubChild+"="+broker, hubChild+"_AT="+l.at)
	l.hub.Stderr = os.Stderr
	if err := l.hub.Start(); err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() {
		_ = l.hub.Process.Kill()
		_ = l.hub.Wait()
	})
	l.untilShown("/healthz")
}

func (l *load) untilShown(path string) {
	l.t.Helper()
	for limit := time.Now().Add(patience); time.Now().Before(limit); time.Sleep(20 * time.Millisecond) {
		answer, err := http.Get("http://" + l.at + path)
		if err != nil {
			continue
		}
		answer.Body.Close()
		if answer.StatusCode == http.StatusOK {
			return
		}
	}
	l.t.Fatalf("the hub never shows %s", path)
}

// seatSpectators has them come, some dozens at a time, and follow until the test ends.
func (l *load) seatSpectators(n int) {
	l.t.Helper()
	var coming, following sync.WaitGroup
	var failed atomic.Value
	door := make(chan struct{}, 64)
	conns := make([]net.Conn, n)
	l.spectators = make([]*follower, n)
	for i := range n {
		s := &follower{table: l.tables[i%len(l.tables)]}
		l.spectators[i] = s
		door <- struct{}{}
		coming.Go(func() {
			defer func() { <-door }()
			conn, lines, err := comeTo(l.at, "/t/c/"+s.table.name+"/events?plays=new")
			if err != nil {
				failed.Store(err)
				return
			}
			conns[i] = conn
			following.Go(func() { s.follow(lines, &l.measuring) })
		})
	}
	coming.Wait()
	l.t.Cleanup(func() {
		for _, conn := range conns {
			if conn != nil {
				conn.Close()
			}
		}
		following.Wait()
	})
	if err, _ := failed.Load().(error); err != nil {
		l.t.Fatalf("a spectator cannot come: %v (ulimit -n must allow more than all of them)", err)
	}
}

// play has an event at each table each time the pace has passed, not at all tables at once, and then tells what it cost.
func (l *load) play(pace, long time.Duration) {
	l.t.Helper()
	warm := long / 5
	var playing sync.WaitGroup
	ctx, stop := context.WithTimeout(l.t.Context(), warm+long)
	defer stop()
	for i, table := range l.tables {
		playing.Go(func() { table.keepPlaying(ctx, pace*time.Duration(i)/time.Duration(len(l.tables)), pace) })
	}
	<-time.After(warm)
	was, bytes, began := l.usage(), l.read(), time.Now()
	l.measuring.Store(true)
	<-ctx.Done()
	l.measuring.Store(false)
	now, took := l.usage(), time.Since(began)
	bytes = l.read() - bytes
	playing.Wait()
	all := l.untilAllHaveAll()
	share := func(cpu time.Duration) float64 { return 100 * cpu.Seconds() / took.Seconds() }
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	l.t.Logf("%d %d | %.1f %.1f %.1f | %d (%d) %.0f%% | %.1f | %.0f%%", len(l.tables), len(l.spectators),
		ms(all[len(all)/2]), ms(all[len(all)*99/100]), ms(all[len(all)-1]), now.rss>>20, now.peak>>20, share(now.hub-was.hub),
		float64(bytes)/1024/took.Seconds()/float64(len(l.spectators)), share(now.hub-was.hub+now.own-was.own))
}

// untilAllHaveAll waits until every spectator has the last event of his table, checks that he heard each once and in
// order, and returns how long what was measured took, the shortest first.
func (l *load) untilAllHaveAll() (all []time.Duration) {
	l.t.Helper()
	limit := time.Now().Add(patience)
	for _, s := range l.spectators {
		for !s.has(s.table.seq) {
			if time.Now().After(limit) {
				l.t.Fatalf("a spectator of table %s waits in vain for event %d: %s", s.table.name, s.table.seq, s.stands())
			}
			time.Sleep(5 * time.Millisecond)
		}
		s.mu.Lock()
		if s.fault != "" {
			l.t.Errorf("a spectator of table %s: %s", s.table.name, s.fault)
		}
		all = append(all, s.took...)
		s.mu.Unlock()
	}
	if len(all) == 0 {
		l.t.Fatal("no event reaches a page")
	}
	slices.Sort(all)
	return all
}

// read returns how many bytes all spectators have read.
func (l *load) read() (n int64) {
	for _, s := range l.spectators {
		n += s.bytes.Load()
	}
	return n
}

// usage is what the hub takes, and this process: time of the processor, and the hub's memory in bytes, now and at most.
type usage struct {
	hub, own  time.Duration
	rss, peak int64
}

func (l *load) usage() (u usage) {
	l.t.Helper()
	u.hub, u.own = processorTime(l.t, l.hub.Process.Pid), processorTime(l.t, os.Getpid())
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", l.hub.Process.Pid))
	if err != nil {
		l.t.Skip("SKIPPED: what a process takes is read from /proc, which is not here")
	}
	for line := range strings.Lines(string(text)) {
		var n int64
		switch name, value, _ := strings.Cut(line, ":"); name {
		case "VmRSS":
			_, _ = fmt.Sscan(value, &n)
			u.rss = n << 10
		case "VmHWM":
			_, _ = fmt.Sscan(value, &n)
			u.peak = n << 10
		}
	}
	return u
}

// processorTime is what a process has used so far.
func processorTime(t testing.TB, pid int) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Skip("SKIPPED: what a process takes is read from /proc, which is not here")
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	ticks := int64(0)
	for _, field := range fields[11:13] { // utime and stime, a hundredth of a second each
		n, _ := strconv.ParseInt(field, 10, 64)
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

func (b *busyTable) play() {
	b.when[(b.seq+1)%int64(len(b.when))].Store(time.Now().UnixNano())
	b.table.play(1)
}

// happened returns when an event did, if it was not long ago.
func (b *busyTable) happened(seq int64) time.Time {
	return time.Unix(0, b.when[seq%int64(len(b.when))].Load())
}

func (b *busyTable) keepPlaying(ctx context.Context, first, pace time.Duration) {
	next := time.NewTimer(first)
	defer next.Stop()
	for due := time.Now().Add(first); ; next.Reset(time.Until(due)) {
		select {
		case <-ctx.Done():
			return
		case <-next.C:
			b.play()
			due = due.Add(pace)
		}
	}
}
