package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gocv.io/x/gocv"

	"davar/clock"
	"davar/device/camera"
	"davar/device/display"
	"davar/device/doctor"
	"davar/rules"
	"davar/rules/referee"
	"davar/rules/sighting"
)

// fetch returns what an address serves.
func fetch(t *testing.T, url string) (status int, text string) {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

func TestARunningTableTellsHowItDoesAndHowToMendIt(t *testing.T) {
	listen, folder := freePort(t), t.TempDir()
	notify := filepath.Join(folder, "notify")
	systemd, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: notify, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer systemd.Close()
	t.Setenv("NOTIFY_SOCKET", notify)
	settings := write(t, "davar.yaml", "metrics: {listen: "+listen+"}\nlog: {format: json}\n")
	p, err := startClock(t.Context(), folder, "--config", settings)
	if err != nil {
		t.Fatal(err)
	}
	defer p.kill()
	if _, err := p.keys.Write([]byte("ala")); err != nil {
		t.Fatal(err)
	}
	var text [64]byte
	if err := systemd.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"READY=1", "WATCHDOG=1"} {
		n, err := systemd.Read(text[:])
		if err != nil || string(text[:n]) != want {
			t.Fatalf("systemd is told %q, %v; want %s", text[:n], err, want)
		}
	}
	if status, text := fetch(t, "http://"+listen+"/healthz"); status != 200 || text != "ok\n" {
		t.Errorf("/healthz says %d %q", status, text)
	}
	_, metrics := fetch(t, "http://"+listen+"/metrics")
	for _, want := range []string{"davar_presses_total{side=\"light\"}", "davar_frame_age_seconds -1", `davar_queue_length{queue="journal"}`} {
		if !strings.Contains(metrics, want) {
			t.Errorf("/metrics lacks %s", want)
		}
	}
	status, body := fetch(t, "http://"+listen+"/doctor.json")
	var r doctor.Report
	if err := json.Unmarshal([]byte(body), &r); err != nil || status != 200 || len(r.Findings) < 6 {
		t.Errorf("/doctor.json says %d %s", status, body)
	}
}

// thinker is a judge without opinions.
type thinker struct{ handled int }

func (j *thinker) Handle(referee.Input) []referee.Event { j.handled++; return nil }
func (j *thinker) State() referee.State                 { return referee.State{} }
func (j *thinker) Checkpoint() ([]byte, error)          { return nil, nil }
func (j *thinker) Clock() (clock.Still, bool)           { return clock.Still{}, false }

func TestAJudgeIsSeenToWorkByWhatItHandles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, j := newHealth(), &thinker{}
		o := &observed{Judge: j, health: h, judge: h.pulse.Watch("the judge", judgeTurns), camera: h.pulse.Watch("the camera's loop", cameraTurns)}
		o.Handle(referee.Input{Press: &referee.Press{Side: rules.Light}})
		o.Handle(referee.Input{Sighting: &sighting.Sighting{Scene: sighting.SceneLost}})
		for range 7 { // the clock ticks, the camera's loop does not
			time.Sleep(9 * time.Second)
			o.Handle(referee.Input{})
		}
		if err := h.pulse.Check(); err == nil || !strings.Contains(err.Error(), "camera") {
			t.Errorf("a camera's loop that hangs is told as %v", err)
		}
		o.Handle(referee.Input{Sighting: &sighting.Sighting{Still: true}})
		if err := h.pulse.Check(); err != nil {
			t.Error(err)
		}
		time.Sleep(judgeTurns + time.Second)
		if err := h.pulse.Check(); err == nil || !strings.Contains(err.Error(), "judge") {
			t.Errorf("a judge that hangs is told as %v", err)
		}
		if j.handled != 10 {
			t.Errorf("%d inputs came through, want 10", j.handled)
		}
	})
}

func TestTheDoctorIsToldWhatARunningCameraShows(t *testing.T) {
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(9, 9, 9, 0), 720, 1280, gocv.MatTypeCV8UC3)
	defer img.Close()
	synctest.Test(t, func(t *testing.T) {
		l := &lookout{asked: 10}
		if _, err := l.tell(context.Background()); !errors.Is(err, camera.ErrLost) {
			t.Errorf("before the first picture: %v", err)
		}
		for range 52 {
			l.see(img, &sighting.Sighting{Scene: sighting.SceneDark}, 0)
			time.Sleep(100 * time.Millisecond)
		}
		p, err := l.tell(context.Background())
		if err != nil || p.Rate < 9.9 || p.Rate > 10.1 || p.Light > camera.Dark || *p.Board || p.Size != [2]int{1280, 720} {
			t.Errorf("ten dark pictures a second are told as %+v, %v", p, err)
		}
		time.Sleep(6 * time.Second)
		if _, err := l.tell(context.Background()); !errors.Is(err, camera.ErrLost) {
			t.Errorf("six seconds after the last picture: %v", err)
		}
	})
}

func TestFaultsOfARunningTableAreFindings(t *testing.T) {
	s := &station{health: newHealth()}
	s.config.Buttons.Enabled = true
	s.health.fault("stuck", errors.New("the light button has been down for a long time"))
	s.health.fault("log", errors.New("disk full"))
	got := map[string]doctor.State{}
	for _, f := range s.devices() {
		got[f.Key] = f.State
	}
	if got["buttons_closed"] != doctor.Fault || got["disk_closed"] != doctor.Fault || got["displays_none"] != doctor.Skipped {
		t.Errorf("found %v", got)
	}
	s.displays = &display.Table{}
	for fault, want := range map[string]string{"displays": "displays_silent", "display_bus": "displays_closed"} {
		s.health.fault(fault, errors.New("no answer"))
		if !slices.ContainsFunc(s.devices(), func(f doctor.Finding) bool { return f.Key == want && f.State == doctor.Fault }) {
			t.Errorf("%s fails, found %v", fault, s.devices())
		}
		s.health.fault(fault, nil)
	}
	s.health.fault("stuck", nil)
	if s.health.failing("stuck") != nil {
		t.Error("a fault that is mended is still told")
	}
}
