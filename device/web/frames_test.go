package web

import (
	"net/http"
	"testing"
	"time"

	"davar/rules/referee"
)

func TestSpectatorsSeeAPictureWhenTwoTurnsAreClosedAndTheDelayHasPassed(t *testing.T) { // PUB-1
	const delay = 2 * time.Minute
	picture := "before anything"
	s, url := start(t, Settings{
		Delay: delay, PublicFrame: true, Password: secret,
		Frame: func() ([]byte, time.Time, bool) { return []byte(picture), time.Now(), true },
	})
	seen := func() string {
		t.Helper()
		answer, body := get(t, url+"/frame.jpg")
		if answer.StatusCode == http.StatusNotFound {
			return ""
		}
		return string(body)
	}
	seq := int64(0)
	tell := func(kind string) {
		seq++
		s.Publish(referee.Event{Seq: seq, Match: "m", Game: 1, Type: kind})
	}
	tell(referee.MatchStarted)
	tell(referee.Roll)
	picture = "the first turn"
	s.takeFrame(time.Now())
	tell(referee.PlayMade)
	tell(referee.Roll) // closes the first turn
	if s.takeFrame(time.Now().Add(2 * delay)); seen() != "" {
		t.Error("one turn is closed and what may show the next is seen")
	}
	picture = "the second turn"
	tell(referee.PlayMade)
	tell(referee.Roll)
	if s.takeFrame(time.Now().Add(delay - time.Second)); seen() != "" {
		t.Error("a picture is seen before the delay has passed")
	}
	s.takeFrame(time.Now().Add(delay + time.Second))
	if got := seen(); got != "the first turn" {
		t.Errorf("spectators see %q", got)
	}
	if answer, body := get(t, url+"/director/picture.jpg"); answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("they get the newest one: %s %s", answer.Status, body)
	}
}

func TestSpectatorsSeeNoPictureUnlessItIsSwitchedOn(t *testing.T) {
	s, url := start(t, Settings{Frame: func() ([]byte, time.Time, bool) { return []byte("jpeg"), time.Now(), true }})
	s.SetState(stateAfter(t, 3), time.Now(), 1)
	if answer, _ := get(t, url+"/frame.jpg"); answer.StatusCode != http.StatusNotFound {
		t.Errorf("they get one: %s", answer.Status)
	}
}

func TestPicturesThatWaitAreBounded(t *testing.T) {
	var f frames
	for range 10 {
		f.add(frame{jpeg: make([]byte, framesBytes/4)}, 0)
	}
	if f.bytes > framesBytes || len(f.waiting) != 4 {
		t.Errorf("%d pictures of %d bytes wait", len(f.waiting), f.bytes)
	}
}
