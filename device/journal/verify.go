package journal

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"davar/rules/referee"
)

// Proof is what a whole journal was found to hold.
type Proof struct {
	Rows    int64  `json:"rows"`    // rows of the chain: events and match headers
	Matches int    `json:"matches"` // matches in it
	Head    string `json:"head"`    // the last row's hash in hexadecimal: written down elsewhere, it proves this state
}

// Damage says where a journal is not whole. Rows before Row are proven; it is the error Verify returns (wrapped)
// in that case.
type Damage struct {
	Row  int64 // row of the chain, counted from 1; 0 when a table beside the chain is at fault
	What string
}

// Error tells row and reason.
func (d *Damage) Error() string {
	if d.Row == 0 {
		return d.What
	}
	return fmt.Sprintf("row %d: %s", d.Row, d.What)
}

// Verify reads the whole journal and proves that the chain is whole from the first row to the stored head, that
// each row says what its hash says, and that match list and checkpoints agree with it. When they do not, the
// error is a *Damage naming the first bad row. Other errors mean that it could not be read.
func (r *Reader) Verify(ctx context.Context) (Proof, error) {
	proof, err := r.verify(ctx)
	if err != nil {
		return Proof{}, fmt.Errorf("journal: verify: %w", explain(err))
	}
	return proof, nil
}

func (r *Reader) verify(ctx context.Context) (Proof, error) {
	tx, err := r.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return Proof{}, err
	}
	defer tx.Rollback() //nolint:errcheck // nothing was written
	v := verifier{ctx: ctx, tx: tx, matches: map[string]*Match{}}
	for _, check := range []func() error{v.chain, v.head, v.matchList, v.checkpoints, v.pages} {
		if err := check(); err != nil {
			return Proof{}, v.blame(err)
		}
	}
	return Proof{Rows: v.rows, Matches: len(v.matches), Head: hex.EncodeToString(v.hash[:])}, nil
}

// verifier walks one snapshot of the journal.
type verifier struct {
	ctx     context.Context
	tx      *sql.Tx
	rows    int64 // proven so far
	hash    digest
	matches map[string]*Match
}

// blame turns a database too broken to be read into a Damage behind the last proven row.
func (v *verifier) blame(err error) error {
	if damage := (*Damage)(nil); errors.As(err, &damage) || !errors.Is(explain(err), ErrDamaged) {
		return err
	}
	return fmt.Errorf("%w (%w)", &Damage{v.rows + 1, "cannot be read"}, err)
}

func (v *verifier) chain() error {
	rows, err := v.tx.QueryContext(v.ctx, "SELECT row, kind, match_id, seq, body, hash FROM entry ORDER BY row")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var row, seq int64
		var kind, match string
		var body, hash []byte
		if err := rows.Scan(&row, &kind, &match, &seq, &body, &hash); err != nil {
			return fmt.Errorf("%w (%w)", &Damage{v.rows + 1, "cannot be read"}, err)
		}
		if row != v.rows+1 {
			return &Damage{v.rows + 1, "is missing"}
		}
		v.hash = link(v.hash, kind, body)
		if !bytes.Equal(hash, v.hash[:]) {
			return &Damage{row, "does not match its hash: it was altered"}
		}
		if err := v.content(row, kind, match, seq, body); err != nil {
			return &Damage{row, err.Error()}
		}
		v.rows++
	}
	return rows.Err()
}

// content checks that the row's columns say what its body says and takes it into the match.
func (v *verifier) content(row int64, kind, match string, seq int64, body []byte) error {
	m := v.matches[match]
	if m == nil {
		m = &Match{}
		v.matches[match] = m
	}
	switch kind {
	case kindMatch:
		var h Header
		if err := json.Unmarshal(body, &h); err != nil {
			return fmt.Errorf("holds no header: %w", err)
		}
		if h.Match != match || seq != 0 {
			return errors.New("is filed under another match than it belongs to")
		}
		m.applyHeader(row, h)
	case kindEvent:
		var e referee.Event
		if err := json.Unmarshal(body, &e); err != nil {
			return fmt.Errorf("holds no event: %w", err)
		}
		if e.Match != match || e.Seq != seq {
			return errors.New("is filed under another match or number than it belongs to")
		}
		if e.Seq != m.LastSeq+1 {
			return fmt.Errorf("event %d of match %q comes where %d is due", e.Seq, match, m.LastSeq+1)
		}
		m.applyEvent(row, e)
	default:
		return fmt.Errorf("is of unknown kind %q", kind)
	}
	return nil
}

func (v *verifier) head() error {
	var rows int64
	var hash []byte
	if err := v.tx.QueryRowContext(v.ctx, "SELECT rows, hash FROM head").Scan(&rows, &hash); err != nil {
		return fmt.Errorf("%w (%w)", &Damage{0, "the chain's head cannot be read"}, err)
	}
	switch {
	case rows > v.rows:
		return &Damage{v.rows + 1, fmt.Sprintf("is missing: the chain's head says there are %d", rows)}
	case rows < v.rows:
		return &Damage{rows + 1, fmt.Sprintf("was put in: the chain's head says there are %d", rows)}
	case !bytes.Equal(hash, v.hash[:]):
		return &Damage{0, "the chain's head is not the hash of the last row"}
	}
	return nil
}

func (v *verifier) matchList() error {
	rows, err := v.tx.QueryContext(v.ctx, selectMatch)
	if err != nil {
		return err
	}
	defer rows.Close()
	listed := 0
	for rows.Next() {
		m, err := scanMatch(rows)
		if err != nil {
			return fmt.Errorf("%w (%w)", &Damage{0, "the match list cannot be read"}, err)
		}
		if want := v.matches[m.ID]; want == nil || m != *want {
			return &Damage{0, fmt.Sprintf("the match list says of match %q what its events do not", m.ID)}
		}
		listed++
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if listed != len(v.matches) {
		return &Damage{0, fmt.Sprintf("the match list has %d matches, the chain %d", listed, len(v.matches))}
	}
	return nil
}

func (v *verifier) checkpoints() error {
	rows, err := v.tx.QueryContext(v.ctx, "SELECT match_id, seq, referee, resume, hash FROM checkpoint")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var match string
		var seq int64
		var checkpoint, resume, hash []byte
		if err := rows.Scan(&match, &seq, &checkpoint, &resume, &hash); err != nil {
			return fmt.Errorf("%w (%w)", &Damage{0, "a checkpoint cannot be read"}, err)
		}
		sum := seal(match, seq, checkpoint, resume)
		if m := v.matches[match]; m == nil || seq > m.LastSeq || !bytes.Equal(hash, sum[:]) {
			return &Damage{0, fmt.Sprintf("the checkpoint of match %q was altered", match)}
		}
	}
	return rows.Err()
}

// pages lets SQLite check its own pages and indexes.
func (v *verifier) pages() error {
	var verdict string
	if err := v.tx.QueryRowContext(v.ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return &Damage{0, "the database file is damaged: " + verdict}
	}
	return nil
}
