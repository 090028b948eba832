package record

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"davar/rules"
)

// sharedMatches are real records that lie beside the repository, not in it.
const sharedMatches = "../../../shared/data/matches"

// indexEntry is what an independent checker found in one of them.
type indexEntry struct {
	File     string      `json:"file"`
	Games    int         `json:"games"`
	Rolls    int         `json:"rolls"`
	Cube     int         `json:"cube"`
	Illegal  [][2]string `json:"illegal"`
	Odd      []string    `json:"odd"`
	Problems []string    `json:"problems"`
}

func sharedIndex(t *testing.T) []indexEntry {
	t.Helper()
	file, err := os.Open(filepath.Join(sharedMatches, "index.jsonl"))
	if err != nil {
		t.Skipf("SKIPPED: the shared match records are not there: %v", err)
	}
	defer file.Close()
	var entries []indexEntry
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e indexEntry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	return entries
}

func TestRealRecordsAgreeWithTheirIndex(t *testing.T) {
	for _, e := range sharedIndex(t) {
		data, err := os.ReadFile(filepath.Join(sharedMatches, e.File))
		if err != nil {
			t.Fatal(err)
		}
		rec, err := ReadMat(data)
		if err != nil {
			t.Errorf("%s: %v", e.File, err)
			continue
		}
		report := rec.Check(rules.OptionsFor(rec.Variant))
		if report.Games != e.Games || report.Rolls != e.Rolls || report.Cube != e.Cube {
			t.Errorf("%s: %d games, %d rolls, %d doubles; the index says %d, %d, %d", e.File,
				report.Games, report.Rolls, report.Cube, e.Games, e.Rolls, e.Cube)
		}
		var mine, theirs []string
		for _, f := range report.Illegal {
			mine = append(mine, fmt.Sprintf("g%d L%d", f.Game, f.Line))
		}
		for _, i := range e.Illegal {
			place := strings.Fields(i[0])
			theirs = append(theirs, place[0]+" "+place[1])
		}
		slices.Sort(mine)
		slices.Sort(theirs)
		if !slices.Equal(mine, theirs) {
			t.Errorf("%s: illegal plays\n mine  %v\n index %v", e.File, report.Illegal, e.Illegal)
		}
	}
}
