package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestAProgramThatFailsAgainAndAgainIsStartedEverLater(t *testing.T) {
	s, now := starts{t.TempDir()}, time.Hour
	var waits []time.Duration
	start := func(ran time.Duration) {
		wait := s.next(now)
		waits = append(waits, wait)
		now += wait + ran + 2*time.Second // systemd's own RestartSec
	}
	for range 8 {
		start(time.Second)
	}
	start(2 * time.Minute) // it has come to itself
	start(time.Second)
	start(time.Second)
	const sec = time.Second
	if want := []time.Duration{0, 0, 2 * sec, 4 * sec, 8 * sec, 16 * sec, 30 * sec, 30 * sec, 30 * sec, 0, 0}; !slices.Equal(waits, want) {
		t.Errorf("waits are %v, want %v", waits, want)
	}
}

func TestWhatCannotBeRememberedHoldsNobodyUp(t *testing.T) {
	nowhere := starts{filepath.Join(t.TempDir(), "gone")}
	torn := starts{t.TempDir()}
	if err := os.WriteFile(filepath.Join(torn.folder, "starts"), []byte("7 no"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		if wait := nowhere.next(time.Hour); wait != 0 {
			t.Errorf("without a folder it waits %v", wait)
		}
	}
	if wait := torn.next(time.Hour); wait != 0 {
		t.Errorf("after a torn note it waits %v", wait)
	}
}
