package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"

	"davar/config"
	"davar/device/bundle"
	"davar/device/doctor"
	"davar/device/journal"
	"davar/device/phrasebook"
)

func newBundleCommand() *cobra.Command {
	var configFile, out string
	cmd := &cobra.Command{
		Use:   "bundle",
		Short: "Pack what helps to find a fault, without names or passwords in it",
		Long: "Pack the doctor's report, the settings, the program's log, its metrics and the size of the match log into one file\n" +
			"that can be sent to those who help. Players' names, tournaments, passwords, positions and pictures are not in it.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := loadConfig(configFile)
			if err != nil {
				return err
			}
			at := time.Now()
			folder := "davar-bundle-" + at.Format("20060102-150405")
			if out == "" {
				out = folder + ".tar.gz"
			}
			if err := writeBundle(cmd.Context(), &c, out, folder, at); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "wrote %s\n", out)
			return nil
		},
	}
	cmd.Flags().StringVar(&configFile, "config", "", "settings file (default: what config/davar.yaml lists)")
	cmd.Flags().StringVar(&out, "out", "", "file to write (default: davar-bundle-TIME.tar.gz)")
	return cmd
}

func writeBundle(ctx context.Context, c *config.Config, out, folder string, at time.Time) error {
	names, log := matchLog(ctx, c)
	redactor := bundle.NewRedactor(names, secrets(c))
	parts, err := bundleParts(ctx, c)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(out, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	return errors.Join(bundle.Write(f, folder, at, append(parts, log), redactor), f.Close())
}

func bundleParts(ctx context.Context, c *config.Config) ([]bundle.Part, error) {
	report, running := askRunning(ctx, c.Metrics.Listen)
	if !running {
		book, err := phrasebook.Open(c.Rules.Names)
		if err != nil {
			return nil, err
		}
		o := doctorOptions{lang: phrasebook.English}
		report = doctor.Examine(ctx, o.checks(c, book, io.Discard))
	}
	examined, err := json.MarshalIndent(report, "", " ")
	if err != nil {
		return nil, err
	}
	settings, err := yaml.Marshal(nameless(*c))
	if err != nil {
		return nil, err
	}
	return []bundle.Part{
		{Name: "doctor.json", Text: string(examined) + "\n"},
		{Name: "settings.yaml", Text: string(settings)},
		{Name: "log.txt", Text: bundle.Structured(systemLog(ctx))},
		{Name: "metrics.txt", Text: runningMetrics(ctx, c.Metrics.Listen)},
	}, nil
}

// nameless returns the settings without what names people or opens doors.
func nameless(c config.Config) config.Config {
	for _, text := range []*string{&c.Match.Light, &c.Match.Dark, &c.Match.Event, &c.MQTT.User} {
		if *text != "" {
			*text = "(left out)"
		}
	}
	c.Publish.Results, _, _ = strings.Cut(c.Publish.Results, "?") // an address may carry its key there
	return c
}

// secrets returns what the files that the settings name hold.
func secrets(c *config.Config) []string {
	var all []string
	for _, path := range []string{c.Web.PasswordFile, c.MQTT.PasswordFile} {
		if text, err := os.ReadFile(path); path != "" && err == nil {
			all = append(all, strings.TrimSpace(string(text)))
		}
	}
	return all
}

// matchLog returns the names that the match log and the settings know, and what may be told of the log.
func matchLog(ctx context.Context, c *config.Config) ([]string, bundle.Part) {
	part := bundle.Part{Name: "matches.txt"}
	usual := config.Default().Match
	names := []string{c.Match.Event}
	add := func(players ...string) {
		for _, name := range players {
			if name != usual.Light && name != usual.Dark {
				names = append(names, name)
			}
		}
	}
	add(c.Match.Light, c.Match.Dark)
	log, err := journal.OpenReader(ctx, c.Journal.Path)
	if err != nil {
		part.Text = fmt.Sprintln(err)
		return names, part
	}
	defer log.Close()
	matches, err := log.Matches(ctx)
	if err != nil {
		part.Text = fmt.Sprintln(err)
		return names, part
	}
	var text strings.Builder
	for _, m := range matches {
		add(m.Players[:]...)
		names = append(names, m.Event)
		fmt.Fprintf(&text, "match %s: length %d, %d events\n", m.ID, m.Length, m.LastSeq)
	}
	part.Text = text.String()
	return names, part
}

// systemLog returns the newest lines that systemd has of the program; empty where there are none.
func systemLog(ctx context.Context) string {
	ctx, stop := context.WithTimeout(ctx, 20*time.Second)
	defer stop()
	text, err := exec.CommandContext(ctx, "journalctl", "--unit", "davar", "--lines", "5000", "--no-pager", "--output", "short-iso").Output()
	if err != nil {
		return ""
	}
	return string(text)
}

// runningMetrics returns the metrics of the davar that runs; empty when none does.
func runningMetrics(ctx context.Context, listen string) string {
	if listen == "" {
		return ""
	}
	ctx, stop := context.WithTimeout(ctx, 5*time.Second)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+reachable(listen)+"/metrics", nil)
	if err != nil {
		return ""
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return ""
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 4<<20))
	if err != nil {
		return ""
	}
	return string(text)
}
