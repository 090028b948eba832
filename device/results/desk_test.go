package results

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"davar/device/journal"
	"davar/device/phrasebook"
	"davar/rules"
	"davar/rules/record"
	"davar/rules/referee"
)

var evening = time.Date(2026, 3, 21, 20, 0, 0, 0, time.UTC)

// office is a journal with matches a and b over, at eight and five past eight, and c in play, and a desk for it.
func office(t *testing.T, to string) *Desk {
	t.Helper()
	now := evening
	j, err := journal.Open(t.Context(), filepath.Join(t.TempDir(), "davar.db"), journal.WithClock(func() time.Time { return now }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	side := rules.Dark
	for _, id := range []string{"a", "b", "c"} {
		events := []referee.Event{
			{Type: referee.MatchStarted}, {Type: referee.GameStarted, Game: 1, Side: &side, Score: &referee.Score{}},
			{Type: referee.GameEnded, Game: 1, Side: &side, Points: 1, How: "resign", Cube: 1, Score: &referee.Score{Dark: 1}},
			{Type: referee.MatchEnded, Game: 1, Side: &side, How: "resign", Score: &referee.Score{Dark: 1}},
		}
		if id == "c" {
			events = events[:2]
		}
		for i := range events {
			events[i].Seq, events[i].Match = int64(i+1), id
		}
		header := &journal.Header{Players: [2]string{"Ann", "Ben"}, Length: 1}
		if _, err := j.Append(journal.Batch{Match: id, Header: header, Events: events}); err != nil {
			t.Fatal(err)
		}
		now = now.Add(5 * time.Minute)
	}
	book, err := phrasebook.Open("")
	if err != nil {
		t.Fatal(err)
	}
	d, err := New(Settings{To: to, Delay: 2 * time.Minute, Journal: j, Book: book, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	d.now = func() time.Time { return evening.Add(time.Hour) }
	return d
}

func left(t *testing.T, d *Desk) []string {
	t.Helper()
	matches, err := d.Journal.Undelivered(t.Context(), d.To)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, m := range matches {
		ids = append(ids, m.ID)
	}
	return ids
}

func TestAFolderGetsEachFinishedMatchInEveryFormat(t *testing.T) {
	to := filepath.Join(t.TempDir(), "results")
	d := office(t, to)
	if err := d.handOver(t.Context()); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(to)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		got = append(got, f.Name())
	}
	want := []string{
		"a.davar", "a.en.html", "a.fa.html", "a.json", "a.mat", "a.sgf", "a.xgid", "b.davar", "b.en.html", "b.fa.html", "b.json", "b.mat",
		"b.sgf", "b.xgid",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	signed, err := os.Open(filepath.Join(to, "a.davar"))
	if err != nil {
		t.Fatal(err)
	}
	defer signed.Close()
	if x, err := journal.VerifyExport(signed); err != nil || x.Header.Match != "a" {
		t.Errorf("%v", err)
	}
	if got := left(t, d); got != nil {
		t.Errorf("left over: %v", got)
	}
	if _, err := d.Journal.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestNothingIsHandedOverBeforeTheDelayHasPassed(t *testing.T) {
	t.Log("PUB-1")
	d := office(t, t.TempDir())
	d.now = func() time.Time { return evening.Add(6 * time.Minute) }
	if err := d.handOver(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := left(t, d); !slices.Equal(got, []string{"b"}) {
		t.Errorf("left over: %v, want b, which ended a minute ago", got)
	}
}

func TestAnAddressGetsEachMatchOnceItAnswers(t *testing.T) {
	var answer atomic.Int64
	answer.Store(http.StatusServiceUnavailable)
	var got []body
	var keys []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if status := int(answer.Load()); status != http.StatusOK {
			http.Error(w, "not now", status)
			return
		}
		var b body
		if err := json.NewDecoder(r.Body).Decode(&b); err != nil {
			t.Error(err)
		}
		got, keys = append(got, b), append(keys, r.Header.Get("Idempotency-Key"))
	}))
	defer server.Close()
	d := office(t, server.URL+"/results")
	if err := d.handOver(t.Context()); err == nil {
		t.Error("a refusal was taken for success")
	}
	if got := left(t, d); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("left over: %v", got)
	}
	answer.Store(http.StatusOK)
	for range 3 {
		if err := d.handOver(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(got) != 2 || got[0].Match.ID != "a" || got[0].Match.Winner != "dark" || !slices.Equal(keys, []string{"a-4", "b-4"}) {
		t.Fatalf("the other side got %+v, keys %v", got, keys)
	}
	for _, text := range [][]byte{got[1].Record, []byte(got[1].Mat), []byte(got[1].SGF)} {
		if rec, err := record.Read(text); err != nil || len(rec.Games) != 1 {
			t.Errorf("%v in %s", err, text)
		}
	}
}

func TestTheOperatorIsToldOfAFailureAndOfItsEnd(t *testing.T) {
	var told []bool
	d := &Desk{Settings: Settings{Fault: func(err error) { told = append(told, err != nil) }}}
	for _, err := range []error{nil, errors.New("x"), errors.New("y"), nil, nil} {
		d.told(err)
	}
	if !slices.Equal(told, []bool{true, false}) {
		t.Errorf("told %v", told)
	}
}

func TestADeskStopsWithItsContext(t *testing.T) {
	d := office(t, t.TempDir())
	ctx, stop := context.WithCancel(t.Context())
	stop()
	d.Run(ctx)
}

func TestAnAddressThatIsNoneIsRefused(t *testing.T) {
	for _, to := range []string{"", "ftp://example.org/x", "http://", "mailto:me@example.org"} {
		if _, err := New(Settings{To: to}); err == nil {
			t.Errorf("%q is taken", to)
		}
	}
	for _, to := range []string{"/srv/results", "results", `C:\results`, "https://example.org/hook"} {
		if _, err := New(Settings{To: to}); err != nil {
			t.Errorf("%q: %v", to, err)
		}
	}
}
