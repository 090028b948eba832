package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"davar/rules"
	"davar/rules/match"
	"davar/rules/record"
)

// newPlaysCommand returns "davar plays": all legal plays of a position and a roll, or of a file of them.
func newPlaysCommand() *cobra.Command {
	var position, dice, variant, batch string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "plays (--position XGID|GNUID --dice 31 | --batch FILE)",
		Short: "List all legal plays of a position and a roll",
		Long: `List all legal plays of a position and a roll, one for each distinct final position.

The position is an XGID (then --dice may be left out when it holds the roll), a GNU position ID of the player on
roll, or PositionID:MatchID. With --batch every line of FILE ("-": standard input) is an object {"position_id",
"dice"}, and one line {"n_plays", "dice_used", "hash"} is printed for each.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			options, err := variantOptions(variant)
			if err != nil {
				return err
			}
			if batch != "" {
				if position != "" || dice != "" {
					return usagef("--batch takes positions and dice from its file; leave --position and --dice out")
				}
				return playsBatch(cmd, batch, options)
			}
			m, err := readMoment(position, dice)
			if err != nil {
				return err
			}
			return printPlays(cmd.OutOrStdout(), &m, options, asJSON)
		},
	}
	cmd.Flags().StringVar(&position, "position", "", "XGID or GNU position ID (of the player on roll)")
	cmd.Flags().StringVar(&dice, "dice", "", "the roll, such as 31")
	cmd.Flags().StringVar(&variant, "variant", "standard", "standard, iran, tavla or nackgammon")
	cmd.Flags().StringVar(&batch, "batch", "", "file with one position and roll a line, - for standard input")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// variantOptions returns the rules of a variant by name.
func variantOptions(name string) (rules.Options, error) {
	v, err := rules.ParseVariant(name)
	if err != nil {
		return rules.Options{}, usageError{err}
	}
	if err := v.Refereed(); err != nil {
		return rules.Options{}, usageError{err}
	}
	return rules.OptionsFor(v), nil
}

// readMoment reads a position and the roll on it. A GNU position ID alone is light's, who is on roll.
func readMoment(position, dice string) (record.Moment, error) {
	if position == "" {
		return record.Moment{}, usagef("a position is wanted: an XGID or a GNU position ID")
	}
	m, err := parsePosition(position)
	if err != nil {
		return m, usageError{err}
	}
	if dice != "" {
		if m.Dice, err = rules.ParseDice(dice); err != nil {
			return m, usageError{err}
		}
	}
	if !m.Dice.Valid() {
		return m, usagef("a roll is wanted: --dice 31")
	}
	return m, nil
}

// parsePosition reads an XGID, a GNU position ID, or a position and match ID joined by a colon. A bare position
// ID is taken as it is, even where no board can stand so.
func parsePosition(text string) (record.Moment, error) {
	position, matchID, paired := strings.Cut(text, ":")
	switch {
	case strings.HasPrefix(text, "XGID=") || strings.Count(text, ":") > 1:
		return record.ParseXGID(text)
	case paired:
		return record.ParseGNUID(position, matchID)
	}
	pos, err := rules.ParseBoardID(text, rules.Light)
	return record.Moment{Position: pos, Cube: match.Cube{Value: 1}}, err
}

// playJSON is one legal play.
type playJSON struct {
	Play       string `json:"play"`
	PositionID string `json:"position_id"` // after it, the mover still on roll
}

// playsJSON is what davar plays --json prints.
type playsJSON struct {
	Variant    string     `json:"variant"`
	PositionID string     `json:"position_id"`
	Side       rules.Side `json:"side"`
	Dice       [2]int     `json:"dice"`
	NPlays     int        `json:"n_plays"`
	DiceUsed   int        `json:"dice_used"`
	Hash       string     `json:"hash"`
	Plays      []playJSON `json:"plays"`
}

func printPlays(out io.Writer, m *record.Moment, o rules.Options, asJSON bool) error {
	if err := m.Position.Check([2]int{}); err != nil {
		return usageError{err}
	}
	plays := rules.NewGenerator(o).Plays(&m.Position, m.Turn, m.Dice)
	if asJSON {
		answer := playsJSON{
			Variant: o.Variant.String(), PositionID: m.Position.ID(m.Turn), Side: m.Turn,
			Dice: [2]int{int(m.Dice[0]), int(m.Dice[1])}, NPlays: len(plays), DiceUsed: rules.DiceUsed(plays),
			Hash: rules.ResultHash(plays, m.Turn), Plays: []playJSON{},
		}
		for i := range plays {
			answer.Plays = append(answer.Plays, playJSON{plays[i].String(), plays[i].Final.ID(m.Turn)})
		}
		return json.NewEncoder(out).Encode(answer)
	}
	fmt.Fprint(out, rules.Draw(&m.Position, m.Turn))
	switch len(plays) {
	case 0:
		fmt.Fprintf(out, "\n%s has no legal play with %s.\n", m.Turn, m.Dice)
	case 1:
		fmt.Fprintf(out, "\n%s has one legal play with %s:\n", m.Turn, m.Dice)
	default:
		fmt.Fprintf(out, "\n%s has %d legal plays with %s:\n", m.Turn, len(plays), m.Dice)
	}
	for i := range plays {
		fmt.Fprintf(out, "%4d. %-24s %s\n", i+1, plays[i].String(), plays[i].Final.ID(m.Turn))
	}
	return nil
}

// playsBatch answers a file line by line.
func playsBatch(cmd *cobra.Command, name string, o rules.Options) error {
	in := cmd.InOrStdin()
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("plays: open the batch: %w", err)
		}
		defer file.Close()
		in = file
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	generator := rules.NewGenerator(o)
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		if err := answerLine(out, generator, lines.Bytes()); err != nil {
			out.Flush()
			return fmt.Errorf("plays: %s line %d: %w", name, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("plays: read %s: %w", name, err)
	}
	return out.Flush()
}

func answerLine(out io.Writer, generator *rules.Generator, line []byte) error {
	var in struct {
		PositionID string `json:"position_id"`
		Dice       []int  `json:"dice"`
	}
	if err := json.Unmarshal(line, &in); err != nil {
		return err
	}
	pos, err := rules.ParseID(in.PositionID, rules.Light)
	if err != nil {
		return err
	}
	var dice rules.Dice // none: the player does not roll (ENTER-7)
	if len(in.Dice) > 0 {
		if len(in.Dice) != 2 || min(in.Dice[0], in.Dice[1]) < 1 || max(in.Dice[0], in.Dice[1]) > 6 {
			return fmt.Errorf("dice %v are not two numbers from 1 to 6", in.Dice)
		}
		dice = rules.Dice{uint8(in.Dice[0]), uint8(in.Dice[1])}
	}
	plays := generator.Plays(&pos, rules.Light, dice)
	return json.NewEncoder(out).Encode(struct {
		NPlays   int    `json:"n_plays"`
		DiceUsed int    `json:"dice_used"`
		Hash     string `json:"hash"`
	}{len(plays), rules.DiceUsed(plays), rules.ResultHash(plays, rules.Light)})
}
