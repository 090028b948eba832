package referee

import (
	"slices"

	"davar/rules/match"
)

// announcement is one row of the table of what a referee must announce (RULES §3).
type announcement struct {
	Rules    []string
	Offence  string
	Severity string
	Remedy   string
	Until    string
	Actors   []string
	Play     bool // silent to the players under the opponent's-option regime (MON-4)
	Director bool // for the director only in any case
}

// answers names, by code, the decisions that settle an announcement or answer the question it puts. An illegal play is
// answered by replaying it; only the director lets it stand under the regime that enforces legal play (IRREG-2).
var answers = map[string][]string{
	"M9": {DecideReplay, DecideSet, DecideExclude}, "M11": {DecideReplay, DecideOverrule},
	"D1": {DecideRethrow, DecideOverrule}, "D2": {DecideRethrow, DecideOverrule}, "D3": {DecideRethrow, DecideOverrule},
	"D4": {DecideRethrow, DecideOverrule}, "D5": {DecideStand, DecideRethrow, DecideRoll}, "D6": {DecideStand, DecideRethrow},
	"D7": {DecideStand, DecideRethrow}, "D9": {DecideStand, DecideRethrow, DecideRoll}, "D12": {DecideRethrow, DecideOverrule},
	"D13": {DecideOverrule}, "C4": {DecideCube}, "C6": {DecideDouble, DecideStand}, "K1": {DecideResume, DecideAdjust},
	"K3": {DecideReplay, DecideOverrule}, "S1": {DecideSet}, "S2": {DecideExclude, DecideSet}, "S3": {DecideScore, DecideNext},
	"S4": {DecideNext}, "P3": {DecideConfirm}, "X1": {DecideStand, DecideRoll, DecideSet},
}

// questions names the decisions that answer what the referee asks for (X1), by the key of the question.
var questions = map[string][]string{
	askPlay: {DecideStand, DecideReplay, DecideSet}, askStarter: {DecideStart, DecideSet}, askDie: {DecideRoll, DecideRethrow},
	askOpening: {DecideRoll, DecideStart}, askTurn: {DecideRoll, DecideSet}, askOnwards: {DecideSet, DecideUndo},
}

// The keys of what the referee asks for (attention.why), each put once in a turn.
const (
	askPlay    = "not_seen"     // what was played
	askStarter = "midgame"      // who is on roll in a game taken over in the middle
	askDie     = "one_die"      // where the other die is
	askOpening = "opening_dice" // whose opening dice are whose
	askTurn    = "unseen_turn"  // what was rolled and played
	askOnwards = "turn_lost"    // that play goes on from the position on the board
	tellCamera = "camera"       // nothing is asked: the camera sees nothing (X2)
)

var (
	bothOfficials = []string{"both", "officials"}
	bothDirector  = []string{"both", "director"}
	oppDirector   = []string{"opponent", "director"}
	oppOfficials  = []string{"opponent", "officials"}
	onlyBoth      = []string{"both"}
	onlyDirector  = []string{"director"}
)

