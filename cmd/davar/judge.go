package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"davar/rules"
	"davar/rules/record"
)

// newJudgeCommand returns "davar judge": whether a turn was legal, and which rule it broke.
func newJudgeCommand() *cobra.Command {
	var before, after, dice, variant string
	var excluded []int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "judge --before ID --dice 31 --after ID",
		Short: "Say whether a turn was legal, and which rule it broke",
		Long: `Say whether a turn was legal, which rule it broke, and which legal plays are nearest to it.

Both positions are XGIDs or GNU position IDs. A position ID names the player who moved as the player on roll, in
--after too (GNU Backgammon itself shows the ID after a play from the opponent's side). The exit status is 3 when
the turn was not legal.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			options, err := variantOptions(variant)
			if err != nil {
				return err
			}
			m, err := readMoment(before, dice)
			if err != nil {
				return err
			}
			if after == "" {
				return usagef("the position after the turn is wanted: --after ID")
			}
			if len(excluded) != 2 {
				return usagef("--excluded takes two numbers: the mover's checkers out of the game, and the other side's")
			}
			t := judged{moment: m, options: options, after: after}
			if err := t.read([2]int(excluded)); err != nil {
				return usageError{err}
			}
			return t.answer(cmd.OutOrStdout(), asJSON)
		},
	}
	cmd.Flags().StringVar(&before, "before", "", "position before the turn: XGID or GNU position ID")
	cmd.Flags().StringVar(&dice, "dice", "", "the roll, such as 31")
	cmd.Flags().StringVar(&after, "after", "", "position after the turn: XGID or GNU position ID")
	cmd.Flags().StringVar(&variant, "variant", "standard", "standard, iran, tavla or nackgammon")
	cmd.Flags().IntSliceVar(&excluded, "excluded", []int{0, 0}, "checkers out of the game (IRREG-9): the mover's, the other side's")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// judged is a turn to be judged.
type judged struct {
	moment   record.Moment // before it
	options  rules.Options
	after    string // as given
	final    rules.Position
	excluded [2]int // by side
}

// read reads the position after and takes the excluded checkers off both trays.
func (t *judged) read(excluded [2]int) error {
	mover := t.moment.Turn
	t.excluded[mover], t.excluded[mover.Other()] = excluded[0], excluded[1]
	final, err := readAfter(t.after, mover)
	if err != nil {
		return err
	}
	t.final = final
	for _, pos := range []*rules.Position{&t.moment.Position, &t.final} {
		for side := range pos.Checkers {
			off := &pos.Checkers[side][rules.Off]
			if t.excluded[side] < 0 || int(*off) < t.excluded[side] {
				return fmt.Errorf("judge: %d excluded checkers of %v: that many are not missing", t.excluded[side], rules.Side(side))
			}
			*off -= uint8(t.excluded[side])
		}
	}
	return t.moment.Position.Check(t.excluded)
}

// readAfter reads the position after mover's turn.
func readAfter(text string, mover rules.Side) (rules.Position, error) {
	if strings.HasPrefix(text, "XGID=") || strings.Count(text, ":") > 1 {
		m, err := record.ParseXGID(text)
		return m.Position, err
	}
	position, _, _ := strings.Cut(text, ":")
	return rules.ParseBoardID(position, mover)
}

// verdictJSON is what davar judge --json prints.
type verdictJSON struct {
	Legal      bool       `json:"legal"`
	Code       rules.Code `json:"code,omitempty"`
	Rules      []string   `json:"rule,omitempty"`
	Offence    string     `json:"offence,omitempty"`
	Points     []int      `json:"points,omitempty"` // concerned, in the mover's numbering: bar 25, off 0
	Impossible string     `json:"impossible,omitempty"`
	Side       rules.Side `json:"side"`
	Dice       [2]int     `json:"dice"`
	Play       string     `json:"play,omitempty"`    // of a legal turn
	Nearest    []playJSON `json:"nearest,omitempty"` // legal plays most like it
	Hint       string     `json:"hint,omitempty"`
}

// answer prints the verdict and returns errIrregular when the turn was not legal.
func (t *judged) answer(out io.Writer, asJSON bool) error {
	m := &t.moment
	judge := rules.NewJudge(t.options)
	v := judge.Judge(&m.Position, m.Turn, m.Dice, &t.final, t.excluded)
	answer := verdictJSON{
		Legal: v.Legal, Code: v.Code, Rules: v.Rules, Offence: v.Code.Offence(), Side: m.Turn,
		Dice: [2]int{int(m.Dice[0]), int(m.Dice[1])}, Play: v.Play.String(),
	}
	for _, p := range v.Points {
		answer.Points = append(answer.Points, int(p))
	}
	for i := range v.Nearest {
		answer.Nearest = append(answer.Nearest, playJSON{v.Nearest[i].String(), v.Nearest[i].Final.ID(m.Turn)})
	}
	if v.Impossible != nil {
		answer.Impossible = v.Impossible.Error()
	}
	if !v.Legal && t.legalFromOtherSide(judge) {
		answer.Hint = "seen from the opponent's side the position after would be legal: give its ID with the player who moved on roll"
	}
	var err error
	if asJSON {
		err = json.NewEncoder(out).Encode(answer)
	} else {
		answer.print(out)
	}
	if err == nil && !v.Legal {
		err = errIrregular
	}
	return err
}

// legalFromOtherSide reports whether the position after was given from the opponent's side, as gnubg shows it.
func (t *judged) legalFromOtherSide(judge *rules.Judge) bool {
	m := &t.moment
	turned, err := readAfter(t.after, m.Turn.Other())
	return err == nil && judge.Judge(&m.Position, m.Turn, m.Dice, &turned, t.excluded).Legal
}

func (a *verdictJSON) print(out io.Writer) {
	if a.Legal {
		play := a.Play
		if play == "" {
			play = "nothing could be played"
		}
		fmt.Fprintf(out, "Legal: %s\n", play)
		return
	}
	fmt.Fprintf(out, "Not legal: %s (%s; %s)\n", a.Offence, a.Code, strings.Join(a.Rules, ", "))
	if len(a.Points) > 0 {
		names := make([]string, len(a.Points))
		for i, p := range a.Points {
			names[i] = map[int]string{rules.Off: "off", rules.Bar: "bar"}[p]
			if names[i] == "" {
				names[i] = fmt.Sprint(p)
			}
		}
		fmt.Fprintf(out, "Points: %s\n", strings.Join(names, ", "))
	}
	if a.Impossible != "" {
		fmt.Fprintln(out, strings.TrimPrefix(a.Impossible, "rules: "))
	}
	for i, p := range a.Nearest {
		if i == 0 {
			fmt.Fprintln(out, "Nearest legal plays:")
		}
		fmt.Fprintf(out, "  %-24s %s\n", p.Play, p.PositionID)
	}
	if a.Hint != "" {
		fmt.Fprintln(out, a.Hint)
	}
}
