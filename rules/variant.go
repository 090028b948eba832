package rules

import "fmt"

// Variant is the game played at a table (VAR-1).
type Variant uint8

// The variants. Standard is the zero value.
const (
	Standard   Variant = iota
	Iran               // Iranian: hit-and-run barred in the last six points (VAR-2)
	Tavla              // no cube, no triple win (VAR-6)
	Nackgammon         // another starting position (VAR-5)
	AceyDeucey         // recognised but not refereed (VAR-7)
)

var variantNames = names{"standard", "iran", "tavla", "nackgammon", "acey_deucey"}

// String returns the variant's name as in the settings: standard, iran, tavla, nackgammon or acey_deucey.
func (v Variant) String() string { return variantNames.name(uint8(v)) }

// MarshalText writes the variant as in String.
func (v Variant) MarshalText() ([]byte, error) { return variantNames.marshal("variant", uint8(v)) }

// UnmarshalText reads one of the names of String.
func (v *Variant) UnmarshalText(text []byte) error {
	n, err := variantNames.unmarshal("variant", text)
	*v = Variant(n)
	return err
}

// ParseVariant returns the variant called name (see String).
func ParseVariant(name string) (Variant, error) {
	var v Variant
	err := v.UnmarshalText([]byte(name))
	return v, err
}

// Refereed returns nil when plays of the variant can be judged, and an error that says why not otherwise.
func (v Variant) Refereed() error {
	switch {
	case v == AceyDeucey:
		return fmt.Errorf("rules: acey-deucey is recognised but its plays are not refereed, only dice, turn and clock (VAR-7)")
	case int(v) >= len(variantNames):
		return fmt.Errorf("rules: variant %d does not exist", uint8(v))
	}
	return nil
}

// Start returns the position a game of variant v begins with (SETUP-2, VAR-5). In acey-deucey all thirty
// checkers begin off the board; they are shown on the bars, from where they enter.
func Start(v Variant) Position {
	row := [26]uint8{24: 2, 13: 5, 8: 3, 6: 5}
	switch v {
	case Nackgammon:
		row = [26]uint8{24: 2, 23: 2, 13: 4, 8: 3, 6: 4}
	case AceyDeucey:
		row = [26]uint8{Bar: Checkers}
	}
	return Position{Checkers: [2][26]uint8{row, row}}
}
