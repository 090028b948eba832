package journal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"davar/rules"
	"davar/rules/referee"
)

// wall is the clock of the tests: it moves a second with each look.
func wall() func() time.Time {
	t := time.Date(2026, 3, 21, 18, 0, 0, 123456789, time.UTC)
	return func() time.Time { t = t.Add(time.Second); return t }
}

func mustOpen(t testing.TB, path string, opts ...Option) *Journal {
	t.Helper()
	j, err := Open(context.Background(), path, append([]Option{WithClock(wall())}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

func mustAppend(t testing.TB, j *Journal, b Batch) []referee.Event {
	t.Helper()
	written, err := j.Append(b)
	if err != nil {
		t.Fatal(err)
	}
	return written
}

// rolls makes n events of a match, the first with number seq.
func rolls(match string, seq int64, n int) []referee.Event {
	var events []referee.Event
	for i := range n {
		side := rules.Side(i % 2)
		events = append(events, referee.Event{
			Seq: seq + int64(i), Match: match, Game: 1, TMS: int64(i) * 1000, Type: referee.Roll,
			Side: &side, Dice: []int{1 + i%6, 1 + i%5}, Confidence: 0.97,
		})
	}
	return events
}

func mustEvents(t testing.TB, r *Reader, match string, from int64, limit int) []referee.Event {
	t.Helper()
	events, err := r.Events(context.Background(), match, from, limit)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

func mustVerify(t testing.TB, r *Reader) Proof {
	t.Helper()
	proof, err := r.Verify(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return proof
}

func TestAppendedEventsAreReadBackAsWritten(t *testing.T) {
	j := mustOpen(t, filepath.Join(t.TempDir(), "new folder", "davar.db"))
	given := rolls("m1", 1, 5)
	given[3].At = "2020-02-02T02:02:02.020Z"
	written := mustAppend(t, j, Batch{Match: "m1", Events: given})

	if given[0].At != "" {
		t.Error("the caller's events were changed")
	}
	if want := "2026-03-21T18:00:01.123Z"; written[0].At != want {
		t.Errorf("stamped %q, want %q", written[0].At, want)
	}
	if written[3].At != given[3].At {
		t.Errorf("an event's own time was overwritten with %q", written[3].At)
	}
	if got := mustEvents(t, j.Reader, "m1", 1, 0); !reflect.DeepEqual(got, written) {
		t.Errorf("read %+v\nwrote %+v", got, written)
	}
	if got := mustEvents(t, j.Reader, "m1", 3, 2); !reflect.DeepEqual(got, written[2:4]) {
		t.Errorf("from 3, two of them: %+v", got)
	}
	if got := mustEvents(t, j.Reader, "other", 1, 0); len(got) != 0 {
		t.Errorf("an unknown match has events: %+v", got)
	}
	if proof := mustVerify(t, j.Reader); proof.Rows != 5 || proof.Matches != 1 || len(proof.Head) != 64 {
		t.Errorf("proof %+v", proof)
	}
}

func TestABatchThatDoesNotFollowIsRefusedWhole(t *testing.T) {
	for _, c := range []struct {
		name string
		bad  Batch
	}{
		{"a gap in seq", Batch{Match: "m", Events: rolls("m", 4, 2)}},
		{"a repeated seq", Batch{Match: "m", Events: rolls("m", 2, 2)}},
		{"a gap inside the batch", Batch{Match: "m", Events: append(rolls("m", 3, 2), rolls("m", 6, 1)...)}},
		{"an event of another match", Batch{Match: "m", Events: append(rolls("m", 3, 1), rolls("n", 4, 1)...)}},
		{"no match", Batch{Events: rolls("", 3, 1)}},
		{"a checkpoint of a match without events", Batch{Match: "n", Checkpoint: []byte("x")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := mustOpen(t, filepath.Join(t.TempDir(), "davar.db"))
			mustAppend(t, j, Batch{Match: "m", Events: rolls("m", 1, 2), Checkpoint: []byte("two")})
			if _, err := j.Append(c.bad); err == nil {
				t.Fatal("it was taken")
			}
			if got := mustEvents(t, j.Reader, "m", 1, 0); len(got) != 2 {
				t.Errorf("%d events, want the first 2", len(got))
			}
			mustAppend(t, j, Batch{Match: "m", Events: rolls("m", 3, 1)})
			if proof := mustVerify(t, j.Reader); proof.Rows != 3 {
				t.Errorf("proof %+v", proof)
			}
		})
	}
}

func TestLastIsTheNewestMatchUnlessItHasEnded(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "davar.db")
	j := mustOpen(t, path)
	if _, ok, err := j.Last(ctx); ok || err != nil {
		t.Fatalf("an empty journal: ok %v, %v", ok, err)
	}
	mustAppend(t, j, Batch{Match: "abandoned", Events: rolls("abandoned", 1, 1), Checkpoint: []byte("a")})
	mustAppend(t, j, Batch{
		Match: "m", Header: &Header{Players: [2]string{"Light", "Dark"}, Length: 5},
		Events: rolls("m", 1, 3), Checkpoint: []byte("old"),
	})
	mustAppend(t, j, Batch{Match: "m", Checkpoint: []byte("new"), Resume: []byte(`{"frame":812}`)})
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}

	j = mustOpen(t, path)
	u, ok, err := j.Last(ctx)
	if err != nil || !ok {
		t.Fatalf("after a restart: ok %v, %v", ok, err)
	}
	if u.ID != "m" || u.Players[1] != "Dark" || u.Length != 5 || u.LastSeq != 3 ||
		string(u.Checkpoint) != "new" || string(u.Resume) != `{"frame":812}` || u.CheckpointSeq != 3 {
		t.Errorf("got %+v", u)
	}

	side := rules.Dark
	mustAppend(t, j, Batch{Match: "m", Events: []referee.Event{{
		Seq: 4, Match: "m", Type: referee.MatchEnded, Side: &side, Score: &referee.Score{Light: 3, Dark: 5},
	}}})
	if u, ok, err := j.Last(ctx); ok || err != nil {
		t.Errorf("a finished match is to go on: %+v, %v", u, err)
	}
	mustAppend(t, j, Batch{Match: "m", Events: []referee.Event{{
		Seq: 5, Match: "m", Type: referee.MatchReopened, Score: &referee.Score{Light: 3, Dark: 4},
	}}, Checkpoint: []byte("reopened")})
	if u, ok, err := j.Last(ctx); !ok || err != nil || u.Winner != "" || u.Score.Dark != 4 || string(u.Checkpoint) != "reopened" {
		t.Errorf("a match that proved not to be over goes on (CUBE-12): %+v, %v", u, err)
	}
}

func TestMatchesListWhoPlayedAndHowItEnded(t *testing.T) {
	j := mustOpen(t, filepath.Join(t.TempDir(), "davar.db"))
	side := rules.Light
	mustAppend(t, j, Batch{Match: "a", Header: &Header{Players: [2]string{"X", "Y"}, Length: 3}, Events: rolls("a", 1, 2)})
	mustAppend(t, j, Batch{Match: "a", Events: []referee.Event{
		{Seq: 3, Match: "a", Type: referee.GameEnded, Score: &referee.Score{Light: 3, Dark: 1}},
		{Seq: 4, Match: "a", Type: referee.MatchEnded, Side: &side},
	}})
	mustAppend(t, j, Batch{Match: "b", Events: rolls("b", 1, 1)})
	mustAppend(t, j, Batch{Match: "b", Header: &Header{Players: [2]string{"Z", "W"}, Length: 7}})

	got, err := j.Matches(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := []Match{
		{ID: "b", Players: [2]string{"Z", "W"}, Length: 7, Started: "2026-03-21T18:00:03.123Z", LastSeq: 1, firstRow: 6},
		{
			ID: "a", Players: [2]string{"X", "Y"}, Length: 3, Started: "2026-03-21T18:00:01.123Z",
			Ended: "2026-03-21T18:00:02.123Z", Score: referee.Score{Light: 3, Dark: 1}, Winner: "light", LastSeq: 4, firstRow: 1,
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	mustVerify(t, j.Reader)
}

func TestASecondWriterIsRefusedAndReadersAreNot(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "davar.db")
	j := mustOpen(t, path)
	mustAppend(t, j, Batch{Match: "m", Events: rolls("m", 1, 3)})

	_, err := Open(ctx, path)
	if !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), fmt.Sprint("process ", os.Getpid())) {
		t.Errorf("second writer: %v", err)
	}
	r, err := OpenReader(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	// A reader in the middle of its snapshot holds no append up, and keeps its snapshot.
	tx, err := r.read.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	var before, after int
	if err := tx.QueryRow("SELECT count(*) FROM entry").Scan(&before); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, j, Batch{Match: "m", Events: rolls("m", 4, 3)})
	if err := tx.QueryRow("SELECT count(*) FROM entry").Scan(&after); err != nil {
		t.Fatal(err)
	}
	if before != 3 || after != 3 {
		t.Errorf("the snapshot went from %d to %d rows", before, after)
	}
	if got := mustEvents(t, r, "m", 1, 0); len(got) != 6 {
		t.Errorf("a new reading sees %d events", len(got))
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if j, err = Open(ctx, path); err != nil {
		t.Fatalf("after the first writer is gone: %v", err)
	}
	j.Close()
}

func TestOpenSaysWhatIsWrongWithAFile(t *testing.T) {
	ctx := context.Background()
	folder := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, c := range map[string]struct{ path, says string }{
		"not a database":        {write("text", strings.Repeat("no database at all\n", 100)), "damaged"},
		"a folder":              {folder, "folder"},
		"below a file":          {filepath.Join(write("file", "x"), "davar.db"), "not a directory"},
		"a name full of traps":  {filepath.Join(folder, "a?mode=memory&b#c%41.db"), ""},
		"a name of other words": {filepath.Join(folder, "تخته نرد.db"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			j, err := Open(ctx, c.path)
			if c.says == "" {
				if err != nil {
					t.Fatal(err)
				}
				j.Close()
				if _, err := os.Stat(c.path); err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want it to say %q", err, c.says)
			}
		})
	}
	if _, err := OpenReader(ctx, filepath.Join(folder, "absent.db")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("reading a missing journal: %v", err)
	}
}
