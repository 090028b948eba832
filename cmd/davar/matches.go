package main

import (
	"context"
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"davar/device/journal"
)

// journalFlag names the match log for commands that read it, also while a table writes.
func journalFlag(cmd *cobra.Command) *string {
	return cmd.PersistentFlags().String("journal", "davar.db", "the match log (journal.path of the table's settings)")
}

func newMatchesCommand() *cobra.Command {
	var asJSON bool
	var q journal.Query
	cmd := &cobra.Command{
		Use:   "matches",
		Short: "List the matches of the log, newest first; rename or delete one; add up a season",
		Args:  cobra.NoArgs,
	}
	path := journalFlag(cmd)
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "one JSON object a match")
	f.StringVar(&q.Player, "player", "", "only matches of a player with this in the name")
	f.StringVar(&q.Event, "event", "", "only matches of a tournament with this in its name")
	f.StringVar(&q.From, "from", "", "only matches from this day on, such as 2026-11-29 or 2026-11")
	f.StringVar(&q.Until, "until", "", "only matches up to this day")
	f.IntVar(&q.Limit, "limit", 0, "at most so many; 0 = all")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		log, err := journal.OpenReader(cmd.Context(), *path)
		if err != nil {
			return err
		}
		defer log.Close()
		matches, err := log.Find(cmd.Context(), q)
		if err != nil {
			return err
		}
		if asJSON {
			return printJSON(cmd, matches)
		}
		return printMatches(cmd, matches)
	}
	cmd.AddCommand(newRenameCommand(path), newDeleteCommand(path), newSeasonCommand(path))
	return cmd
}

func printJSON(cmd *cobra.Command, matches []journal.Match) error {
	out := json.NewEncoder(cmd.OutOrStdout())
	for _, m := range matches {
		if err := out.Encode(m); err != nil {
			return fmt.Errorf("print the matches: %w", err)
		}
	}
	return nil
}

func printMatches(cmd *cobra.Command, matches []journal.Match) error {
	out := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "match\tstarted\tevent\tlight\tdark\tto\tscore\tresult")
	for _, m := range matches {
		result := "unfinished"
		if m.Finished() {
			result = m.Winner + " won"
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%d\t%d-%d\t%s\n", m.ID, m.Started, m.Event, m.Players[0], m.Players[1], m.Length,
			m.Score.Light, m.Score.Dark, result)
	}
	return out.Flush()
}

// amendFlags are who changes something in the log, and why: both are written into it.
func amendFlags(cmd *cobra.Command) (by, why *string) {
	return cmd.Flags().String("by", "director", "on whose word"), cmd.Flags().String("why", "", "for which reason")
}

func newRenameCommand(path *string) *cobra.Command {
	var n journal.Names
	cmd := &cobra.Command{
		Use:   "rename MATCH",
		Short: "Put names of a match right; what was written before stays in the log's chain",
		Args:  cobra.ExactArgs(1),
	}
	cmd.Flags().StringVar(&n.Light, "light", "", "name of the player with the lighter checkers")
	cmd.Flags().StringVar(&n.Dark, "dark", "", "name of the player with the darker checkers")
	cmd.Flags().StringVar(&n.Event, "event", "", "name of the tournament")
	by, why := amendFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if n == (journal.Names{}) {
			return usagef("say what is to be renamed: --light, --dark or --event")
		}
		return amend(cmd.Context(), *path, func(log *journal.Journal) error {
			return log.Rename(cmd.Context(), args[0], n, *by, *why)
		})
	}
	return cmd
}

func newDeleteCommand(path *string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "delete MATCH",
		Short: "Take a match off the list and remove its pictures; that it was deleted stays in the log's chain",
		Args:  cobra.ExactArgs(1),
	}
	by, why := amendFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return amend(cmd.Context(), *path, func(log *journal.Journal) error {
			return log.Delete(cmd.Context(), args[0], *by, *why)
		})
	}
	return cmd
}

// amend opens the log for writing; while a table writes it, that is done on the table's own page.
func amend(ctx context.Context, path string, change func(*journal.Journal) error) error {
	reader, err := journal.OpenReader(ctx, path) // a log that is not there must not be made
	if err != nil {
		return err
	}
	reader.Close()
	log, err := journal.Open(ctx, path)
	if err != nil {
		return err
	}
	if err := change(log); err != nil {
		log.Close()
		return err
	}
	return log.Close()
}
