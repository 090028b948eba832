package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// try runs one command and returns what it printed.
func try(cmd *cobra.Command, args ...string) (stdout, stderr string, err error) {
	var out, errOut bytes.Buffer
	cmd.SetArgs(args)
	cmd.SetOut(&out)
	cmd.SetErr(&errOut)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err = cmd.Execute()
	return out.String(), errOut.String(), err
}

func TestPlaysAnswersTheWholeCorpusByBatch(t *testing.T) {
	const corpus = "../../rules/testdata/corpus.jsonl"
	out, _, err := try(newPlaysCommand(), "--batch", corpus)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(corpus)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	type answer struct {
		NPlays   int    `json:"n_plays"`
		DiceUsed int    `json:"dice_used"`
		Hash     string `json:"hash"`
	}
	answers := strings.Split(strings.TrimSpace(out), "\n")
	lines := bufio.NewScanner(file)
	n := 0
	for ; lines.Scan(); n++ {
		var want, got answer
		if n == len(answers) {
			t.Fatalf("only %d answers", n)
		}
		if err := errors.Join(json.Unmarshal(lines.Bytes(), &want), json.Unmarshal([]byte(answers[n]), &got)); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("line %d: %+v, want %+v", n+1, got, want)
		}
	}
	if n != len(answers) {
		t.Errorf("%d answers to %d lines", len(answers), n)
	}
}

func TestPlaysListsTheSixteenOpenings31(t *testing.T) {
	out, _, err := try(newPlaysCommand(), "--position", "4HPwATDgc/ABMA", "--dice", "31")
	if err != nil || !strings.Contains(out, "16 legal plays") || !strings.Contains(out, "8/5 6/5") {
		t.Errorf("%v\n%s", err, out)
	}
	out, _, err = try(newPlaysCommand(), "--position", "XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:2:4:0:7:10", "--json")
	var answer playsJSON
	if err != nil || json.Unmarshal([]byte(out), &answer) != nil || answer.NPlays != 16 || answer.Side.String() != "dark" {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestJudgeEndsWithStatus3WhenATurnWasNotLegal(t *testing.T) {
	out, _, err := try(newJudgeCommand(), "--before", "4HPwATDgc/ABMA", "--dice", "31", "--after", "4HPwATDgc/ABMA")
	if exitStatus(err) != exitIrregularity || !strings.Contains(out, "M1") {
		t.Errorf("%v\n%s", err, out)
	}
	// 8/5 6/5, seen by the player who made it.
	out, _, err = try(newJudgeCommand(), "--before", "4HPwATDgc/ABMA", "--dice", "31", "--after", "4HPwATCwZ/ABMA", "--json")
	if exitStatus(err) != exitDone || !strings.Contains(out, `"play":"8/5 6/5"`) {
		t.Errorf("%v\n%s", err, out)
	}
	// The same, seen by the opponent.
	out, _, err = try(newJudgeCommand(), "--before", "4HPwATDgc/ABMA", "--dice", "31", "--after", "sGfwATDgc/ABMA")
	if exitStatus(err) != exitIrregularity || !strings.Contains(out, "opponent's side") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestRulesCommandsRefuseWrongUsageWithStatus2(t *testing.T) {
	for _, c := range []struct {
		cmd  *cobra.Command
		args []string
	}{
		{newPlaysCommand(), nil},
		{newPlaysCommand(), []string{"--position", "nonsense", "--dice", "31"}},
		{newPlaysCommand(), []string{"--position", "4HPwATDgc/ABMA", "--dice", "71"}},
		{newPlaysCommand(), []string{"--position", "4HPwATDgc/ABMA"}},
		{newPlaysCommand(), []string{"--position", "4HPwATDgc/ABMA", "--dice", "31", "--variant", "acey_deucey"}},
		{newPlaysCommand(), []string{"--position", "4HPwATDgc/ABMA", "--dice", "31", "--variant", "chess"}},
		{newJudgeCommand(), []string{"--before", "4HPwATDgc/ABMA", "--dice", "31"}},
		{newJudgeCommand(), []string{"--before", "4HPwATDgc/ABMA", "--dice", "31", "--after", "4HPwATDgc/ABMA", "--excluded", "1,0"}},
		{newConvertCommand(), []string{"a.mat", "b.xg"}},
	} {
		if _, _, err := try(c.cmd, c.args...); exitStatus(err) != exitUsage {
			t.Errorf("%s %v: status %d (%v)", c.cmd.Name(), c.args, exitStatus(err), err)
		}
	}
}

const shortMatch = " 1 point match\n\n Game 1\n Ann : 0                         Ben : 0\n" +
	"  1) 31: 8/5 6/5                 52: 13/8 13/10\n                                  Wins 1 point\n"

func TestCheckNamesEachIllegalPlayAndFailsOnUnreadableFiles(t *testing.T) {
	good := write(t, "good.mat", shortMatch)
	out, _, err := try(newCheckCommand(), good)
	if err != nil || !strings.Contains(out, "1 games, 2 rolls, 0 doubles, 1 plays not legal") || !strings.Contains(out, "M3") {
		t.Errorf("%v\n%s", err, out)
	}
	out, _, err = try(newCheckCommand(), "--json", good, write(t, "bad.mat", "no match at all"), "absent.mat")
	if exitStatus(err) != exitFailed || strings.Count(out, `"error"`) != 2 || strings.Count(out, "\n") != 3 {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestConvertCarriesAMatchThroughEveryFormatAndSaysWhatIsLost(t *testing.T) {
	dir := t.TempDir()
	from := write(t, "in.mat", shortMatch)
	for _, to := range []string{"a.json", "b.sgf", "c.mat"} {
		out := filepath.Join(dir, to)
		_, said, err := try(newConvertCommand(), from, out)
		if err != nil {
			t.Fatal(err)
		}
		if lossy := to != "a.json"; lossy != strings.Contains(said, "cannot carry") {
			t.Errorf("%s: said %q", to, said)
		}
		from = out
	}
	report, _, err := try(newCheckCommand(), from)
	if err != nil || !strings.Contains(report, "2 rolls") || !strings.Contains(report, "M3") {
		t.Errorf("%v\n%s", err, report)
	}
}
