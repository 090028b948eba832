package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"davar/device/journal"
)

func newVerifyCommand() *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use:   "verify [FILE]",
		Short: "Prove the match log whole, or a signed match; or say where it is not",
		Long: `Without FILE, prove that nothing in the match log and its evidence pictures was altered, removed or put in. With FILE, a
signed match written by davar export --format signed, prove that nothing in it has changed since.`,
		Args: cobra.MaximumNArgs(1),
	}
	path := journalFlag(cmd)
	cmd.Flags().StringVar(&key, "key", "", "the key of the log that must have signed FILE")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			return verifyFile(cmd.OutOrStdout(), args[0], key)
		}
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
		fmt.Fprintf(cmd.OutOrStdout(), "%s is whole: %d rows, %d matches, %d pictures, last hash %s\n", *path, proof.Rows, proof.Matches,
			proof.Pictures, proof.Head)
		if key, err := log.PublicKey(); err == nil {
			fmt.Fprintf(cmd.OutOrStdout(), "its signed files have the key %s\n", key)
		}
		return nil
	}
	return cmd
}
