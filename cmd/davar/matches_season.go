package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"davar/device/journal"
	"davar/device/season"
)

// newSeasonCommand returns "davar matches season": what players did over many matches.
func newSeasonCommand(path *string) *cobra.Command {
	var q journal.Query
	var asJSON, private bool
	cmd := &cobra.Command{
		Use:   "season [LOG...]",
		Short: "Add up results, errors, luck, time and rulings by player and by club, over one log or many",
		Long: `Add up what players did over all matches of the logs given, or of --journal: results, error rates and luck as far as
GNU Backgammon has analysed the matches, the mean time of a turn, and rulings. A LOG is a match log, also of another table or
club, or a signed file of one match. Names are those in the logs; who is to stay unnamed is renamed there.`,
	}
	f := cmd.Flags()
	f.StringVar(&q.Player, "player", "", "only matches of a player with this in the name")
	f.StringVar(&q.Event, "event", "", "only matches of a tournament with this in its name")
	f.StringVar(&q.From, "from", "", "only matches from this day on, such as 2026-11-29 or 2026-11")
	f.StringVar(&q.Until, "until", "", "only matches up to this day")
	f.BoolVar(&private, "private", false, "with what only the director may know: rulings kept from the players, illegal plays that stood")
	f.BoolVar(&asJSON, "json", false, "one JSON object")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			args = []string{*path}
		}
		var all []season.Tally
		seen := map[string]bool{} // a match may be in a log and in a file
		for _, arg := range args {
			tallies, err := talliesOf(cmd, arg, q)
			if err != nil {
				return err
			}
			for _, t := range tallies {
				if id := t.Club + "\x00" + t.Match + "\x00" + t.Started; !seen[id] {
					seen[id] = true
					all = append(all, t)
				}
			}
		}
		s := season.Sum(all, private)
		if asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(s)
		}
		return printSeason(cmd.OutOrStdout(), s)
	}
	return cmd
}

// talliesOf reads a match log or a signed file.
func talliesOf(cmd *cobra.Command, path string, q journal.Query) ([]season.Tally, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("season: %w", err)
	}
	head := make([]byte, 64)
	n, _ := io.ReadFull(file, head)
	if err := file.Close(); err != nil {
		return nil, fmt.Errorf("season: %w", err)
	}
	if !journal.IsExport(head[:n]) {
		return season.From(cmd.Context(), path, q)
	}
	t, err := season.FromFile(path)
	if err != nil || !fits(&t, q) {
		return nil, err
	}
	return []season.Tally{t}, nil
}

// fits tells whether the match is one that is looked for.
func fits(t *season.Tally, q journal.Query) bool {
	has := func(text, part string) bool { return strings.Contains(strings.ToLower(text), strings.ToLower(part)) }
	day := t.Started[:min(len(t.Started), len(q.Until))]
	return (has(t.Players[0].Name, q.Player) || has(t.Players[1].Name, q.Player)) && has(t.Event, q.Event) &&
		t.Started >= q.From && (q.Until == "" || day <= q.Until)
}

func printSeason(out io.Writer, s *season.Season) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	head := "matches\twon\tgames\twon\tpoints\tlost\terror rate\tplays\tcube\tluck\ta turn\trulings\t"
	print := func(title string, lines []season.Line) {
		fmt.Fprintf(table, "%s\t%s\n", title, head)
		for i := range lines {
			l := &lines[i]
			rates := "\t\t\t\t"
			if l.Judged > 0 {
				cube := ""
				if l.Errors.Cubes > 0 {
					cube = fmt.Sprintf("%.1f", l.Errors.CubeRate())
				}
				rates = fmt.Sprintf("%.1f\t%.1f\t%s\t%+.2f\t", l.Errors.Rate(), l.Errors.PlayRate(), cube, l.Errors.Luck)
			}
			rulings := fmt.Sprint(l.Announced())
			for _, code := range l.Codes() {
				rulings += fmt.Sprintf(" %s×%d", code, l.Rulings[code])
			}
			fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s%.1f s\t%s\t\n", cmp.Or(l.Name, "(unnamed)"), l.Matches, l.Won, l.Games, l.GameWon,
				l.Points, l.Against, rates, float64(l.PerTurn())/1000, rulings)
		}
	}
	fmt.Fprintf(out, "%d matches", s.Matches)
	if s.Matches > 0 {
		fmt.Fprintf(out, " from %.10s to %.10s", s.First, s.Last)
	}
	fmt.Fprintln(out)
	print("player", s.Players)
	fmt.Fprintln(table)
	print("club", s.Clubs)
	return table.Flush()
}
