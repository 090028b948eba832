package config

import (
	"slices"
	"time"
)

// Rules are the options of play, rules.* of RULES §2. An empty value means what the variant has.
type Rules struct {
	Variant         string `yaml:"variant"`           // standard, iran, tavla, nackgammon (VAR-1)
	HitRun          string `yaml:"hit_run"`           // allowed, no_cover, banned (VAR-2, VAR-4)
	HitRunForced    string `yaml:"hit_run_forced"`    // restrict_first, release (VAR-3)
	Gammons         string `yaml:"gammons"`           // on, off (END-6)
	Backgammons     string `yaml:"backgammons"`       // on, off (VAR-6)
	BackgammonNeeds string `yaml:"backgammon_needs"`  // bar_or_home, home_only (END-4)
	BearOffChoice   string `yaml:"bear_off_choice"`   // free, must (OFF-5)
	OpeningTies     string `yaml:"opening_ties"`      // reroll, auto_double (OPEN-3, OPEN-4)
	AutoDoubleLimit int    `yaml:"auto_double_limit"` // automatic doubles in one game (OPEN-4)
	OpeningReroll   bool   `yaml:"opening_reroll"`    // the starter throws afresh (OPEN-2)
	Names           string `yaml:"names"`             // 000, 001, 003: Persian name of the triple win (VAR-8)
}

// Cube are the options of the doubling cube, cube.* of RULES §2.
type Cube struct {
	Enabled            bool   `yaml:"enabled"`               // CUBE-16; tavla never has a cube
	Max                int    `yaml:"max"`                   // highest value, a power of two (CUBE-6)
	Crawford           bool   `yaml:"crawford"`              // CUBE-11
	Jacoby             bool   `yaml:"jacoby"`                // END-7, money only
	Beavers            bool   `yaml:"beavers"`               // CUBE-13, money only
	MatchEndByDrop     string `yaml:"match_end_by_drop"`     // forced_take, allow (CUBE-17)
	ClosedOutMayDouble bool   `yaml:"closed_out_may_double"` // CUBE-20
}

// End are the options of a game's end, end.* of RULES §2.
type End struct {
	Concession string `yaml:"concession"` // only_if_certain, single_cube (END-8, END-9)
	TimeLoss   string `yaml:"time_loss"`  // match, game_single, none (CLOCK-4, CLOCK-5)
}

// Dice are the options of valid throws, dice.* of RULES §2.
type Dice struct {
	Sets                 int           `yaml:"sets"`                    // pairs of dice, 0 = one with a clock, two without (EQUIP-3)
	OpeningInvalid       string        `yaml:"opening_invalid"`         // reroll_one, reroll_both (OPEN-5)
	CockedHold           time.Duration `yaml:"cocked_hold"`             // DICE-4
	CockedNear           time.Duration `yaml:"cocked_near"`             // DICE-4
	OnChecker            bool          `yaml:"on_checker"`              // DICE-8
	FastRoll             string        `yaml:"fast_roll"`               // opponent_choice, reroll, void (DICE-12)
	FastRollForcedExempt bool          `yaml:"fast_roll_forced_exempt"` // DICE-14
	FastRollWaiver       bool          `yaml:"fast_roll_waiver"`        // DICE-13
}

// Turn says what ends one.
type Turn struct {
	End string `yaml:"end"` // clock (TURN-3) or pickup (TURN-2)
}

// Moves are the options of illegal plays, moves.* of RULES §2.
type Moves struct {
	Regime       string `yaml:"regime"`        // enforce, opponent_option (IRREG-2, IRREG-3)
	CorrectUntil string `yaml:"correct_until"` // throw, throw_or_double, valid_roll (IRREG-4)
	Who          string `yaml:"who"`           // both_and_officials, opponent_only (IRREG-7)
}

// Setup says how long a wrong starting position can be put right.
type Setup struct {
	CorrectUntil string `yaml:"correct_until"` // second_play_complete (IRREG-8)
}

// Break are the players' breaks between games.
type Break struct {
	Count int           `yaml:"count"` // in a match (PROC-2)
	Max   time.Duration `yaml:"max"`   // PROC-2
}

