package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"davar/clock"
	"davar/config"
	"davar/device/gpio"
	"davar/rules"
)

// clockOptions are the flags of davar clock.
type clockOptions struct {
	config    string
	fresh     bool
	length    int
	score     string
	preset    string
	page      string
	broker    string
	journal   string
	countdown bool
}

func newClockCommand() *cobra.Command {
	var o clockOptions
	cmd := &cobra.Command{
		Use:   "clock",
		Short: "Run only the clock, on buttons, keyboard or page",
		Long: "Run only the tournament clock: no camera, no referee. It is pressed with buttons on a Pi's GPIO lines, with the\n" +
			"keys A and L of this terminal (space stops it and lets it go on), or on its page /table, which shows it as large as\n" +
			"the screen allows. Cube and score are kept by what is said on the page. Interrupted, it comes back standing, with the\n" +
			"time it had.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := o.plan(cmd.Flags().Changed)
			if err != nil {
				return err
			}
			p.out, p.log = cmd.OutOrStdout(), newLog(cmd.ErrOrStderr(), p.config.Log)
			p.keys, p.countdown = cmd.InOrStdin(), o.countdown
			return p.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.config, "config", "", "settings file (default: what config/davar.yaml lists)")
	f.BoolVar(&o.fresh, "new", false, "begin a new match even if one is unfinished")
	f.IntVar(&o.length, "length", 7, "points to win")
	f.StringVar(&o.score, "score", "0-0", "score at which the clock is introduced, light's first")
	f.StringVar(&o.preset, "preset", "", "time control: "+strings.Join(clock.Presets(), ", "))
	f.StringVar(&o.page, "web", "", "where the page is served (default: web.listen)")
	f.StringVar(&o.broker, "mqtt", "", "broker, embedded or none (default: mqtt.broker)")
	f.StringVar(&o.journal, "journal", "", "file of the match log (default: clock.db beside journal.path)")
	f.BoolVar(&o.countdown, "show", isTerminal(os.Stdout), "show the running clock in the terminal")
	return cmd
}

// plan returns what the options ask for; changed tells whether a flag was given.
func (o *clockOptions) plan(changed func(flag string) bool) (plan, error) {
	c, err := loadConfig(o.config)
	if err != nil {
		return plan{}, err
	}
	if changed("length") {
		c.Match.Length = o.length
	}
	if o.preset != "" {
		c.Clock.Preset = o.preset
	}
	if o.page != "" {
		c.Web.Listen = o.page
	}
	if o.broker != "" {
		c.MQTT.Broker = o.broker
	}
	c.Turn.End = "clock"
	beside := c.Journal.Path
	if c.Journal.Path = o.journal; o.journal == "" { // a referee's match must not be gone on with by mistake
		c.Journal.Path = filepath.Join(filepath.Dir(beside), "clock.db")
	}
	settings, err := tableSettings(&c, matchID(time.Now()))
	if err != nil {
		return plan{}, err
	}
	if _, err := fmt.Sscanf(o.score, "%d-%d", &settings.Score.Light, &settings.Score.Dark); err != nil {
		return plan{}, usagef("--score: %q is not a score such as 3-2", o.score)
	}
	if _, err := timekeeping.open(settings); err != nil {
		return plan{}, usageError{err}
	}
	p := plan{config: c, settings: settings, office: timekeeping, rate: 1, fresh: o.fresh}
	if p.password, err = pagePassword(&c); err == nil && p.password == "" {
		p.password = newPassword() // without one nothing could be pressed on the page
	}
	return p, err
}

// pagePassword returns the password that the settings give the page; empty when they give none.
func pagePassword(c *config.Config) (string, error) {
	if c.Web.PasswordFile == "" {
		return "", nil
	}
	return readPassword("web.password_file", c.Web.PasswordFile)
}

// keyButtons are the keys that press buttons; capitals do too.
var keyButtons = map[byte]gpio.Button{'a': gpio.LightButton, 'l': gpio.DarkButton, ' ': gpio.PauseButton}

// watchKeys presses the clock with the keys of a terminal, or of whatever else is read, until it ends.
func (s *station) watchKeys(ctx context.Context) {
	restore, err := oneKeyAtATime(s.keys)
	if err != nil {
		s.log.Warn("the keyboard cannot be read key by key; press Enter after each", "error", err)
	}
	defer restore()
	pressed := make(chan gpio.Button)
	go readKeys(ctx, s.keys, pressed) // ends with the program: nothing wakes a read of a terminal
	for {
		select {
		case b, ok := <-pressed:
			if !ok || s.panel.Press(ctx, b, time.Now()) != nil {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// readKeys hands over what keys press until there are no more.
func readKeys(ctx context.Context, keys io.Reader, pressed chan<- gpio.Button) {
	defer close(pressed)
	var key [1]byte
	for {
		if _, err := io.ReadFull(keys, key[:]); err != nil {
			return
		}
		if b, ok := keyButtons[strings.ToLower(string(key[:]))[0]]; ok {
			select {
			case pressed <- b:
			case <-ctx.Done():
				return
			}
		}
	}
}

// terminal shows the running clock in the last line of a terminal and sentences above it. It is safe for concurrent
// use.
type terminal struct {
	mu   sync.Mutex
	out  io.Writer
	line string // the last one, shown now
}

// Write puts whole lines above the clock.
func (t *terminal) Write(text []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, err := fmt.Fprintf(t.out, "\r\x1b[K%s%s", text, t.line); err != nil {
		return 0, err
	}
	return len(text), nil
}

func (t *terminal) show(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if line != t.line {
		t.line = line
		fmt.Fprintf(t.out, "\r\x1b[K%s", line)
	}
}

// showClock keeps the terminal's last line until ctx ends.
func (s *station) showClock(ctx context.Context, t *terminal) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	defer t.show("")
	for {
		v, _ := s.panel.Look()
		t.show(clockLine(v, s.begun.players))
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// clockLine writes both clocks: "▶ Light 13:48 +7   Dark 14:00".
func clockLine(v clock.View, players [2]string) string {
	var sides []string
	for _, side := range []rules.Side{rules.Light, rules.Dark} {
		mark, delay := " ", ""
		switch {
		case v.Fallen[side]:
			mark = "⚑"
		case v.Running == clock.Side(side):
			mark = "▶"
		case v.OnMove == clock.Side(side):
			mark = "‖"
		}
		if v.OnMove == clock.Side(side) && v.Delay > 0 {
			delay = fmt.Sprintf(" +%d", clock.Seconds(v.Delay))
		}
		sides = append(sides, fmt.Sprintf("%s %s %s%s", mark, players[side], clock.Text(v.Remaining[side]), delay))
	}
	return strings.Join(sides, "   ")
}
