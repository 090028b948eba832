package web

import (
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"davar/clock"
	"davar/rules/referee"
)

// pairTablet returns a client that has typed in a code.
func pairTablet(t *testing.T, address, code string) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	answer, err := client.PostForm(address+"/pair", url.Values{"code": {code}})
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return client
}

// signInAs returns a client that has tried a name and a password.
func signInAs(t *testing.T, address, name, password string) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	answer, err := client.PostForm(address+"/signin", url.Values{"name": {name}, "password": {password}})
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return client
}

// rooms is everything of the console, with bodies that would do something; those without one are read.
var rooms = map[string]string{
	"/director": "", "/director/table": "", "/director/calibrate": "", "/director/setup": "", "/director/doctor": "", "/director/tables.json": "",
	"/director/cases.json": "", "/director/picture.jpg": "", "/director/tablets.json": "",
	"/director/tablets": `{"name":"x"}`, "/director/tablets/revoke": `{"id":"x"}`, "/director/calibration": `{}`,
	"/director/calibration/keep": `{"corners":[[1,1],[9,1],[9,9],[1,9]]}`, "/director/setup ": `{"values":{},"abandon":true}`,
	"/director/draw": "light,dark\na,b\n", "/director/draw/clear": `{}`,
}

func TestNothingOfTheConsoleIsToBeHadWithoutADirectorsSession(t *testing.T) {
	b := newBureau(t)
	code, err := b.guard.tablets.invite("Window")
	if err != nil {
		t.Fatal(err)
	}
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	clients := map[string]*http.Client{
		"nobody": {}, "a wrong password": signInAs(t, b.url, "sara", "not hers at all"), "a tablet": pairTablet(t, b.url, code),
	}
	for who, client := range clients {
		client.CheckRedirect = stay
		for path, body := range rooms {
			path = strings.TrimSpace(path)
			method, kind := http.MethodGet, ""
			if body != "" {
				method, kind = http.MethodPost, "application/json"
			}
			if path == "/director/draw" {
				kind = "text/csv"
			}
			text := turnedAway(t, client, who, method, b.url+path, kind, body)
			for _, hidden := range []string{"M3", "8/5", "Anna", "Crawford rule"} {
				if strings.Contains(text, hidden) {
					t.Errorf("%s learns %q from %s", who, hidden, path)
				}
			}
		}
	}
	if tried, kept := b.surveyor.has(); tried > 0 || kept != nil || b.maker.last() != nil || len(b.draw.all()) > 0 || len(b.guard.tablets.all()) != 1 {
		t.Error("something was done for them")
	}
}

func TestAnotherSiteCannotUseTheConsoleInTheDirectorsName(t *testing.T) {
	b := newBureau(t)
	sara := signInAs(t, b.url, "sara", sarasPassword)
	for path, body := range rooms {
		if path = strings.TrimSpace(path); body == "" {
			continue
		}
		answer, _ := post(t, sara, b.url+path, body, "Origin", "https://elsewhere.example", "Sec-Fetch-Site", "cross-site")
		if answer.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %s", path, answer.Status)
		}
	}
	if _, kept := b.surveyor.has(); kept != nil || b.maker.last() != nil {
		t.Error("something was done")
	}
}

func TestWhoDecidesIsTheAccountAndCannotBeAnother(t *testing.T) {
	b := newBureau(t)
	sara := signInAs(t, b.url, "sara", sarasPassword)
	if answer, body := post(t, sara, b.url+"/decision", `{"decision":"pause","by":"someone else"}`); answer.StatusCode != http.StatusNoContent {
		t.Fatal(answer.Status, body)
	}
	if d := b.decision(t); d.By != "sara" {
		t.Errorf("decided by %q", d.By)
	}
}

