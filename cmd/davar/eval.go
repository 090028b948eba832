package main

import (
	"github.com/spf13/cobra"
)

func newEvalCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Measure against known answers",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, args []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newEvalStillsCommand(), newEvalSequenceCommand(), newEvalRefereeCommand(), newEvalNoiseCommand())
	return cmd
}
