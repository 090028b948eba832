// Package bundle packs what helps to find out why a table fails, without anybody's name or secret in it, so that it can
// be sent to strangers.
package bundle

import (
	"archive/tar"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"time"
)

// Part is one file of a bundle.
type Part struct {
	Name string
	Text string
}

// Write packs the parts as a gzipped tar, each redacted, in a folder of the given name.
func Write(out io.Writer, folder string, at time.Time, parts []Part, r *Redactor) error {
	compressed := gzip.NewWriter(out)
	archive := tar.NewWriter(compressed)
	for _, p := range parts {
		text := r.Text(p.Text)
		header := &tar.Header{Name: folder + "/" + p.Name, Mode: 0o644, Size: int64(len(text)), ModTime: at, Format: tar.FormatPAX}
		if err := archive.WriteHeader(header); err != nil {
			return fmt.Errorf("bundle: pack %s: %w", p.Name, err)
		}
		if _, err := io.WriteString(archive, text); err != nil {
			return fmt.Errorf("bundle: pack %s: %w", p.Name, err)
		}
	}
	if err := archive.Close(); err != nil {
		return fmt.Errorf("bundle: pack: %w", err)
	}
	if err := compressed.Close(); err != nil {
		return fmt.Errorf("bundle: pack: %w", err)
	}
	return nil
}

// Structured returns the lines of a system's log that are the program's own structured ones. What it tells people in
// sentences (who plays what) is none of them.
func Structured(log string) string {
	var kept strings.Builder
	for line := range strings.Lines(log) {
		if strings.Contains(line, " level=") || strings.Contains(line, `"level":"`) || strings.Contains(line, "systemd[") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}
