package referee_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"davar/rules/referee"
	"davar/rules/referee/accuracy"
	"davar/rules/referee/refereetest"
)

func openFilm(t testing.TB, name string) *refereetest.Film {
	t.Helper()
	film, err := refereetest.OpenFilm(os.DirFS("refereetest/testdata/" + name))
	if err != nil {
		t.Fatal(err)
	}
	return film
}

// refereeFilm referees a film and returns all events.
func refereeFilm(t testing.TB, film *refereetest.Film, mode string, noise refereetest.Noise, seed uint64) []referee.Event {
	t.Helper()
	r, err := referee.New(film.Settings(mode))
	if err != nil {
		t.Fatal(err)
	}
	var events []referee.Event
	for _, in := range film.Stream(mode, noise, seed) {
		events = append(events, r.Handle(in)...)
	}
	return events
}

func line(e *referee.Event) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%6.2f %s", float64(e.TMS)/1000, e.Type)
	if e.Side != nil {
		fmt.Fprintf(&b, " %s", e.Side)
	}
	if e.Dice != nil {
		fmt.Fprintf(&b, " %v", e.Dice)
	}
	fmt.Fprintf(&b, " %s %s %s", e.Notation, e.Why, e.What)
	if e.Ruling != nil {
		fmt.Fprintf(&b, " %s %v %v", e.Ruling.Code, e.Ruling.Params, e.Ruling.Rules)
	}
	return b.String()
}

func compareFilm(t testing.TB, name, mode string, noise refereetest.Noise, seed uint64) (accuracy.Result, []referee.Event) {
	t.Helper()
	file, err := os.Open("refereetest/testdata/" + name + "/events.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	truth, err := accuracy.ReadTruth(file)
	if err != nil {
		t.Fatal(err)
	}
	events := refereeFilm(t, openFilm(t, name), mode, noise, seed)
	result, err := accuracy.Compare(truth, events, mode)
	if err != nil {
		t.Fatal(err)
	}
	return result, events
}

var films = []string{"dev1", "dev2"}
var modes = []string{"pickup", "clock"}

func TestFilmsSeenPerfectlyAreRefereedWithoutFault(t *testing.T) {
	for _, name := range films {
		for _, mode := range modes {
			t.Run(name+"/"+mode, func(t *testing.T) {
				result, events := compareFilm(t, name, mode, refereetest.Noise{}, 1)
				if !result.Perfect() || result.Questions > 0 {
					for i := range events {
						t.Log(line(&events[i]))
					}
					t.Errorf("%+v", result)
				}
			})
		}
	}
}
