package journal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"davar/device/durable"
)

// What a picture shows.
const (
	Before  = "before"  // the board before the play of a ruling
	After   = "after"   // what the ruling is about
	TurnEnd = "turnend" // the board after a turn to which nobody objected
)

// Picture is one evidence picture: a file beside the journal, whose hash is in the chain.
type Picture struct {
	Match  string `json:"match"`
	Seq    int64  `json:"seq"`  // event it belongs to
	Role   string `json:"role"` // Before, After or TurnEnd
	TMS    int64  `json:"t_ms"` // match's time at which it was taken
	Name   string `json:"name"` // of the file; set by Keep
	Size   int64  `json:"size"` // bytes; set by Keep
	SHA256 string `json:"sha256"`
	At     string `json:"at"` // RFC 3339, set by Keep
}

// Removal says that a picture's file was taken away on purpose.
type Removal struct {
	Match string `json:"match"`
	Name  string `json:"name"`
	Why   string `json:"why"`
	At    string `json:"at"`
}

const (
	whyBudget  = "budget"  // others needed the room
	whyDeleted = "deleted" // the match was
)

// pictureFolder returns where the pictures of the journal at path lie.
func pictureFolder(path string) string { return strings.TrimSuffix(path, ".db") + ".pictures" }

// Keep stores an evidence picture (JPEG) and returns when it and its hash are on the disk. Should the pictures
// together exceed the journal's budget, the oldest of clean turns are removed, then the oldest of rulings. On an
// error nothing of it is there; ErrFull says that the disk has no room.
func (j *Journal) Keep(ctx context.Context, p Picture, jpeg []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	sum := sha256.Sum256(jpeg)
	p.Size, p.SHA256 = int64(len(jpeg)), hex.EncodeToString(sum[:])
	if err := j.keep(ctx, p, jpeg); err != nil {
		return fmt.Errorf("journal: keep a picture of event %d of match %q: %w", p.Seq, p.Match, explain(err))
	}
	return nil
}

func (j *Journal) keep(ctx context.Context, p Picture, jpeg []byte) error {
	if err := j.makeRoom(ctx, p.Size); err != nil {
		return err
	}
	p.Name = fmt.Sprintf("%s_%06d_%s_%s.jpg", fileName(p.Match), p.Seq, p.Role, p.SHA256[:8])
	if err := os.MkdirAll(j.pictures, 0o755); err != nil {
		return err
	}
	if err := durable.Write(filepath.Join(j.pictures, p.Name), jpeg, 0o644); err != nil {
		return err
	}
	err := j.change(p.Match, func(a *appender) error {
		if a.match.firstRow == 0 {
			return ErrUnknown
		}
		p.At = a.at
		if err := a.entry(kindPicture, 0, p); err != nil {
			return err
		}
		_, err := a.tx.Exec("INSERT INTO picture VALUES (?, ?, ?, ?, ?, ?, ?, ?)", p.Name, a.rows, p.Match, p.Seq, p.Role, p.TMS, p.Size, p.SHA256)
		return err
	})
	if err != nil {
		return errors.Join(err, os.Remove(filepath.Join(j.pictures, p.Name)))
	}
	return nil
}

// fileName makes a match's name safe for a file.
func fileName(match string) string {
	return strings.Map(func(c rune) rune {
		if c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return '~'
	}, match)
}

// makeRoom removes pictures until size more bytes fit the budget: those of clean turns before those of rulings, each
// the oldest first. The chain says so before the files go.
func (j *Journal) makeRoom(ctx context.Context, size int64) error {
	if j.budget <= 0 {
		return nil
	}
	total := size
	var kept int64
	if err := j.read.QueryRowContext(ctx, "SELECT coalesce(sum(size), 0) FROM picture").Scan(&kept); err != nil {
		return err
	}
	if total += kept; total <= j.budget {
		return nil
	}
	pictures, err := j.selectPictures(ctx, "ORDER BY role != 'turnend', row")
	if err != nil {
		return err
	}
	n := 0
	for ; n < len(pictures) && total > j.budget; n++ {
		total -= pictures[n].Size
		name := pictures[n].Name
		if err := j.change(pictures[n].Match, func(a *appender) error { return a.removePicture(name, whyBudget) }); err != nil {
			return err
		}
	}
	return j.discard(pictures[:n])
}

func (a *appender) removePicture(name, why string) error {
	if _, err := a.tx.Exec("DELETE FROM picture WHERE name = ?", name); err != nil {
		return err
	}
	return a.entry(kindRemoval, 0, Removal{Match: a.id, Name: name, Why: why, At: a.at})
}

// discard removes files that are no longer in the table. What is left over by a power cut goes at the next start.
func (j *Journal) discard(pictures []Picture) error {
	for _, p := range pictures {
		if err := os.Remove(filepath.Join(j.pictures, p.Name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// dropStrays removes files that the table does not know: pictures broken off or not yet written into the chain when
// the power went. It returns how many.
func (j *Journal) dropStrays(ctx context.Context) (int, error) {
	files, err := os.ReadDir(j.pictures)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return 0, nil
		}
		return 0, err
	}
	known, err := j.selectPictures(ctx, "")
	if err != nil {
		return 0, err
	}
	kept := map[string]bool{}
	for _, p := range known {
		kept[p.Name] = true
	}
	dropped := 0
	for _, f := range files {
		name := f.Name()
		if kept[name] || f.IsDir() || !strings.HasSuffix(name, ".jpg") && !durable.IsStray(name) {
			continue // not one of ours
		}
		if err := os.Remove(filepath.Join(j.pictures, name)); err != nil {
			return dropped, err
		}
		dropped++
	}
	return dropped, nil
}

// Pictures returns the evidence pictures of a match that are still kept, in the order in which they were stored.
func (r *Reader) Pictures(ctx context.Context, match string) ([]Picture, error) {
	pictures, err := r.selectPictures(ctx, "WHERE match_id = ? ORDER BY row", match)
	if err != nil {
		return nil, fmt.Errorf("journal: pictures of match %q: %w", match, explain(err))
	}
	return pictures, nil
}

func (r *Reader) selectPictures(ctx context.Context, where string, args ...any) ([]Picture, error) {
	rows, err := r.read.QueryContext(ctx, "SELECT match_id, seq, role, t_ms, name, size, sha256 FROM picture "+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var pictures []Picture
	for rows.Next() {
		var p Picture
		if err := rows.Scan(&p.Match, &p.Seq, &p.Role, &p.TMS, &p.Name, &p.Size, &p.SHA256); err != nil {
			return nil, err
		}
		pictures = append(pictures, p)
	}
	return pictures, rows.Err()
}

// Picture returns the file of a picture after comparing it with its hash.
func (r *Reader) Picture(p Picture) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(r.pictures, filepath.Base(p.Name)))
	if err != nil {
		return nil, fmt.Errorf("journal: picture %s: %w", p.Name, err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != p.SHA256 {
		return nil, fmt.Errorf("journal: picture %s: %w (it does not match its hash)", p.Name, ErrDamaged)
	}
	return data, nil
}
