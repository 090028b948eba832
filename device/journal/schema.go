package journal

import (
	"context"
	"database/sql"
	"fmt"
)

// applicationID marks a SQLite file as a journal of this program ("DAVR").
const applicationID = 0x44415652

// migrations lead from one schema version to the next: the first from an empty file to version 1. One that has
// been released is never changed; a new version is a new entry.
var migrations = []string{schema1, schema2}

const schema1 = `
CREATE TABLE entry (
	row      INTEGER PRIMARY KEY,
	kind     TEXT NOT NULL,
	match_id TEXT NOT NULL,
	seq      INTEGER NOT NULL,
	body     BLOB NOT NULL,
	hash     BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX entry_by_seq ON entry (match_id, seq) WHERE kind = 'event';
CREATE TRIGGER entry_is_never_changed BEFORE UPDATE ON entry
	BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER entry_is_never_removed BEFORE DELETE ON entry
	BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

CREATE TABLE head (
	id   INTEGER PRIMARY KEY CHECK (id = 1),
	rows INTEGER NOT NULL,
	hash BLOB NOT NULL
) STRICT;
INSERT INTO head VALUES (1, 0, zeroblob(32));

CREATE TABLE matches (
	id          TEXT PRIMARY KEY,
	first_row   INTEGER NOT NULL,
	last_seq    INTEGER NOT NULL,
	light       TEXT NOT NULL,
	dark        TEXT NOT NULL,
	length      INTEGER NOT NULL,
	started     TEXT NOT NULL,
	ended       TEXT NOT NULL,
	winner      TEXT NOT NULL,
	score_light INTEGER NOT NULL,
	score_dark  INTEGER NOT NULL
) STRICT;
CREATE INDEX matches_by_age ON matches (first_row);

CREATE TABLE checkpoint (
	match_id TEXT PRIMARY KEY,
	seq      INTEGER NOT NULL,
	referee  BLOB NOT NULL,
	resume   BLOB NOT NULL,
	hash     BLOB NOT NULL
) STRICT;
`

// schema2 adds evidence pictures, tournaments' names, and matches that are taken off the list.
const schema2 = `
ALTER TABLE matches ADD COLUMN event TEXT NOT NULL DEFAULT '';
ALTER TABLE matches ADD COLUMN deleted INTEGER NOT NULL DEFAULT 0;
CREATE INDEX entry_of_match ON entry (match_id, row) WHERE kind != 'event';

CREATE TABLE picture (
	name     TEXT PRIMARY KEY,
	row      INTEGER NOT NULL,
	match_id TEXT NOT NULL,
	seq      INTEGER NOT NULL,
	role     TEXT NOT NULL,
	t_ms     INTEGER NOT NULL,
	size     INTEGER NOT NULL,
	sha256   TEXT NOT NULL
) STRICT;
CREATE INDEX picture_of_match ON picture (match_id, row);
CREATE INDEX picture_by_role ON picture (role, row);
`

// migrate brings the file behind db to the newest of steps, each step in a transaction of its own.
// A file of a newer program, or of another one, is refused untouched.
func migrate(ctx context.Context, db *sql.DB, steps []string) error {
	version, err := schemaVersion(ctx, db, len(steps))
	if err != nil {
		return err
	}
	// The file keeps this mode; it is set only now that the file is known to be ours.
	if _, err := db.ExecContext(ctx, "PRAGMA journal_mode = WAL"); err != nil {
		return err
	}
	for ; version < len(steps); version++ {
		if err := migrateStep(ctx, db, version+1, steps[version]); err != nil {
			return fmt.Errorf("migrate to schema version %d: %w", version+1, err)
		}
	}
	return nil
}

func migrateStep(ctx context.Context, db *sql.DB, version int, step string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after Commit it does nothing, before it the error is already told
	pragmas := fmt.Sprintf("PRAGMA user_version = %d; PRAGMA application_id = %d;", version, applicationID)
	if _, err := tx.ExecContext(ctx, step+pragmas); err != nil {
		return err
	}
	return tx.Commit()
}

// schemaVersion reads the schema version of the file behind db, 0 for an empty one. It fails when the file is
// newer than known or is another program's.
func schemaVersion(ctx context.Context, db *sql.DB, known int) (int, error) {
	var version, id, tables int
	const query = `SELECT (SELECT user_version FROM pragma_user_version),
		(SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema)`
	if err := db.QueryRowContext(ctx, query).Scan(&version, &id, &tables); err != nil {
		return 0, err
	}
	switch {
	case tables > 0 && id != applicationID:
		return 0, fmt.Errorf("it is a database of another program: name another file")
	case version > known:
		return 0, fmt.Errorf("it has schema version %d, this program knows up to %d: update the program", version, known)
	}
	return version, nil
}
