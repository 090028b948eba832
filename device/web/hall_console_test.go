package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"golang.org/x/crypto/bcrypt"

	"davar/rules"
	"davar/rules/referee"
)

// order is a decision on its way to a table of a hall.
type order struct {
	at    Place
	match string
	referee.Decision
}

// consoleHall is a hall with a console, a table at which a ruling is open, and one that plays on.
type consoleHall struct {
	*Hall
	url     string
	orders  chan order
	answer  error    // of the tables
	outpost *outpost // what table 2 has besides
}

// sessionKey is one for passes.
var sessionKey = []byte(strings.Repeat("k", shortestKey))

func openConsoleHall(t *testing.T, key []byte) *consoleHall {
	t.Helper()
	hash, err := bcrypt.GenerateFromPassword([]byte(sarasPassword), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	c := &consoleHall{orders: make(chan order, 8), outpost: newOutpost(t)}
	c.Hall, c.url = openHall(t, Settings{
		Accounts: []Account{{"sara", Director, string(hash)}, {"window", AtTable, string(hash)}}, SessionKey: key,
		Afar: c.outpost,
		Order: func(_ context.Context, at Place, match string, d referee.Decision) error {
			c.orders <- order{at, match, d}
			return c.answer
		},
	})
	for _, table := range []string{"1", "2"} {
		seat(t, c.Hall, "north", table, 7, "Anna Brandt", "بهرام")
		s := stateAfter(t, 19)
		s.Match, s.Players = "now"+table, [2]string{"Anna Brandt", "بهرام"}
		has := Equipment{}
		if table == "2" {
			has = allAsks
			s.Rulings = []referee.RulingBody{{
				ID: 2, Code: "M3", Rules: []string{"MOVE-1"}, Severity: "R", Audience: "director", Remedy: "replay",
				Params: map[string]string{"a": "3", "b": "1"}, Answers: []string{referee.DecideReplay}, Nearest: []string{"8/5 6/5"},
			}}
		}
		c.SetPrivateState(Place{"north", table}, s, time.Now(), 1, has)
		dark := rules.Dark
		c.PublishPrivate(Place{"north", table}, referee.Event{Seq: 2, Match: s.Match, Type: referee.RulingMade, Side: &dark, Ruling: &referee.RulingBody{ID: 2, Code: "M3"}})
	}
	return c
}

// last waits for the next decision that is sent to a table.
func (c *consoleHall) last(t *testing.T) order {
	t.Helper()
	select {
	case o := <-c.orders:
		return o
	case <-time.After(20 * time.Second):
		t.Fatal("nothing is sent to a table")
		return order{}
	}
}

func TestNobodyButADirectorLearnsOrDecidesAnythingAtAHallsConsole(t *testing.T) {
	c := openConsoleHall(t, nil)
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	clients := map[string]*http.Client{
		"nobody": {}, "a wrong password": signInAs(t, c.url, "sara", "not hers at all"), "a unit at a table": signInAs(t, c.url, "window", sarasPassword),
	}
	for who, client := range clients {
		client.CheckRedirect = stay
		for path, body := range map[string]string{
			"/director": "", "/director/tables.json": "", "/t/north/2/director/": "", "/t/north/2/director/events": "", "/t/north/2/director/cases.json": "",
			"/t/north/2/director/decision": `{"decision":"pause"}`, "/t/north/2/director/picture.jpg": "", "/t/north/2/director/evidence/2/before": "",
			"/t/north/2/director/calibrate": "", "/t/north/2/director/setup": "", "/t/north/2/director/calibration": `{}`,
			"/t/north/2/director/calibration/keep": `{"corners":[[1,1],[9,1],[9,9],[1,9]]}`, "/t/north/2/director/setup ": `{"values":{},"abandon":true}`,
		} {
			method, kind := http.MethodGet, ""
			if body != "" {
				method, kind = http.MethodPost, "application/json"
			}
			text := turnedAway(t, client, who, method, c.url+strings.TrimSpace(path), kind, body)
			if strings.Contains(text, "\xff\xd8") || strings.Contains(text, "M3") || strings.Contains(text, "Anna") {
				t.Errorf("%s learns from %s: %s", who, path, text)
			}
		}
		for _, path := range []string{"/", "/tables.json", "/t/north/2/", "/t/north/2/state.json", "/t/north/2/overlay"} {
			if _, text := get(t, c.url+path); strings.Contains(text, "M3") || strings.Contains(text, `"seq":119`) || strings.Contains(text, "now2") {
				t.Errorf("%s shows everybody what is the director's", path)
			}
		}
	}
	sara := signInAs(t, c.url, "sara", sarasPassword)
	answer, _ := post(t, sara, c.url+"/t/north/2/director/decision", `{"decision":"pause"}`, "Origin", "https://elsewhere.example", "Sec-Fetch-Site", "cross-site")
	if answer.StatusCode != http.StatusForbidden {
		t.Errorf("another site decides in her name: %s", answer.Status)
	}
	if n, kept := c.outpost.surveyor.has(); n > 0 || kept != nil || c.outpost.maker.last() != nil || len(c.outpost.asked) > 0 {
		t.Errorf("the table was asked for %v, read %d times, calibrated %v, set up as %v", c.outpost.asked, n, kept, c.outpost.maker.last())
	}
	if len(c.orders) > 0 {
		t.Errorf("%+v was sent to a table", <-c.orders)
	}
}

func TestADirectorIsKnownToEveryHallThatHasTheSameKey(t *testing.T) {
	first, second, stranger := openConsoleHall(t, sessionKey), openConsoleHall(t, sessionKey), openConsoleHall(t, nil)
	// The accounts' file is the same everywhere.
	second.front.guard.hashes, stranger.front.guard.hashes = first.front.guard.hashes, first.front.guard.hashes
	sara := signInAs(t, first.url, "sara", sarasPassword)
	for hall, want := range map[*consoleHall]int{first: http.StatusOK, second: http.StatusOK, stranger: http.StatusUnauthorized} {
		answer, err := sara.Get(hall.url + "/director/tables.json")
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%s, want %d", answer.Status, want)
		}
	}
	if answer, err := sara.PostForm(first.url+"/signout", nil); err != nil || answer.Body.Close() != nil {
		t.Fatal(err)
	}
	if answer, err := sara.Get(first.url + "/director/tables.json"); err != nil || answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("after signing out: %s, %v", answer.Status, err)
	}
	if _, err := NewHall(Settings{Addr: ":0", SessionKey: []byte("short"), Order: first.front.settings.Order}); err == nil {
		t.Error("a short key is taken")
	}
}

