package journal

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func withMigrations(steps ...string) Option { return func(o *options) { o.migrations = steps } }

// after returns this program's migrations and one more.
func after(step string) Option { return withMigrations(append(slices.Clone(migrations), step)...) }

// firstSchema makes a journal as the first program did, with one match.
func firstSchema(t *testing.T, path string) {
	t.Helper()
	db, err := openWriter(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := migrate(context.Background(), db, []string{schema1}); err != nil {
		t.Fatal(err)
	}
	exec := func(statement string, args ...any) {
		t.Helper()
		if _, err := db.Exec(statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	header := []byte(`{"match":"m","players":["Ann","Ben"],"length":7,"at":"2026-03-21T18:00:00.000Z"}`)
	event := []byte(`{"seq":1,"match":"m","game":0,"t_ms":0,"at":"2026-03-21T18:00:00.000Z","type":"match.started"}`)
	first := link(digest{}, kindMatch, header)
	second := link(first, kindEvent, event)
	exec("INSERT INTO entry VALUES (1, 'match', 'm', 0, ?, ?), (2, 'event', 'm', 1, ?, ?)", header, first[:], event, second[:])
	exec("UPDATE head SET rows = 2, hash = ?", second[:])
	exec("INSERT INTO matches VALUES ('m', 1, 1, 'Ann', 'Ben', 7, '2026-03-21T18:00:00.000Z', '', '', 0, 0)")
}

func TestAJournalOfTheFirstSchemaGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "davar.db")
	firstSchema(t, path)
	j := mustOpen(t, path)
	mustAppend(t, j, Batch{Match: "m", Events: rolls("m", 2, 3)})
	if proof := mustVerify(t, j.Reader); proof.Rows != 5 || proof.Matches != 1 {
		t.Errorf("proof %+v", proof)
	}
	h, err := j.Header(context.Background(), "m")
	if err != nil || h.Players != [2]string{"Ann", "Ben"} || h.Length != 7 {
		t.Errorf("header %+v, %v", h, err)
	}
}

func TestAnOlderJournalIsBroughtToTheNewSchemaWithAllItHolds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "davar.db")
	j := mustOpen(t, path)
	mustAppend(t, j, Batch{Match: "m", Events: rolls("m", 1, 4), Checkpoint: []byte("c")})
	before := mustVerify(t, j.Reader)
	j.Close()

	const next = "CREATE TABLE opinion (hash BLOB PRIMARY KEY, path TEXT NOT NULL) STRICT;"
	j = mustOpen(t, path, after(next))
	if after := mustVerify(t, j.Reader); after != before {
		t.Errorf("proof %+v, before %+v", after, before)
	}
	mustAppend(t, j, Batch{Match: "m", Events: rolls("m", 5, 1)})
	j.Close()

	if _, err := Open(context.Background(), path); err == nil || !strings.Contains(err.Error(), "update the program") {
		t.Errorf("an older program opens a newer journal: %v", err)
	}
	if _, err := OpenReader(context.Background(), path); err == nil || !strings.Contains(err.Error(), "update the program") {
		t.Errorf("an older program reads a newer journal: %v", err)
	}
}

func TestAMigrationThatFailsLeavesTheJournalAsItWas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "davar.db")
	j := mustOpen(t, path)
	mustAppend(t, j, Batch{Match: "m", Events: rolls("m", 1, 4)})
	j.Close()

	const broken = "CREATE TABLE pictures (hash BLOB); INSERT INTO nowhere VALUES (1);"
	_, err := Open(context.Background(), path, after(broken))
	if err == nil || !strings.Contains(err.Error(), "schema version 3") {
		t.Fatalf("got %v", err)
	}
	j = mustOpen(t, path)
	if proof := mustVerify(t, j.Reader); proof.Rows != 4 {
		t.Errorf("proof %+v", proof)
	}
}

func TestAnotherProgramsDatabaseIsLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "other.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("CREATE TABLE recipes (name TEXT)"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), path); err == nil || !strings.Contains(err.Error(), "another program") {
		t.Errorf("got %v", err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the file was changed (%v)", err)
	}
}

func TestTheDatabaseItselfRefusesToChangeARow(t *testing.T) {
	j := mustOpen(t, filepath.Join(t.TempDir(), "davar.db"))
	mustAppend(t, j, Batch{Match: "m", Events: rolls("m", 1, 2)})
	for _, statement := range []string{"UPDATE entry SET seq = 9", "DELETE FROM entry"} {
		if _, err := j.write.Exec(statement); err == nil || !strings.Contains(err.Error(), "append-only") {
			t.Errorf("%s: %v", statement, err)
		}
	}
}
