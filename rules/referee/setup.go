package referee

import (
	"strconv"
	"strings"
	"time"

	"davar/rules"
	"davar/rules/match"
)

const (
	// setupStill is how long a wrong starting position must lie untouched before it is pointed out: hands that
	// are still setting up the board are not disturbed.
	setupStill = 1200 * time.Millisecond
	// setupPictures is how many still pictures a starting position is believed on.
	setupPictures = 3
	// setupNear is how many checkers must stand right for a position to be a wrong setup rather than one of play.
	setupNear = 22
)

// stepSetup waits for the starting position (SETUP-5), points out a wrong one (S1), and takes over a game already
// in progress.
func (r *Referee) stepSetup(still bool) {
	v := &r.Eyes.View
	if !still || v.Pictures < setupPictures {
		return
	}
	start := rules.Start(r.Match.Options.Rules.Variant)
	gap := v.bound() - v.score(&start)
	lying := r.Now // dice that lie about
	if v.wrong(&start) > 0 {
		lying = r.untouchedSince() // the players may have begun before the eye agreed
	}
	if wrong := v.wrong(&start); wrong == 0 || wrong == 1 && v.Pictures >= 2*setupPictures && gap < missingLead {
		r.ready(start, lying)
		return
	}
	if v.wrong(&start) <= setupMisread && r.openingThrown() {
		if _, whole := v.literal(&start, rules.Light); (!whole || gap < ruleLead) && !r.open("S1") && !r.open("S2") {
			r.ready(start, lying) // nothing speaks for another position: it is the eye that errs, and the players have begun
			return
		}
	}
	if v.To-v.From < setupStill || gap < ruleLead {
		return
	}
	if r.begunWrongly(&start) {
		return
	}
	seen, whole := v.literal(&start, rules.Light)
	right, all := standing(&seen, &start)
	switch {
	case right >= setupNear && all < 2*rules.Checkers:
		r.incomplete(v, &start)
	case all < 2*rules.Checkers-1:
		if whole && right < setupNear {
			r.midGame(seen)
		}
	case whole && right >= setupNear:
		r.wrongSetup(&seen, &start)
	case whole:
		r.midGame(seen)
	}
}

// setupMisread is in how many places the starting position may be misread when the players throw for the opening.
const setupMisread = 4

// openingThrown tells whether a die has been thrown into each player's right half, the last thing that happened on the
// board.
func (r *Referee) openingThrown() bool {
	fresh := r.Eyes.Dice.fresh()
	if len(fresh) != 2 || r.thrower(fresh[0]) == r.thrower(fresh[1]) {
		return false
	}
	since := r.untouchedSince()
	return fresh[0].First >= since && fresh[1].First >= since
}

// untouchedSince returns when the last thing happened on the board.
func (r *Referee) untouchedSince() time.Duration {
	return max(r.Eyes.View.From-justLanded, r.Since+setupStill)
}

// justLanded is how long before the board lies still again dice may be seen that have been thrown.
const justLanded = 300 * time.Millisecond

// standing returns how many checkers of seen stand where start has them, and how many are on the board.
func standing(seen, start *rules.Position) (right, all int) {
	for side := range seen.Checkers {
		for p := 1; p <= 24; p++ {
			right += int(min(seen.Checkers[side][p], start.Checkers[side][p]))
		}
		all += seen.InPlay(rules.Side(side))
	}
	return right, all
}

// ready goes on to the opening roll. Dice seen before lying are none of it.
func (r *Referee) ready(start rules.Position, lying time.Duration) {
	r.withdrawCode("S1")
	r.withdrawCode("S2")
	r.Match.Game.Position, r.Current = start, start
	r.Notice = ""
	r.Eyes.Dice.spend(lying)
	r.enter(phaseOpening)
}

// incomplete points out that a checker is missing in the setup (IRREG-9, S2), once hands have had the time to find it.
func (r *Referee) incomplete(v *evidence, start *rules.Position) {
	if v.To-v.From < 2*missingStill || r.open("S2") {
		return
	}
	if seen, ok := v.counted(start, 0); ok && v.score(&seen)-v.score(start) >= missingLead {
		r.tellMissing(&seen, start)
	}
}

// wrongSetup points out a wrong starting position once (IRREG-8).
func (r *Referee) wrongSetup(seen, start *rules.Position) {
	r.Current = *seen
	if r.open("S1") {
		return
	}
	var points []string
	for p := 1; p <= 24; p++ {
		if seen.Checkers[rules.Light][p] != start.Checkers[rules.Light][p] ||
			seen.Checkers[rules.Dark][25-p] != start.Checkers[rules.Dark][25-p] {
			points = append(points, strconv.Itoa(p))
		}
	}
	r.tell("S1", map[string]string{"points": strings.Join(points, ", ")})
}