func TestATabletSaysWhatPlayersAgreeOnAndNoMore(t *testing.T) {
	b := newBureau(t)
	code, err := b.guard.tablets.invite("Window")
	if err != nil {
		t.Fatal(err)
	}
	unit := pairTablet(t, b.url, strings.ToLower(strings.ReplaceAll(code, "-", " ")))
	if again := pairTablet(t, b.url, code); again.Jar.Cookies(mustURL(t, b.url)) != nil {
		t.Error("a code works twice")
	}
	for body, want := range map[string]int{
		`{"decision":"pause","why":"appeal","by":"director"}`: http.StatusNoContent, `{"decision":"stand"}`: http.StatusNoContent,
		`{"decision":"overrule"}`: http.StatusForbidden, `{"decision":"score","score":{"light":6,"dark":0}}`: http.StatusForbidden,
		`{"decision":"adjust","side":"light","remaining_ms":3600000}`: http.StatusForbidden, `{"decision":"undo"}`: http.StatusForbidden,
	} {
		answer, text := post(t, unit, b.url+"/decision", body)
		if answer.StatusCode != want {
			t.Errorf("%s: %s %s", body, answer.Status, text)
		}
		if want == http.StatusNoContent {
			if d := b.decision(t); d.By != "players" {
				t.Errorf("%s by %q", body, d.By)
			}
		}
	}
	_, page := fetch(t, unit, b.url+"/table")
	if !strings.Contains(page, "data-press") || strings.Contains(page, `data-decide="score"`) || strings.Contains(page, `/director"`) {
		t.Error("the tablet's page has not the buttons that it may use, or others")
	}
	if status, _ := fetch(t, unit, b.url+"/matches/now/pictures/x"); status != http.StatusUnauthorized {
		t.Errorf("the tablet asks for evidence: %d", status)
	}
}

func mustURL(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestTabletsOutliveARestartAndTheirTokensAreNotWrittenDown(t *testing.T) {
	folder := t.TempDir()
	first, err := openTablets(folder)
	if err != nil {
		t.Fatal(err)
	}
	code, err := first.invite("Window")
	if err != nil {
		t.Fatal(err)
	}
	token, tablet, err := first.pair(code)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "tablets.json"))
	if err != nil || strings.Contains(string(text), token) {
		t.Errorf("the file holds the token, or is not there: %v", err)
	}
	if info, err := os.Stat(filepath.Join(folder, "tablets.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("anybody may read it: %v %v", info.Mode(), err)
	}
	second, err := openTablets(folder)
	if err != nil {
		t.Fatal(err)
	}
	if found, ok := second.find(token); !ok || found.ID != tablet.ID {
		t.Error("after a restart the tablet is not known")
	}
	if ok, err := second.revoke(tablet.ID); !ok || err != nil {
		t.Errorf("revoked: %v %v", ok, err)
	}
	if _, ok := second.find(token); ok {
		t.Error("it is known although its right was taken")
	}
}

func TestACodeLastsTenMinutes(t *testing.T) {
	tablets, err := openTablets("")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	tablets.now = func() time.Time { return now }
	code, err := tablets.invite("Window")
	if err != nil {
		t.Fatal(err)
	}
	now = now.Add(codeLife)
	if _, _, err := tablets.pair(code); err == nil {
		t.Error("an old code pairs")
	}
}

func TestWhoGuessesCodesHasToWait(t *testing.T) {
	b := newBureau(t)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for i := range attemptsAtOnce + 1 {
		answer, err := client.PostForm(b.url+"/pair", url.Values{"code": {"AAAA-AAAA"}})
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		want := "/pair?refused=wrong"
		if i == attemptsAtOnce {
			want = "/pair?refused=wait"
		}
		if got := answer.Header.Get("Location"); got != want {
			t.Errorf("attempt %d leads to %s, want %s", i+1, got, want)
		}
	}
}

func TestSigningInLeadsOnToPagesOfThisServerAlone(t *testing.T) {
	s := &Server{}
	for next, want := range map[string]string{
		"/director/setup?pairing=2": "/director/setup?pairing=2", "": "/table", "https://elsewhere.example/director": "/table",
		"//elsewhere.example/director": "/table", `/director\..\x`: "/table", "/matches": "/table", "javascript:alert(1)": "/table",
	} {
		if got := s.onward(next); got != want {
			t.Errorf("%q leads to %q, want %q", next, got, want)
		}
	}
}

