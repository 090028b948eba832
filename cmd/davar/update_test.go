package main

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"davar/config"
	"davar/firmware/update"
)

func TestAReleaseIsSignedInstalledAndTriedNextTime(t *testing.T) {
	folder := t.TempDir()
	keys, store, release := filepath.Join(folder, "release"), filepath.Join(folder, "store"), filepath.Join(folder, "r.update")
	for _, args := range [][]string{
		{"update", "keygen", keys},
		{"update", "pack", write(t, "davar", "a program"), "1.2.3", "--sign", keys + ".key", "--arch", runtime.GOARCH, "--out", release},
		{"update", release, "--store", store, "--key", keys + ".pub"},
	} {
		if _, complaints, status := davar(t, args...); status != exitDone {
			t.Fatalf("%v: %s", args, complaints)
		}
	}
	out, _, _ := davar(t, "update", "--store", store, "--key", keys+".pub")
	if !strings.Contains(out, "to be tried: 1.2.3") {
		t.Errorf("it says %s", out)
	}
	if state := (update.Store{Dir: store}).State(); state.Trying != "1.2.3" {
		t.Errorf("the store remembers %+v", state)
	}
	t.Setenv("DAVAR_STORE", store)
	t.Setenv("DAVAR_LAUNCHED", "1.2.3")
	s := &station{plan: plan{log: newLog(t.Output(), config.Default().Log)}}
	s.proven()
	if state := (update.Store{Dir: store}).State(); state.Good != "1.2.3" {
		t.Errorf("a version that works is remembered as %+v", state)
	}
	if _, complaints, status := davar(t, "update", "keygen", keys); status == exitDone || !strings.Contains(complaints, "exists") {
		t.Errorf("keys are written over: %s", complaints)
	}
}
