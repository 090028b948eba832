package web

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"davar/device/phrasebook"
	"davar/rules"
	"davar/rules/referee"
)

const secret = "correct horse battery"

func mustBook(t testing.TB) *phrasebook.Book {
	t.Helper()
	book, err := phrasebook.Open("")
	if err != nil {
		t.Fatal(err)
	}
	return book
}

// desk remembers what was handed to the table.
type desk struct {
	mu     sync.Mutex
	inputs []referee.Input
	answer error
}

func (d *desk) control(_ context.Context, in referee.Input) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.inputs = append(d.inputs, in)
	return d.answer
}

func (d *desk) taken() []referee.Input {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.inputs
}

// signIn returns a client that has tried the password.
func signIn(t *testing.T, address, password string) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	answer, err := client.PostForm(address+"/signin", url.Values{"password": {password}})
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return client
}

var changing = map[string]string{"/press": `{"side":"light"}`, "/decision": `{"decision":"pause"}`}

func TestNothingThatChangesAMatchIsOpenWithoutACredential(t *testing.T) {
	d := &desk{}
	_, address := start(t, Settings{Password: secret, Control: d.control})
	forged := &http.Client{}
	stranger := signIn(t, address, "wrong password")
	for path, body := range changing {
		for what, try := range map[string]func() *http.Response{
			"nothing":         func() *http.Response { a, _ := post(t, http.DefaultClient, address+path, body); return a },
			"a wrong sign-in": func() *http.Response { a, _ := post(t, stranger, address+path, body); return a },
			"an empty token": func() *http.Response {
				a, _ := post(t, forged, address+path, body, "Authorization", "Bearer ")
				return a
			},
			"a forged session": func() *http.Response {
				a, _ := post(t, forged, address+path, body, "Cookie", "davar_session=abc")
				return a
			},
			"basic sign-in": func() *http.Response {
				a, _ := post(t, forged, address+path, body, "Authorization", "Basic "+secret)
				return a
			},
		} {
			if answer := try(); answer.StatusCode != http.StatusUnauthorized {
				t.Errorf("%s with %s: %s", path, what, answer.Status)
			}
		}
		if answer, _ := get(t, address+path); answer.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("GET %s: %s", path, answer.Status)
		}
	}
	if len(d.taken()) != 0 {
		t.Errorf("the table was handed %v", d.taken())
	}
}

func TestWithoutAPasswordNobodyControlsTheTable(t *testing.T) {
	d := &desk{}
	_, address := start(t, Settings{Control: d.control})
	client := signIn(t, address, "")
	for path, body := range changing {
		if answer, _ := post(t, client, address+path, body, "Authorization", "Bearer "); answer.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %s", path, answer.Status)
		}
	}
	if _, body := get(t, address+"/table"); strings.Contains(body, "<form") || !strings.Contains(body, "web.password") {
		t.Error("the table's page offers a form that nobody can fill in, or does not say how to open it")
	}
}

func TestWhoSignsInPressesAndDecides(t *testing.T) {
	hash, err := bcrypt.GenerateFromPassword([]byte(secret), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	for what, password := range map[string]string{"a plain password": secret, "a hash": string(hash)} {
		d := &desk{}
		_, address := start(t, Settings{Password: password, Control: d.control})
		client := signIn(t, address, secret)
		post(t, client, address+"/press", `{"side":"dark"}`)
		post(t, client, address+"/decision", `{"decision":"score","by":"Ann","score":{"light":3,"dark":1}}`)
		answer, _ := post(t, http.DefaultClient, address+"/decision", `{"decision":"pause","why":"break"}`, "Authorization", "Bearer "+secret)
		if answer.StatusCode != http.StatusNoContent {
			t.Errorf("%s as a token: %s", what, answer.Status)
		}
		got := d.taken()
		if len(got) != 3 {
			t.Fatalf("with %s the table was handed %d inputs, want 3", what, len(got))
		}
		if got[0].Press == nil || got[0].Press.Side != rules.Dark {
			t.Errorf("the press arrived as %+v", got[0])
		}
		if e := got[1].Decision; e == nil || e.What != "score" || e.By != "Ann" || *e.Score != (referee.Score{Light: 3, Dark: 1}) {
			t.Errorf("the score arrived as %+v", got[1].Decision)
		}
		if e := got[2].Decision; e == nil || e.By != "director" || e.Why != "break" {
			t.Errorf("the pause arrived as %+v", got[2].Decision)
		}
		post(t, client, address+"/signout", "")
		if answer, _ := post(t, client, address+"/press", `{"side":"dark"}`); answer.StatusCode != http.StatusUnauthorized {
			t.Errorf("after signing out: %s", answer.Status)
		}
	}
}

func TestAnotherSiteCannotPressInTheDirectorsName(t *testing.T) {
	d := &desk{}
	_, address := start(t, Settings{Password: secret, Control: d.control})
	client := signIn(t, address, secret)
	for _, headers := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "https://elsewhere.example"}} {
		for path, body := range changing {
			if answer, _ := post(t, client, address+path, body, headers...); answer.StatusCode != http.StatusForbidden {
				t.Errorf("%s with %v: %s", path, headers, answer.Status)
			}
		}
	}
	if answer, _ := post(t, client, address+"/press", `{"side":"dark"}`, "Content-Type", "text/plain"); answer.StatusCode != http.StatusUnsupportedMediaType {
		t.Errorf("as a plain form: %s", answer.Status)
	}
	if len(d.taken()) != 0 {
		t.Errorf("the table was handed %v", d.taken())
	}
}