// midGame takes over a game already in progress: the position is what is seen, and somebody must say who is on
// roll (DecideStart).
func (r *Referee) midGame(seen rules.Position) {
	r.Match.Game.Position, r.Current = seen, seen
	r.ask(askStarter)
}

// open tells whether a ruling of that code is open.
func (r *Referee) open(code string) bool {
	for i := range r.Rulings {
		if r.Rulings[i].Code == code {
			return true
		}
	}
	return false
}

// stepOpening waits for one die of each player, each in his own right half (OPEN-1, OPEN-6).
func (r *Referee) stepOpening(still bool) {
	if !still || r.Match.Game.Phase != match.AwaitOpening || !r.Settings.OpeningSeen && r.Match.Game.Number == 1 {
		return
	}
	if r.openedUnseen() {
		return
	}
	var thrown [2]*die
	for _, x := range r.Eyes.Dice.fresh() {
		side := r.thrower(x)
		if thrown[side] != nil {
			r.crowdedOpening(thrown[side], x)
			return
		}
		thrown[side] = x
	}
	for side := rules.Light; side <= rules.Dark; side++ {
		x := thrown[side]
		if x == nil {
			continue
		}
		switch fault := r.faultOf(x, nil, side); {
		case fault.unsure:
			return
		case fault.code != "":
			r.badOpening(x, side, fault)
			return
		}
	}
	if thrown[0] == nil || thrown[1] == nil {
		return
	}
	r.Glimpsed = [2]die{*thrown[0], *thrown[1]}
	light, sureL := thrown[0].value()
	dark, sureD := thrown[1].value()
	if min(sureL, sureD) < sureValue && min(thrown[0].Rest, thrown[1].Rest) < patientRest {
		return
	}
	if light == dark && (min(sureL, sureD) < sureValue || thrown[0].Looks.contested() || thrown[1].Looks.contested()) {
		return // if it is a tie, they throw again; if not, they play
	}
	r.openingRoll(thrown, uint8(light), uint8(dark), sureL*sureD)
}

// thrower returns whose opening die it is: the player's in whose right half it lies.
func (r *Referee) thrower(x *die) rules.Side {
	if x.half() == r.rightHalf(rules.Light) {
		return rules.Light
	}
	return rules.Dark
}

// crowdedOpening deals with two dice in one half: the one of the other player's colour lies wrong (OPEN-5).
func (r *Referee) crowdedOpening(a, b *die) {
	if min(a.Rest, b.Rest) < 2*restPictures {
		return
	}
	home := r.thrower(a)
	for _, x := range [2]*die{a, b} {
		if owner, ok := x.body(); ok && owner != home {
			r.badOpening(x, owner, fault{code: "D2", why: "wrong_half"})
			return
		}
	}
	r.ask(askOpening)
}

// badOpening has one player throw his opening die again (OPEN-5), or both (dice.opening_invalid).
func (r *Referee) badOpening(x *die, side rules.Side, f fault) {
	r.emit(Event{Type: RollInvalid, Side: &side, Why: f.why, Opening: true, Confidence: f.sure})
	r.rule("D12", side, map[string]string{"player": side.String()})
	x.Spent = true
	if r.Settings.OpeningInvalid == "reroll_both" {
		r.Eyes.Dice.spend(r.Now + 1)
	}
}

// openingRoll begins the game with the two dice (OPEN-2), or has them thrown again (OPEN-3).
func (r *Referee) openingRoll(thrown [2]*die, light, dark uint8, sure float64) {
	r.settleCodes("D12")
	tie, err := r.Match.Open(light, dark)
	if err != nil {
		return
	}
	if tie {
		r.tell("D11", nil)
		r.Eyes.Dice.spend(r.Now + 1)
		return
	}
	side, dice := r.Match.Game.Turn, rules.Dice{light, dark}
	r.gameStarted(side, dice)
	if r.Match.Game.Phase == match.Rolled {
		r.rolled(&roll{Side: side, Dice: dice, Opening: true, Seen: [2]die{*thrown[0], *thrown[1]}}, sure)
	} else {
		r.Eyes.Dice.spend(r.Now + 1)
		r.enter(phaseAwait)
	}
}

// gameStarted announces who starts, and with what roll if he plays the opening dice.
func (r *Referee) gameStarted(side rules.Side, dice rules.Dice) {
	r.Plays = []LastPlay{}
	r.Last, r.History, r.Doubles, r.Away, r.Setup = nil, nil, nil, nil, nil
	if r.open("S1") {
		r.Setup = &setup{Wrong: *r.base()}
	}
	e := Event{Type: GameStarted, Side: &side, Score: r.score()}
	if dice.Valid() {
		e.Dice, e.Opening = numbers(dice), true
	}
	r.emit(e)
}

func numbers(d rules.Dice) []int { return []int{int(d[0]), int(d[1])} }

func (r *Referee) score() *Score {
	return &Score{Light: r.Match.Score[rules.Light], Dark: r.Match.Score[rules.Dark]}
}