func TestAccountsAreReadFromAFileAndAllMistakesAreTold(t *testing.T) {
	a, err := NewAccount("sara", Director, "a plain old password")
	if err != nil {
		t.Fatal(err)
	}
	got, err := ParseAccounts([]byte("# who may\n\n" + a.String() + "\n"))
	if err != nil || len(got) != 1 || got[0] != a {
		t.Fatalf("%v %v", got, err)
	}
	_, err = ParseAccounts([]byte(a.String() + "\n" + a.String() + "\nx\nlight:director:" + a.Hash + "\nbo:king:" + a.Hash + "\nbo:table:secret\n"))
	if err == nil {
		t.Fatal("mistakes are accepted")
	}
	for _, want := range []string{"line 2: ", "twice", "line 3: ", "line 4: ", "line 5: ", "king", "line 6: "} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not told: %v", want, err)
		}
	}
	if strings.Contains(err.Error(), a.Hash) || strings.Contains(err.Error(), "secret") {
		t.Error("the error shows a hash or a password")
	}
}

func TestTheConsoleTellsWhoNeedsTheDirectorFirst(t *testing.T) {
	now := time.Now()
	running := func(change func(*referee.State)) *referee.State {
		s := stateAfter(t, 19)
		change(&s)
		return &s
	}
	for _, c := range []struct {
		name  string
		table ConsoleTable
		want  string
	}{
		{"a game in play needs nobody", ConsoleTable{State: running(func(*referee.State) {})}, ""},
		{"called", ConsoleTable{State: running(func(s *referee.State) { s.Clock.Paused = string(clock.Ruling) })}, NeedAppeal},
		{"called where there is no clock", ConsoleTable{State: running(func(s *referee.State) { s.Clock, s.Appeal = nil, true })}, NeedAppeal},
		{"an open ruling", ConsoleTable{State: running(func(s *referee.State) { s.Rulings = []referee.RulingBody{{Code: "C1"}} })}, NeedRuling},
		{"a ruling that waits for an answer", ConsoleTable{State: running(func(s *referee.State) {
			s.Rulings = []referee.RulingBody{{Code: "M1", Answers: []string{"replay"}}}
		})}, NeedQuestion},
		{"a question", ConsoleTable{State: running(func(s *referee.State) { s.Notice = "not_seen" })}, NeedQuestion},
		{"no picture", ConsoleTable{State: running(func(s *referee.State) { s.Notice = "camera" })}, NeedCamera},
		{"a flag that has fallen", ConsoleTable{State: running(func(s *referee.State) { s.Clock.Flagged = "light" })}, NeedFlag},
		{"half a minute left", ConsoleTable{State: running(func(s *referee.State) {
			s.Clock.RemainingMS = [2]int64{50_000, 50_000}
			s.Clock.DelayMS = 0
		}), AsOf: now.Add(-20 * time.Second), Rate: 1}, NeedTime},
		{"a clock that stands", ConsoleTable{State: running(func(s *referee.State) { s.Clock.Paused = "director" })}, NeedPaused},
		{"a break", ConsoleTable{State: running(func(s *referee.State) { s.Clock.Paused = "break" })}, ""},
		{"a dead button", ConsoleTable{State: running(func(*referee.State) {}), Faults: []string{"buttons"}}, NeedFault},
		{"nothing heard", ConsoleTable{Away: AwayOffline}, NeedAway},
	} {
		if c.table.AsOf.IsZero() {
			c.table.AsOf = now
		}
		needs := c.table.Needs(now)
		if got := strings.Join(needs, " "); c.want == "" && got != "" || c.want != "" && (len(needs) == 0 || needs[0] != c.want) {
			t.Errorf("%s: needs %q, want %q", c.name, got, c.want)
		}
	}
	b := newBureau(t)
	b.settings.Tables = func() []ConsoleTable {
		return []ConsoleTable{
			{Name: "10", State: running(func(*referee.State) {}), AsOf: now}, {Name: "9", State: running(func(*referee.State) {}), AsOf: now},
			{Name: "3", Away: AwayOffline},
			{Name: "7", AsOf: now, State: running(func(s *referee.State) { s.Clock.Paused = "ruling" })},
		}
	}
	_, body := fetch(t, signInAs(t, b.url, "sara", sarasPassword), b.url+"/director/tables.json")
	var rows []tableRow
	if err := json.Unmarshal([]byte(body), &rows); err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, r := range rows {
		order = append(order, r.Name)
	}
	if got := strings.Join(order, " "); got != "7 3 9 10" {
		t.Errorf("the order is %s", got)
	}
}

