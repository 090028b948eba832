package rules

import (
	"fmt"
	"strings"
)

// names are the texts of a setting's values in order of their numbers; the first is the default.
type names []string

func (n names) name(v uint8) string {
	if int(v) < len(n) {
		return n[v]
	}
	return fmt.Sprintf("unknown(%d)", v)
}

func (n names) marshal(what string, v uint8) ([]byte, error) {
	if int(v) >= len(n) {
		return nil, fmt.Errorf("rules: write a %s: %d does not exist", what, v)
	}
	return []byte(n[v]), nil
}

func (n names) unmarshal(what string, text []byte) (uint8, error) {
	for i, name := range n {
		if name == string(text) {
			return uint8(i), nil
		}
	}
	return 0, fmt.Errorf("rules: read a %s: %q is none of %s", what, text, strings.Join(n, ", "))
}
