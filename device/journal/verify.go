package journal

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"davar/rules/referee"
)

// Proof is what a whole journal was found to hold.
type Proof struct {
	Rows     int64  `json:"rows"`     // rows of the chain: events, headers and what else was written
	Matches  int    `json:"matches"`  // matches in it
	Pictures int    `json:"pictures"` // evidence pictures that are still kept
	Head     string `json:"head"`     // the last row's hash in hexadecimal: written down elsewhere, it proves this state
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
// each row says what its hash says, that match list and checkpoints agree with it, and that each evidence picture is
// there as it was taken. When they do not, the error is a *Damage naming the first bad row. Other errors mean that it could not be read.
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
	v := verifier{ctx: ctx, tx: tx, journal: r, matches: map[string]*Match{}, pictures: map[string]filed{}}
	for _, check := range []func() error{v.chain, v.head, v.matchList, v.checkpoints, v.pictureList, v.files, v.pages} {
		if err := check(); err != nil {
			return Proof{}, v.blame(err)
		}
	}
	return Proof{Rows: v.rows, Matches: len(v.matches), Pictures: len(v.pictures), Head: hex.EncodeToString(v.hash[:])}, nil
}

// verifier walks one snapshot of the journal.
type verifier struct {
	ctx      context.Context
	tx       *sql.Tx
	journal  *Reader
	rows     int64 // proven so far
	hash     digest
	matches  map[string]*Match
	pictures map[string]filed // by name
}

// filed is a picture with its row of the chain.
type filed struct {
	Picture
	row int64
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
	case kindPicture, kindRemoval, kindDeletion, kindDelivery:
		return v.beside(m, row, kind, match, body)
	default:
		return fmt.Errorf("is of unknown kind %q", kind)
	}
	return nil
}

// beside takes in a row about something beside the events.
func (v *verifier) beside(m *Match, row int64, kind, match string, body []byte) error {
	var p Picture // the fields of a Removal and a Deletion that matter are among its own
	if err := json.Unmarshal(body, &p); err != nil {
		return fmt.Errorf("holds no %s: %w", kind, err)
	}
	if p.Match != match {
		return errors.New("is filed under another match than it belongs to")
	}
	switch kind {
	case kindPicture:
		v.pictures[p.Name] = filed{p, row}
	case kindRemoval:
		if _, ok := v.pictures[p.Name]; !ok {
			return fmt.Errorf("removes a picture that is not there: %s", p.Name)
		}
		delete(v.pictures, p.Name)
	case kindDeletion:
		m.deleted = true
	}
	return nil
}

// pictureList compares the list of pictures with the chain.
func (v *verifier) pictureList() error {
	rows, err := v.tx.QueryContext(v.ctx, "SELECT row, match_id, seq, role, t_ms, name, size, sha256 FROM picture")
	if err != nil {
		return err
	}
	defer rows.Close()
	listed := 0
	for rows.Next() {
		var p filed
		if err := rows.Scan(&p.row, &p.Match, &p.Seq, &p.Role, &p.TMS, &p.Name, &p.Size, &p.SHA256); err != nil {
			return fmt.Errorf("%w (%w)", &Damage{0, "the list of pictures cannot be read"}, err)
		}
		want, ok := v.pictures[p.Name]
		p.At = want.At
		if !ok || p != want {
			return &Damage{0, fmt.Sprintf("the list of pictures says of %s what the chain does not", p.Name)}
		}
		listed++
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if listed != len(v.pictures) {
		return &Damage{0, fmt.Sprintf("the list of pictures has %d, the chain %d", listed, len(v.pictures))}
	}
	return nil
}

// files compares each picture's file with its hash, in the order of the chain.
func (v *verifier) files() error {
	all := make([]filed, 0, len(v.pictures))
	for _, p := range v.pictures {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b filed) int { return cmp.Compare(a.row, b.row) })
	for _, p := range all {
		_, err := v.journal.Picture(p.Picture)
		switch {
		case err == nil:
		case errors.Is(err, ErrDamaged):
			return &Damage{p.row, fmt.Sprintf("picture %s does not match its hash: it was altered", p.Name)}
		case errors.Is(err, fs.ErrNotExist):
			if still, err := v.journal.selectPictures(v.ctx, "WHERE name = ?", p.Name); err != nil || len(still) > 0 {
				return errors.Join(&Damage{p.row, fmt.Sprintf("picture %s is missing", p.Name)}, err)
			}
			// A table that is writing has removed it since this reading began.
		default:
			return err
		}
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
