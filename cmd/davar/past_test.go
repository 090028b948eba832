package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"davar/device/embargo"
	"davar/device/journal"
	"davar/device/mqtt"
	"davar/device/web"
	"davar/rules"
	"davar/rules/referee"
)

// lateTable is a table as far as spectators see it: its match log, page, broker and what is kept for them. It is opened
// again and again on the same folder and addresses.
type lateTable struct {
	t       *testing.T
	folder  string
	page    string // addresses
	broker  string
	journal *journal.Journal
	sinks   []interface {
		Publish(referee.Event)
		SetState(referee.State, time.Time, float64)
	}
	crash func()
}

const spectatorsDelay = 400 * time.Millisecond

func (l *lateTable) open() {
	l.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	log := slog.New(slog.DiscardHandler)
	must := func(err error) {
		if err != nil {
			l.t.Helper()
			l.t.Fatal(err)
		}
	}
	var err error
	l.journal, err = journal.Open(ctx, filepath.Join(l.folder, "davar.db"))
	must(err)
	vault := embargo.OpenVault(filepath.Join(l.folder, "davar.db.held"), spectatorsDelay, log)
	page, err := web.New(web.Settings{Addr: l.page, Delay: spectatorsDelay})
	must(err)
	must(page.Listen())
	broker, err := mqtt.StartBroker(mqtt.BrokerOptions{Listen: l.broker, Log: log})
	must(err)
	publisher, err := mqtt.Start(mqtt.Options{
		Server: broker.Server(), Place: mqtt.Place{Club: "club", Table: "1"}, Log: log,
		Policy: mqtt.Policy{Delay: spectatorsDelay}, Backfill: l.journal.Events,
	})
	must(err)
	if events, err := l.journal.Events(ctx, "m", 0, 0); err != nil {
		l.t.Fatal(err)
	} else if len(events) > 0 {
		publisher.Resume("m", events[len(events)-1].Seq, mqtt.Cursor{})
	}
	must(recall(ctx, l.journal.Events, vault.Given(), "m", time.Now(), page, publisher))
	l.sinks = l.sinks[:0]
	l.sinks = append(l.sinks, vault, page, publisher)
	var running sync.WaitGroup
	running.Go(func() { vault.Run(ctx) })
	running.Go(func() { _ = page.Run(ctx) })
	l.crash = func() {
		dead, die := context.WithCancel(context.Background())
		die()
		_ = publisher.Close(dead)
		cancel()
		running.Wait()
		_ = broker.Close()
		must(l.journal.Close())
	}
}

// give has the table do something: it is written down and then shown, as the table's scribe does.
func (l *lateTable) give(state *referee.State, kind string, change func(*referee.Event)) {
	l.t.Helper()
	state.Seq++
	e := referee.Event{Seq: state.Seq, Match: "m", Game: 1, Type: kind}
	if change != nil {
		change(&e)
	}
	batch := journal.Batch{Match: "m", Events: []referee.Event{e}, Checkpoint: []byte("x"), Resume: []byte("{}")}
	if e.Seq == 1 {
		batch.Header = &journal.Header{Match: "m", Players: state.Players, Length: 7}
	}
	written, err := l.journal.Append(batch)
	if err != nil {
		l.t.Fatal(err)
	}
	for _, sink := range l.sinks {
		sink.Publish(written[0])
		sink.SetState(*state, time.Now(), 1)
	}
}

// turn has a side roll and play; the play's notation names the turn.
func (l *lateTable) turn(state *referee.State, n int) {
	side := rules.Side(n % 2)
	pause := func() { time.Sleep(40 * time.Millisecond) } // a table plays at its own pace
	l.give(state, referee.Roll, func(e *referee.Event) { e.Side, e.Dice = &side, []int{3, 1} })
	pause()
	notation := fmt.Sprintf("turn-%d-", n)
	state.Plays = append(state.Plays, referee.LastPlay{Seq: state.Seq + 1, Side: side.String(), Dice: []int{3, 1}, Notation: notation, Legal: true})
	l.give(state, referee.PlayMade, func(e *referee.Event) { e.Side, e.Dice, e.Notation = &side, []int{3, 1}, notation })
	pause()
	l.give(state, referee.TurnEnded, func(e *referee.Event) { e.Side = &side })
	pause()
}

// earful is what spectators got, byte by byte, with the moment of each piece.
type earful struct {
	mu  sync.Mutex
	all []piece
}

type piece struct {
	when  time.Time
	where string
	text  string
}

func (h *earful) hear(where, text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, piece{time.Now(), where, text})
}

// watch reads the page's stream and asks for its documents, over and over, until ctx ends.
func (h *earful) watch(ctx context.Context, address string) {
	read := func(path string, lines bool) {
		request, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+path, nil)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			return
		}
		defer answer.Body.Close()
		if !lines {
			body, _ := io.ReadAll(answer.Body)
			h.hear(path, string(body))
			return
		}
		for scan := bufio.NewScanner(answer.Body); scan.Scan(); {
			h.hear(path, scan.Text())
		}
	}
	var both sync.WaitGroup
	again := func(f func()) {
		both.Go(func() {
			for ctx.Err() == nil {
				f()
				time.Sleep(10 * time.Millisecond)
			}
		})
	}
	again(func() { read("/events", true) })
	again(func() {
		for _, path := range []string{"/state.json", "/", "/overlay", "/embed", "/table"} {
			read(path, false)
		}
	})
	both.Wait()
}

