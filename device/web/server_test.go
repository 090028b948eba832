package web

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"davar/rules/referee"
)

func TestThePageComesInTheLanguageAskedFor(t *testing.T) {
	_, url := start(t, Settings{})
	tests := []struct{ path, header, cookie, want string }{
		{"/", "", "", `lang="en" dir="ltr"`},
		{"/", "fa-IR,fa;q=0.9", "", `lang="fa" dir="rtl"`},
		{"/?lang=fa", "en", "", `lang="fa" dir="rtl"`},
		{"/", "en", "lang=fa", `lang="fa" dir="rtl"`},
		{"/?lang=en", "fa", "lang=fa", `lang="en" dir="ltr"`},
		{"/", "", "theme=light", `media="not all"`},
		{"/table?lang=fa", "", "theme=dark", `media="all"`},
		{"/?lang=%22%3E%3Cscript%3E", "", "theme=%22%3E", `media="(prefers-color-scheme: dark)"`},
	}
	for _, test := range tests {
		answer, body := get(t, url+test.path, "Accept-Language", test.header, "Cookie", test.cookie)
		if !strings.Contains(body, test.want) {
			t.Errorf("%s (%s, cookie %s) does not contain %s", test.path, test.header, test.cookie, test.want)
		}
		if policy := answer.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "script-src 'self'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s is sent with the content policy %q", test.path, policy)
		}
	}
}

func TestAssetsAreServedOnceAndAskedForAfterwards(t *testing.T) {
	_, url := start(t, Settings{})
	for name, kind := range map[string]string{"live.js": "text/javascript", "board.css": "text/css", "icon.svg": "image/svg+xml"} {
		answer, body := get(t, url+"/assets/"+name)
		if answer.StatusCode != http.StatusOK || !strings.HasPrefix(answer.Header.Get("Content-Type"), kind) || body == "" {
			t.Errorf("%s: %s, %s", name, answer.Status, answer.Header.Get("Content-Type"))
		}
		if again, _ := get(t, url+"/assets/"+name, "If-None-Match", answer.Header.Get("ETag")); again.StatusCode != http.StatusNotModified {
			t.Errorf("%s asked for again: %s", name, again.Status)
		}
	}
	for _, path := range []string{"/assets/live.html", "/assets/../server.go", "/assets/nothing.js", "/texts/xx.json", "/frame.jpg", "/nowhere"} {
		if answer, _ := get(t, url+path); answer.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s, want not found", path, answer.Status)
		}
	}
	if _, body := get(t, url+"/texts/fa.json"); !strings.Contains(body, "بازی\u200cها") {
		t.Error("the Persian texts do not hold the Persian word for plays")
	}
	if answer, body := get(t, url+"/healthz"); answer.StatusCode != http.StatusOK || body != "ok\n" {
		t.Errorf("/healthz: %s %q", answer.Status, body)
	}
}

func TestThePictureOfTheCameraIsShownWhenThereIsOne(t *testing.T) {
	taken := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	_, url := start(t, Settings{PublicFrame: true, Frame: func() ([]byte, time.Time, bool) { return []byte("jpeg"), taken, true }})
	answer, body := get(t, url+"/frame.jpg")
	if body != "jpeg" || answer.Header.Get("Content-Type") != "image/jpeg" || answer.Header.Get("Last-Modified") != "Sun, 29 Nov 2026 12:00:00 GMT" {
		t.Errorf("%q %v", body, answer.Header)
	}
	_, url = start(t, Settings{PublicFrame: true, Frame: func() ([]byte, time.Time, bool) { return nil, time.Time{}, false }})
	if answer, _ := get(t, url+"/frame.jpg"); answer.StatusCode != http.StatusNotFound {
		t.Errorf("no picture yet: %s", answer.Status)
	}
}

func TestSpectatorsNeverGetWhatIsForTheDirectorOrNobody(t *testing.T) {
	s, url := start(t, Settings{})
	if answer, _ := get(t, url+"/state.json"); answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("before the first state: %s", answer.Status)
	}
	state := stateAfter(t, 5)
	state.Plays[4].Legal = false
	state.Last = &state.Plays[4]
	state.Rulings = []referee.RulingBody{
		{ID: 1, Code: "M3", Audience: "table", Severity: "R", Nearest: []string{"NEAREST"}, Params: map[string]string{"a": "3", "b": "1"}, Offence: "OFFENCE"},
		{ID: 2, Code: "M13", Audience: "director", Severity: "P", Offence: "SECRET"},
		{ID: 3, Code: "P4", Audience: "log", Severity: "P"},
	}
	s.SetState(state, time.Now(), 1)
	answer, body := get(t, url+"/state.json")
	if answer.Header.Get("Cache-Control") != "no-store" {
		t.Error("a state may be stored by caches")
	}
	for _, secret := range []string{"NEAREST", "nearest", "OFFENCE", "SECRET", "M13", "P4", "egal"} {
		if strings.Contains(body, secret) {
			t.Errorf("spectators are sent %q", secret)
		}
	}
	var message struct {
		V     int     `json:"v"`
		Rate  float64 `json:"rate"`
		Age   int64   `json:"age_ms"`
		State struct {
			Points  [24]int
			Rulings []struct {
				Code string
				Text map[string]string
			}
		}
	}
	if err := json.Unmarshal([]byte(body), &message); err != nil {
		t.Fatal(err)
	}
	if message.V != 1 || message.Rate != 1 || message.Age < 0 || message.State.Points != state.Points || len(message.State.Rulings) != 1 {
		t.Errorf("spectators are sent %+v", message)
	}
	if got := message.State.Rulings[0].Text["en"]; got != "Moves do not match the roll 3-1." {
		t.Errorf("the ruling reads %q", got)
	}

	signedIn, err := json.Marshal(viewState(s.book, state, director, false))
	if err != nil {
		t.Fatal(err)
	}
	for _, wanted := range []string{`"code":"M13"`, `"private":true`, `"illegal":true`} {
		if !bytes.Contains(signedIn, []byte(wanted)) {
			t.Errorf("the director is not sent %s", wanted)
		}
	}
	if bytes.Contains(signedIn, []byte("NEAREST")) {
		t.Error("the table's page, which players see, is sent the nearest legal plays (EQUIP-9)")
	}
}

