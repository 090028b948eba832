package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"davar/rules/referee"
)

// follower reads a stream of server-sent events.
type follower struct {
	t     *testing.T
	lines *bufio.Scanner
	stop  func()
}

func follow(t *testing.T, url string) *follower {
	t.Helper()
	return followAt(t, url+"/events")
}

func followAt(t *testing.T, url string) *follower {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%s: %s, %s", url, answer.Status, answer.Header.Get("Content-Type"))
	}
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	t.Cleanup(func() { stop(); answer.Body.Close() })
	return &follower{t, lines, stop}
}

// next returns the next event's name, id and data.
func (f *follower) next() (name, id, data string) {
	f.t.Helper()
	for f.lines.Scan() {
		field, value, _ := strings.Cut(f.lines.Text(), ": ")
		switch field {
		case "event":
			name = value
		case "id":
			id = value
		case "data":
			data = value
		case "":
			if name != "" {
				return name, id, data
			}
		}
	}
	f.t.Fatalf("the stream ended: %v", f.lines.Err())
	return "", "", ""
}

func (f *follower) state() (seq int64) {
	f.t.Helper()
	name, _, data := f.next()
	var message struct{ State struct{ Seq int64 } }
	if name != "state" || json.Unmarshal([]byte(data), &message) != nil {
		f.t.Fatalf("a state was to come: %s %s", name, data)
	}
	return message.State.Seq
}

func TestAViewerGetsTheStateAtOnceAndAtEachChange(t *testing.T) {
	s, url := start(t, Settings{})
	s.SetState(stateAfter(t, 1), time.Now(), 1)
	early := follow(t, url)
	if name, id, _ := early.next(); name != "state" || id != "101" {
		t.Fatalf("first comes %s %s", name, id)
	}
	for turns := 2; turns <= 4; turns++ {
		s.SetState(stateAfter(t, turns), time.Now(), 1)
		if seq := early.state(); seq != int64(100+turns) {
			t.Errorf("after %d turns came state %d", turns, seq)
		}
	}
	if seq := follow(t, url).state(); seq != 104 { // who comes late, or again after a loss, misses nothing
		t.Errorf("a late viewer gets state %d", seq)
	}
	s.Publish(referee.Event{Seq: 105, Type: referee.Attention, Why: "hand"})
	name, id, data := early.next()
	if name != "event" || id != "105" || !strings.Contains(data, "A hand covers the board.") || !strings.Contains(data, "دست روی تخته است.") {
		t.Errorf("the event came as %s %s %s", name, id, data)
	}
}

func TestTheAgeOfTheClockIsThatOfTheMomentOfSending(t *testing.T) {
	shot := newSnapshot(mustBook(t), &shown{state: stateAfter(t, 1), asOf: time.Unix(1000, 0), rate: 2}, nil, "", public, false, nil)
	for after, want := range map[time.Duration]string{0: `"age_ms":0,"rate":2,`, 1500 * time.Millisecond: `"age_ms":1500,"rate":2,`} {
		if got := string(shot.encode(time.Unix(1000, 0).Add(after))); !strings.Contains(got, want) {
			t.Errorf("sent %v later it holds no %s: %.60s", after, want, got)
		}
	}
}

func TestAStreamShowsThatItLives(t *testing.T) {
	s, url := start(t, Settings{})
	s.beat = time.Millisecond
	f := follow(t, url)
	if name, _, _ := f.next(); name != "beat" {
		t.Errorf("with nothing to tell came %s", name)
	}
}

