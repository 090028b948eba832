package journal

import (
	"errors"
	"fmt"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Kinds of failure a caller may want to tell apart.
var (
	// ErrFull: the disk has no room. Appending works again as soon as there is some.
	ErrFull = errors.New("the disk is full: free some space; logging goes on by itself as soon as there is room")
	// ErrDeleted: the match was taken off the list.
	ErrDeleted = errors.New("the match was deleted")
	// ErrUnknown: there is no such match.
	ErrUnknown = errors.New("there is no such match; davar matches lists them")
	// ErrDamaged: the file is not a sound database.
	ErrDamaged = errors.New("the file is damaged: keep a copy, run davar verify on it, and start with a new one")
)

// explain puts SQLite's words into words a user can act on, and keeps the original.
func explain(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("%w (%w)", ErrFull, err)
	}
	var failure *sqlite.Error
	if !errors.As(err, &failure) {
		return err
	}
	switch failure.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("%w (%w)", ErrFull, err)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("%w, or an editor holds it open (%w)", ErrInUse, err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return fmt.Errorf("the file or its folder cannot be written by this user (%w)", err)
	case sqlite3.SQLITE_IOERR:
		return fmt.Errorf("the disk reports an error: check cable, card and free space (%w)", err)
	}
	return err
}
