package analysis

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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

// plays tells whether the engine knows the variant.
func plays(v rules.Variant) bool { return v == rules.Standard || v == rules.Nackgammon }

// Analyse has every game of the transcript judged, and calls done with what is known after each. It stops at the first
// game that fails; a variant that GNU Backgammon does not play is an error.
func (e *Engine) Analyse(ctx context.Context, t *transcript.Transcript, done func(*Analysis) error) error {
	rec := t.Record()
	if !plays(rec.Variant) {
		return fmt.Errorf("analysis: match %s: GNU Backgammon does not play %v", t.ID, rec.Variant)
	}
	a := New(t.ID, e.Plies, len(t.Games))
	for i := range t.Games {
		g := &t.Games[i]
		one := *rec
		one.Games = rec.Games[i : i+1]
		judged, table, err := e.game(ctx, &one)
		if err != nil {
			return fmt.Errorf("analysis: match %s, game %d: %w", t.ID, g.Number, err)
		}
		a.add(g, judged, newStake(t.Length, g, table))
		a.Done++
		if err := done(a); err != nil {
			return err
		}
	}
	return nil
}

// newStake returns what a game of a match to length is about.
func newStake(length int, g *transcript.Game, table *table) stake {
	return stake{length: length, score: g.Score, post: g.Crawford || length-max(g.Score[0], g.Score[1]) == 1, table: table}
}

// add files what was judged under the turns of the game.
func (a *Analysis) add(g *transcript.Game, judged []judgement, s stake) {
	cube := max(g.Cube, 1)
	n := 0
	for i := range g.Turns {
		t := &g.Turns[i]
		action := actions[t.Kind]
		switch t.Kind {
		case transcript.Pass:
			continue
		case transcript.Set:
			if t.Cube > 0 {
				cube = t.Cube
			}
			continue
		}
		if n >= len(judged) || judged[n].side != t.Side || judged[n].action != action {
			return // out of step: rather nothing than something wrong
		}
		a.file(g.Number, t, &judged[n], s, cube)
		n++
		if t.Kind == transcript.Take {
			cube *= 2
		}
	}
}

// actions are the cube actions that turns are.
var actions = map[transcript.Kind]Action{transcript.Double: Double, transcript.Take: Take, transcript.Drop: Drop}

// file adds what was judged about one turn.
func (a *Analysis) file(game int, t *transcript.Turn, j *judgement, s stake, cube int) {
	if j.known {
		a.Plays = append(a.Plays, Play{
			Seq: t.Seq, Game: game, Side: t.Side, Error: j.error, Luck: j.luck, Equity: j.equity, Chances: j.chances,
			Forced: j.forced, Danced: j.danced,
		})
	}
	if !j.cube || s.length > 0 && s.table == nil {
		return
	}
	doubler := t.Side
	c := Cube{Seq: t.Seq, Game: game, Side: t.Side, Action: j.action}
	switch j.action {
	case "":
		c.Action = NoDouble
	case Take, Drop:
		doubler = t.Side.Other()
	}
	c.NoDouble, c.DoubleTake = s.normalised(doubler, j.noDouble, cube), s.normalised(doubler, j.doubleTake, cube)
	c.judge()
	a.Cubes = append(a.Cubes, c)
}

// game has one game judged. The match equity table is nil in money play and in matches longer than it.
func (e *Engine) game(ctx context.Context, rec *record.Record) ([]judgement, *table, error) {
	analysed, said, err := e.run(ctx, rec, tableCommand(rec.Length))
	if err != nil {
		return nil, nil, err
	}
	judged, err := readJudgements(analysed)
	if err != nil {
		return nil, nil, err
	}
	table, err := readTable(said, rec.Length)
	return judged, table, err
}

// run has the program analyse the record and carry out more commands, and returns the record as it saves it and what it
// says.
func (e *Engine) run(ctx context.Context, rec *record.Record, more string) (analysed, said []byte, err error) {
	dir, err := os.MkdirTemp("", "davar-analysis")
	if err != nil {
		return nil, nil, err
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
`, e.Plies, e.Plies, in, out) + more
	if err := errors.Join(os.WriteFile(in, game, 0o600), os.WriteFile(script, []byte(commands), 0o600)); err != nil {
		return nil, nil, err
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
	cmd.Env = append(os.Environ(), "HOME="+dir, "LC_ALL=C") // its own settings and words, not somebody's
	cmd.WaitDelay = 5 * time.Second
	said, err = cmd.CombinedOutput()
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %s", err, lastLine(said))
	}
	analysed, err = os.ReadFile(out)
	if err != nil {
		return nil, nil, fmt.Errorf("it wrote no analysis: %s", lastLine(said))
	}
	return analysed, said, nil
}

func lastLine(said []byte) string {
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	return lines[len(lines)-1]
}
