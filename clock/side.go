package clock

import "fmt"

// Side is one of the two players, with the same numbers as rules.Side, or Nobody.
type Side uint8

// The two sides of the clock and what stands where neither does.
const (
	Light Side = iota
	Dark
	Nobody
)

// Other returns the opponent of s; Nobody's opponent is Nobody.
func (s Side) Other() Side {
	if s > Dark {
		return Nobody
	}
	return 1 - s
}

// String returns "light", "dark" or, for Nobody, "".
func (s Side) String() string {
	switch s {
	case Light:
		return "light"
	case Dark:
		return "dark"
	}
	return ""
}

// MarshalText writes the side as in String.
func (s Side) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads "light", "dark" or "".
func (s *Side) UnmarshalText(text []byte) error {
	switch string(text) {
	case "light":
		*s = Light
	case "dark":
		*s = Dark
	case "":
		*s = Nobody
	default:
		return fmt.Errorf("clock: read a side: %q is neither light nor dark", text)
	}
	return nil
}
