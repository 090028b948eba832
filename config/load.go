package config

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Problem is one thing wrong with a configuration file.
type Problem struct {
	File string
	Line int    // from 1; 0 when the value is not in the file
	Key  string // such as match.length
	Why  string // what is wrong and what would be right
}

// Error returns the problem as "file:line: key: why".
func (p Problem) Error() string {
	at := p.File
	if p.Line > 0 {
		at = fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	if p.Key == "" {
		return fmt.Sprintf("%s: %s", at, p.Why)
	}
	return fmt.Sprintf("%s: %s: %s", at, p.Key, p.Why)
}

// Problems is everything wrong with a configuration file, in the order of its lines.
type Problems []Problem

// Error returns one problem a line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return "config: " + strings.Join(lines, "\nconfig: ")
}

// Load reads the file at path over the defaults. The error is a Problems when the file can be read but is wrong.
func Load(path string) (Config, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return Config{}, fmt.Errorf("config: read %s: there is no such file; leave --config out to use the defaults", path)
	}
	if err != nil {
		return Config{}, fmt.Errorf("config: read the settings: %w", err)
	}
	return Parse(path, text)
}

// Parse reads a configuration from text over the defaults; name is what errors call the file.
func Parse(name string, text []byte) (Config, error) {
	c := Default()
	d := decoder{file: name, lines: map[string]int{}}
	d.document(text, &c)
	for _, p := range c.check() {
		p.File, p.Line = name, d.lines[p.Key]
		d.problems = append(d.problems, p)
	}
	if len(d.problems) > 0 {
		slices.SortStableFunc(d.problems, func(a, b Problem) int { return a.Line - b.Line })
		return Config{}, d.problems
	}
	return c, nil
}