// subscribe hears all that the broker gives to somebody without an account.
func (h *earful) subscribe(address string) paho.Client {
	take := func(_ paho.Client, m paho.Message) { h.hear(m.Topic(), string(m.Payload())) }
	client := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + address).SetAutoReconnect(true).
		SetMaxReconnectInterval(50 * time.Millisecond).SetConnectRetry(true).SetConnectRetryInterval(50 * time.Millisecond).
		SetOnConnectHandler(func(c paho.Client) { c.Subscribe("davar/#", 1, take) }))
	client.Connect()
	return client
}

// freePort is an address of this machine that nobody listens on.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

var (
	tellsSeq  = regexp.MustCompile(`(?:"(?:seq|prev)":|^id: )(\d+)`)
	tellsTurn = regexp.MustCompile(`turn-(\d+)-`)
)

// numbers returns what a pattern finds in a text, as numbers.
func numbers(pattern *regexp.Regexp, text string) (list []int64) {
	for _, found := range pattern.FindAllStringSubmatch(text, -1) {
		n, _ := strconv.ParseInt(found[1], 10, 64)
		list = append(list, n)
	}
	return list
}

// PUB-1, over two power cuts: every byte that the public gets is read, and none tells of a turn before its window has
// closed and the delay has passed; and what is due is there at once when the table is back.
func TestNoPublicByteTellsOfATurnTooEarlyAlsoAfterAPowerCut(t *testing.T) {
	l := &lateTable{t: t, folder: t.TempDir(), page: freePort(t), broker: freePort(t)}
	l.open()
	var heard earful
	ctx, stop := context.WithCancel(context.Background())
	var watching sync.WaitGroup
	watching.Go(func() { heard.watch(ctx, l.page) })
	client := heard.subscribe(l.broker)
	state := &referee.State{Match: "m", Players: [2]string{"A", "B"}, Length: 7, Plays: []referee.LastPlay{}, Rulings: []referee.RulingBody{}}
	l.give(state, referee.MatchStarted, nil)
	l.give(state, referee.GameStarted, nil)
	turns := 0
	for _, round := range []struct {
		turns int
		rest  time.Duration // until the table is there again
	}{{6, 0}, {3, 2 * spectatorsDelay}, {4, 0}} {
		for range round.turns {
			turns++
			l.turn(state, turns)
		}
		l.crash()
		time.Sleep(round.rest)
		l.open()
		// What a late joiner is due is what the log says, before anything new happens.
		shown := func() int64 {
			answer, err := http.Get("http://" + l.page + "/state.json")
			if err != nil {
				return 0
			}
			defer answer.Body.Close()
			body, _ := io.ReadAll(answer.Body)
			if seqs := numbers(tellsSeq, string(body)); answer.StatusCode == http.StatusOK && len(seqs) > 0 {
				return seqs[0]
			}
			return 0
		}
		due := l.due(time.Now().Add(-turnTime)) // shown as a whole
		for limit := time.Now().Add(5 * time.Second); shown() < due; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(limit) {
				t.Fatalf("after the restart in turn %d spectators see event %d, due is %d", turns, shown(), due)
			}
		}
	}
	l.give(state, referee.MatchEnded, nil)
	last := state.Seq
	deadline := time.Now().Add(20 * time.Second)
	for _, where := range []string{"/events", "davar/club/1/state", "davar/club/1/event"} {
		for !heard.has(where, last) {
			if time.Now().After(deadline) {
				t.Fatalf("%s never shows the end", where)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	stop()
	watching.Wait()
	client.Disconnect(0)
	defer l.crash()
	l.check(t, &heard)
}

// turnTime is more than a turn of this table takes, over which what happened in it is spread when it is shown.
const turnTime = 300 * time.Millisecond

// due returns the newest event that may be shown at a moment, by the match log alone: all before a closing throw, or up to
// the match's beginning or end, once the delay has passed since.
func (l *lateTable) due(at time.Time) (seq int64) {
	events, err := l.journal.Events(context.Background(), "m", 0, 0)
	if err != nil {
		l.t.Fatal(err)
	}
	for _, e := range events {
		written, err := time.Parse(time.RFC3339, e.At)
		if err != nil {
			l.t.Fatal(err)
		}
		if written.Add(spectatorsDelay).After(at) {
			break
		}
		switch e.Type {
		case referee.Roll, referee.GameStarted:
			seq = e.Seq - 1
		case referee.MatchStarted, referee.MatchEnded:
			seq = e.Seq
		}
	}
	return seq
}

func (h *earful) has(where string, seq int64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.all {
		if p.where == where {
			for _, n := range numbers(tellsSeq, p.text) {
				if n >= seq {
					return true
				}
			}
		}
	}
	return false
}

// check reads every byte.
func (l *lateTable) check(t *testing.T, heard *earful) {
	bytes := map[string]int{}
	for _, p := range heard.all {
		bytes[p.where] += len(p.text)
		most := l.due(p.when)
		for _, n := range numbers(tellsSeq, p.text) {
			if n > most {
				t.Errorf("%s tells of event %d when %d is due: %.200s", p.where, n, most, p.text)
			}
		}
		for _, n := range numbers(tellsTurn, p.text) {
			if play := 2 + 3*(n-1) + 2; play > most { // two events of the beginning, three a turn
				t.Errorf("%s tells of the play of turn %d when event %d is due: %.200s", p.where, n, most, p.text)
			}
		}
	}
	t.Logf("bytes read: %v", bytes)
	for _, where := range []string{"/events", "/state.json", "/overlay", "davar/club/1/event", "davar/club/1/state"} {
		if bytes[where] == 0 {
			t.Errorf("nothing was read of %s", where)
		}
	}
}