func TestASlowViewerIsDroppedAndNobodyWaitsForHim(t *testing.T) {
	h := newHub(2)
	slow, err := h.join(public)
	if err != nil {
		t.Fatal(err)
	}
	other, err := h.join(director)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.join(public); err == nil {
		t.Error("a third of two viewers is let in")
	}
	shot := &snapshot{}
	for range messagesAhead + 1 { // returns, although nobody reads
		h.publish(public, message{})
		h.setState(public, shot)
	}
	select {
	case <-slow.dropped:
	default:
		t.Error("a viewer who reads nothing is kept")
	}
	select {
	case <-other.dropped:
		t.Error("a viewer of another audience is dropped")
	default:
	}
	if len(h.viewers) != 1 {
		t.Errorf("%d viewers left, want 1", len(h.viewers))
	}
	h.leave(slow) // safe after the drop
	h.close()
	if _, err := h.join(public); err == nil {
		t.Error("a closed hub lets viewers in")
	}
}

func TestAConnectionThatTakesNothingIsEndedAndOthersHearEverything(t *testing.T) {
	s, url := start(t, Settings{})
	s.SetState(stateAfter(t, 35), time.Now(), 1)
	stuck, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer stuck.Close()
	fmt.Fprint(stuck, "GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
	f := follow(t, url)
	f.state()
	for seq := int64(1); seq < 20_000 && watching(s) > 1; seq++ {
		s.Publish(referee.Event{Seq: seq, Type: referee.Attention, Why: "hand"})
		s.SetState(stateAfter(t, 35), time.Now(), 1)
		for heard := false; !heard; {
			name, id, _ := f.next()
			heard = name == "event"
			if heard && id != fmt.Sprint(seq) {
				t.Fatalf("event %s came, want %d", id, seq)
			}
		}
	}
	if watching(s) != 1 {
		t.Error("a viewer whose connection takes nothing is kept")
	}
}

// watching returns how many watch.
func watching(s *Server) int {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	return len(s.hub.viewers)
}

func TestWhoKeepsThePlaysIsSentTheNewOnesAlone(t *testing.T) {
	s, url := start(t, Settings{})
	s.SetState(stateAfter(t, 6), time.Now(), 1)
	f := followAt(t, url+"/events?plays=new")
	for _, c := range []struct {
		name        string
		turns       int
		undo        bool
		from, plays int
	}{
		{"the first state is whole", 6, false, 0, 6},
		{"a turn later", 7, false, 6, 1},
		{"nothing new", 7, false, 7, 0},
		{"two plays taken back", 5, false, 5, 0},
		{"the last one played otherwise", 5, true, 4, 1},
	} {
		if c.name != "the first state is whole" {
			state := stateAfter(t, c.turns)
			if c.undo {
				state.Plays = slices.Clone(state.Plays)
				state.Plays[c.turns-1].Notation = "24/23"
			}
			s.SetState(state, time.Now(), 1)
		}
		_, _, data := f.next()
		var m struct {
			State struct {
				Plays []any
				From  int `json:"plays_from"`
			}
		}
		if err := json.Unmarshal([]byte(data), &m); err != nil {
			t.Fatal(err)
		}
		if m.State.From != c.from || len(m.State.Plays) != c.plays {
			t.Errorf("%s: %d plays from number %d, want %d from %d", c.name, len(m.State.Plays), m.State.From, c.plays, c.from)
		}
	}
}

func TestAFullHouseAsksToComeBackLater(t *testing.T) {
	s, url := start(t, Settings{MaxViewers: 1})
	s.SetState(stateAfter(t, 0), time.Now(), 1)
	follow(t, url).state()
	answer, _ := get(t, url+"/events")
	if answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" {
		t.Errorf("%s, Retry-After %q", answer.Status, answer.Header.Get("Retry-After"))
	}
}

func BenchmarkSetStateWithAThousandViewers(b *testing.B) {
	s, err := New(Settings{Addr: "127.0.0.1:0"})
	if err != nil {
		b.Fatal(err)
	}
	for range 1000 {
		if _, err := s.hub.join(public); err != nil {
			b.Fatal(err)
		}
	}
	state := stateAfter(b, 35)
	for b.Loop() {
		s.SetState(state, time.Now(), 1)
	}
}
