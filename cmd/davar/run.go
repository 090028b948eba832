package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	"davar/config"
	"davar/device/camera"
)

func newRunCommand() *cobra.Command {
	var configFile, corners string
	var fresh bool
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Referee a live table",
		Long: "Referee a live table: camera, buttons, clock, match log, MQTT and page, as the settings say. A match that was\n" +
			"interrupted goes on where it was left.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := loadConfig(configFile)
			if err != nil {
				return err
			}
			settings, err := tableSettings(&c, matchID(time.Now()))
			if err != nil {
				return err
			}
			p := plan{config: c, settings: settings, office: refereeing, pictures: c.Camera.Source, rate: 1, fresh: fresh,
				film: isFile(c.Camera.Source), out: cmd.OutOrStdout(), log: newLog(cmd.ErrOrStderr(), c.Log)}
			if c.Web.PasswordFile != "" {
				if p.password, err = readPassword("web.password_file", c.Web.PasswordFile); err != nil {
					return err
				}
			}
			if p.accounts, err = readAccounts("web.accounts", c.Web.Accounts); err != nil {
				return err
			}
			board, err := tableCalibration(&c)
			if err != nil {
				return err
			}
			if board != nil {
				corners := board.Pixels(board.Size)
				p.corners, p.looks, p.bend = &corners, board.Looks, board.Bend
			}
			if corners != "" { // by hand: they win
				if p.corners, err = parseCorners(corners); err != nil {
					return err
				}
			}
			return p.run(cmd.Context())
		},
	}
	cmd.Flags().StringVar(&configFile, "config", "", "settings file (default: what config/davar.yaml lists)")
	cmd.Flags().StringVar(&corners, "corners", "", cornersHelp)
	cmd.Flags().BoolVar(&fresh, "new", false, "begin a new match even if one is unfinished")
	return cmd
}

// isFile tells whether pictures come from a file or folder rather than from a live camera.
func isFile(source string) bool {
	if camera.IsLive(source) {
		return false
	}
	_, err := os.Stat(source)
	return err == nil
}

// newLog returns a log for the people who run the program, as the settings want it.
func newLog(out io.Writer, l config.Log) *slog.Logger {
	o := &slog.HandlerOptions{Level: slog.LevelInfo}
	var level slog.Level
	if level.UnmarshalText([]byte(l.Level)) == nil {
		o.Level = level
	}
	if l.Format == "json" {
		return slog.New(slog.NewJSONHandler(out, o))
	}
	return slog.New(slog.NewTextHandler(out, o))
}

// say prints one line for the person at the terminal.
func say(out io.Writer, line string) { fmt.Fprintln(out, line) }