func TestEventsReachOnlyThoseWhoMayHearThem(t *testing.T) {
	s, _ := start(t, Settings{})
	tests := []struct {
		event            referee.Event
		public, director bool
	}{
		{referee.Event{Type: referee.RulingMade, Ruling: &referee.RulingBody{Code: "M3", Audience: "table"}}, true, true},
		{referee.Event{Type: referee.RulingMade, Ruling: &referee.RulingBody{Code: "M3", Audience: "director"}}, false, true},
		{referee.Event{Type: referee.RulingWithdrawn, Ruling: &referee.RulingBody{Code: "M3", Audience: "log"}}, false, true},
		{referee.Event{Type: referee.DecisionMade, What: referee.DecideReplay}, false, true},
		{referee.Event{Type: referee.Attention, Why: "hand"}, true, true},
		{referee.Event{Type: referee.TurnEnded}, false, false},
		{referee.Event{Type: referee.RulingMade}, false, false},
		{referee.Event{Type: "of a later version"}, false, false},
	}
	for _, test := range tests {
		for to, want := range map[audience]bool{public: test.public, director: test.director} {
			data := eventView(s.book, test.event, [2]string{}, to)
			if (data != nil) != want {
				t.Errorf("%s (%+v) to audience %d: %s", test.event.Type, test.event.Ruling, to, data)
			}
		}
	}
}

func TestAPortInUseIsToldWithWhatToDo(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for addr, want := range map[string]string{
		taken.Addr().String(): "another program uses this port; stop it or set web.listen to another port",
		"256.0.0.1:80":        "web.listen must be an address of this machine with a port",
	} {
		s, err := New(Settings{Addr: addr})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("listening on %s: %v", addr, err)
		}
	}
	if _, err := New(Settings{}); err == nil || !strings.Contains(err.Error(), "set web.listen") {
		t.Errorf("no address: %v", err)
	}
}

func TestAServerStopsWithItsContextAndEndsItsStreams(t *testing.T) {
	s, err := New(Settings{Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Listen(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	s.SetState(stateAfter(t, 1), time.Now(), 1)
	answer, err := http.Get(s.URL() + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	stop()
	if err := <-done; err != nil {
		t.Errorf("stopped with %v", err)
	}
	if _, err := io.ReadAll(answer.Body); err != nil {
		t.Errorf("the stream did not end in order: %v", err)
	}
}

func TestTheAddressOfThePageSuitsABrowser(t *testing.T) {
	for addr, want := range map[string]string{
		"0.0.0.0:8080": "http://localhost:8080", ":8080": "http://localhost:8080", "[::]:8080": "http://localhost:8080",
		"127.0.0.1:80": "http://127.0.0.1:80", "[::1]:8080": "http://[::1]:8080", "nonsense": "http://nonsense",
	} {
		s := Server{settings: Settings{Addr: addr}}
		if got := s.URL(); got != want {
			t.Errorf("%s: %s, want %s", addr, got, want)
		}
	}
}

// keyUsed finds the keys of texts that pages and scripts name outright.
var keyUsed = regexp.MustCompile(`(?:\bt\(|\.T |data-(?:t|title|label)=|has\()['"]([a-z]+\.[a-z_]+)['"]`)

func TestEveryTextAPageNamesIsInTheCatalogue(t *testing.T) {
	book := mustBook(t)
	files, err := fs.Glob(pageFiles, "page/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	named := 0
	for _, file := range files {
		source, err := fs.ReadFile(pageFiles, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range keyUsed.FindAllSubmatch(source, -1) {
			named++
			if _, ok := book.Phrases("en")[string(match[1])]; !ok {
				t.Errorf("%s names %s, which is not in the catalogue", file, match[1])
			}
		}
	}
	if named < 50 {
		t.Errorf("only %d keys found in the pages", named)
	}
}
