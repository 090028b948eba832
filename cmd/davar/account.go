package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"davar/device/web"
)

func newAccountCommand() *cobra.Command {
	var role string
	cmd := &cobra.Command{
		Use:   "account NAME",
		Short: "Make a line for the file of accounts (web.accounts)",
		Long: "Read a password of 8 to 72 characters from the standard input and print the line of an account with its hash, for\n" +
			"the file that web.accounts names:\n\n  davar account sara >> accounts",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			fmt.Fprint(cmd.ErrOrStderr(), "Password: ")
			line, err := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
			if err != nil && !(errors.Is(err, io.EOF) && line != "") {
				return fmt.Errorf("read the password: %w", err)
			}
			fmt.Fprintln(cmd.ErrOrStderr())
			account, err := web.NewAccount(args[0], web.Role(role), strings.TrimRight(line, "\r\n"))
			if err != nil {
				return usageError{err}
			}
			fmt.Fprintln(cmd.OutOrStdout(), account)
			return nil
		},
	}
	cmd.Flags().StringVar(&role, "role", string(web.Director), "director, or table: the unit beside a board")
	return cmd
}
