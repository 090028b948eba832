package recording

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"davar/rules"
)

func TestInputsArePressesAndDecisionsInTheOrderOfTime(t *testing.T) {
	inputs, err := ParseInputs([]byte("{\"t_ms\": 7390, \"press\": \"dark\"}\n\n{\"t_ms\": 500, \"decision\": \"replay\", \"side\": \"dark\", \"ruling\": \"M3\"}\n"))
	if err != nil || len(inputs) != 2 {
		t.Fatal(inputs, err)
	}
	d := inputs[0].Decision
	if inputs[0].T != 500*time.Millisecond || d == nil || d.What != "replay" || d.Side != rules.Dark || d.Ruling != "M3" || d.By != "director" {
		t.Errorf("first is %+v %+v", inputs[0], d)
	}
	if inputs[1].Press == nil || inputs[1].Press.Side != rules.Dark {
		t.Errorf("second is %+v", inputs[1])
	}
}

func TestABadInputNamesItsLine(t *testing.T) {
	for _, text := range []string{"{\"t_ms\":1,\"press\":\"light\"}\nnonsense", "{\"t_ms\":1,\"press\":\"light\"}\n{\"t_ms\":2}", "{\"t_ms\":1,\"press\":\"light\"}\n{\"press\":\"light\"}",
		"{\"t_ms\":1,\"press\":\"light\"}\n{\"t_ms\":2,\"press\":\"red\"}"} {
		if _, err := ParseInputs([]byte(text)); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAFolderThatIsNoFilmSaysWhatAFilmIs(t *testing.T) {
	if _, err := Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), "video.mp4") {
		t.Error(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "match.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "modes") {
		t.Error(err)
	}
}

func TestAFilmMayBeginInTheMiddleOfAGame(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("inputs.pickup.jsonl", "")
	write("match.json", `{"modes":{"pickup":{"turn_end":"pickup","inputs":"inputs.pickup.jsonl"}},
		"start":{"position":{"points":{"6":5,"24":-2},"bar":{"light":1,"dark":0},"off":{"light":9,"dark":13}}}}`)
	film, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	inputs, err := film.Inputs("pickup")
	if err != nil || len(inputs) != 1 || inputs[0].Decision.Position == nil {
		t.Fatal(inputs, err)
	}
	p := inputs[0].Decision.Position
	if p.Checkers[rules.Light][6] != 5 || p.Checkers[rules.Dark][1] != 2 || p.Checkers[rules.Light][rules.Bar] != 1 || p.Checkers[rules.Dark][rules.Off] != 13 {
		t.Errorf("the position is %+v", p)
	}
}

func FuzzParseInputs(f *testing.F) {
	f.Add([]byte("{\"t_ms\": 7390, \"press\": \"dark\"}\n{\"t_ms\": 500, \"decision\": \"replay\", \"side\": \"dark\", \"ruling\": \"M3\"}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		inputs, err := ParseInputs(text)
		if err != nil {
			return
		}
		for i, in := range inputs {
			if (in.Press == nil) == (in.Decision == nil) || i > 0 && in.T < inputs[i-1].T {
				t.Errorf("input %d is %+v", i, in)
			}
		}
	})
}

func TestTheBundledFilmUnpacksAndHasBothModes(t *testing.T) {
	film, err := Unpack(filepath.Join(t.TempDir(), "film"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(film.ModeNames(), " "); got != "clock pickup" {
		t.Errorf("modes are %q", got)
	}
	presses, err := film.Inputs("clock")
	if err != nil || len(presses) != 47 {
		t.Errorf("%d presses, %v", len(presses), err)
	}
	if film.Pictures() != filepath.Join(film.Dir, "video.mp4") {
		t.Errorf("pictures are %s", film.Pictures())
	}
}
