package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"davar/config"
	"davar/device/hub"
	"davar/device/mqtt"
	"davar/device/phrasebook"
)

const aboutHub = `Show many tables to spectators: a page that lists them all, and for each its live page, an overlay for
broadcasts and a page to frame, below /t/<club>/<table>/. All comes from the public topics of a broker, so
nothing is shown before the tables' own delay has passed, and no account is needed where the broker lets
anybody read those topics.

With hub.accounts directors sign in at /director: all tables, who needs them first, and each in detail. What
they see comes from the private topics and their decisions go to the tables as commands, so --user must be a
director's account at the broker.

A hub keeps nothing. Start as many as there are spectators for and put any load balancer before them; its
health check is /healthz. firmware/deploy has tried settings for Mosquitto and for three nodes of NATS.

Flags go before the section hub of the settings.`

func newHubCommand() *cobra.Command {
	var configFile string
	var given config.Hub
	cmd := &cobra.Command{
		Use:   "hub",
		Short: "Show many tables, fed by a broker",
		Long:  aboutHub,
		Example: "  davar hub                                  # the tables of the broker on this machine\n" +
			"  davar hub --broker ssl://broker.example:8883 --ca-file ca.pem --listen :80",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := loadConfig(configFile)
			if err != nil {
				return err
			}
			settings, err := hubSettings(c.Hub, given)
			if err != nil {
				return err
			}
			if settings.Book, err = phrasebook.Open(c.Rules.Names); err != nil {
				return err
			}
			settings.Log = newLog(cmd.ErrOrStderr(), c.Log)
			h, err := hub.New(settings)
			if err != nil {
				return usageError{err}
			}
			if err := h.Listen(); err != nil {
				return err
			}
			say(cmd.OutOrStdout(), settings.Book.Text(c.Language, "cli.hub_at", map[string]string{"url": h.URL(), "broker": settings.Broker.URL}))
			if err := h.Run(cmd.Context()); err != nil {
				return err
			}
			say(cmd.OutOrStdout(), settings.Book.Text(c.Language, "cli.hub_stopped", nil))
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&configFile, "config", "", "settings file; without it the defaults hold")
	flags.StringVar(&given.Broker, "broker", "", "whose tables, such as tcp://broker:1883 or ssl://broker:8883")
	flags.StringVar(&given.Listen, "listen", "", "where the pages are served, such as :8090")
	flags.StringVar(&given.Club, "club", "", "show the tables of this club alone")
	flags.StringVar(&given.User, "user", "", "account at the broker")
	flags.StringVar(&given.PasswordFile, "password-file", "", "file with the account's password")
	flags.StringVar(&given.CAFile, "ca-file", "", "certificate authority of an ssl broker")
	flags.StringVar(&given.Accounts, "accounts", "", "file of the directors who may sign in, as davar account writes it")
	flags.StringVar(&given.SessionKey, "session-key-file", "", "file with the key that hubs behind one load balancer share")
	flags.StringVar(&given.Embed, "embed", "", "whose pages may show /embed in a frame; none = nobody's")
	flags.IntVar(&given.Viewers, "viewers", 0, "at most so many spectators at once")
	return cmd
}

// hubSettings returns how a hub is run by its section of the settings and the flags, which win.
func hubSettings(c, given config.Hub) (hub.Settings, error) {
	s := hub.Settings{
		Listen: cmp.Or(given.Listen, c.Listen), Club: cmp.Or(given.Club, c.Club), Embed: cmp.Or(given.Embed, c.Embed),
		Viewers: cmp.Or(given.Viewers, c.Viewers),
		Broker: mqtt.Server{
			URL: cmp.Or(given.Broker, c.Broker), User: cmp.Or(given.User, c.User), CAFile: cmp.Or(given.CAFile, c.CAFile),
			CertFile: c.CertFile, KeyFile: c.KeyFile,
		},
	}
	if file := cmp.Or(given.PasswordFile, c.PasswordFile); file != "" {
		var err error
		if s.Broker.Password, err = readPassword("hub.password_file", file); err != nil {
			return s, err
		}
	}
	if s.Broker.Password != "" && s.Broker.User == "" {
		return s, usagef("hub.user: say whose password it is that hub.password_file holds")
	}
	return s, hubConsole(&s, cmp.Or(given.Accounts, c.Accounts), cmp.Or(given.SessionKey, c.SessionKey))
}

// hubConsole reads who may sign in to a hub's console, and the key for their sessions.
func hubConsole(s *hub.Settings, accounts, keyFile string) (err error) {
	if s.Accounts, err = readAccounts("hub.accounts", accounts); err != nil || keyFile == "" {
		return err
	}
	key, err := os.ReadFile(keyFile)
	if err != nil {
		return usageError{fmt.Errorf("hub.session_key_file: %w; make it with openssl rand -hex 32", err)}
	}
	s.SessionKey = bytes.TrimSpace(key)
	return nil
}
