package main

import (
	"context"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"davar/config"
)

// runStation runs a table that is only a clock until the function returned is called; spectators are a little behind.
func runStation(t *testing.T, folder, page string) (stop func()) {
	t.Helper()
	c := config.Default()
	c.Web.Listen, c.MQTT.Broker, c.Journal.Path, c.Turn.End = page, "none", filepath.Join(folder, "davar.db"), "clock"
	c.Publish.Delay = 300 * time.Millisecond
	settings, err := tableSettings(&c, matchID(time.Now()))
	if err != nil {
		t.Fatal(err)
	}
	p := plan{
		config: c, settings: settings, office: timekeeping, rate: 1, keys: strings.NewReader(""), out: io.Discard,
		log: newLog(t.Output(), c.Log),
	}
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		if err := p.run(ctx); err != nil {
			t.Error(err)
		}
	})
	return func() {
		cancel()
		running.Wait()
	}
}

// untilShown waits until spectators see something of a match, and returns it.
func untilShown(t *testing.T, page string) string {
	t.Helper()
	for limit := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		answer, err := http.Get("http://" + page + "/state.json")
		if err == nil {
			text, _ := io.ReadAll(answer.Body)
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return string(text)
			}
		}
		if time.Now().After(limit) {
			t.Fatalf("spectators never see anything: %v", err)
		}
	}
}

// What spectators saw before a restart they see again, although nothing happens at the table that would become due.
func TestAfterARestartTheStationShowsSpectatorsWhatWasDue(t *testing.T) {
	folder, page := t.TempDir(), freePort(t)
	stop := runStation(t, folder, page)
	before := untilShown(t, page)
	stop()
	stop = runStation(t, folder, page)
	defer stop()
	after := untilShown(t, page)
	match := func(text string) string {
		_, rest, _ := strings.Cut(text, `"match":"`)
		id, _, _ := strings.Cut(rest, `"`)
		return id
	}
	if match(before) == "" || match(after) != match(before) {
		t.Errorf("before the restart spectators saw %s, after it %s", before, after)
	}
}
