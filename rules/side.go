package rules

import "fmt"

// Side names one of the two players by the colour of his checkers: the lighter or the darker ones.
type Side uint8

// The two sides. Light is the zero value; code that needs "nobody" uses a pointer or a separate flag.
const (
	Light Side = iota
	Dark
)

// Other returns the opponent of s.
func (s Side) Other() Side { return 1 - s }

// String returns "light" or "dark", the words of the events and of the truth files.
func (s Side) String() string {
	switch s {
	case Light:
		return "light"
	case Dark:
		return "dark"
	}
	return fmt.Sprintf("side(%d)", uint8(s))
}

// MarshalText writes the side as in String.
func (s Side) MarshalText() ([]byte, error) {
	if s > Dark {
		return nil, fmt.Errorf("rules: write a side: %d is neither light nor dark", uint8(s))
	}
	return []byte(s.String()), nil
}

// UnmarshalText reads "light" or "dark".
func (s *Side) UnmarshalText(text []byte) error {
	switch string(text) {
	case "light":
		*s = Light
	case "dark":
		*s = Dark
	default:
		return fmt.Errorf("rules: read a side: %q is neither light nor dark", text)
	}
	return nil
}
