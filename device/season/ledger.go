package season

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"davar/device/analysis"
	"davar/device/durable"
	"davar/device/journal"
	"davar/rules/transcript"
)

// Log is what tallies are made from; a journal and its reader are one.
type Log interface {
	Find(ctx context.Context, q journal.Query) ([]journal.Match, error)
	Last(ctx context.Context) (journal.Unfinished, bool, error)
	Transcript(ctx context.Context, id string) (*transcript.Transcript, error)
}

// Ledger keeps the tallies of one journal in a file beside it, so that a season is not counted anew each time. What the
// file holds follows from the journal and the analyses: it may be lost. It may be used from several goroutines.
type Ledger struct {
	log  Log
	path string // of the journal

	mu   sync.Mutex
	kept map[string]entry // nil: the file is not read yet
}

// entry is a kept tally and what it was made from.
type entry struct {
	LastSeq int64 `json:"last_seq"`
	Judged  int64 `json:"judged"` // when the analysis was written, Unix nanoseconds; 0: there was none
	Tally   Tally `json:"tally"`
}

// kept is the file.
type keptFile struct {
	Version int              `json:"version"`
	Entries map[string]entry `json:"entries"`
}

// tallyVersion is counted up when a tally holds something else than before.
const tallyVersion = 1

// NewLedger returns the ledger of the journal at path, which log reads.
func NewLedger(log Log, path string) *Ledger { return &Ledger{log: log, path: path} }

func (l *Ledger) file() string { return strings.TrimSuffix(l.path, ".db") + ".season.json" }

// Tallies returns those of the matches found, the newest first; the match in play is not among them. When ctx ends
// before all are counted, those that are will not be counted again. That the file cannot be written is no error.
func (l *Ledger) Tallies(ctx context.Context, q journal.Query) ([]Tally, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	counted := 0
	defer func() {
		if counted > 0 {
			l.save()
		}
	}()
	if l.kept == nil {
		l.load()
	}
	matches, err := l.log.Find(ctx, q)
	if err != nil {
		return nil, err
	}
	last, going, err := l.log.Last(ctx)
	if err != nil {
		return nil, err
	}
	tallies := make([]Tally, 0, len(matches))
	for i := range matches {
		m := &matches[i]
		if going && m.ID == last.ID {
			continue
		}
		e, fresh, err := l.entry(ctx, m)
		if err != nil {
			return nil, err
		}
		if fresh {
			counted++
		}
		// Names may have been put right since.
		e.Tally.Event, e.Tally.Players[0].Name, e.Tally.Players[1].Name = m.Event, m.Players[0], m.Players[1]
		tallies = append(tallies, e.Tally)
	}
	return tallies, nil
}

// entry returns the tally of a match, counted now when what it is made from has changed.
func (l *Ledger) entry(ctx context.Context, m *journal.Match) (e entry, fresh bool, err error) {
	folder := analysis.Folder(l.path)
	stamp := analysis.Written(folder, m.ID)
	if e, ok := l.kept[m.ID]; ok && e.LastSeq == m.LastSeq && e.Judged == stamp {
		return e, false, nil
	}
	t, err := l.log.Transcript(ctx, m.ID)
	if err != nil {
		return e, false, err
	}
	judged, err := analysis.Load(folder, m.ID)
	if err != nil {
		judged = nil // an analysis that cannot be read counts as none
	}
	e = entry{LastSeq: m.LastSeq, Judged: stamp, Tally: Of(t, judged)}
	l.kept[m.ID] = e
	return e, true, nil
}

// load reads the file; one that is missing, damaged or of another version counts as empty.
func (l *Ledger) load() {
	l.kept = map[string]entry{}
	data, err := os.ReadFile(l.file())
	if err != nil {
		return
	}
	var f keptFile
	if json.Unmarshal(data, &f) == nil && f.Version == tallyVersion && f.Entries != nil {
		l.kept = f.Entries
	}
}

func (l *Ledger) save() {
	data, err := json.Marshal(keptFile{tallyVersion, l.kept})
	if err != nil {
		return
	}
	_ = durable.Write(l.file(), data, 0o644) // else it is counted anew next time
}

// FromFile returns the tally of a match in a signed file.
func FromFile(path string) (Tally, error) {
	file, err := os.Open(path)
	if err != nil {
		return Tally{}, fmt.Errorf("season: %w", err)
	}
	defer file.Close()
	signed, err := journal.VerifyExport(file)
	if err != nil {
		return Tally{}, fmt.Errorf("season: %s: %w", path, err)
	}
	return Of(transcript.Of(signed.Header.Facts(), signed.Events), nil), nil
}

// From returns the tallies of the matches found in a journal that nobody need be writing.
func From(ctx context.Context, path string, q journal.Query) (tallies []Tally, err error) {
	log, err := journal.OpenReader(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	return NewLedger(log, path).Tallies(ctx, q)
}