func TestADrawSheetIsReadAsPeopleWriteIt(t *testing.T) {
	for name, text := range map[string]string{
		"commas":               "table,light,dark,length\n1,Ann,Bo,7\n2,\"Lee, Cy\",Di,\n",
		"semicolons and a BOM": "\ufefftable;White;Black;Points\r\n1;Ann;Bo;7\r\n2;Lee, Cy;Di;\r\n\r\n",
		"tabs and Persian":     "میز\tروشن\tتیره\tطول\n1\tAnn\tBo\t۷\n2\tLee, Cy\tDi\t\n",
	} {
		got, wrong := ParseDraw([]byte(text))
		want := []Pairing{{Table: "1", Light: "Ann", Dark: "Bo", Length: 7}, {Table: "2", Light: "Lee, Cy", Dark: "Di", Length: -1}}
		if len(wrong) > 0 || len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
			t.Errorf("%s: %v %v", name, got, wrong)
		}
	}
}

func TestMistakesInADrawSheetAreToldByLine(t *testing.T) {
	_, wrong := ParseDraw([]byte("light,dark,length,round\nAnn,Bo,7,1\n,Bo,7,1\nCy,cy,7,1\nDi,Ed,700,1\nAnn,Bo,5,1\n" + strings.Repeat("x", 61) + ",Fy,7,1\n"))
	want := []SheetError{
		{Line: 3, Column: "light", Why: "no_name"}, {Line: 4, Column: "dark", Why: "same_player", Value: "cy"},
		{Line: 5, Column: "length", Why: "length", Value: "700"}, {Line: 6, Column: "light", Why: "twice", Value: "2"},
		{Line: 7, Column: "light", Why: "too_long", Value: strings.Repeat("x", 40) + "…"},
	}
	if len(wrong) != len(want) {
		t.Fatalf("%v", wrong)
	}
	for i := range want {
		if wrong[i] != want[i] {
			t.Errorf("%+v, want %+v", wrong[i], want[i])
		}
	}
	for text, why := range map[string]string{
		"": "empty", "light,dark\n": "no_pairings", "a,b\nx,y\n": "no_column", "light,dark\nAnn,\"Bo\nCy,Di\n": "quotes",
		"light,dark\nAnn,\xff\n": "encoding", "light,white,dark\nAnn,x,Bo\n": "column_twice",
	} {
		if _, wrong := ParseDraw([]byte(text)); len(wrong) == 0 || wrong[0].Why != why {
			t.Errorf("%q: %v, want %s", text, wrong, why)
		}
	}
	book := mustBook(t)
	for _, why := range []string{"encoding", "empty", "no_pairings", "quotes", "no_column", "column_twice", "too_many", "too_long", "control", "no_name", "same_player", "length", "twice"} {
		if _, ok := book.Phrases("en")["console.sheet_"+why]; !ok {
			t.Errorf("nobody is told of %s", why)
		}
	}
}

