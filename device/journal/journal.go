package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver
)

// ErrInUse is what Open returns (wrapped) when another process writes the same journal.
var ErrInUse = errors.New("another davar is writing it")

// Journal is the one writer of a journal, and a Reader of it. Append is called by one goroutine at a time
// (others wait); the Reader's methods may be called by any at any time and never hold Append up.
type Journal struct {
	*Reader
	// Recovered says what was found when it was opened.
	Recovered Recovery

	lock   io.Closer
	now    func() time.Time
	budget int64 // bytes of pictures; 0 = no bound
	mu     sync.Mutex
	write  *sql.DB
}

// Recovery is what a journal found when it was opened.
type Recovery struct {
	Unclean  bool // it had not been closed: the power went, or the program was killed
	Pictures int  // that were dropped, broken off or not in the chain yet
}

// Option changes how a journal is opened.
type Option func(*options)

type options struct {
	now        func() time.Time
	budget     int64
	migrations []string
	pragmas    []string
}

// WithClock makes now the wall clock that stamps events; the default is time.Now.
func WithClock(now func() time.Time) Option { return func(o *options) { o.now = now } }

// WithPictureBudget bounds how many bytes the evidence pictures take; 0, the default, keeps all.
func WithPictureBudget(bytes int64) Option { return func(o *options) { o.budget = bytes } }

// Open opens the journal at path for writing, makes it if it is not there (the folder too), and brings an older
// one to this program's schema. It fails with ErrInUse when another process has it open for writing, and in
// plain words when the file is damaged, not a journal, or from a newer program. After a crash or a power cut
// what was durable is there and nothing else.
func Open(ctx context.Context, path string, opts ...Option) (*Journal, error) {
	o := options{now: time.Now, migrations: migrations}
	for _, opt := range opts {
		opt(&o)
	}
	j, err := open(ctx, path, o)
	if err != nil {
		return nil, fmt.Errorf("journal: open %s: %w", path, explain(err))
	}
	return j, nil
}

func open(ctx context.Context, path string, o options) (_ *Journal, err error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, errors.New("it is a folder: name a file in it")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	lock, cutOff, err := lockFile(path)
	if err != nil {
		return nil, err
	}
	j := &Journal{lock: lock, now: o.now, budget: o.budget, Recovered: Recovery{Unclean: cutOff}}
	defer func() {
		if err != nil {
			j.Close()
		}
	}()
	if j.write, err = openWriter(path, o.pragmas); err != nil {
		return nil, err
	}
	if err := migrate(ctx, j.write, o.migrations); err != nil {
		return nil, err
	}
	if j.Reader, err = openReader(ctx, path, len(o.migrations)); err != nil {
		return nil, err
	}
	if len(o.migrations) < len(migrations) {
		return j, nil // a test's older journal
	}
	if err := makeKey(path); err != nil {
		return nil, err
	}
	j.Recovered.Pictures, err = j.dropStrays(ctx)
	return j, err
}

// openWriter opens the writing side: one connection, each transaction of which takes the write lock at once.
func openWriter(path string, pragmas []string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", dsn(path, url.Values{"_txlock": {"immediate"}}, append([]string{
		"busy_timeout(2000)", "synchronous(FULL)", "wal_autocheckpoint(1000)",
	}, pragmas...)))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// dsn names the file to the driver such that no character of its path means anything special.
func dsn(path string, query url.Values, pragmas []string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	query["_pragma"] = pragmas
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: query.Encode()}).String()
}

// Close ends writing, moves what is in the write-ahead log into the file and frees the lock. It waits for an
// Append that is under way.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	var errs []error
	if j.Reader != nil {
		errs = append(errs, j.Reader.Close())
	}
	if j.write != nil {
		errs = append(errs, j.write.Close())
	}
	errs = append(errs, j.lock.Close())
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("journal: close: %w", err)
	}
	return nil
}
