package referee

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"davar/clock"
	"davar/rules"
	"davar/rules/match"
)

// Settings fix how one match is refereed (RULES §2; each option's first value there is its default). The zero
// value is not usable; start from DefaultSettings.
type Settings struct {
	Match   string    `json:"match"` // identifier written into every event
	Players [2]string `json:"players"`
	Length  int       `json:"length"` // points to win; 0 = money session
	Score   Score     `json:"score"`  // at the beginning
	// CrawfordDone says that the Crawford game was played before the beginning (CUBE-11).
	CrawfordDone bool   `json:"crawford_done,omitempty"`
	Layout       Layout `json:"layout"`
	TurnEnd      string `json:"turn_end"` // "clock" (TURN-3) or "pickup" (TURN-2)
	// OpeningSeen is true when the opening roll will be seen or thrown at the table; false waits for DecideStart.
	OpeningSeen bool   `json:"opening_seen"`
	Cube        bool   `json:"cube"`
	Crawford    bool   `json:"crawford"`
	Mode        string `json:"mode"` // monitor.mode: announce, director_only, off (MON-1)

	// Options are the rules of play, cube, end and correction (rules.*, cube.*, end.*, moves.*); Cube and Crawford
	// above override the fields of those names.
	Options match.Options `json:"options"`
	// Clock is the time control of a match whose turns end by the clock; nil: USBGF singles, with a bonus of
	// an hour for a money session, which has no length.
	Clock *clock.Control `json:"clock,omitempty"`

	DiceSets int `json:"dice_sets"` // pairs of dice; 0 follows TurnEnd: clock one, pickup two (EQUIP-3)
	// A die that leans is called cocked after CockedHold; if it fell flat before, CockedNear of leaning still is
	// enough (DICE-4).
	CockedHold     time.Duration `json:"cocked_hold"`
	CockedNear     time.Duration `json:"cocked_near"`
	OnChecker      bool          `json:"on_checker"`      // a die lying on a checker counts (DICE-8)
	OpeningInvalid string        `json:"opening_invalid"` // reroll_one, reroll_both (OPEN-5)
	FastRoll       string        `json:"fast_roll"`       // opponent_choice, reroll, void (DICE-12)
	// FastRollWaiver: who lets a fast roll pass loses the claim for the match (DICE-13); FastRollForcedExempt: none
	// where the interrupted play was forced (DICE-14).
	FastRollWaiver       bool `json:"fast_roll_waiver"`
	FastRollForcedExempt bool `json:"fast_roll_forced_exempt"`
	// StartDue is when the match should have begun, since the first picture; 0: nobody is late (PROC-1).
	StartDue time.Duration `json:"start_due,omitempty"`
	// Breaks is how many breaks a match has, between games, and BreakMax how long one may last (PROC-2).
	Breaks   int           `json:"breaks"`
	BreakMax time.Duration `json:"break_max"`
	// NoClosedOutPress: against a closed board the clock goes on to the opponent by itself (CLOCK-10 without its press).
	NoClosedOutPress bool `json:"no_closed_out_press,omitempty"`
	// ConfirmScore has the next game wait until the score is agreed (SCORE-4, DecideNext); a game begun before
	// is pointed out (S4).
	ConfirmScore bool `json:"confirm_score"`
}

// DefaultSettings returns a seven-point match, standard game, light at the bottom, home boards right,
// turn ended by the clock, rulings announced.
func DefaultSettings() Settings {
	return Settings{
		Players: [2]string{"Light", "Dark"}, Length: 7,
		Layout: Layout{Bottom: "light", Home: "right"}, TurnEnd: "clock",
		OpeningSeen: true, Cube: true, Crawford: true, Mode: "announce",
		Options:    match.OptionsFor(rules.Standard),
		CockedHold: time.Second, CockedNear: 800 * time.Millisecond, OpeningInvalid: "reroll_one", FastRoll: "opponent_choice",
		FastRollWaiver: true, Breaks: 1, BreakMax: 10 * time.Minute,
	}
}

// Validate reports everything that makes the settings unusable, joined; nil when they can be used.
func (s *Settings) Validate() error {
	var errs []error
	oneOf := func(name, value string, values ...string) {
		if !slices.Contains(values, value) {
			errs = append(errs, fmt.Errorf("referee: settings: %s %q is none of %v", name, value, values))
		}
	}
	oneOf("layout.bottom", s.Layout.Bottom, "light", "dark")
	oneOf("layout.home", s.Layout.Home, "left", "right")
	oneOf("turn.end", s.TurnEnd, "clock", "pickup")
	oneOf("monitor.mode", s.Mode, "announce", "director_only", "off")
	oneOf("dice.opening_invalid", s.OpeningInvalid, "reroll_one", "reroll_both")
	oneOf("dice.fast_roll", s.FastRoll, "opponent_choice", "reroll", "void")
	if s.Breaks < 0 || s.BreakMax < 0 {
		errs = append(errs, fmt.Errorf("referee: settings: %d breaks of %v", s.Breaks, s.BreakMax))
	}
	if s.Length < 0 {
		errs = append(errs, fmt.Errorf("referee: settings: length %d is negative", s.Length))
	}
	if s.Score.Light < 0 || s.Score.Dark < 0 || s.Length > 0 && max(s.Score.Light, s.Score.Dark) >= s.Length {
		errs = append(errs, fmt.Errorf("referee: settings: a score of %d-%d is not one of a match to %d in play",
			s.Score.Light, s.Score.Dark, s.Length))
	}
	if err := s.options().Check(); err != nil {
		errs = append(errs, err)
	}
	if err := s.Options.Rules.Variant.Refereed(); err != nil {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// options returns the rules of the match.
func (s *Settings) options() match.Options {
	o := s.Options
	o.Cube, o.Crawford = s.Cube, s.Crawford
	return o
}

// timed tells whether the turn ends by the clock.
func (s *Settings) timed() bool { return s.TurnEnd == "clock" }

// newClock returns the match's clock, standing for the opening roll; nil when the turn ends by lifting the dice.
func (s *Settings) newClock() (*clock.Clock, error) {
	if !s.timed() {
		return nil, nil
	}
	control := s.Clock
	if control == nil {
		preset, err := clock.Preset("usbgf-singles")
		if err != nil {
			return nil, err
		}
		if s.Length == 0 {
			preset.Bonus = time.Hour
		}
		control = &preset
	}
	reserve, err := control.Reserve(s.Length, s.Score.Light+s.Score.Dark)
	if err != nil {
		return nil, err
	}
	return clock.New(*control, [2]time.Duration{reserve, reserve}, 0)
}

// sets returns how many pairs of dice are in play (EQUIP-3).
func (s *Settings) sets() int {
	switch {
	case s.DiceSets > 0:
		return s.DiceSets
	case s.timed():
		return 1
	}
	return 2
}
