package metrics

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

func TestATableTellsHowItDoes(t *testing.T) {
	table := New("1.2.3")
	var ill atomic.Bool
	server, err := Listen("127.0.0.1:0", Pages{
		Metrics: table.Handler(), Log: slog.New(slog.DiscardHandler),
		Healthy: func() error {
			if ill.Load() {
				return errors.New("the judge has not turned for 9s")
			}
			return nil
		},
		Examine: func(context.Context) any { return map[string]string{"state": "ok"} },
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- server.Run(ctx) }()
	root := "http://" + server.Addr()

	if _, text := get(t, root+"/metrics"); !strings.Contains(text, "davar_frame_age_seconds -1") {
		t.Error("before the first picture its age is told")
	}
	table.Picture(time.Now().Add(-3*time.Second), 12*time.Millisecond)
	table.Confidence(0.97)
	table.Lost()
	table.Press("light")
	table.Press("light")
	table.Event("roll")
	table.Fault("buttons", true)
	table.Queue("pictures", func() int { return 7 })
	table.Gauge("davar_mats", "Mats.", func() float64 { return 21 })
	_, text := get(t, root+"/metrics")
	for _, want := range []string{
		"davar_frame_age_seconds 3", `davar_read_seconds_bucket{le="0.02"} 1`, `davar_read_confidence_bucket{le="0.99"} 1`,
		"davar_camera_lost_total 1", `davar_presses_total{side="light"} 2`, `davar_events_total{type="roll"} 1`,
		`davar_fault{device="buttons"} 1`, `davar_queue_length{queue="pictures"} 7`, "davar_mats 21",
		`davar_build_info{version="1.2.3"} 1`, "process_resident_memory_bytes", "go_goroutines",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("/metrics lacks %s", want)
		}
	}
	if status, text := get(t, root+"/healthz"); status != 200 || text != "ok\n" {
		t.Errorf("/healthz says %d %q", status, text)
	}
	ill.Store(true)
	if status, text := get(t, root+"/healthz"); status != 503 || !strings.Contains(text, "judge") {
		t.Errorf("while the judge hangs /healthz says %d %q", status, text)
	}
	if status, text := get(t, root+"/doctor.json"); status != 200 || text != "{\"state\":\"ok\"}\n" {
		t.Errorf("/doctor.json says %d %q", status, text)
	}
	if _, err := Listen(server.Addr(), Pages{Log: slog.New(slog.DiscardHandler)}); err == nil || !strings.Contains(err.Error(), "metrics.listen") {
		t.Errorf("an address in use is told as %v", err)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
