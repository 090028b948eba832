package main

import (
	"testing"
	"time"

	"davar/clock"
	"davar/config"
	"davar/rules"
	"davar/rules/match"
	"davar/rules/referee"
)

func TestEveryOptionOfTheRuleBookReachesTheReferee(t *testing.T) {
	play := func(s *referee.Settings) *rules.Options { return &s.Options.Rules }
	for _, c := range []struct {
		text string
		got  func(*referee.Settings) any
		want any
	}{
		{"rules: {variant: nackgammon}", func(s *referee.Settings) any { return play(s).Variant }, rules.Nackgammon},
		{"rules: {variant: iran}", func(s *referee.Settings) any { return play(s).HitRun }, rules.HitRunNoCover},
		{"rules: {variant: iran, hit_run: banned}", func(s *referee.Settings) any { return play(s).HitRun }, rules.HitRunBanned},
		{"rules: {variant: iran, hit_run: allowed}", func(s *referee.Settings) any { return play(s).HitRun }, rules.HitRunAllowed},
		{"rules: {hit_run_forced: release}", func(s *referee.Settings) any { return play(s).HitRunForced }, rules.Release},
		{"rules: {gammons: off}", func(s *referee.Settings) any { return play(s).GammonsOff }, true},
		{"rules: {gammons: on}", func(s *referee.Settings) any { return play(s).GammonsOff }, false},
		{"rules: {variant: tavla}", func(s *referee.Settings) any { return play(s).BackgammonsOff }, true},
		{"rules: {variant: tavla, backgammons: on}", func(s *referee.Settings) any { return play(s).BackgammonsOff }, false},
		{"rules: {backgammons: off}", func(s *referee.Settings) any { return play(s).BackgammonsOff }, true},
		{"rules: {backgammon_needs: home_only}", func(s *referee.Settings) any { return play(s).BackgammonNeeds }, rules.HomeOnly},
		{"rules: {bear_off_choice: must}", func(s *referee.Settings) any { return play(s).BearOff }, rules.BearOffMust},
		{"{match: {length: 0}, clock: {reserve: 30m}, rules: {opening_ties: auto_double}}",
			func(s *referee.Settings) any { return play(s).OpeningTies }, rules.TieAutoDouble},
		{"rules: {auto_double_limit: 2}", func(s *referee.Settings) any { return play(s).AutoDoubleLimit }, 2},
		{"rules: {opening_reroll: true}", func(s *referee.Settings) any { return play(s).OpeningReroll }, true},
		{"rules: {names: 001}", func(s *referee.Settings) any { return play(s).Names }, rules.Names001},
		{"cube: {enabled: false}", func(s *referee.Settings) any { return s.Cube }, false},
		{"rules: {variant: tavla}", func(s *referee.Settings) any { return s.Cube }, false},
		{"cube: {max: 128}", func(s *referee.Settings) any { return s.Options.CubeMax }, 128},
		{"cube: {crawford: false}", func(s *referee.Settings) any { return s.Crawford }, false},
		{"{match: {length: 0}, turn: {end: pickup}, cube: {jacoby: true}}", func(s *referee.Settings) any { return s.Options.Jacoby }, true},
		{"{match: {length: 0}, turn: {end: pickup}, cube: {beavers: true}}", func(s *referee.Settings) any { return s.Options.Beavers }, true},
		{"cube: {match_end_by_drop: allow}", func(s *referee.Settings) any { return s.Options.MatchEndByDrop }, match.AllowDrop},
		{"cube: {closed_out_may_double: false}", func(s *referee.Settings) any { return s.Options.ClosedOutMayDouble }, false},
		{"end: {concession: single_cube}", func(s *referee.Settings) any { return s.Options.Concession }, match.SingleCube},
		{"end: {time_loss: game_single}", func(s *referee.Settings) any { return s.Options.TimeLoss }, match.TimeLosesGame},
		{"end: {time_loss: none}", func(s *referee.Settings) any { return s.Options.TimeLoss }, match.TimeLosesNone},
		{"dice: {sets: 2}", func(s *referee.Settings) any { return s.DiceSets }, 2},
		{"dice: {opening_invalid: reroll_both}", func(s *referee.Settings) any { return s.OpeningInvalid }, "reroll_both"},
		{"dice: {cocked_hold: 2s}", func(s *referee.Settings) any { return s.CockedHold }, 2 * time.Second},
		{"dice: {cocked_near: 1s}", func(s *referee.Settings) any { return s.CockedNear }, time.Second},
		{"dice: {on_checker: true}", func(s *referee.Settings) any { return s.OnChecker }, true},
		{"dice: {fast_roll: void}", func(s *referee.Settings) any { return s.FastRoll }, "void"},
		{"dice: {fast_roll_forced_exempt: true}", func(s *referee.Settings) any { return s.FastRollForcedExempt }, true},
		{"dice: {fast_roll_waiver: false}", func(s *referee.Settings) any { return s.FastRollWaiver }, false},
		{"turn: {end: pickup}", func(s *referee.Settings) any { return s.TurnEnd }, "pickup"},
		{"break: {count: 2}", func(s *referee.Settings) any { return s.Breaks }, 2},
		{"break: {max: 5m}", func(s *referee.Settings) any { return s.BreakMax }, 5 * time.Minute},
		{"clock: {closed_out_press: false}", func(s *referee.Settings) any { return s.NoClosedOutPress }, true},
		{"moves: {regime: opponent_option}", func(s *referee.Settings) any { return s.Options.Regime }, match.OpponentOption},
		{"moves: {correct_until: valid_roll}", func(s *referee.Settings) any { return s.Options.CorrectUntil }, match.UntilValidRoll},
		{"moves: {who: opponent_only}", func(s *referee.Settings) any { return s.Options.Who }, match.OpponentOnly},
		{"monitor: {mode: director_only}", func(s *referee.Settings) any { return s.Mode }, "director_only"},
		{"clock: {system: bronstein}", func(s *referee.Settings) any { return s.Clock.System }, clock.Bronstein},
		{"clock: {system: hourglass}", func(s *referee.Settings) any { return s.Clock.Delay }, time.Duration(0)},
		{"clock: {bonus: 2m}", func(s *referee.Settings) any { return s.Clock.Bonus }, 2 * time.Minute},
		{"clock: {overtime: 1m}", func(s *referee.Settings) any { return s.Clock.Overtime }, time.Minute},
		{"end: {time_loss: none}", func(s *referee.Settings) any { return s.Clock.Mechanical }, true},
		{"clock: {delay: 15s}", func(s *referee.Settings) any { return s.Clock.Delay }, 15 * time.Second},
	} {
		t.Run(c.text, func(t *testing.T) {
			parsed, err := config.Parse("x.yaml", []byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			settings, err := tableSettings(&parsed, "m")
			if err != nil {
				t.Fatal(err)
			}
			if err := settings.Validate(); err != nil {
				t.Fatal(err)
			}
			if got := c.got(&settings); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestTheDefaultsOfTheFileAreThoseOfTheRuleBook(t *testing.T) {
	c := config.Default()
	got, err := tableSettings(&c, "")
	if err != nil {
		t.Fatal(err)
	}
	want := referee.DefaultSettings()
	if got.Options != want.Options || got.Cube != want.Cube || got.Crawford != want.Crawford || got.CockedHold != want.CockedHold ||
		got.CockedNear != want.CockedNear || got.FastRoll != want.FastRoll || got.FastRollWaiver != want.FastRollWaiver {
		t.Errorf("the file's defaults are\n%+v, the referee's\n%+v", got, want)
	}
}
