package journal

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"davar/rules/referee"
)

func ids(matches []Match) []string {
	var all []string
	for _, m := range matches {
		all = append(all, m.ID)
	}
	return all
}

func TestMatchesAreFoundByPlayerDayAndEvent(t *testing.T) {
	now := time.Date(2026, 3, 21, 18, 0, 0, 0, time.UTC)
	path := filepath.Join(t.TempDir(), "davar.db")
	j, err := Open(context.Background(), path, WithClock(func() time.Time { return now }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	for _, m := range []struct{ id, light, dark, event string }{
		{"1", "Ann Lee", "Ben", "Spring Open"}, {"2", "Ben", "100%_sure", ""}, {"3", "آنا", "Ann", "Spring Open"}, {"4", "Cy", "Di", "League"},
	} {
		mustAppend(t, j, Batch{Match: m.id, Header: &Header{Players: [2]string{m.light, m.dark}, Event: m.event}, Events: rolls(m.id, 1, 1)})
		now = now.Add(24 * time.Hour)
	}
	for _, c := range []struct {
		name string
		q    Query
		want []string
	}{
		{"all", Query{}, []string{"4", "3", "2", "1"}},
		{"a part of a name, in capitals or not", Query{Player: "ANN"}, []string{"3", "1"}},
		{"a Persian name", Query{Player: "آن"}, []string{"3"}},
		{"nothing in a name means anything special", Query{Player: "%_"}, []string{"2"}},
		{"an event", Query{Event: "spring"}, []string{"3", "1"}},
		{"from a day on", Query{From: "2026-03-23"}, []string{"4", "3"}},
		{"up to a day, that one included", Query{Until: "2026-03-22"}, []string{"2", "1"}},
		{"a month", Query{From: "2026-03", Until: "2026-03"}, []string{"4", "3", "2", "1"}},
		{"a page of them", Query{Limit: 2, Offset: 1}, []string{"3", "2"}},
		{"all at once", Query{Player: "ann", Event: "open", From: "2026-03-22"}, []string{"3"}},
	} {
		found, err := j.Find(context.Background(), c.q)
		if err != nil || !slices.Equal(ids(found), c.want) {
			t.Errorf("%s: %v (%v), want %v", c.name, ids(found), err, c.want)
		}
	}
}

func TestAMatchIsRenamedAndTheChainKeepsWhatWasWritten(t *testing.T) {
	j := mustOpen(t, filepath.Join(t.TempDir(), "davar.db"))
	settings := referee.DefaultSettings()
	mustAppend(t, j, Batch{Match: "m", Header: &Header{Players: [2]string{"An", "Ben"}, Length: 5, Settings: &settings}, Events: rolls("m", 1, 3)})
	if err := j.Rename(context.Background(), "m", Names{Light: "Ann", Event: "Open"}, "director", "misspelt"); err != nil {
		t.Fatal(err)
	}
	h, err := j.Header(context.Background(), "m")
	if err != nil || h.Players != [2]string{"Ann", "Ben"} || h.Event != "Open" || h.By != "director" || h.Settings == nil {
		t.Errorf("%+v, %v", h, err)
	}
	if m, err := j.Match(context.Background(), "m"); err != nil || m.Players[0] != "Ann" || m.Event != "Open" || m.LastSeq != 3 {
		t.Errorf("%+v, %v", m, err)
	}
	if proof := mustVerify(t, j.Reader); proof.Rows != 5 {
		t.Errorf("proof %+v", proof)
	}
	if err := j.Rename(context.Background(), "x", Names{Light: "Ann"}, "", ""); !errors.Is(err, ErrUnknown) {
		t.Errorf("no such match: %v", err)
	}
}

func TestAMatchIsDeletedWithItsPicturesButNotWhileItIsPlayed(t *testing.T) {
	j := mustOpen(t, filepath.Join(t.TempDir(), "davar.db"))
	ctx := context.Background()
	mustAppend(t, j, Batch{Match: "m", Header: &Header{Players: [2]string{"Ann", "Ben"}}, Events: rolls("m", 1, 3), Checkpoint: []byte("x")})
	mustKeep(t, j, Picture{Match: "m", Seq: 2, Role: After}, jpeg(1, 100))
	if err := j.Delete(ctx, "m", "director", ""); err == nil {
		t.Error("a match in progress was deleted")
	}
	mustAppend(t, j, Batch{Match: "n", Events: rolls("n", 1, 1)})
	if err := j.Delete(ctx, "m", "director", "a test"); err != nil {
		t.Fatal(err)
	}
	found, err := j.Matches(ctx)
	if err != nil || !slices.Equal(ids(found), []string{"n"}) {
		t.Errorf("%v, %v", ids(found), err)
	}
	if _, err := j.Match(ctx, "m"); !errors.Is(err, ErrUnknown) {
		t.Errorf("still there: %v", err)
	}
	if _, err := j.Append(Batch{Match: "m", Events: rolls("m", 4, 1)}); !errors.Is(err, ErrDeleted) {
		t.Errorf("written on: %v", err)
	}
	if proof := mustVerify(t, j.Reader); proof.Pictures != 0 || proof.Matches != 2 {
		t.Errorf("proof %+v", proof)
	}
}