// Publish says what spectators get and when.
type Publish struct {
	Delay time.Duration `yaml:"delay"` // how far everything public lags behind (PUB-1)
	Pips  string        `yaml:"pips"`  // public_only: pip counts for spectators alone (PUB-3)
	// Picture shows spectators the camera's picture too, as late as all they see.
	Picture bool `yaml:"picture"`
	// Chances shows spectators who are behind (Delay) the chances of the players and their errors, where GNU Backgammon
	// is installed; players never see them (EQUIP-9, PUB-3).
	Chances bool `yaml:"chances"`
	// Results is the folder, or the address (http, https), that gets each finished match; empty: nobody does.
	Results string `yaml:"results"`
}

func defaultRules() Rules {
	return Rules{Variant: "standard", Gammons: "on", BackgammonNeeds: "bar_or_home", BearOffChoice: "free",
		HitRunForced: "restrict_first", OpeningTies: "reroll", AutoDoubleLimit: 1, Names: "000"}
}

// checkLaw finds options of RULES §2 that do not exist, and those that the kind of match does not know.
func (c *Config) checkLaw(w *wrongs) {
	w.oneOf("rules.variant", c.Rules.Variant, "standard", "iran", "tavla", "nackgammon")
	w.oneOf("rules.hit_run", c.Rules.HitRun, "", "allowed", "no_cover", "banned")
	w.oneOf("rules.hit_run_forced", c.Rules.HitRunForced, "restrict_first", "release")
	w.oneOf("rules.gammons", c.Rules.Gammons, "on", "off")
	w.oneOf("rules.backgammons", c.Rules.Backgammons, "", "on", "off")
	w.oneOf("rules.backgammon_needs", c.Rules.BackgammonNeeds, "bar_or_home", "home_only")
	w.oneOf("rules.bear_off_choice", c.Rules.BearOffChoice, "free", "must")
	w.oneOf("rules.opening_ties", c.Rules.OpeningTies, "reroll", "auto_double")
	w.between("rules.auto_double_limit", c.Rules.AutoDoubleLimit, 1, 6)
	w.oneOf("rules.names", c.Rules.Names, "000", "001", "003")
	if !slices.Contains([]int{2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096}, c.Cube.Max) {
		w.add("cube.max", "%d is no value of a cube; use 64 or another power of two from 2 to 4096", c.Cube.Max)
	}
	w.oneOf("cube.match_end_by_drop", c.Cube.MatchEndByDrop, "forced_take", "allow")
	w.oneOf("end.concession", c.End.Concession, "only_if_certain", "single_cube")
	w.oneOf("end.time_loss", c.End.TimeLoss, "match", "game_single", "none")
	w.between("dice.sets", c.Dice.Sets, 0, 2)
	w.oneOf("dice.opening_invalid", c.Dice.OpeningInvalid, "reroll_one", "reroll_both")
	w.notNegative("dice.cocked_hold", c.Dice.CockedHold)
	w.notNegative("dice.cocked_near", c.Dice.CockedNear)
	w.oneOf("dice.fast_roll", c.Dice.FastRoll, "opponent_choice", "reroll", "void")
	w.oneOf("turn.end", c.Turn.End, "clock", "pickup")
	w.oneOf("moves.regime", c.Moves.Regime, "enforce", "opponent_option")
	w.oneOf("moves.correct_until", c.Moves.CorrectUntil, "throw", "throw_or_double", "valid_roll")
	w.oneOf("moves.who", c.Moves.Who, "both_and_officials", "opponent_only")
	w.oneOf("setup.correct_until", c.Setup.CorrectUntil, "second_play_complete")
	w.between("break.count", c.Break.Count, 0, 9)
	w.notNegative("break.max", c.Break.Max)
	w.notNegative("publish.delay", c.Publish.Delay)
	w.oneOf("publish.pips", c.Publish.Pips, "public_only")
	if c.Match.Length > 0 {
		for _, o := range []struct {
			key string
			on  bool
		}{{"cube.jacoby", c.Cube.Jacoby}, {"cube.beavers", c.Cube.Beavers}, {"rules.opening_ties", c.Rules.OpeningTies == "auto_double"}} {
			if o.on {
				w.add(o.key, "this is for money sessions alone; set match.length to 0 or leave it out")
			}
		}
	}
}
