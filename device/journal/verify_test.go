package journal

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"davar/rules/referee"
)

// sample writes a journal of two matches with 24 rows in all and closes it.
func sample(t testing.TB, path string) {
	t.Helper()
	j := mustOpen(t, path)
	mustAppend(t, j, Batch{Match: "a", Header: &Header{Players: [2]string{"L", "D"}, Length: 3}, Events: rolls("a", 1, 10)})
	mustAppend(t, j, Batch{Match: "a", Events: []referee.Event{{Seq: 11, Match: "a", Type: referee.MatchEnded}}})
	mustAppend(t, j, Batch{
		Match: "b", Header: &Header{Players: [2]string{"L", "D"}, Length: 5}, Events: rolls("b", 1, 11),
		Checkpoint: []byte(`{"inner":"state"}`), Resume: []byte(`{"frame":7}`),
	})
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// tamper runs statements on the file as somebody with an editor would.
func tamper(t testing.TB, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, statement := range append([]string{
		"DROP TRIGGER entry_is_never_changed", "DROP TRIGGER entry_is_never_removed",
	}, statements...) {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

func verifyFile(t testing.TB, path string) error {
	t.Helper()
	r, err := OpenReader(context.Background(), path)
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = r.Verify(context.Background())
	return err
}

func TestVerifyNamesTheFirstBadRow(t *testing.T) {
	for _, c := range []struct {
		name      string
		statement string
		row       int64
	}{
		{"a die was changed", `UPDATE entry SET body = CAST(replace(body, '"dice":[3,3]', '"dice":[6,6]') AS BLOB) WHERE row = 4`, 4},
		{"a name was changed", `UPDATE entry SET body = CAST(replace(body, '"L"', '"X"') AS BLOB) WHERE row = 1`, 1},
		{"a row was taken out", "DELETE FROM entry WHERE row = 8", 8},
		{"the first row was taken out", "DELETE FROM entry WHERE row = 1", 1},
		{"the last row was taken out", "DELETE FROM entry WHERE row = 24", 24},
		{"all rows were taken out", "DELETE FROM entry", 1},
		{"a row was put in at the end", "INSERT INTO entry SELECT 25, kind, 'c', 1, body, hash FROM entry WHERE row = 24", 25},
		{"two rows changed places", "UPDATE entry SET row = CASE row WHEN 5 THEN -6 ELSE -5 END WHERE row IN (5, 6); UPDATE entry SET row = -row WHERE row < 0", 5},
		{"an event was filed under another match", "UPDATE entry SET match_id = 'c' WHERE row = 9", 9},
		{"an event was renumbered", "UPDATE entry SET seq = 99 WHERE row = 9", 9},
		{"an event was made a header", "UPDATE entry SET kind = 'match' WHERE row = 9", 9},
		{"a hash was changed", "UPDATE entry SET hash = zeroblob(32) WHERE row = 3", 3},
		{"a hash was shortened", "UPDATE entry SET hash = x'00' WHERE row = 3", 3},
		{"the head was set back", "UPDATE head SET rows = 23, hash = (SELECT hash FROM entry WHERE row = 23)", 24},
		{"the head's hash was changed", "UPDATE head SET hash = zeroblob(32)", 0},
		{"the head was taken out", "DELETE FROM head", 0},
		{"the result in the match list was changed", "UPDATE matches SET winner = 'dark' WHERE id = 'a'", 0},
		{"a match was taken off the list", "DELETE FROM matches WHERE id = 'a'", 0},
		{"a match was put on the list", "INSERT INTO matches SELECT 'c', 30, 1, '', '', 1, '', '', '', 0, 0, '', 0", 0},
		{"a checkpoint was changed", "UPDATE checkpoint SET referee = x'00'", 0},
		{"resume data were changed", `UPDATE checkpoint SET resume = CAST('{"frame":8}' AS BLOB)`, 0},
		{"a checkpoint was moved", "UPDATE checkpoint SET seq = seq - 1", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "davar.db")
			sample(t, path)
			if err := verifyFile(t, path); err != nil {
				t.Fatalf("before: %v", err)
			}
			tamper(t, path, c.statement)
			var damage *Damage
			if err := verifyFile(t, path); !errors.As(err, &damage) || damage.Row != c.row {
				t.Errorf("got %v, want damage at row %d", err, c.row)
			}
		})
	}
}

// contents reads all that the file at path says, as one text; empty when it cannot be read.
func contents(t testing.TB, path string) string {
	t.Helper()
	r, err := OpenReader(context.Background(), path)
	if err != nil {
		return ""
	}
	defer r.Close()
	var text strings.Builder
	for _, query := range []string{
		"SELECT row, kind, match_id, seq, hex(body), hex(hash) FROM entry ORDER BY row",
		"SELECT rows, hex(hash), '', '', '', '' FROM head",
		"SELECT id, light, dark, length, ended, last_seq FROM matches ORDER BY id",
		"SELECT match_id, seq, hex(referee), hex(resume), hex(hash), '' FROM checkpoint ORDER BY match_id",
	} {
		rows, err := r.read.Query(query)
		if err != nil {
			return ""
		}
		for rows.Next() {
			var column [6]any
			if err := rows.Scan(&column[0], &column[1], &column[2], &column[3], &column[4], &column[5]); err != nil {
				break
			}
			fmt.Fprintln(&text, column[:]...)
		}
		if rows.Err() != nil {
			rows.Close()
			return ""
		}
		rows.Close()
	}
	return text.String()
}

func TestAnyByteAlteredInTheFileIsFoundWhenItChangesWhatTheJournalSays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "davar.db")
	sample(t, path)
	sound, says := mustRead(t, path), contents(t, path)
	rng := rand.New(rand.NewPCG(5, 6))
	found, harmless := 0, 0
	for range 500 {
		flipped := bytes.Clone(sound)
		at, bit := rng.IntN(len(sound)), byte(1)<<rng.IntN(8)
		flipped[at] ^= bit
		mustWrite(t, path, flipped)
		switch changed, err := contents(t, path) != says, verifyFile(t, path); {
		case err != nil:
			found++
		case changed:
			t.Fatalf("byte %d xor %#x changes what is read and is taken for whole", at, bit)
		default:
			harmless++ // free space of a page, or a number of SQLite's own that nobody reads
		}
	}
	t.Logf("%d alterations found, %d without effect", found, harmless)
	if found < 50 { // most of the file is room in its pages
		t.Errorf("only %d alterations had an effect", found)
	}
}

// FuzzVerify alters any byte of the file, also those of SQLite's own pages: Verify never panics, and never
// takes a file for whole that says something else than what was written.
func FuzzVerify(f *testing.F) {
	original := filepath.Join(f.TempDir(), "davar.db")
	sample(f, original)
	sound, err := os.ReadFile(original)
	if err != nil {
		f.Fatal(err)
	}
	says := contents(f, original)
	for _, at := range []uint32{0, 20, 100, 4096, 5000, 8192, 9000, 12288, 16000} {
		f.Add(at, byte(0xff))
		f.Add(at, byte(1))
	}
	f.Fuzz(func(t *testing.T, at uint32, xor byte) {
		flipped := bytes.Clone(sound)
		flipped[int(at)%len(flipped)] ^= xor
		path := filepath.Join(t.TempDir(), "davar.db")
		mustWrite(t, path, flipped)
		if verifyFile(t, path) == nil && contents(t, path) != says {
			t.Fatal("taken for whole, and says something else")
		}
	})
}
