package web

import (
	"runtime"
	"testing"
)

func TestAGuardLeavesNothingRunning(t *testing.T) {
	// The first one may start what stays for good.
	if _, err := newGuard(&Settings{Folder: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	const guards = 50
	for range guards {
		if _, err := newGuard(&Settings{Folder: t.TempDir()}); err != nil {
			t.Fatal(err)
		}
	}
	for range 1000 { // a goroutine that was told to end needs a turn to do so
		if runtime.NumGoroutine() < before+guards/2 {
			return
		}
		runtime.Gosched()
	}
	t.Errorf("%d goroutines, before %d guards %d", runtime.NumGoroutine(), guards, before)
}
