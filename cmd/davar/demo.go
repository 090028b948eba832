package main

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"davar/config"
	"davar/device/recording"
)

// demoOptions are the flags of davar demo.
type demoOptions struct {
	speed              float64
	film, mode, folder string
	page, broker, lang string
	fresh              bool
	corners            string
}

func newDemoCommand() *cobra.Command {
	var o demoOptions
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Referee a filmed match with everything a live table has, without any hardware",
		Long: "Referee a filmed match as if it were played now: the page, the broker, the match log and simulated buttons are\n" +
			"those of a live table. Interrupted, it goes on where it was left.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := o.plan()
			if err != nil {
				return err
			}
			p.out, p.log = cmd.OutOrStdout(), newLog(cmd.ErrOrStderr(), p.config.Log)
			return p.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.Float64Var(&o.speed, "speed", 1, "how many times as fast as it was filmed, 0.1 to 20")
	f.StringVar(&o.film, "film", "", "folder of a filmed game (default: the one that comes with the program)")
	f.StringVar(&o.mode, "mode", "clock", "what ends a turn: clock or pickup")
	f.StringVar(&o.corners, "corners", "", cornersHelp)
	f.StringVar(&o.folder, "data", "", "folder for the match log (default: davar-demo in the user's cache)")
	f.StringVar(&o.page, "web", "127.0.0.1:8080", "where the page is served")
	f.StringVar(&o.broker, "mqtt", "127.0.0.1:1883", "where the broker listens")
	f.StringVar(&o.lang, "lang", "en", "language of what is printed: en or fa")
	f.BoolVar(&o.fresh, "new", false, "begin the film anew even if it was interrupted")
	return cmd
}

// plan returns what the options ask for.
func (o *demoOptions) plan() (plan, error) {
	if o.speed < 0.1 || o.speed > 20 {
		return plan{}, usagef("--speed: %g is out of range; use 0.1 to 20", o.speed)
	}
	corners, err := givenCorners(o.corners)
	if err != nil {
		return plan{}, err
	}
	if o.folder == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return plan{}, usagef("--data: say where the match log shall lie: %w", err)
		}
		o.folder = filepath.Join(cache, "davar-demo")
	}
	var film *recording.Film
	if o.film == "" {
		film, err = recording.Unpack(filepath.Join(o.folder, "film"))
	} else {
		film, err = recording.Open(o.film)
	}
	if err != nil {
		return plan{}, err
	}
	footage, err := openFilm(film, o.mode, matchID(time.Now()))
	if err != nil {
		return plan{}, err
	}
	c := config.Default()
	c.Club, c.Language = "demo", o.lang
	c.Journal.Path = filepath.Join(o.folder, "davar.db")
	c.Web.Listen, c.MQTT.Listen, c.Publish.Delay = o.page, o.broker, 0
	return plan{
		config: c, settings: footage.settings, office: refereeing, pictures: footage.pictures, film: true, inputs: footage.inputs,
		rate: o.speed, corners: corners, fresh: o.fresh, password: newPassword(),
	}, nil
}

// newPassword makes a password that can be typed from a screen.
func newPassword() string { return strings.ToLower(rand.Text()[:10]) }

// greet tells the person at the terminal where to look.
func (s *station) greet() {
	text := func(key string, params map[string]string) { say(s.out, s.book.Text(s.config.Language, key, params)) }
	text("cli.page_at", map[string]string{"url": s.page.URL()})
	switch file := s.config.Web.PasswordFile; {
	case file != "": // what is printed ends in the system's log
		text("cli.table_in_file", map[string]string{"url": s.page.URL() + "/table", "file": file})
	case s.password != "":
		text("cli.table_at", map[string]string{"url": s.page.URL() + "/table", "password": s.password})
	}
	if s.broker != nil {
		text("cli.broker_at", map[string]string{"url": s.broker.Addr(), "topic": fmt.Sprintf("davar/%s/%s/#", s.config.Club, s.config.Table)})
	}
	if s.keys != nil {
		text("cli.keys", map[string]string{"light": "A", "dark": "L", "left": s.begun.players[0], "right": s.begun.players[1]})
	}
	if s.begun.last > 0 {
		text("cli.demo_resumed", map[string]string{"match": s.begun.match, "seq": fmt.Sprint(s.begun.last)})
	}
}