func TestTheSessionCookieIsForThisSiteAlone(t *testing.T) {
	_, address := start(t, Settings{Password: secret, Control: (&desk{}).control})
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.PostForm(address+"/signin", url.Values{"password": {secret}})
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	cookies := answer.Cookies()
	if len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteStrictMode {
		t.Errorf("the session is kept in %v", cookies)
	}
}

func TestWhoGuessesPasswordsHasToWait(t *testing.T) {
	var logged strings.Builder
	s, address := start(t, Settings{Password: secret, Control: (&desk{}).control, Log: slog.New(slog.NewTextHandler(&logged, nil))})
	now := time.Now()
	s.guard.attempts.now = func() time.Time { return now }
	for range attemptsAtOnce {
		if answer, _ := post(t, http.DefaultClient, address+"/press", `{"side":"light"}`, "Authorization", "Bearer guess guess"); answer.StatusCode != http.StatusUnauthorized {
			t.Fatalf("a first guess: %s", answer.Status)
		}
	}
	if answer, _ := post(t, http.DefaultClient, address+"/press", `{"side":"light"}`, "Authorization", "Bearer "+secret); answer.StatusCode != http.StatusTooManyRequests {
		t.Errorf("after %d guesses even the right password is unread: %s", attemptsAtOnce, answer.Status)
	}
	now = now.Add(attemptEvery)
	for range 3 { // the right one uses up nothing
		if answer, _ := post(t, http.DefaultClient, address+"/press", `{"side":"light"}`, "Authorization", "Bearer "+secret); answer.StatusCode != http.StatusNoContent {
			t.Errorf("a while later: %s", answer.Status)
		}
	}
	signIn(t, address, "guess guess")
	signIn(t, address, "guess guess")
	if text := logged.String(); strings.Contains(text, "guess guess") || strings.Contains(text, secret) {
		t.Errorf("a password stands in the log:\n%s", text)
	}
}

func TestAttemptsAreCountedByAddressAndBounded(t *testing.T) {
	now := time.Unix(0, 0)
	a := newAttempts(func() time.Time { return now })
	use := func(remote string) (n int) {
		for a.take(remote) {
			n++
		}
		return n
	}
	if n := use("192.0.2.1:1000"); n != attemptsAtOnce {
		t.Errorf("%d attempts, want %d", n, attemptsAtOnce)
	}
	if n := use("192.0.2.1:2000"); n != 0 {
		t.Errorf("%d more from another port", n)
	}
	if n := use("192.0.2.2:1000"); n != attemptsAtOnce {
		t.Errorf("%d from another address", n)
	}
	use("[2001:db8::1]:1000")
	if n := use("[2001:db8::2]:1000"); n != 0 {
		t.Errorf("%d more from the same IPv6 subnet", n)
	}
	now = now.Add(attemptsForgiven)
	if n := use("192.0.2.1:1000"); n != attemptsAtOnce {
		t.Errorf("%d after all is forgiven", n)
	}
	now = now.Add(attemptsForgiven)
	for i := range 2 * attemptsWatched {
		a.take(netAddress(i))
	}
	if len(a.used) > attemptsWatched {
		t.Errorf("%d addresses are remembered", len(a.used))
	}
	now = now.Add(attemptsForgiven)
	if !a.take("203.0.113.7:1") {
		t.Error("once the others are forgiven there is no room for a stranger")
	}
}

func netAddress(i int) string {
	const digits = "0123456789"
	part := func(n int) string {
		return strings.TrimLeft(string([]byte{digits[n/100%10], digits[n/10%10]}), "0") + string(digits[n%10])
	}
	return "10.0." + part(i/250) + "." + part(i%250) + ":1"
}

