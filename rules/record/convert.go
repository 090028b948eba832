package record

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
)

// Format is a format of match records.
type Format string

// The formats.
const (
	FormatMat  Format = "mat"
	FormatSGF  Format = "sgf"
	FormatJSON Format = "json"
)

// FormatOf returns the format that a file's name says: .mat or .txt, .sgf, .json.
func FormatOf(name string) (Format, error) {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".mat", ".txt":
		return FormatMat, nil
	case ".sgf":
		return FormatSGF, nil
	case ".json":
		return FormatJSON, nil
	}
	return "", fmt.Errorf("record: %s: the name must end in .mat, .txt, .sgf or .json", name)
}

// Read reads a match in whichever format the data is.
func Read(data []byte) (*Record, error) {
	switch start := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\uFEFF")), " \t\r\n"); {
	case bytes.HasPrefix(start, []byte("{")):
		return ReadJSON(start)
	case bytes.HasPrefix(start, []byte("(;")), bytes.HasPrefix(start, []byte("( ;")):
		return ReadSGF(data)
	}
	return ReadMat(data)
}

// Write returns the record in a format, and what of it that format cannot carry.
func (r *Record) Write(f Format) (data []byte, losses []string, err error) {
	switch f {
	case FormatMat:
		data, losses = r.Mat()
	case FormatSGF:
		data, losses = r.SGF()
	case FormatJSON:
		data, err = r.JSON()
	default:
		err = fmt.Errorf("record: %q is no format: want %s, %s or %s", f, FormatMat, FormatSGF, FormatJSON)
	}
	return data, losses, err
}
