package journal

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"davar/rules/referee"
)

// A signed export is one text file: a line that says what it is, one JSON object a line for each row of the match,
// one for each evidence picture that is still kept (JPEG in base64), and a last line with the public key and the
// ed25519 signature of the SHA-256 of all bytes before it. No byte of it can change unnoticed.

const (
	exportFormat  = "davar.signed"
	exportVersion = 1
	exportSeal    = "ed25519"
	// longestLine bounds a line of an export; a picture of some megabytes fits.
	longestLine = 64 << 20
)

type exportHead struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Match   string `json:"match"`
	Rows    int64  `json:"rows"`     // of the journal when it was exported
	Hash    string `json:"hash"`     // of the journal's last row then
	Written string `json:"exported"` // RFC 3339
}

// exportRow is one row of the chain with its place and hash there.
type exportRow struct {
	Row  int64           `json:"row"`
	Kind string          `json:"kind"`
	Hash string          `json:"hash"`
	Body json.RawMessage `json:"body"`
}

type exportPicture struct {
	Picture string `json:"picture"` // its name in the chain
	JPEG    []byte `json:"jpeg"`
}

// Export writes everything about a match as one signed file, which VerifyExport proves anywhere.
func (r *Reader) Export(ctx context.Context, out io.Writer, match, now string) error {
	if err := r.export(ctx, out, match, now); err != nil {
		return fmt.Errorf("journal: export match %q: %w", match, explain(err))
	}
	return nil
}

func (r *Reader) export(ctx context.Context, out io.Writer, match, now string) error {
	key, err := signingKey(r.path)
	if err != nil {
		return err
	}
	if _, err := r.Match(ctx, match); err != nil {
		return err
	}
	sum := sha256.New()
	buffered := bufio.NewWriter(out)
	lines := json.NewEncoder(io.MultiWriter(buffered, sum))
	lines.SetEscapeHTML(false)
	if err := r.exportRows(ctx, lines, match, now); err != nil {
		return err
	}
	pictures, err := r.Pictures(ctx, match)
	if err != nil {
		return err
	}
	for _, p := range pictures {
		jpeg, err := r.Picture(p)
		if err != nil {
			return err
		}
		if err := lines.Encode(exportPicture{p.Name, jpeg}); err != nil {
			return err
		}
	}
	fmt.Fprintf(buffered, "%s %s %x\n", exportSeal, publicKey(key), ed25519.Sign(key, sum.Sum(nil)))
	return buffered.Flush()
}

func (r *Reader) exportRows(ctx context.Context, lines *json.Encoder, match, now string) error {
	tx, err := r.read.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // nothing was written
	head := exportHead{Format: exportFormat, Version: exportVersion, Match: match, Written: now}
	var hash []byte
	if err := tx.QueryRowContext(ctx, "SELECT rows, hash FROM head").Scan(&head.Rows, &hash); err != nil {
		return err
	}
	head.Hash = hex.EncodeToString(hash)
	if err := lines.Encode(head); err != nil {
		return err
	}
	rows, err := tx.QueryContext(ctx, "SELECT row, kind, body, hash FROM entry WHERE match_id = ? ORDER BY row", match)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var row exportRow
		var body []byte
		if err := rows.Scan(&row.Row, &row.Kind, &body, &hash); err != nil {
			return err
		}
		row.Body, row.Hash = body, hex.EncodeToString(hash)
		if err := lines.Encode(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Exported is a match read from a signed file and proven.
type Exported struct {
	Header   Header
	Events   []referee.Event
	Pictures map[string][]byte // JPEG by name
	Key      string            // public key of the journal that signed it, hexadecimal
	Written  string            // when it was exported, RFC 3339
	Rows     int64             // of the journal then
}

// IsExport reports whether a file that begins so is a signed export.
func IsExport(start []byte) bool {
	return bytes.HasPrefix(start, []byte(`{"format":"`+exportFormat+`"`))
}

// VerifyExport reads a signed file and proves that nothing in it has changed since it was signed. Whose key that was
// is for the reader to know: Exported.Key names it.
func VerifyExport(in io.Reader) (*Exported, error) {
	x, err := verifyExport(in)
	if err != nil {
		return nil, fmt.Errorf("journal: verify a signed match: %w", err)
	}
	return x, nil
}

// errAltered is what a signed file with a changed byte comes to.
var errAltered = errors.New("the signature does not fit: the file was altered or broken off")

func verifyExport(in io.Reader) (*Exported, error) {
	x := &Exported{Pictures: map[string][]byte{}}
	sum := sha256.New()
	lines := bufio.NewReaderSize(in, 1<<16)
	var parts [][]byte // kept until the signature is known to fit
	for {
		line, err := readLine(lines)
		if err != nil {
			return nil, err
		}
		if bytes.HasPrefix(line, []byte(exportSeal+" ")) {
			if x.Key, err = checkSeal(line, sum.Sum(nil)); err != nil {
				return nil, err
			}
			if _, err := lines.ReadByte(); err != io.EOF {
				return nil, errAltered
			}
			break
		}
		sum.Write(line)
		parts = append(parts, line)
	}
	return x, x.read(parts)
}

// readLine returns the next line with its end.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return line, nil
		case errors.Is(err, io.EOF):
			return nil, errAltered
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		case len(line) > longestLine:
			return nil, errors.New("it is no signed match: a line never ends")
		}
	}
}

