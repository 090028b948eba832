package analysis

import (
	"bufio"
	"bytes"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"davar/rules"
)

// judgement is what GNU Backgammon says of one action of a game.
type judgement struct {
	side        rules.Side
	action      Action // of the cube; empty: a roll
	error, luck float64
	equity      float64
	chances     Chances
	forced      bool
	danced      bool
	known       bool
	// What to do with the cube before the action. The equities are as they stand in the file: in a match the chance to
	// win it.
	cube                 bool
	noDouble, doubleTake float64
	before               Chances // of who may double
}

var (
	sgfRoll   = regexp.MustCompile(`^;(?:([WB])\[[1-6]{2}[a-z]*\]|PL\[([WB])\]DI\[[1-6]{2}\])`)
	sgfCube   = regexp.MustCompile(`^;([WB])\[(double|take|drop)\]`)
	sgfDouble = regexp.MustCompile(`DA\[([^\]]*)\]`)
	sgfMoves  = regexp.MustCompile(`[^D]A\[(\d+)\]((?:\[[^\]]*\])+)`)
	sgfMove   = regexp.MustCompile(`\[([^\]]*)\]`)
	sgfLuck   = regexp.MustCompile(`LU\[([-+.\d]+)\]`)
	errFormat = errors.New("its analysis is not understood")
)

// readJudgements reads a game as GNU Backgammon saves it, a node a line: its rolls and cube actions in their order.
func readJudgements(sgf []byte) ([]judgement, error) {
	var all []judgement
	lines := bufio.NewScanner(bytes.NewReader(sgf))
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		j, ok, err := readJudgement(lines.Text())
		if err != nil {
			return nil, err
		}
		if ok {
			all = append(all, j)
		}
	}
	return all, lines.Err()
}

// readJudgement reads one node; ok is false when it is neither a roll nor a cube action.
func readJudgement(line string) (j judgement, ok bool, err error) {
	if m := sgfCube.FindStringSubmatch(line); m != nil {
		j.side, j.action = sideOf(m[1]), Action(m[2])
		return j, true, j.readDouble(line)
	}
	m := sgfRoll.FindStringSubmatch(line)
	if m == nil {
		return j, false, nil
	}
	j.side = sideOf(m[1] + m[2])
	if luck := sgfLuck.FindStringSubmatch(line); luck != nil {
		j.luck, _ = strconv.ParseFloat(luck[1], 64)
		j.known, j.forced, j.danced = true, true, true // until there are plays to choose from
	}
	if moves := sgfMoves.FindStringSubmatch(line); moves != nil {
		if err := j.readPlays(moves[1], moves[2]); err != nil {
			return j, false, err
		}
	}
	return j, true, j.readDouble(line)
}

func sideOf(letter string) rules.Side {
	if letter == "B" {
		return rules.Dark
	}
	return rules.Light
}

// readPlays takes the list of plays, the best first, and which of them was made.
func (j *judgement) readPlays(chosen, list string) error {
	at, err := strconv.Atoi(chosen)
	plays := sgfMove.FindAllStringSubmatch(list, -1)
	if err != nil || at >= len(plays) {
		return errFormat
	}
	best, _, err := evaluation(plays[0][1])
	if err != nil {
		return err
	}
	made, chances, err := evaluation(plays[at][1])
	if err != nil {
		return err
	}
	j.error, j.equity, j.chances = max(0, best-made), made, chances
	j.forced, j.danced, j.known = len(plays) == 1, false, true
	return nil
}

// evaluation reads "lpad E ver 3 0.50 0.13 0.00 0.13 0.00 0.03 0C ...": the moves, how they were judged, the chances and
// the equity.
func evaluation(text string) (equity float64, c Chances, err error) {
	f := strings.Fields(text)
	if len(f) < 10 || f[1] != "E" {
		return 0, c, errFormat
	}
	v, err := floats(f[4:10])
	if err != nil {
		return 0, c, err
	}
	return v[5], chancesOf(v), nil
}

// readDouble reads "E ver 3 2C 1 0 1" and, for no double and for a double that is taken, the chances, the equity without
// the cube and that with it.
func (j *judgement) readDouble(line string) error {
	m := sgfDouble.FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	f := strings.Fields(m[1])
	if len(f) < 21 || f[0] != "E" {
		return errFormat
	}
	v, err := floats(f[7:21])
	if err != nil {
		return err
	}
	j.cube, j.noDouble, j.doubleTake, j.before = true, v[6], v[13], chancesOf(v)
	return nil
}

func chancesOf(v []float64) Chances { return Chances{v[0], v[1], v[2], v[3], v[4]} }

func floats(fields []string) ([]float64, error) {
	v := make([]float64, len(fields))
	for i, f := range fields {
		var err error
		if v[i], err = strconv.ParseFloat(f, 64); err != nil {
			return nil, errFormat
		}
	}
	return v, nil
}
