package web

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"davar/device/journal"
	"davar/rules"
	"davar/rules/record"
	"davar/rules/referee"
	"davar/rules/referee/refereetest"
)

// library is a match log of three matches: one over long ago, one just over, and one in play.
func library(t *testing.T) *journal.Journal {
	t.Helper()
	now := time.Now().UTC()
	at := now.Add(-24 * time.Hour)
	log, err := journal.Open(t.Context(), filepath.Join(t.TempDir(), "davar.db"), journal.WithClock(func() time.Time { return at }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	s := referee.DefaultSettings()
	s.Match, s.Length = "old", 1
	played, err := refereetest.PlayGame(s, refereetest.Noise{}, refereetest.Habits{Doubles: 0.05}, 77)
	if err != nil {
		t.Fatal(err)
	}
	write := func(id string, players [2]string, ago time.Duration, over bool) {
		at = now.Add(-ago)
		s := s
		s.Match, s.Players = id, players
		events := make([]referee.Event, 0, len(played.Events))
		for _, e := range played.Events {
			if e.Match = id; over || len(events) < len(played.Events)/2 {
				events = append(events, e)
			}
		}
		side := rules.Light
		if over && events[len(events)-1].Type != referee.MatchEnded {
			events = append(events, referee.Event{
				Seq: int64(len(events) + 1), Match: id, Game: 1, Type: referee.MatchEnded, Side: &side, Score: &referee.Score{Light: 1},
			})
		}
		header := &journal.Header{Players: players, Length: 1, Event: "Spring Open", Settings: &s}
		if _, err := log.Append(journal.Batch{Match: id, Header: header, Events: events}); err != nil {
			t.Fatal(err)
		}
	}
	write("old", [2]string{"Ann Lee", "داریوش"}, 24*time.Hour, true)
	write("fresh", [2]string{"Cy", "Di"}, time.Minute, true)
	write("now", [2]string{"Eve", "Fred"}, 10*time.Second, false)
	at = now
	return log
}

func archived(t *testing.T) (*journal.Journal, string) {
	t.Helper()
	log := library(t)
	_, address := start(t, Settings{
		Matches: log, Delay: 2 * time.Minute, Password: "correct horse", Control: func(context.Context, referee.Input) error { return nil },
	})
	return log, address
}

func TestTheListFindsMatchesAndKeepsThoseInPlayToItself(t *testing.T) {
	_, address := archived(t)
	_, body := get(t, address+"/matches")
	for _, want := range []string{"Ann Lee", "Cy", "Eve", "Spring Open", "/matches/old"} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is not listed", want)
		}
	}
	if n := strings.Count(body, "in play"); n != 2 {
		t.Errorf("%d matches are said to be in play, want the one in play and the one just over", n)
	}
	if _, body := get(t, address+"/matches?player=ann"); !strings.Contains(body, "Ann Lee") || strings.Contains(body, "Fred") {
		t.Error("the search by player does not choose")
	}
	today, past := time.Now().UTC().Format("2006-01-02"), time.Now().UTC().AddDate(0, 0, -3).Format("2006-01-02")
	for query, found := range map[string]bool{
		"event=spring": true, "event=autumn": false, "until=" + past: false, "from=" + past: true, "from=" + past + "&until=" + today: true,
	} {
		if _, body := get(t, address+"/matches?"+query); strings.Contains(body, "Ann Lee") != found {
			t.Errorf("the search by %s finds %v, want %v", query, !found, found)
		}
	}
	if _, body := get(t, address+"/matches?player=nobody"); !strings.Contains(body, "No match is found.") {
		t.Error("it is not said that nothing is found")
	}
	if _, body := get(t, address+"/matches?lang=fa"); !strings.Contains(body, `dir="rtl"`) || !strings.Contains(body, "در حال بازی") {
		t.Error("the list is not in Persian")
	}
}

