package rules

// Options are the rules of the game that a table may choose (the rules.* settings). The zero value is the
// standard game with every default but AutoDoubleLimit; OptionsFor gives the defaults of a variant.
type Options struct {
	Variant         Variant         `json:"variant" yaml:"variant"`
	HitRun          HitRun          `json:"hit_run" yaml:"hit_run"`
	HitRunForced    HitRunForced    `json:"hit_run_forced" yaml:"hit_run_forced"`
	BearOff         BearOff         `json:"bear_off_choice" yaml:"bear_off_choice"`
	GammonsOff      bool            `json:"gammons_off" yaml:"gammons_off"`         // every win counts single (END-6)
	BackgammonsOff  bool            `json:"backgammons_off" yaml:"backgammons_off"` // no win counts triple (VAR-6)
	BackgammonNeeds BackgammonNeeds `json:"backgammon_needs" yaml:"backgammon_needs"`
	OpeningTies     OpeningTies     `json:"opening_ties" yaml:"opening_ties"`
	AutoDoubleLimit int             `json:"auto_double_limit" yaml:"auto_double_limit"` // automatic doubles in one game (OPEN-4)
	OpeningReroll   bool            `json:"opening_reroll" yaml:"opening_reroll"`       // the starter throws afresh (OPEN-2)
	Names           Names           `json:"names" yaml:"names"`
}

// OptionsFor returns the defaults of a variant: Iranian bars hit-and-run, tavla knows no triple win.
func OptionsFor(v Variant) Options {
	o := Options{Variant: v, AutoDoubleLimit: 1}
	switch v {
	case Iran:
		o.HitRun = HitRunNoCover
	case Tavla:
		o.BackgammonsOff = true
	}
	return o
}

// HitRun says whether a checker that hit in its own last six points may go on in the same turn (VAR-2).
type HitRun uint8

// Values of HitRun.
const (
	HitRunAllowed HitRun = iota
	HitRunNoCover        // not on to other checkers of its own side (VAR-2, VAR-4)
	HitRunBanned         // not at all, not even off the board
)

var hitRunNames = names{"allowed", "no_cover", "banned"}

// String returns allowed, no_cover or banned.
func (h HitRun) String() string { return hitRunNames.name(uint8(h)) }

// MarshalText writes the value as in String.
func (h HitRun) MarshalText() ([]byte, error) { return hitRunNames.marshal("hit_run", uint8(h)) }

// UnmarshalText reads a value as in String.
func (h *HitRun) UnmarshalText(text []byte) error {
	n, err := hitRunNames.unmarshal("hit_run", text)
	*h = HitRun(n)
	return err
}

// HitRunForced says how barred hit-and-run moves count for the forced-play rules (VAR-3).
type HitRunForced uint8

// Values of HitRunForced.
const (
	RestrictFirst HitRunForced = iota // a barred move is not a legal move: the forced-play rules count without it
	Release                           // when the full roll cannot be played without it, the barred move is allowed
)

var hitRunForcedNames = names{"restrict_first", "release"}

// String returns restrict_first or release.
func (h HitRunForced) String() string { return hitRunForcedNames.name(uint8(h)) }

// MarshalText writes the value as in String.
func (h HitRunForced) MarshalText() ([]byte, error) {
	return hitRunForcedNames.marshal("hit_run_forced", uint8(h))
}

// UnmarshalText reads a value as in String.
func (h *HitRunForced) UnmarshalText(text []byte) error {
	n, err := hitRunForcedNames.unmarshal("hit_run_forced", text)
	*h = HitRunForced(n)
	return err
}

// BearOff says whether a number that bears a checker off may be played inside the home board instead (OFF-5).
type BearOff uint8

// Values of BearOff.
const (
	BearOffFree BearOff = iota
	BearOffMust         // a number that can bear off must bear off
)

var bearOffNames = names{"free", "must"}

// String returns free or must.
func (b BearOff) String() string { return bearOffNames.name(uint8(b)) }

// MarshalText writes the value as in String.
func (b BearOff) MarshalText() ([]byte, error) {
	return bearOffNames.marshal("bear_off_choice", uint8(b))
}

// UnmarshalText reads a value as in String.
func (b *BearOff) UnmarshalText(text []byte) error {
	n, err := bearOffNames.unmarshal("bear_off_choice", text)
	*b = BearOff(n)
	return err
}

// BackgammonNeeds says what makes a gammon a backgammon (END-4).
type BackgammonNeeds uint8

// Values of BackgammonNeeds.
const (
	BarOrHome BackgammonNeeds = iota // a checker on the bar or in the winner's home board
	HomeOnly                         // only the winner's home board counts
)

var backgammonNeedsNames = names{"bar_or_home", "home_only"}

// String returns bar_or_home or home_only.
func (b BackgammonNeeds) String() string { return backgammonNeedsNames.name(uint8(b)) }

// MarshalText writes the value as in String.
func (b BackgammonNeeds) MarshalText() ([]byte, error) {
	return backgammonNeedsNames.marshal("backgammon_needs", uint8(b))
}

// UnmarshalText reads a value as in String.
func (b *BackgammonNeeds) UnmarshalText(text []byte) error {
	n, err := backgammonNeedsNames.unmarshal("backgammon_needs", text)
	*b = BackgammonNeeds(n)
	return err
}

// OpeningTies says what equal opening dice do (OPEN-3, OPEN-4).
type OpeningTies uint8

// Values of OpeningTies.
const (
	TieReroll     OpeningTies = iota
	TieAutoDouble             // the cube is turned one step and stays in the middle (money play)
)

var openingTiesNames = names{"reroll", "auto_double"}

// String returns reroll or auto_double.
func (o OpeningTies) String() string { return openingTiesNames.name(uint8(o)) }

// MarshalText writes the value as in String.
func (o OpeningTies) MarshalText() ([]byte, error) {
	return openingTiesNames.marshal("opening_ties", uint8(o))
}

// UnmarshalText reads a value as in String.
func (o *OpeningTies) UnmarshalText(text []byte) error {
	n, err := openingTiesNames.unmarshal("opening_ties", text)
	*o = OpeningTies(n)
	return err
}

// Names chooses the Persian name of the triple win by the document it comes from (VAR-8).
type Names uint8

// Values of Names.
const (
	Names000 Names = iota
	Names001
	Names003
)

var namesNames = names{"000", "001", "003"}

// String returns 000, 001 or 003.
func (n Names) String() string { return namesNames.name(uint8(n)) }

// MarshalText writes the value as in String.
func (n Names) MarshalText() ([]byte, error) { return namesNames.marshal("names", uint8(n)) }

// UnmarshalText reads a value as in String.
func (n *Names) UnmarshalText(text []byte) error {
	v, err := namesNames.unmarshal("names", text)
	*n = Names(v)
	return err
}