// checkSeal checks the last line and returns the public key in it.
func checkSeal(line, sum []byte) (key string, err error) {
	var sealed string
	if n, err := fmt.Sscanf(string(line), exportSeal+" %s %s\n", &key, &sealed); n != 2 || err != nil {
		return "", errAltered
	}
	public, err := hex.DecodeString(key)
	if err != nil || len(public) != ed25519.PublicKeySize {
		return "", errAltered
	}
	signature, err := hex.DecodeString(sealed)
	if err != nil || !ed25519.Verify(public, sum, signature) {
		return "", errAltered
	}
	if exact := fmt.Sprintf("%s %x %x\n", exportSeal, public, signature); exact != string(line) {
		return "", errAltered // the same number written otherwise is a changed byte too
	}
	return key, nil
}

// read takes the lines apart, and holds each picture against the hash that the chain has of it.
func (x *Exported) read(lines [][]byte) error {
	var head exportHead
	if len(lines) == 0 || json.Unmarshal(lines[0], &head) != nil || head.Format != exportFormat {
		return errors.New("it is no signed match")
	}
	if head.Version > exportVersion {
		return fmt.Errorf("it is of version %d, newer than this program knows (%d): update it", head.Version, exportVersion)
	}
	x.Written, x.Rows = head.Written, head.Rows
	hashes := map[string]string{}
	for i, line := range lines[1:] {
		var row struct {
			exportRow
			exportPicture
		}
		if err := json.Unmarshal(line, &row); err != nil {
			return fmt.Errorf("line %d: %w", i+2, err)
		}
		if row.Kind == "" {
			if sum := sha256.Sum256(row.JPEG); hashes[row.Picture] != hex.EncodeToString(sum[:]) {
				return fmt.Errorf("line %d: picture %s is not the one in the log", i+2, row.Picture)
			}
			x.Pictures[row.Picture] = row.JPEG
			continue
		}
		if err := x.take(&row.exportRow, hashes); err != nil {
			return fmt.Errorf("line %d: %w", i+2, err)
		}
	}
	return nil
}

// take reads one row of the chain.
func (x *Exported) take(row *exportRow, hashes map[string]string) error {
	switch row.Kind {
	case kindMatch:
		x.Header = Header{}
		return json.Unmarshal(row.Body, &x.Header)
	case kindEvent:
		var e referee.Event
		if err := json.Unmarshal(row.Body, &e); err != nil {
			return err
		}
		x.Events = append(x.Events, e)
	case kindPicture:
		var p Picture
		if err := json.Unmarshal(row.Body, &p); err != nil {
			return err
		}
		hashes[p.Name] = p.SHA256
	}
	return nil
}
