package record

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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

// differences are the places where we find something else than the index, with the reason.
var differences = map[string]string{
	"bgmatchforma-006.mat g1 L9":    "6/0 5/0 from the start is not legal; the index stops at the first fault of a game",
	"bgkifuviewer-064.mat g10 L262": "said to be illegal by the record; the index passes such positions over",
	"bgkifuviewer-088.mat g1 L7":    "likewise",
	"bgkifuviewer-115.mat g7 L128":  "likewise",
	"bgkifuviewer-127.mat g3 L82":   "likewise",
	"bgkifuviewer-129.mat g15 L339": "likewise",
	// The row "1*)" is no move number for the index: it misses two rolls and goes astray, we read both.
	"bgkifuviewer-132.mat rolls":   "77 rolls, the index says 75",
	"bgkifuviewer-132.mat g29 L49": "legal once the row before is read",
	"bgkifuviewer-132.mat g29 L50": "legal once the row before is read",
	"bgkifuviewer-132.mat g29 L51": "legal once the row before is read",
	"bgkifuviewer-132.mat g29 L52": "legal once the row before is read",
}

func TestRealRecordsAgreeWithTheirIndex(t *testing.T) {
	games, rolls, illegal := 0, 0, 0
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
		games, rolls, illegal = games+report.Games, rolls+report.Rolls, illegal+len(report.Illegal)
		if report.Rolls != e.Rolls && differences[e.File+" rolls"] == "" {
			t.Errorf("%s: %d rolls, the index says %d", e.File, report.Rolls, e.Rolls)
		}
		if report.Games != e.Games || report.Cube != e.Cube {
			t.Errorf("%s: %d games, %d doubles; the index says %d, %d", e.File, report.Games, report.Cube, e.Games, e.Cube)
		}
		places := map[string]int{}
		for _, f := range report.Illegal {
			places[fmt.Sprintf("%s g%d L%d", e.File, f.Game, f.Line)]++
		}
		for _, i := range e.Illegal {
			place := strings.Fields(i[0])
			places[e.File+" "+place[0]+" "+place[1]]--
		}
		for place, n := range places {
			if n != 0 && differences[place] == "" {
				t.Errorf("%s: we find %+d illegal plays\n ours %v\n index %v", place, n, report.Illegal, e.Illegal)
			}
		}
	}
	t.Logf("%d games, %d rolls, %d illegal plays", games, rolls, illegal)
}
