package main

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gocv.io/x/gocv"
)

// kinds are faults that do nothing; the first restarts the program.
var kinds = []fault{{name: "killed", restarts: true}, {name: "unplugged"}, {name: "full"}}

func TestFaultsTakeTurnsAndNothingIsKilledInTheSecondHalf(t *testing.T) {
	for _, length := range []time.Duration{10 * time.Minute, time.Hour, 24 * time.Hour} {
		all := schedule(length, kinds)
		times := map[int]int{}
		for i, h := range all {
			times[h.fault]++
			if h.at+h.lasts > length {
				t.Errorf("%v: fault %d lasts beyond the end", length, i)
			}
			if i > 0 && h.at < all[i-1].at+all[i-1].lasts {
				t.Errorf("%v: fault %d begins before the one before it is mended", length, i)
			}
			if kinds[h.fault].restarts && h.at >= length/2 {
				t.Errorf("%v: killed at %v", length, h.at)
			}
		}
		if len(times) != len(kinds) {
			t.Errorf("%v: of %d faults only %v happen", length, len(kinds), times)
		}
	}
}

func TestASoakTooShortForAFaultHasNone(t *testing.T) {
	if all := schedule(time.Minute, kinds); len(all) != 0 {
		t.Errorf("%+v", all)
	}
}

func TestGrowthIsSeenAndNoiseIsNot(t *testing.T) {
	run := func(grows float64) (samples []sample) {
		for i := range 120 {
			noise := float64(i%7) - 3
			samples = append(samples, sample{time.Duration(i) * 10 * time.Second, 150 + noise + grows*float64(i), 60 + noise/2})
		}
		samples[0].memoryMB = 20 // while it starts
		return samples
	}
	if d := driftOf(run(0)); !d.flat() || d.Samples != 114 {
		t.Errorf("noise is taken for growth: %+v", d)
	}
	if d := driftOf(run(0.5)); d.flat() {
		t.Errorf("60 MB more are not seen: %+v", d)
	}
	if d := driftOf(nil); !d.flat() || d.Samples != 0 {
		t.Errorf("of nothing: %+v", d)
	}
}

func TestATableIsWellOnlyWhenAllOfItWorks(t *testing.T) {
	const fine = "# HELP x\ndavar_fault{device=\"log\"} 0\ndavar_frame_age_seconds 0.1\ndavar_broker_connected 1\n"
	for _, c := range []struct {
		name, text, says string
	}{
		{"all is well", fine, ""},
		{"a fault", strings.Replace(fine, "} 0", "} 1", 1), `davar_fault{device="log"}`},
		{"an old picture", strings.Replace(fine, "0.1", "7.5", 1), "7.5 s old"},
		{"no picture yet", strings.Replace(fine, "0.1", "-1", 1), "old"},
		{"no broker", strings.Replace(fine, "connected 1", "connected 0", 1), "broker"},
	} {
		err := well(parseGauges(strings.NewReader(c.text)))
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
	}
}

func TestWhatWasShownAndIsNotWrittenIsFound(t *testing.T) {
	s := scene{shown: newShown()}
	s.shown.event("davar/c/1/private/event", []byte(`{"seq":1,"match":"m","type":"roll"}`))
	s.shown.event("davar/c/1/private/event", []byte(`{"seq":2,"match":"m","type":"play"}`))
	s.shown.event("davar/c/1/event", []byte(`{"seq":1,"match":"m","type":"roll"}`))
	s.shown.update(`{"state":{"match":"m","seq":3}}`)
	s.shown.update(`{"match":"m","seq":1}`)
	s.shown.update(`{}`)
	s.report.Events = 2
	s.compare(map[position]string{{"m", 1}: "roll", {"m", 2}: "dance"})
	want := []string{
		"a page showed event 3 of m, which the log does not have",
		`play on the director's topic was shown as event 2 of m; the log has "dance" there`,
	}
	if !reflect.DeepEqual(s.report.Wrong, want) {
		t.Errorf("%q, want %q", s.report.Wrong, want)
	}
	if s.report.Updates != 2 || s.report.Public != 1 {
		t.Errorf("%+v", s.report)
	}
}

func TestAPressIsCountedByWhatBecameOfIt(t *testing.T) {
	var r Report
	for _, err := range []error{nil, errRefused, errors.New("connection refused")} {
		r.pressed(err)
	}
	if r.Presses != 3 || r.Refused != 1 || r.Unheard != 1 {
		t.Errorf("%+v", r)
	}
}

func TestNothingGoesThroughACutWireAndAllOfItAfterwards(t *testing.T) {
	far, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	w, err := startWire(far.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer w.stop()
	near, err := net.Dial("tcp", w.addr())
	if err != nil {
		t.Fatal(err)
	}
	defer near.Close()
	end, err := far.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer end.Close()
	w.cut(true)
	if _, err := near.Write([]byte("hello")); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 5)
	if err := end.SetReadDeadline(time.Now().Add(100 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if n, err := end.Read(got); n > 0 || err == nil {
		t.Errorf("%q came through a cut wire (%v)", got[:n], err)
	}
	w.cut(false)
	if err := end.SetReadDeadline(time.Time{}); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(end, got); err != nil || string(got) != "hello" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestTheFilmIsPlayedAnewWhenItIsAskedForAndWaitsWhileItIsHeld(t *testing.T) {
	folder := t.TempDir()
	files := map[string]string{
		"match.json":   `{"players":{"light":"L","dark":"D"},"length":1,"modes":{"clock":{"turn_end":"clock","inputs":"inputs.jsonl"}},"start":{"position":"initial"}}`,
		"inputs.jsonl": `{"t_ms": 50, "press": "light"}` + "\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(90, 90, 90, 0), 64, 64, gocv.MatTypeCV8UC3)
	defer img.Close()
	for _, name := range []string{"1.png", "2.png", "3.png"} {
		gocv.IMWrite(filepath.Join(folder, name), img)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		c, err := newCamera(folder)
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			c.play(ctx)
		}()
		for round := 1; round <= 3; round++ {
			if round == 2 {
				c.hold(true)
				<-time.After(3 * settingUp)
				if len(c.press) > 0 {
					t.Error("pressed while the players waited")
				}
				c.hold(false)
			}
			<-c.press
			<-c.over
			if c.seen() != round {
				t.Errorf("%d rounds, want %d", c.seen(), round)
			}
			c.again <- struct{}{}
		}
		stop()
		<-ended
	})
}
