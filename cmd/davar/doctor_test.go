package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"davar/device/doctor"
)

// doctorSays runs davar doctor on the settings and returns its status and what it printed.
func doctorSays(t *testing.T, settings string, flags ...string) (int, string) {
	t.Helper()
	var out, errs bytes.Buffer
	args := append([]string{"doctor", "--config", write(t, "davar.yaml", settings)}, flags...)
	status := run(context.Background(), args, &out, &errs)
	if errs.Len() > 0 {
		t.Errorf("on standard error: %s", errs.String())
	}
	return status, out.String()
}

func TestTheDoctorTellsEachFaultAndWhatToDoInBothLanguages(t *testing.T) {
	settings := "camera: {source: " + filepath.Dir(tableTop(t)) + "}\nbuttons: {enabled: true}\ndisplays: {light: 0x70}\n" +
		"journal: {path: " + filepath.Join(t.TempDir(), "davar.db") + "}\nmqtt: {broker: none}\n"
	status, text := doctorSays(t, settings)
	if status != exitFailed {
		t.Errorf("status %d; buttons and displays fail on this machine", status)
	}
	for _, want := range []string{"The buttons cannot be read", "group gpio", "Switch I²C on", "No board is found", "No broker is set", "MB free", "gocv"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not said in\n%s", want, text)
		}
	}
	if _, text := doctorSays(t, settings, "--lang", "fa"); !strings.Contains(text, "دکمه\u200cها خوانده نمی\u200cشود") {
		t.Errorf("in Persian it says\n%s", text)
	}
	_, text = doctorSays(t, settings, "--json")
	var r doctor.Report
	if err := json.Unmarshal([]byte(text), &r); err != nil || r.State != doctor.Fault || len(r.Findings) < 6 {
		t.Errorf("%v; the report is %+v", err, r)
	}
}

func TestTheDoctorAsksTheDavarThatRuns(t *testing.T) {
	running := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewEncoder(w).Encode(doctor.Sum([]doctor.Finding{{Check: "camera", State: doctor.Fault, Key: "camera_frozen"}}))
	}))
	defer running.Close()
	status, text := doctorSays(t, "metrics: {listen: "+strings.TrimPrefix(running.URL, "http://")+"}\n")
	if status != exitFailed || !strings.Contains(text, "Davar runs already") || !strings.Contains(text, "repeats one picture") {
		t.Errorf("status %d, it says\n%s", status, text)
	}
}