// announcements holds the rows by their codes.
var announcements = map[string]announcement{
	"M1":  illegalPlay("too few moves played", "MOVE-9", "MOVE-10", "MOVE-12"),
	"M2":  illegalPlay("the smaller number was played", "MOVE-11"),
	"M3":  illegalPlay("the moves do not match the roll", "MOVE-1", "MOVE-6"),
	"M4":  illegalPlay("a closed point was used", "MOVE-4", "MOVE-2"),
	"M5":  illegalPlay("another checker was moved with one on the bar", "ENTER-1"),
	"M6":  illegalPlay("a checker was borne off against the rules", "OFF-1", "OFF-3", "OFF-4"),
	"M7":  illegalPlay("a checker was moved backwards, or the opponent's", "MOVE-1"),
	"M8":  {[]string{"HIT-4", "IRREG-1"}, "a hit checker is not on the bar, or one is that was not hit", "R", "put_right_or_replay", "window", bothOfficials, true, false},
	"M9":  {[]string{"IRREG-11", "EQUIP-2"}, "the number of checkers is wrong", "B", "settle", "next_roll", bothDirector, false, false},
	"M10": illegalPlay("hit and run", "VAR-2"),
	"M11": {[]string{"MOVE-13", "IRREG-1"}, "moved though nothing could be played", "R", "restore", "window", bothOfficials, true, false},
	"M12": illegalPlay("the position does not match the roll", "IRREG-1"),
	"M13": {[]string{"IRREG-6"}, "an illegal play stands", "P", "none", "", onlyDirector, false, true},
	"D1":  {[]string{"DICE-2", "DICE-4"}, "a die is cocked", "R", "rethrow", "lifted", onlyBoth, false, false},
	"D2":  {[]string{"DICE-2"}, "a die lies outside the right half", "R", "rethrow", "play_complete", bothOfficials, false, false},
	"D3":  {[]string{"DICE-3"}, "a die lies on a checker", "R", "rethrow", "lifted", bothOfficials, false, false},
	"D4":  {[]string{"DICE-1"}, "the dice were not thrown together", "R", "rethrow", "play_begun", oppOfficials, false, false},
	"D5":  {[]string{"DICE-6", "DICE-5"}, "dice were lifted as cocked without agreement", "B", "director", "play_goes_on", oppDirector, false, false},
	"D6":  {[]string{"DICE-12"}, "rolled before the opponent ended his turn", "R", "stand_or_rethrow", "decision", []string{"interrupted"}, false, false},
	"D7":  {[]string{"DICE-7", "DICE-18"}, "dice were disturbed after they had come to rest", "B", "keep_or_rethrow", "play_complete", []string{"opponent"}, false, false},
	"D8":  {[]string{"TURN-2"}, "dice were touched after a complete play", "I", "turn_passes", "at_once", onlyBoth, false, false},
	"D9":  {[]string{"IRREG-13"}, "a valid roll was thrown again", "B", "first_roll_stands", "play_complete", oppDirector, false, false},
	"D10": {[]string{"ENTER-7"}, "closed board: no roll", "I", "forfeit", "", nil, false, false},
	"D11": {[]string{"OPEN-3"}, "the opening dice are equal", "I", "rethrow", "", nil, false, false},
	"D12": {[]string{"OPEN-5", "OPEN-6"}, "an opening die is invalid", "R", "rethrow_one", "opening_play", onlyBoth, false, false},
	"D13": {[]string{"IRREG-12"}, "the wrong player threw", "R", "void", "next_action", bothOfficials, false, false},
	"C1":  {[]string{"CUBE-1", "OPEN-8"}, "doubled at the wrong time", "R", "void", "answered", oppOfficials, false, false},
	"C2":  {[]string{"CUBE-5"}, "doubled without owning the cube", "R", "void", "next_roll", oppOfficials, false, false},
	"C3":  {[]string{"CUBE-11"}, "doubled in the Crawford game", "R", "void", "next_round", bothOfficials, false, false},
	"C4":  {[]string{"CUBE-6", "EQUIP-4"}, "the cube shows a wrong value", "R", "set_right", "game_end", bothOfficials, false, false},
	"C5":  {[]string{"CUBE-17"}, "a drop cannot end the match", "R", "take", "at_once", []string{"officials"}, false, false},
	"C6":  {[]string{"CUBE-8", "CUBE-10"}, "the cube was moved without a word", "B", "settle", "next_roll", oppDirector, false, false},
	"K1":  {[]string{"CLOCK-14"}, "the clock runs for the wrong side or stands", "R", "press", "at_once", []string{"anyone"}, false, false},
	"K2":  {[]string{"CLOCK-4"}, "the time has run out", "B", "time_loss", "result_posted", oppDirector, false, false},
	"K3":  {[]string{"TURN-3"}, "pressed before the play was complete", "R", "replay", "window", bothOfficials, true, false},
	"K4":  {[]string{"CLOCK-3"}, "pressed by the player who is not on turn", "I", "ignored", "", nil, false, false},
	"S1":  {[]string{"IRREG-8", "SETUP-2"}, "the starting position is wrong", "R", "put_right", "second_play_complete", bothOfficials, false, false},
	"S2":  {[]string{"IRREG-9"}, "a checker is missing", "B", "find_or_exclude", "owner_bear_off", bothDirector, false, false},
	"S3":  {[]string{"SCORE-4", "SCORE-5"}, "the scores differ", "B", "agree", "next_game", bothDirector, false, false},
	"S4":  {[]string{"SCORE-4"}, "a game was begun before the score was agreed", "P", "confirm", "opening_play", onlyBoth, false, false},
	"S5":  {[]string{"END-8", "SCORE-2"}, "conceded while the outcome is open", "R", "play_on", "at_once", onlyDirector, false, false},
	"P1":  {[]string{"PROC-1", "PROC-2"}, "late start or return", "P", "penalty", "result_posted", onlyDirector, false, false},
	"P2":  {[]string{"PROC-2"}, "a break at the wrong time", "R", "refused", "at_once", onlyDirector, false, false},
	"P3":  {[]string{"CLOCK-12"}, "a break without recorded clock times", "P", "confirm", "leaving", onlyBoth, false, false},
	"P4":  {[]string{"TURN-1"}, "a hand on the board out of turn", "P", "warning", "", onlyDirector, false, true},
	"X1":  {[]string{"IRREG-14"}, "not seen clearly", "I", "confirm", "next_roll", onlyBoth, false, false},
	"X2":  {[]string{"PROC-9"}, "the camera is blocked or lost", "I", "none", "", nil, false, false},
}

func illegalPlay(offence string, numbers ...string) announcement {
	return announcement{append(numbers, "IRREG-1"), offence, "R", "replay", "window", bothOfficials, true, false}
}

// Answers returns the decisions that settle the announcement with that code of RULES §3, or answer its question; nil
// when nothing is to be decided.
func Answers(code string) []string {
	if all, ok := answers[code]; ok || !announcements[code].Play {
		return slices.Clone(all)
	}
	return []string{DecideReplay, DecideOverrule}
}

// audience returns who hears an announcement under the settings (MON-1, MON-4): table, director or log.
func (s *Settings) audience(a announcement) string {
	switch {
	case s.Mode == "off":
		return "log"
	case s.Mode == "director_only" || a.Director || a.Play && s.Options.Regime == match.OpponentOption:
		return "director"
	}
	return "table"
}