func TestBadRequestsAreRefusedWithAReason(t *testing.T) {
	d := &desk{}
	_, address := start(t, Settings{Password: secret, Control: d.control})
	tests := []struct {
		path, body string
		want       int
		says       string
	}{
		{"/press", ``, 400, "not a JSON object"},
		{"/press", `{}`, 400, `"side" is missing`},
		{"/press", `{"side":"blue"}`, 400, "neither light nor dark"},
		{"/press", `{"side":"light"}{"side":"dark"}`, 400, "more than one value"},
		{"/press", `{"side":"light","hold":true}`, 400, "unknown field"},
		{"/press", `"light"`, 400, "not a JSON object"},
		{"/decision", `{"decision":"teleport"}`, 400, `unknown decision "teleport"`},
		{"/decision", `{"decision":"score"}`, 400, `"score" is missing`},
		{"/decision", `{"decision":"score","score":{"light":-1,"dark":0}}`, 400, "a score must be 0 to 999"},
		{"/decision", `{"decision":"resign","points":4}`, 400, "must be 1, 2 or 3"},
		{"/decision", `{"decision":"set"}`, 400, `"position" is missing`},
		{"/decision", `{"decision":"adjust","remaining_ms":-5}`, 400, "0 to 24 hours"},
		{"/decision", `{"decision":"pause","why":"` + strings.Repeat("x", 300) + `"}`, 400, "more than 200"},
		{"/decision", `{"decision":"pause","why":"` + strings.Repeat("x", 5000) + `"}`, 413, "too long"},
	}
	for _, test := range tests {
		answer, text := post(t, http.DefaultClient, address+test.path, test.body, "Authorization", "Bearer "+secret)
		if answer.StatusCode != test.want || !strings.Contains(text, test.says) {
			t.Errorf("%s %.60s: %s %s", test.path, test.body, answer.Status, text)
		}
	}
	if len(d.taken()) != 0 {
		t.Errorf("the table was handed %v", d.taken())
	}
	d.answer = errors.New("no match is being played")
	answer, text := post(t, http.DefaultClient, address+"/press", `{"side":"light"}`, "Authorization", "Bearer "+secret)
	if answer.StatusCode != http.StatusConflict || strings.TrimSpace(text) != "no match is being played" {
		t.Errorf("a press that the table refuses: %s %s", answer.Status, text)
	}
}

func TestAPasswordThatProtectsNothingIsRefused(t *testing.T) {
	for password, want := range map[string]string{"short": "8 to 72", strings.Repeat("x", 73): "8 to 72", "$2a$nonsense": "begins like a bcrypt hash"} {
		_, err := New(Settings{Addr: ":0", Password: password})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), password) {
			t.Errorf("%d characters: %v", len(password), err)
		}
	}
}

// fuzzed hands a body with the right credential to a route: whatever it is, the answer is one of those known and
// what reaches the table is well formed.
func fuzzed(f *testing.F, path string, ok func(referee.Input) bool) {
	var got *referee.Input
	s, err := New(Settings{Addr: ":0", Password: secret, Control: func(_ context.Context, in referee.Input) error { got = &in; return nil }})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body string) {
		got = nil
		request := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Authorization", "Bearer "+secret)
		answer := httptest.NewRecorder()
		s.handler.ServeHTTP(answer, request)
		switch answer.Code {
		case http.StatusNoContent:
			if got == nil || !ok(*got) {
				t.Errorf("%q reached the table as %+v", body, got)
			}
		case http.StatusBadRequest, http.StatusRequestEntityTooLarge:
			if got != nil {
				t.Errorf("%q was refused and reached the table", body)
			}
		default:
			t.Errorf("%q: %d", body, answer.Code)
		}
	})
}

func FuzzPress(f *testing.F) {
	for _, body := range []string{`{"side":"light"}`, `{"side":"dark"}`, `{}`, `{"side":1}`, `{"side":null}`, `[`, "{\"side\":\"light\"}\x00", ""} {
		f.Add(body)
	}
	fuzzed(f, "/press", func(in referee.Input) bool {
		return in.Press != nil && in.Decision == nil && in.Press.Side <= rules.Dark
	})
}

func FuzzDecision(f *testing.F) {
	for _, body := range []string{
		`{"decision":"pause"}`, `{"decision":"score","score":{"light":1,"dark":2}}`, `{"decision":"resign","side":"dark","points":2}`,
		`{"decision":"adjust","side":"light","remaining_ms":60000}`, `{"decision":"set","position":{"Checkers":[[0],[0]]}}`,
		`{"decision":"score","score":{"light":1e99}}`, `{"decision":"set","position":{"Checkers":[[300]]}}`, `{"decision":"pause"} x`, `{`,
	} {
		f.Add(body)
	}
	fuzzed(f, "/decision", func(in referee.Input) bool {
		if in.Press != nil || in.Decision == nil || in.Decision.By == "" {
			return false
		}
		_, known := referee.AboutSide(in.Decision.What)
		return known
	})
}