func TestWhatATableRefusesIsToldToTheDirector(t *testing.T) {
	c := openConsoleHall(t, nil)
	c.answer = errors.New("nothing is open")
	sara := signInAs(t, c.url, "sara", sarasPassword)
	answer, text := post(t, sara, c.url+"/t/north/2/director/decision", `{"decision":"undo"}`)
	if answer.StatusCode != http.StatusConflict || !strings.Contains(text, "nothing is open") {
		t.Errorf("%s %s", answer.Status, text)
	}
	if o := c.last(t); o.What != referee.DecideUndo || o.By != "sara" {
		t.Errorf("%+v", o)
	}
	if answer, _ := post(t, sara, c.url+"/t/north/9/director/decision", `{"decision":"undo"}`); answer.StatusCode != http.StatusNotFound {
		t.Errorf("a table that is not there: %s", answer.Status)
	}
}

func TestTheDirectorOfAHallSeesWhoNeedsHimAndDecidesWithOneTap(t *testing.T) {
	c := openConsoleHall(t, sessionKey)
	ctx := tab(t, c.url+"/director?lang=en", 1280, 800)
	eventually(t, ctx, `document.querySelector('input[name=password]')`)
	run(t, ctx, typeInto("input[name=name]", "sara"))
	enter(t, ctx, "input[name=password]", sarasPassword)
	eventually(t, ctx, `location.pathname === '/director' && document.querySelectorAll('.table-card').length === 2`)
	if got := value[string](t, ctx, `document.querySelector('.table-card').innerText`); !containsAll(got, "Table 2", "north", "Moves do not match the roll 3-1.") {
		t.Errorf("first in the list is %s", got)
	}
	shoot(t, ctx, "hall director")
	run(t, ctx, click(".table-card .open"))
	eventually(t, ctx, `document.querySelector('.case h3').textContent === 'Moves do not match the roll 3-1.' && document.querySelectorAll('.checker').length === 30`)
	if got := value[string](t, ctx, `document.querySelector('.case').innerText`); !containsAll(got, "MOVE-1", "بهرام", "8/5 6/5") || strings.Contains(got, "Anna") {
		t.Errorf("the case reads %s", got)
	}
	shoot(t, ctx, "hall desk")
	run(t, ctx, click(`[data-answer="overrule"]`))
	if o := c.last(t); o.at != (Place{"north", "2"}) || o.match != "now2" || o.What != referee.DecideOverrule || o.Ruling != "M3" || o.By != "sara" {
		t.Errorf("%+v", o)
	}
	eventually(t, ctx, `document.getElementById('answer').textContent === 'Done.'`)
	s := stateAfter(t, 20)
	s.Match = "now2"
	c.SetPrivateState(Place{"north", "2"}, s, time.Now(), 1, allAsks)
	eventually(t, ctx, `!document.querySelector('.case') && !document.getElementById('nothing').hidden`)
	c.SetAway(Place{"north", "2"}, AwayOffline)
	run(t, ctx, chromedp.Navigate(c.url+"/director"))
	eventually(t, ctx, `document.querySelector('.table-card .need-away')`)
	run(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector('form[action="/signout"]').submit()`))
	eventually(t, ctx, fmt.Sprintf(`location.href === %q`, c.url+"/"))
}
