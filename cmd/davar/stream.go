package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"davar/device/analysis"
	"davar/device/gpio"
	"davar/device/mqtt"
	"davar/device/web"
	"davar/rules/referee"
)

// closeWait bounds how long a stopping program waits for the broker.
const closeWait = 5 * time.Second

// openStream starts the embedded broker, if it is wanted, and what publishes to it.
func (s *station) openStream(ctx context.Context) error {
	c := s.config.MQTT
	if c.Broker == "none" {
		return nil
	}
	password := s.password
	if c.PasswordFile != "" {
		var err error
		if password, err = readPassword("mqtt.password_file", c.PasswordFile); err != nil {
			return err
		}
	}
	server := mqtt.Server{URL: c.Broker, User: c.User, Password: password, CAFile: c.CAFile, CertFile: c.CertFile, KeyFile: c.KeyFile}
	if password == "" {
		server.User = ""
	}
	if c.Broker == "embedded" {
		if err := s.startBroker(password); err != nil {
			return err
		}
		server = s.broker.Server()
	}
	decided, err := s.decidedBefore(ctx)
	if err != nil {
		return err
	}
	publisher, err := mqtt.Start(mqtt.Options{
		Server: server, Place: mqtt.Place{Club: s.config.Club, Table: s.config.Table},
		Policy:  mqtt.Policy{Delay: s.config.Publish.Delay, Silent: s.settings.Mode != "announce"},
		Decided: decided, Backfill: s.journal.Events, Discovery: c.Discovery, Log: s.log,
		Finished: func(ctx context.Context) ([]mqtt.FinishedMatch, error) {
			return finishedMatches(ctx, s.journal.Reader, s.config.Publish.Delay, time.Now())
		},
		Desk: s.desk(),
		Handle: func(ctx context.Context, d referee.Decision, who string) error {
			d.By = who
			return s.decide(ctx, d)
		},
	})
	if err != nil {
		return usageError{err}
	}
	s.publisher = publisher
	if s.begun.last > 0 {
		publisher.Resume(s.begun.match, s.begun.last, s.begun.cursor)
	}
	s.onClose(func() {
		ctx, cancel := context.WithTimeout(context.Background(), closeWait)
		defer cancel()
		if err := publisher.Close(ctx); err != nil {
			s.log.Warn("the broker was not told goodbye", "error", err)
		}
	})
	return nil
}

// tellJudged hands on what an engine makes of a turn, to all that is shown late.
func (s *station) tellJudged(match string, turn analysis.Judged) {
	s.page.SetJudged(match, turn)
	if s.publisher != nil {
		s.publisher.SetJudged(match, turn)
	}
}

// startBroker starts the broker within the program; with a password the director may write to it.
func (s *station) startBroker(password string) error {
	c := s.config.MQTT
	var users []mqtt.User
	if password != "" {
		users = append(users, mqtt.User{Name: c.User, Password: password, Role: mqtt.Director})
	}
	broker, err := mqtt.StartBroker(mqtt.BrokerOptions{Listen: c.Listen, Users: users, Log: s.log})
	if err != nil {
		return err
	}
	s.broker = broker
	s.onClose(func() {
		if err := broker.Close(); err != nil {
			s.log.Warn("the broker did not close cleanly", "error", err)
		}
	})
	return nil
}

// openPage opens the page's port, so that one in use is told before the match begins.
func (s *station) openPage(context.Context) (err error) {
	folder := s.config.ConsoleFolder()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("open the console's folder: %w", err)
	}
	o := web.Settings{
		Addr: s.config.Web.Listen, Password: s.password, Accounts: s.accounts, Sessions: s.sessions, Book: s.book, Log: s.log,
		Control: s.control, Examine: s.symptoms, ClockOnly: s.pictures == "", Folder: folder, Table: s.config.Table,
		Matches: s.journal, Delay: s.config.Publish.Delay, Embed: s.config.Web.Embed, PublicFrame: s.config.Publish.Picture,
	}
	if s.window != nil {
		o.Frame, o.Drawn, o.Calibrator = s.window.Plain, s.window.Drawn, s.surveyor
		if !s.film {
			s.matches = &matchmaker{config: s.config, from: s.plan}
			o.MatchMaker = s.matches
		}
	}
	if s.page, err = web.New(o); err != nil {
		return usageError{err}
	}
	return s.page.Listen()
}

// readAccounts returns the accounts in the file that a setting names, none when it names none.
func readAccounts(key, path string) ([]web.Account, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, usageError{fmt.Errorf("%s: %w; make its lines with davar account", key, err)}
	}
	accounts, err := web.ParseAccounts(text)
	if err != nil {
		return nil, usageError{fmt.Errorf("%s: %s: %w", key, path, err)}
	}
	return accounts, nil
}

// control takes a press or decision from the page. Where there are no buttons on wires, the page presses the
// simulated ones.
func (s *station) control(ctx context.Context, in referee.Input) error {
	if sim, ok := s.buttons.(*gpio.Sim); ok && in.Press != nil {
		sim.Tap(gpio.Button(in.Press.Side), time.Now())
		return nil
	}
	return s.submit(ctx, in)
}

// readPassword returns the password a file holds; key names the setting.
func readPassword(key, path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", usageError{fmt.Errorf("%s: %w", key, err)}
	}
	password := strings.TrimSpace(string(text))
	if password == "" {
		return "", usagef("%s: %s is empty", key, path)
	}
	return password, nil
}
