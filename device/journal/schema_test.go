package journal

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func withMigrations(steps ...string) Option { return func(o *options) { o.migrations = steps } }

func TestAnOlderJournalIsBroughtToTheNewSchemaWithAllItHolds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "davar.db")
	j := mustOpen(t, path)
	mustAppend(t, j, Batch{Match: "m", Events: rolls("m", 1, 4), Checkpoint: []byte("c")})
	before := mustVerify(t, j.Reader)
	j.Close()

	const next = "CREATE TABLE pictures (hash BLOB PRIMARY KEY, path TEXT NOT NULL) STRICT;"
	j = mustOpen(t, path, withMigrations(schema1, next))
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
	_, err := Open(context.Background(), path, withMigrations(schema1, broken))
	if err == nil || !strings.Contains(err.Error(), "schema version 2") {
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
