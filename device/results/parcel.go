package results

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"davar/device/durable"
	"davar/device/journal"
	"davar/device/scoresheet"
	"davar/rules/record"
)

// parcel is a match as it is handed over.
type parcel struct {
	match journal.Match
	files []file // in the order in which they are written
}

// file is one of a parcel's files; name is what comes after the match's.
type file struct {
	name string
	data []byte
}

// pack writes the match in every format.
func (d *Desk) pack(ctx context.Context, m journal.Match) (*parcel, error) {
	t, err := d.Journal.Transcript(ctx, m.ID)
	if err != nil {
		return nil, err
	}
	p := &parcel{match: m}
	rec := t.Record()
	for _, format := range []record.Format{record.FormatMat, record.FormatSGF, record.FormatXGID, record.FormatJSON} {
		data, _, err := rec.Write(format)
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, file{"." + string(format), data})
	}
	for _, lang := range d.Book.Languages() {
		data, err := scoresheet.Of(t, d.Book, scoresheet.Options{Lang: lang}).HTML()
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, file{"." + lang + ".html", data})
	}
	var signed bytes.Buffer
	if err := d.Journal.Export(ctx, &signed, m.ID, d.now().UTC().Format(time.RFC3339)); err != nil {
		return nil, err
	}
	p.files = append(p.files, file{".davar", signed.Bytes()})
	return p, nil
}

// folder is a folder that gets the files.
type folder string

// send writes the files; each appears whole or not at all.
func (f folder) send(_ context.Context, p *parcel) error {
	if err := os.MkdirAll(string(f), 0o755); err != nil {
		return err
	}
	for _, part := range p.files {
		path := filepath.Join(string(f), fileName(p.match.ID)+part.name)
		if err := durable.Write(path, part.data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// fileName makes a match's name safe for a file.
func fileName(id string) string {
	return strings.Map(func(c rune) rune {
		if c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return '~'
	}, id)
}

// post is an address that gets one JSON object a match.
type post struct {
	address string
	client  *http.Client
}

func newPost(address string) *post {
	return &post{address, &http.Client{Timeout: time.Minute}}
}

// body is what an address gets: the match as davar matches --json lists it, and its record in the formats of players.
type body struct {
	Version int             `json:"v"`
	Match   journal.Match   `json:"match"`
	Record  json.RawMessage `json:"record"` // as davar export --format json
	Mat     string          `json:"mat"`
	SGF     string          `json:"sgf"`
}

// send posts the match. Any answer of the 200s takes it; the Idempotency-Key lets the other side know a match it has had
// when an answer was lost on the way.
func (a *post) send(ctx context.Context, p *parcel) error {
	b := body{Version: 1, Match: p.match}
	for _, part := range p.files {
		switch part.name {
		case ".json":
			b.Record = part.data
		case ".mat":
			b.Mat = string(part.data)
		case ".sgf":
			b.SGF = string(part.data)
		}
	}
	text, err := json.Marshal(b)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, a.address, bytes.NewReader(text))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", fmt.Sprintf("%s-%d", p.match.ID, p.match.LastSeq))
	answer, err := a.client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 1<<16))
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("it answers %s", answer.Status)
	}
	return nil
}
