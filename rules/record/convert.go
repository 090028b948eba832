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
	FormatXGID Format = "xgid" // a list of positions, written only
)

// FormatOf returns the format that a file's name says: .mat or .txt, .sgf, .json, .xgid.
func FormatOf(name string) (Format, error) {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".mat", ".txt":
		return FormatMat, nil
	case ".sgf":
		return FormatSGF, nil
	case ".json":
		return FormatJSON, nil
	case ".xgid":
		return FormatXGID, nil
	}
	return "", fmt.Errorf("record: %s: the name must end in .mat, .txt, .sgf, .json or .xgid", name)
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
	case FormatXGID:
		data, losses, err = r.XGIDs()
	default:
		err = fmt.Errorf("record: %q is no format: want %s, %s, %s or %s", f, FormatMat, FormatSGF, FormatJSON, FormatXGID)
	}
	return data, losses, err
}
