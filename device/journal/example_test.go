package journal_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"davar/device/journal"
	"davar/rules/referee"
)

// What Append returned is on the disk; the chain proves it whole.
func ExampleJournal() {
	folder, err := os.MkdirTemp("", "journal")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	ctx := context.Background()
	j, err := journal.Open(ctx, filepath.Join(folder, "davar.db"))
	if err != nil {
		panic(err)
	}
	defer j.Close()
	settings := referee.DefaultSettings()
	_, err = j.Append(journal.Batch{
		Match:  "m",
		Header: &journal.Header{Players: [2]string{"Anna", "Behnam"}, Length: 7, Settings: &settings},
		Events: []referee.Event{{Seq: 1, Match: "m", Type: referee.MatchStarted}},
	})
	if err != nil {
		panic(err)
	}
	m, err := j.Match(ctx, "m")
	if err != nil {
		panic(err)
	}
	_, err = j.Verify(ctx)
	fmt.Println(m.Players, m.LastSeq, err)
	// Output:
	// [Anna Behnam] 1 <nil>
}