func TestSpectatorsSeeNothingOfAMatchBeforeTheDelayHasPassed(t *testing.T) {
	t.Log("PUB-1, EQUIP-9")
	_, address := archived(t)
	director := signIn(t, address, "correct horse")
	for _, id := range []string{"now", "fresh"} {
		status, page := fetch(t, http.DefaultClient, address+"/matches/"+id)
		if status != http.StatusOK || !strings.Contains(page, "opens 2 min after") || strings.Contains(page, "data-position") || strings.Contains(page, "plot") {
			t.Errorf("%s: status %d, a spectator sees\n%s", id, status, page)
		}
		for _, file := range []string{"match.mat", "match.sgf", "match.json", "match.xgid", "sheet.en.html", "sheet.fa.html"} {
			if status, _ := fetch(t, http.DefaultClient, address+"/matches/"+id+"/"+file); status != http.StatusForbidden {
				t.Errorf("%s/%s: status %d for a spectator", id, file, status)
			}
			if status, body := fetch(t, director, address+"/matches/"+id+"/"+file); status != http.StatusOK || len(body) == 0 {
				t.Errorf("%s/%s: status %d for the director", id, file, status)
			}
		}
		if _, page := fetch(t, director, address+"/matches/"+id); !strings.Contains(page, "data-position") {
			t.Errorf("%s: the director does not see the plays", id)
		}
	}
}

func TestAMatchIsDownloadedInEveryFormat(t *testing.T) {
	_, address := archived(t)
	for _, file := range []string{"match.mat", "match.sgf", "match.json"} {
		status, body := fetch(t, http.DefaultClient, address+"/matches/old/"+file)
		rec, err := record.Read([]byte(body))
		if status != http.StatusOK || err != nil || rec.Players != [2]string{"Ann Lee", "داریوش"} || len(rec.Games) != 1 || len(rec.Games[0].Actions) < 10 {
			t.Errorf("%s: status %d, %v", file, status, err)
		}
	}
	if status, body := fetch(t, http.DefaultClient, address+"/matches/old/sheet.fa.html"); status != http.StatusOK || !strings.Contains(body, `dir="rtl"`) {
		t.Errorf("sheet: status %d", status)
	}
	for file, want := range map[string]int{
		"match.exe": http.StatusNotFound, "sheet.de.html": http.StatusNotFound, "other.mat": http.StatusNotFound, "match.davar": http.StatusUnauthorized,
	} {
		if status, _ := fetch(t, http.DefaultClient, address+"/matches/old/"+file); status != want {
			t.Errorf("%s: status %d, want %d", file, status, want)
		}
	}
	_, signed := fetch(t, signIn(t, address, "correct horse"), address+"/matches/old/match.davar")
	if x, err := journal.VerifyExport(strings.NewReader(signed)); err != nil || x.Header.Match != "old" {
		t.Errorf("signed: %v", err)
	}
	if status, page := fetch(t, http.DefaultClient, address+"/matches/none?lang=fa"); status != http.StatusNotFound || !strings.Contains(page, "چنین مچی نیست.") {
		t.Errorf("no such match: status %d, %s", status, page)
	}
}

func TestOnlyTheDirectorRenamesAndDeletes(t *testing.T) {
	log, address := archived(t)
	form := url.Values{"light": {"Anna Lee"}, "why": {"misspelt"}}
	for _, action := range []string{"rename", "delete"} {
		answer, err := http.PostForm(address+"/matches/old/"+action, form)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s without signing in: status %d", action, answer.StatusCode)
		}
	}
	director := signIn(t, address, "correct horse")
	answer, err := director.PostForm(address+"/matches/old/rename", form)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if h, err := log.Header(t.Context(), "old"); err != nil || h.Players != [2]string{"Anna Lee", "داریوش"} || h.By != "director" || h.Why != "misspelt" {
		t.Errorf("%+v, %v", h, err)
	}
	for id, want := range map[string]int{"old": http.StatusOK, "now": http.StatusConflict} {
		answer, err := director.PostForm(address+"/matches/"+id+"/delete", nil)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if status := answer.StatusCode; status != want && !(want == http.StatusOK && status == http.StatusSeeOther) {
			t.Errorf("delete %s: status %d, want %d", id, status, want)
		}
	}
	if _, body := get(t, address+"/matches"); strings.Contains(body, "Anna") || !strings.Contains(body, "Eve") {
		t.Error("the list after deleting is not right")
	}
	if _, err := log.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestEvidenceIsForTheDirectorAlone(t *testing.T) {
	log, address := archived(t)
	if err := log.Keep(t.Context(), journal.Picture{Match: "old", Seq: 3, Role: journal.After}, []byte("\xff\xd8 a picture")); err != nil {
		t.Fatal(err)
	}
	pictures, err := log.Pictures(t.Context(), "old")
	if err != nil || len(pictures) != 1 {
		t.Fatal(pictures, err)
	}
	path := address + "/matches/old/pictures/" + pictures[0].Name
	if status, _ := fetch(t, http.DefaultClient, path); status != http.StatusUnauthorized {
		t.Errorf("a spectator: status %d", status)
	}
	director := signIn(t, address, "correct horse")
	if status, body := fetch(t, director, path); status != http.StatusOK || body != "\xff\xd8 a picture" {
		t.Errorf("the director: status %d", status)
	}
	if status, _ := fetch(t, director, address+"/matches/old/pictures/..%2f..%2fdavar.db"); status != http.StatusNotFound {
		t.Errorf("a file outside: status %d", status)
	}
}

