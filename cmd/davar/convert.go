package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"davar/rules/record"
)

// newConvertCommand returns "davar convert": a match record in another format.
func newConvertCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Write a match record in another format",
		Long: `Write a match record in another format: .mat (or .txt), .sgf, .json or .xgid (a list of positions), by the name of OUT. OUT may be "-" for
standard output, with --format. What was odd in IN and what OUT cannot carry is said on standard error.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			to := record.Format(format)
			if format == "" {
				var err error
				if to, err = record.FormatOf(args[1]); err != nil {
					return usageError{err}
				}
			}
			return convert(cmd, args[0], args[1], to)
		},
	}
	cmd.Flags().StringVar(&format, "format", "", "mat, sgf, json or xgid (default: by the name of OUT)")
	return cmd
}

func convert(cmd *cobra.Command, in, out string, to record.Format) error {
	data, err := os.ReadFile(in)
	if err != nil {
		return fmt.Errorf("convert: %w", err)
	}
	rec, err := record.Read(data)
	if err != nil {
		return fmt.Errorf("convert: %s: %w", in, err)
	}
	written, losses, err := rec.Write(to)
	if err != nil {
		return usageError{err}
	}
	for _, n := range rec.Notes {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", in, n)
	}
	for _, l := range losses {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s cannot carry: %s\n", to, l)
	}
	if out == "-" {
		_, err = cmd.OutOrStdout().Write(written)
		return err
	}
	if err := os.WriteFile(out, written, 0o644); err != nil {
		return fmt.Errorf("convert: %w", err)
	}
	return nil
}
