package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"davar/rules"
	"davar/rules/referee"
)

// heldPlay is a play's notation that stands for what spectators must not know yet.
const heldPlay = "13/11*"

// playSecretly makes the table play: a roll and its play, which nobody outside may see before the next throw and the delay.
func playSecretly(s *Server, match string) {
	side := rules.Light
	s.Publish(referee.Event{Seq: 1, Match: match, Type: referee.GameStarted, Side: &side, Dice: []int{2, 1}})
	s.Publish(referee.Event{Seq: 2, Match: match, Type: referee.PlayMade, Side: &side, Dice: []int{2, 1}, Notation: heldPlay})
	s.SetState(referee.State{Match: match, Seq: 2, Players: [2]string{"A", "B"},
		Plays: []referee.LastPlay{{Seq: 2, Side: "light", Dice: []int{2, 1}, Notation: heldPlay, Legal: true}}}, time.Now(), 1)
}

func TestNothingPublicTellsOfATurnBeforeItIsClosedAndTheDelayHasPassed(t *testing.T) {
	s, url := start(t, Settings{Delay: 2 * time.Minute, Frame: func() ([]byte, time.Time, bool) { return []byte(heldPlay), time.Now(), true }})
	spectator := follow(t, url)
	if name, _, data := spectator.next(); name != "late" || data != `{"delay_ms":120000}` {
		t.Fatalf("first a spectator hears %s %s", name, data)
	}
	playSecretly(s, "m")
	begun := time.Now()
	s.releaseDue(begun.Add(time.Hour)) // however long it takes until the next throw
	for _, path := range []string{"/", "/table", "/state.json", "/frame.jpg", "/state.json?at=public"} {
		if _, body := get(t, url+path); strings.Contains(body, heldPlay) {
			t.Errorf("%s tells of the open turn", path)
		}
	}
	s.Publish(referee.Event{Seq: 3, Match: "m", Type: referee.Roll, Dice: []int{6, 5}}) // closes the window
	s.releaseDue(time.Now().Add(2*time.Minute - 5*time.Second))
	if answer, body := get(t, url+"/state.json"); answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("before the delay has passed: %s %.80s", answer.Status, body)
	}
	s.releaseDue(time.Now().Add(2*time.Minute + 5*time.Second))
	heard := map[string]bool{}
	for range 3 {
		name, _, data := spectator.next()
		heard[fmt.Sprint(name, strings.Contains(data, heldPlay))] = true
	}
	if !heard["statetrue"] || !heard["eventtrue"] || !heard["eventfalse"] {
		t.Errorf("afterwards a spectator hears %v", heard)
	}
	if _, body := get(t, url+"/state.json"); !strings.Contains(body, heldPlay) {
		t.Error("afterwards the state still hides the turn")
	}
}

func TestAHeldBackClockIsAsOldAsItWasAtTheTable(t *testing.T) {
	s, _ := start(t, Settings{Delay: 2 * time.Minute})
	playSecretly(s, "m")
	s.Publish(referee.Event{Seq: 3, Match: "m", Type: referee.Roll})
	asOf := s.shown.asOf
	s.releaseDue(time.Now().Add(2*time.Minute + 5*time.Second))
	if late := s.public.asOf.Sub(asOf); late < 2*time.Minute || late > 2*time.Minute+5*time.Second {
		t.Errorf("its figures are %v later", late)
	}
}

func TestTheScreenBesideTheBoardIsNotHeldBack(t *testing.T) {
	s, url := start(t, Settings{Delay: 2 * time.Minute})
	playSecretly(s, "m")
	if _, body := get(t, url+"/state.json?at=table"); !strings.Contains(body, heldPlay) {
		t.Error("on the table's own machine the state is held back")
	}
	for _, header := range []string{"X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"} {
		if _, body := get(t, url+"/state.json?at=table", header, "192.0.2.7"); strings.Contains(body, heldPlay) {
			t.Errorf("with %s the state is shown", header)
		}
	}
}

func TestOnlyThisMachineIsHere(t *testing.T) {
	for remote, want := range map[string]bool{
		"127.0.0.1:4000": true, "[::1]:4000": true, "192.0.2.7:4000": false, "[2001:db8::1]:4000": false, "nonsense": false, "": false,
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "/events?at=table", nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.RemoteAddr = remote; fromHere(r) != want {
			t.Errorf("%q is here: %v", remote, !want)
		}
	}
}

func TestOfWhatWaitsForThePublicTheOldestStatesGoFirstAndNoEvent(t *testing.T) {
	h := newHeld(time.Minute)
	for i := range 3 * heldLimit {
		w := waiting{match: "m", seq: int64(i / 2), state: &shown{}}
		if i%4 == 0 {
			w = waiting{match: "m", seq: int64(i / 2), message: message{}}
		}
		h.add(w)
	}
	messages := 0
	for _, w := range h.queue {
		if w.message != nil {
			messages++
		}
	}
	if len(h.queue) > heldLimit || messages != 3*heldLimit/4 {
		t.Errorf("%d wait, %d of them events", len(h.queue), messages)
	}
}