func TestThePageOfAMatchShowsThePositionAfterAPlay(t *testing.T) {
	_, address := archived(t)
	for _, lang := range []string{"en", "fa"} {
		ctx := tab(t, address+"/matches/old?lang="+lang, 1280, 900)
		eventually(t, ctx, `document.querySelectorAll('td[data-position]').length > 10`)
		eventually(t, ctx, `document.querySelectorAll('svg.plot').length >= 2`)
		run(t, ctx, click(`.plays-table tbody tr:nth-child(4) td[data-position]`))
		eventually(t, ctx, atRest)
		eventually(t, ctx, `document.querySelectorAll('#board .checker').length === 30 && document.getElementById('position').textContent`)
		shoot(t, ctx, "match-"+lang)
		run(t, ctx, chromedp.ScrollIntoView(chromedp.CSS(".caution")))
		shoot(t, ctx, "match-statistics-"+lang)
		run(t, ctx, phone())
		eventually(t, ctx, `document.documentElement.scrollWidth <= innerWidth`)
		shoot(t, ctx, "match-phone-"+lang)
	}
}

func TestTheListOfMatchesAndTheSeasonFitFromPhoneToWall(t *testing.T) {
	_, address := archived(t)
	for _, lang := range []string{"en", "fa"} {
		ctx := tab(t, address+"/matches?lang="+lang, 1280, 800)
		eventually(t, ctx, `document.querySelectorAll('.match-list li').length === 3`)
		shoot(t, ctx, "matches-"+lang)
		run(t, ctx, phone())
		eventually(t, ctx, `document.documentElement.scrollWidth <= innerWidth`)
		shoot(t, ctx, "matches-phone-"+lang)
		run(t, ctx, chromedp.Navigate(address+"/season?by=points&lang="+lang))
		eventually(t, ctx, `document.querySelectorAll('.figures-table').length === 2`)
		eventually(t, ctx, `document.documentElement.scrollWidth <= innerWidth`) // the tables slide
		shoot(t, ctx, "season-phone-"+lang)
		run(t, ctx, chromedp.EmulateViewport(1280, 800))
		shoot(t, ctx, "season-"+lang)
	}
	if os.Getenv("DAVAR_SHOTS") == "" {
		return
	}
	director := tab(t, address+"/table", 1280, 1600)
	enter(t, director, "input", "correct horse")
	eventually(t, director, `document.querySelector('form[action="/signout"]')`)
	run(t, director, chromedp.Navigate(address+"/matches/now"))
	eventually(t, director, `document.querySelector('.director')`)
	shoot(t, director, "match-director")
}

func TestTheLivePageLeadsToTheMatchLogWhereThereIsOne(t *testing.T) {
	const link = `href="/matches"`
	_, with := archived(t)
	if _, body := get(t, with+"/"); !strings.Contains(body, link) {
		t.Error("no link to the match log")
	}
	_, without := start(t, Settings{})
	if _, body := get(t, without+"/"); strings.Contains(body, link) {
		t.Error("a link to a match log that is not there")
	}
}
