package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"davar/device/journal"
)

// journalFlag names the match log for commands that read it, also while a table writes.
func journalFlag(cmd *cobra.Command) *string {
	return cmd.Flags().String("journal", "davar.db", "the match log (journal.path of the table's settings)")
}

func newMatchesCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "matches",
		Short: "List the matches of the log, newest first",
		Args:  cobra.NoArgs,
	}
	path := journalFlag(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a match")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		log, err := journal.OpenReader(cmd.Context(), *path)
		if err != nil {
			return err
		}
		defer log.Close()
		matches, err := log.Matches(cmd.Context())
		if err != nil {
			return err
		}
		if asJSON {
			out := json.NewEncoder(cmd.OutOrStdout())
			for _, m := range matches {
				if err := out.Encode(m); err != nil {
					return fmt.Errorf("print the matches: %w", err)
				}
			}
			return nil
		}
		out := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
		fmt.Fprintln(out, "match\tstarted\tlight\tdark\tto\tscore\tresult")
		for _, m := range matches {
			result := "unfinished"
			if m.Finished() {
				result = m.Winner + " won"
			}
			fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%d\t%d-%d\t%s\n", m.ID, m.Started, m.Players[0], m.Players[1], m.Length,
				m.Score.Light, m.Score.Dark, result)
		}
		return out.Flush()
	}
	return cmd
}

func newVerifyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Prove the match log whole, or say where it is not",
		Args:  cobra.NoArgs,
	}
	path := journalFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		log, err := journal.OpenReader(cmd.Context(), *path)
		if err != nil {
			return err
		}
		defer log.Close()
		proof, err := log.Verify(cmd.Context())
		var damage *journal.Damage
		if errors.As(err, &damage) {
			return fmt.Errorf("%s is not whole: row %d: %s", *path, damage.Row, damage.What)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s is whole: %d rows, %d matches, last hash %s\n", *path, proof.Rows, proof.Matches, proof.Head)
		return nil
	}
	return cmd
}
