package referee_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"davar/rules/referee"
	"davar/rules/referee/refereetest"

	"pgregory.net/rapid"
)

// journal is the events as they are written down.
func journal(t rapid.TB, events []referee.Event) []byte {
	t.Helper()
	var b bytes.Buffer
	for i := range events {
		text, err := json.Marshal(&events[i])
		if err != nil {
			t.Fatal(err)
		}
		b.Write(text)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func TestTheSameInputsGiveTheSameEventsByteForByte(t *testing.T) {
	for _, mode := range modes {
		first := journal(t, refereeFilm(t, openFilm(t, "dev2"), mode, refereetest.UsualNoise(), 7))
		second := journal(t, refereeFilm(t, openFilm(t, "dev2"), mode, refereetest.UsualNoise(), 7))
		if !bytes.Equal(first, second) {
			t.Errorf("%s: two runs differ", mode)
		}
	}
}

// matter keeps of the events what a restart must not change: all but the clock, and the numbers.
func matter(events []referee.Event) []referee.Event {
	var kept []referee.Event
	for _, e := range events {
		if e.Clock != nil || e.Type == referee.DecisionMade {
			continue
		}
		e.Seq = 0
		if e.Ruling != nil {
			body := *e.Ruling
			body.ID = 0
			e.Ruling = &body
		}
		kept = append(kept, e)
	}
	return kept
}

func TestARefereeRestoredFromItsCheckpointGoesOnAsIfNothingHadHappened(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode, func(t *testing.T) {
			film := openFilm(t, "dev2")
			inputs := film.Stream(mode, refereetest.UsualNoise(), 3)
			whole := refereeFilm(t, film, mode, refereetest.UsualNoise(), 3)
			rapid.Check(t, func(t *rapid.T) {
				cut := rapid.IntRange(0, len(inputs)-1).Draw(t, "restart before input")
				r, err := referee.New(film.Settings(mode))
				if err != nil {
					t.Fatal(err)
				}
				var events []referee.Event
				for i, in := range inputs {
					if i == cut {
						r = restart(t, r)
						if mode == "clock" {
							resume := referee.Decision{What: referee.DecideResume}
							events = append(events, r.Handle(referee.Input{T: in.T, Decision: &resume})...)
						}
					}
					events = append(events, r.Handle(in)...)
				}
				if got, want := journal(t, matter(events)), journal(t, matter(whole)); !bytes.Equal(got, want) {
					t.Errorf("restarted before input %d (%v): events differ:\n%s\nwant\n%s", cut, inputs[cut].T, got, want)
				}
			})
		})
	}
}

func restart(t rapid.TB, r *referee.Referee) *referee.Referee {
	t.Helper()
	before, err := json.Marshal(r.State())
	if err != nil {
		t.Fatal(err)
	}
	text, err := r.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	again, err := referee.Restore(text)
	if err != nil {
		t.Fatal(err)
	}
	state := again.State()
	if state.Clock != nil {
		if state.Clock.Running != "" {
			t.Errorf("the clock of %s runs after a restart", state.Clock.Running)
		}
		state.Clock = r.State().Clock
	}
	if after, err := json.Marshal(state); err != nil || !bytes.Equal(before, after) {
		t.Errorf("state after a restart %s, before %s (%v)", after, before, err)
	}
	return again
}

func TestADamagedCheckpointIsRefused(t *testing.T) {
	for _, text := range []string{"", "{", `{"v":2}`, `{"v":1}`} {
		if _, err := referee.Restore([]byte(text)); err == nil {
			t.Errorf("restored from %q", text)
		}
	}
}

func BenchmarkHandle(b *testing.B) {
	film := openFilm(b, "dev1")
	inputs := film.Stream("clock", refereetest.UsualNoise(), 1)
	for b.Loop() {
		r, err := referee.New(film.Settings("clock"))
		if err != nil {
			b.Fatal(err)
		}
		for _, in := range inputs {
			r.Handle(in)
		}
	}
	b.ReportMetric(float64(b.Elapsed())/float64(time.Microsecond)/float64(b.N*len(inputs)), "µs/input")
}

func TestPicturesThatComeLateChangeNothingButTheOrderOfTheClock(t *testing.T) {
	for _, name := range films {
		film := openFilm(t, name)
		r, err := referee.New(film.Settings("clock"))
		if err != nil {
			t.Fatal(err)
		}
		// Every picture comes 300 ms after it was taken, as from a slow eye; presses and decisions at once.
		var late []referee.Event
		presses := film.Inputs["clock"]
		for _, in := range film.Stream("none", refereetest.UsualNoise(), 3) {
			for len(presses) > 0 && presses[0].T < in.T+300*time.Millisecond {
				late = append(late, r.Handle(presses[0])...)
				presses = presses[1:]
			}
			late = append(late, r.Handle(in)...)
		}
		inTime := refereeFilm(t, film, "clock", refereetest.UsualNoise(), 3)
		if got, want := said(late), said(inTime); got != want {
			t.Errorf("%s: late pictures gave\n%s\nin time\n%s", name, got, want)
		}
	}
}

// said returns rolls, plays and rulings.
func said(events []referee.Event) string {
	var b bytes.Buffer
	for i := range events {
		switch e := &events[i]; e.Type {
		case referee.Roll, referee.PlayMade, referee.Dance, referee.RulingMade, referee.GameEnded:
			b.WriteString(line(e) + "\n")
		}
	}
	return b.String()
}
