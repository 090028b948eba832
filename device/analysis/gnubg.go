package analysis

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"davar/rules"
	"davar/rules/record"
	"davar/rules/transcript"
)

// ErrMissing says that GNU Backgammon is not installed.
var ErrMissing = errors.New("analysis: GNU Backgammon is not installed (apt install gnubg)")

// Program returns where GNU Backgammon is; ErrMissing when it is nowhere.
func Program() (string, error) {
	for _, name := range []string{"gnubg", "/usr/games/gnubg"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrMissing
}

// Engine runs GNU Backgammon.
type Engine struct {
	Path  string        // of the program
	Plies int           // how deep it looks, 0 to 2
	Last  bool          // everything else on the machine goes before it
	Limit time.Duration // for one game; 0: ten minutes
}

// Analyse has every game of the transcript judged, and calls done with what is known after each. It stops at the first
// game that fails; a variant that GNU Backgammon does not play is an error.
func (e *Engine) Analyse(ctx context.Context, t *transcript.Transcript, done func(*Analysis) error) error {
	rec := t.Record()
	if rec.Variant != rules.Standard && rec.Variant != rules.Nackgammon {
		return fmt.Errorf("analysis: match %s: GNU Backgammon does not play %v", t.ID, rec.Variant)
	}
	a := &Analysis{Match: t.ID, Plies: e.Plies, Of: len(t.Games), Plays: []Play{}}
	for i := range t.Games {
		one := *rec
		one.Games = rec.Games[i : i+1]
		judged, err := e.game(ctx, &one)
		if err != nil {
			return fmt.Errorf("analysis: match %s, game %d: %w", t.ID, t.Games[i].Number, err)
		}
		a.add(&t.Games[i], judged)
		a.Done++
		if err := done(a); err != nil {
			return err
		}
	}
	return nil
}

// add files what was judged under the turns of the game.
func (a *Analysis) add(g *transcript.Game, judged []judgement) {
	n := 0
	for i := range g.Turns {
		t := &g.Turns[i]
		if t.Kind != transcript.Roll {
			continue
		}
		if n >= len(judged) || judged[n].side != t.Side {
			return // out of step: rather nothing than something wrong
		}
		if j := judged[n]; j.known {
			a.Plays = append(a.Plays, Play{
				Seq: t.Seq, Game: g.Number, Side: t.Side, Error: j.error, Luck: j.luck, Win: j.win, Forced: j.forced,
			})
		}
		n++
	}
}

// game runs the program on one game.
func (e *Engine) game(ctx context.Context, rec *record.Record) ([]judgement, error) {
	dir, err := os.MkdirTemp("", "davar-analysis")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	game, _ := rec.SGF()
	in, out, script := filepath.Join(dir, "in.sgf"), filepath.Join(dir, "out.sgf"), filepath.Join(dir, "script")
	commands := fmt.Sprintf(`set threads 1
set analysis chequerplay evaluation plies %d
set analysis cubedecision evaluation plies %d
set analysis luck on
load match %q
analyse match
save match %q
`, e.Plies, e.Plies, in, out)
	if err := errors.Join(os.WriteFile(in, game, 0o600), os.WriteFile(script, []byte(commands), 0o600)); err != nil {
		return nil, err
	}
	limit := e.Limit
	if limit == 0 {
		limit = 10 * time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	args := []string{e.Path, "-t", "-q", "-c", script}
	if nice, err := exec.LookPath("nice"); err == nil && e.Last {
		args = append([]string{nice, "-n", "19"}, args...)
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "HOME="+dir)
	cmd.WaitDelay = 5 * time.Second
	said, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, lastLine(said))
	}
	analysed, err := os.ReadFile(out)
	if err != nil {
		return nil, fmt.Errorf("it wrote no analysis: %s", lastLine(said))
	}
	return readJudgements(analysed)
}

func lastLine(said []byte) string {
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	return lines[len(lines)-1]
}

// judgement is what GNU Backgammon says of one roll.
type judgement struct {
	side             rules.Side
	error, luck, win float64
	forced, known    bool
}

var (
	sgfRoll   = regexp.MustCompile(`^;(?:([WB])\[[1-6]{2}[a-z]*\]|PL\[([WB])\]DI\[[1-6]{2}\])`)
	sgfMoves  = regexp.MustCompile(`[^D]A\[(\d+)\]((?:\[[^\]]*\])+)`)
	sgfMove   = regexp.MustCompile(`\[([^\]]*)\]`)
	sgfLuck   = regexp.MustCompile(`LU\[([-+.\d]+)\]`)
	errFormat = errors.New("its analysis is not understood")
)

// readJudgements reads a game as GNU Backgammon saves it, a node a line.
func readJudgements(sgf []byte) ([]judgement, error) {
	var all []judgement
	lines := bufio.NewScanner(bytes.NewReader(sgf))
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		line := lines.Text()
		m := sgfRoll.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		j := judgement{}
		if m[1]+m[2] == "B" {
			j.side = rules.Dark
		}
		if luck := sgfLuck.FindStringSubmatch(line); luck != nil {
			j.luck, _ = strconv.ParseFloat(luck[1], 64)
			j.known, j.forced = true, true // until there are plays to choose from
		}
		if moves := sgfMoves.FindStringSubmatch(line); moves != nil {
			if err := j.read(moves[1], moves[2]); err != nil {
				return nil, err
			}
		}
		all = append(all, j)
	}
	return all, lines.Err()
}

// read takes the list of plays, the best first, and which of them was made.
func (j *judgement) read(chosen, list string) error {
	at, err := strconv.Atoi(chosen)
	plays := sgfMove.FindAllStringSubmatch(list, -1)
	if err != nil || at >= len(plays) {
		return errFormat
	}
	best, _, err := equity(plays[0][1])
	if err != nil {
		return err
	}
	made, win, err := equity(plays[at][1])
	if err != nil {
		return err
	}
	j.error, j.win, j.forced, j.known = max(0, best-made), win, len(plays) == 1, true
	return nil
}

// equity reads "lpad E ver 3 0.50 0.13 0.00 0.13 0.00 0.03 0C ...": the moves, how they were judged, the chances to win,
// to win a gammon and a backgammon, to lose these, and the equity.
func equity(text string) (equity, win float64, err error) {
	f := strings.Fields(text)
	if len(f) < 10 || f[1] != "E" {
		return 0, 0, errFormat
	}
	win, errWin := strconv.ParseFloat(f[4], 64)
	equity, errEquity := strconv.ParseFloat(f[9], 64)
	if errWin != nil || errEquity != nil {
		return 0, 0, errFormat
	}
	return equity, win, nil
}