func TestBodiesThatAreTooLongOrWrongAreRefused(t *testing.T) {
	b := newBureau(t)
	sara := signInAs(t, b.url, "sara", sarasPassword)
	for _, c := range []struct {
		path, kind, body string
		want             int
	}{
		{"/director/draw", "text/csv", "light,dark\n" + strings.Repeat("a,b\n", longestSheet/4), http.StatusRequestEntityTooLarge},
		{"/director/draw", "application/json", "{}", http.StatusUnsupportedMediaType},
		{"/director/setup", "application/json", `{"values":{"x":"` + strings.Repeat("y", longestSetup) + `"}}`, http.StatusRequestEntityTooLarge},
		{"/director/setup", "application/json", `{"values":{"x":"` + strings.Repeat("y", longestAnswer+1) + `"},"abandon":true}`, http.StatusBadRequest},
		{"/director/setup", "application/json", `{"values":{}}`, http.StatusLocked}, // PROC-5
		{"/director/setup", "text/plain", `{}`, http.StatusUnsupportedMediaType},
		{"/director/calibration", "application/json", `{"corners":[[1,2],[3,4],[5,6]]}`, http.StatusBadRequest},
		{"/director/calibration", "application/json", `{"corners":[[1,2],[3,4],[5,6],[1e9,0]]}`, http.StatusBadRequest},
		{"/director/calibration", "application/json", `{"corners":[[1,2,3,"x"]]}`, http.StatusBadRequest},
		{"/director/calibration/keep", "application/json", `{}`, http.StatusConflict},
		{"/director/tablets", "application/json", `{"name":""}`, http.StatusBadRequest},
		{"/director/tablets/revoke", "application/json", `{"id":"nobody"}`, http.StatusNotFound},
	} {
		if answer, text := post(t, sara, b.url+c.path, c.body, "Content-Type", c.kind); answer.StatusCode != c.want {
			t.Errorf("%s %.60s: %s, want %d: %s", c.path, c.body, answer.Status, c.want, text)
		}
	}
}

// FuzzConsole sends any body to whatever of the console takes one.
func FuzzConsole(f *testing.F) {
	for _, body := range rooms {
		f.Add([]byte(body))
	}
	d, address := &desk{}, ""
	server, err := New(Settings{Addr: "127.0.0.1:0", Password: secret, Control: d.control, Calibrator: &surveyor{}, MatchMaker: &maker{}})
	if err != nil {
		f.Fatal(err)
	}
	web := httptest.NewServer(server.handler)
	f.Cleanup(web.Close)
	address = web.URL
	f.Fuzz(func(t *testing.T, body []byte) {
		for path, example := range rooms {
			if path = strings.TrimSpace(path); example == "" {
				continue
			}
			kind := "application/json"
			if path == "/director/draw" {
				kind = "text/csv"
			}
			answer, text := post(t, http.DefaultClient, address+path, string(body), "Content-Type", kind, "Authorization", "Bearer "+secret)
			if answer.StatusCode >= 500 {
				t.Errorf("%s: %s %s", path, answer.Status, text)
			}
		}
	})
}

func FuzzDrawSheet(f *testing.F) {
	f.Add([]byte("table,light,dark,length\n1,Ann,Bo,7\n"))
	f.Add([]byte("\ufeffروشن;تیره\nآ;ب\n"))
	f.Add([]byte("light,dark\n\"a"))
	f.Fuzz(func(t *testing.T, text []byte) {
		pairings, wrong := ParseDraw(text)
		if len(wrong) == 0 && len(pairings) == 0 {
			t.Error("nothing was read and nothing is wrong")
		}
		for _, p := range pairings {
			if p.Light == "" || p.Dark == "" || p.Length < -1 || p.Length > longestLength || len(wrong) > 0 {
				t.Errorf("%+v of %q, %v", p, text, wrong)
			}
		}
		for _, e := range wrong {
			if e.Line < 1 || e.Why == "" {
				t.Errorf("%+v of %q", e, text)
			}
		}
	})
}

func FuzzAccounts(f *testing.F) {
	f.Add([]byte("sara:director:$2a$04$aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"))
	f.Fuzz(func(_ *testing.T, text []byte) { _, _ = ParseAccounts(text) })
}
