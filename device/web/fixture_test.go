package web

import (
	"encoding/base64"
	"strconv"
	"strings"
	"testing"

	"davar/rules"
	"davar/rules/referee"
)

// game is a whole game, a turn a line: side, dice and play, or side and cube action.
const game = `dark 42 8/4 6/4
light 41 24/23 13/9
dark 61 8/2* 2/1*
light 33 bar/22(2) 6/3(2)
dark 66 24/18(2) 13/7(2)
light 21 8/6 6/5
dark 31 6/5 8/5
light 32 9/6 6/4
dark 62 13/11 11/5
light 64 8/2 8/4
dark 52 18/16 18/13
light 65 13/8 8/2
dark double
light take
dark 31 16/13 5/4
light 21 13/11 6/5
dark 65 13/8 8/2
light 51 11/10 10/5
dark 61 13/7 2/1
light 66 22/16(2) 13/7(2)
dark 62 7/1 7/5
light 43 7/4 5/1
dark 31 4/3 6/3
light 65 16/10 16/11
dark 32 13/10 13/11
light 54 11/6 10/6
dark 53 7/4 11/6
light 61 7/6 6/off
dark 61 10/4 1/off
light 44 6/2 4/off(3)
dark 65 5/off 6/off
light double
dark take
light 42 6/2 2/off
dark 61 6/off 1/off`

// startOf is the usual start, in each side's own numbering.
func startOf() rules.Position {
	var p rules.Position
	for _, side := range []rules.Side{rules.Light, rules.Dark} {
		p.Checkers[side][24], p.Checkers[side][13], p.Checkers[side][8], p.Checkers[side][6] = 2, 5, 3, 5
	}
	return p
}

// play moves checkers as a notation says; fixtures are known to be right, so nothing is checked.
func play(t testing.TB, p *rules.Position, side rules.Side, notation string) {
	t.Helper()
	at := func(word string) int {
		switch word = strings.TrimSuffix(word, "*"); word {
		case "bar":
			return rules.Bar
		case "off":
			return rules.Off
		}
		n, err := strconv.Atoi(word)
		if err != nil {
			t.Fatalf("fixture: %q in %q: %v", word, notation, err)
		}
		return n
	}
	for _, move := range strings.Fields(notation) {
		times := 1
		if move, count, ok := strings.Cut(move, "("); ok {
			times, _ = strconv.Atoi(strings.TrimSuffix(count, ")"))
			_ = move
		}
		move, _, _ = strings.Cut(move, "(")
		from, to, _ := strings.Cut(move, "/")
		for range times {
			p.Checkers[side][at(from)]--
			p.Checkers[side][at(to)]++
			if strings.HasSuffix(to, "*") {
				p.Checkers[side.Other()][25-at(to)]--
				p.Checkers[side.Other()][rules.Bar]++
			}
		}
	}
}

// gnuID writes a position ID, the side not on roll first.
func gnuID(p *rules.Position, notOnRoll rules.Side) string {
	var key [10]byte
	bit := 0
	for _, side := range []rules.Side{notOnRoll, notOnRoll.Other()} {
		for point := 1; point <= rules.Bar; point++ {
			for range p.Checkers[side][point] {
				key[bit/8] |= 1 << (bit % 8)
				bit++
			}
			bit++
		}
	}
	return base64.RawStdEncoding.EncodeToString(key[:])
}

// stateAfter is the state after so many turns of the game, the next side on roll.
func stateAfter(t testing.TB, turns int) referee.State {
	t.Helper()
	s := referee.State{
		Match: "m1", Seq: int64(100 + turns), TMS: 60_000, Game: 2, Phase: "await", Players: [2]string{"Light", "Dark"}, Length: 7,
		Score: referee.Score{Light: 2, Dark: 1}, Layout: referee.Layout{Bottom: "light", Home: "right"},
		Cube: referee.CubeState{Enabled: true, Value: 1},
		Clock: &referee.ClockView{
			RemainingMS: [2]int64{754_000, 688_000}, DelayMS: 12_000, Running: "light", AsOfMS: 60_000,
		},
		Turn: "light",
	}
	p := startOf()
	for i, line := range strings.Split(game, "\n")[:turns] {
		word := strings.SplitN(line, " ", 3)
		var side rules.Side
		if err := side.UnmarshalText([]byte(word[0])); err != nil {
			t.Fatal(err)
		}
		made := referee.LastPlay{Seq: int64(i + 1), Side: word[0], Legal: true}
		switch word[1] {
		case "double":
			made.Notation = "double"
		case "take":
			made.Notation, s.Cube.Owner, s.Cube.Value = "take", word[0], s.Cube.Value*2
		default:
			play(t, &p, side, word[2])
			made.Notation, made.Position = word[2], gnuID(&p, side.Other()) // as the referee writes it, the mover on roll
			made.Dice = []int{int(word[1][0] - '0'), int(word[1][1] - '0')}
		}
		s.Plays = append(s.Plays, made)
		s.Turn = side.Other().String()
	}
	s.Clock.Running = s.Turn
	if turns > 0 {
		s.Last = &s.Plays[turns-1]
	}
	show(&s, &p)
	return s
}

// show writes a position into a state.
func show(s *referee.State, p *rules.Position) {
	s.Points = [24]int{}
	s.Pips = [2]int{}
	for side := range p.Checkers {
		for point := 1; point <= 24; point++ {
			n := int(p.Checkers[side][point])
			s.Pips[side] += n * point
			if side == 0 {
				s.Points[point-1] += n
			} else {
				s.Points[24-point] -= n
			}
		}
		s.Bar[side] = int(p.Checkers[side][rules.Bar])
		s.Off[side] = int(p.Checkers[side][rules.Off])
		s.Pips[side] += 25 * s.Bar[side]
	}
}

func TestThePositionIDOfTheFixtureIsThatOfGnubg(t *testing.T) {
	p := startOf()
	play(t, &p, rules.Light, "8/5 6/5")
	if got := gnuID(&p, rules.Light); got != "sGfwATDgc/ABMA" {
		t.Errorf("31: 8/5 6/5 is %s, gnubg prints sGfwATDgc/ABMA", got)
	}
}
