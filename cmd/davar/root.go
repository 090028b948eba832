package main

import (
	"github.com/spf13/cobra"
)

// newRootCommand returns the whole command line.
func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "davar",
		Short:         "A referee for a real backgammon board",
		Long:          "Davar reads a real backgammon board through a camera, referees the match, runs the clock and shows it live.",
		Version:       programVersion(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("there is no command %q; see davar help", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return cmd.Help() },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(
		newRunCommand(), newDemoCommand(), newClockCommand(), newCalibrateCommand(),
		newReadCommand(), newReplayCommand(), newEvalCommand(),
		newPlaysCommand(), newJudgeCommand(), newCheckCommand(), newConvertCommand(), newHubCommand(),
		newMatchesCommand(), newExportCommand(), newVerifyCommand(),
		newDoctorCommand(), newBundleCommand(), newUpdateCommand(), newAccountCommand(),
	)
	markUsage(root)
	return root
}

// markUsage makes wrong flags and arguments of every command end with the status for wrong usage.
func markUsage(cmd *cobra.Command) {
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usagef("%w; see %s --help", err, c.CommandPath())
	})
	if check := cmd.Args; check != nil {
		cmd.Args = func(c *cobra.Command, args []string) error {
			if err := check(c, args); err != nil {
				return usageError{err}
			}
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		markUsage(sub)
	}
}
