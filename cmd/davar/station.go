package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"

	"davar/cmd/davar/feed"
	"davar/cmd/davar/panel"
	"davar/cmd/davar/table"
	"davar/config"
	"davar/device/camera"
	"davar/device/display"
	"davar/device/embargo"
	"davar/device/gpio"
	"davar/device/journal"
	"davar/device/metrics"
	"davar/device/mqtt"
	"davar/device/phrasebook"
	"davar/device/results"
	"davar/device/watchdog"
	"davar/device/web"
	"davar/rules/referee"
	"davar/vision"
)

// plan says what a station runs: a live table, a film in a table's place, or a clock that no camera watches.
type plan struct {
	config   config.Config
	settings referee.Settings
	office   office             // who judges
	pictures string             // what camera.Open takes; empty: there is no camera
	film     bool               // pictures come from a file, at the times it says
	inputs   []referee.Input    // what a film's buttons and director sent
	rate     float64            // how many times as fast as the world a film runs
	corners  *[4]vision.Pixel   // nil: the board is found
	looks    *vision.Appearance // nil: learned from the starting position
	bend     float64            // of the lens, as the calibration has it
	fresh    bool               // begin a new match even if one is unfinished
	password string             // of the page's buttons and the director's account; empty: nothing can be changed
	accounts []web.Account      // further ones
	sessions scs.Store          // who has signed in

	out       io.Writer // what happens, in sentences
	keys      io.Reader // nil: no keyboard presses the clock
	countdown bool      // the running clock is shown on out, a terminal
	log       *slog.Logger
}

// station is a table with everything around it.
type station struct {
	plan
	book      *phrasebook.Book
	journal   *journal.Journal
	vault     *embargo.Vault
	begun     *beginning
	witness   *witness        // nil: no pictures are kept
	results   *results.Desk   // nil: finished matches are handed to nobody
	analyst   *analyst        // nil: GNU Backgammon is not installed, or there are no plays of a live match
	kibitzer  *kibitzer       // nil: spectators are told no chances
	broker    *mqtt.Broker    // nil: not the embedded one
	publisher *mqtt.Publisher // nil: nothing is published
	page      *web.Server
	source    camera.Source
	eye       *eyes
	window    *window     // nil: there is no camera
	surveyor  *surveyor   // nil: the same
	matches   *matchmaker // nil: a film is what it is
	buttons   gpio.Buttons
	lamps     gpio.Panel
	displays  *display.Table // nil: none are wired
	panel     *panel.Panel
	closers   []func()
	table     *table.Table
	health    *health
	status    *metrics.Server // nil: nothing tells how the program does
	arrived   chan struct{}   // a token for each press that has passed the buttons
}

// run runs the table until the context ends, one match after the other as the director sets them up.
func (p plan) run(ctx context.Context) error {
	if p.countdown {
		p.out = &terminal{out: p.out}
	}
	p.sessions = web.NewSessions() // who has signed in stays so from match to match
	for {
		next, err := p.once(ctx)
		if err != nil || next == nil {
			return err
		}
		p = *next
	}
}

// once opens everything the plan needs, runs the table until the context ends or another match is set up, whose plan it
// returns, and closes everything. What cannot be opened is told before anything starts.
func (p plan) once(ctx context.Context) (next *plan, err error) {
	s := &station{plan: p, arrived: make(chan struct{}, 1), health: newHealth()}
	defer s.close()
	for _, open := range []func(context.Context) error{
		// Buttons first: periph has been seen to close file descriptors that are no longer its own.
		s.openButtons, s.openDisplays, s.openJournal, s.openCamera, s.openPage, s.openStream, s.openHealth,
	} {
		if err := open(ctx); err != nil {
			return nil, err
		}
	}
	s.assemble()
	if err := s.recall(ctx); err != nil {
		return nil, err
	}
	s.greet()
	err = s.work(ctx)
	if errors.Is(err, errNextMatch) {
		return s.following(), nil
	}
	if err == nil {
		say(s.out, s.book.Text(s.config.Language, "cli.stopped", nil))
	}
	return nil, err
}

// following returns the plan of the match that was set up, with what this one's board was found to be.
func (s *station) following() *plan {
	next := s.matches.chosen()
	if s.surveyor != nil {
		if board := s.surveyor.last(); board != nil {
			corners := board.Pixels(board.Size)
			next.corners, next.looks, next.bend = &corners, board.Looks, board.Bend
		}
	}
	return next
}

// onClose has f called when the station closes; what was opened last is closed first.
func (s *station) onClose(f func()) { s.closers = append(s.closers, f) }

func (s *station) close() {
	for i := len(s.closers) - 1; i >= 0; i-- {
		s.closers[i]()
	}
}

func (s *station) openJournal(ctx context.Context) (err error) {
	if s.book, err = phrasebook.Open(s.config.Rules.Names); err != nil {
		return err
	}
	budget := journal.WithPictureBudget(int64(s.config.Journal.Pictures) << 20)
	if s.journal, err = journal.Open(ctx, s.config.Journal.Path, budget); err != nil {
		return err
	}
	s.onClose(func() {
		if err := s.journal.Close(); err != nil {
			s.log.Warn("the match log did not close cleanly", "error", err)
		}
	})
	if s.begun, err = s.office.begin(ctx, s.journal, s.settings, s.fresh); err != nil {
		return err
	}
	s.tellRecovery()
	s.vault = embargo.OpenVault(s.config.Journal.Path+".held", s.config.Publish.Delay, s.log)
	if !s.film && s.pictures != "" {
		s.analyst = newAnalyst(s.journal, s.log)
	}
	if to := s.config.Publish.Results; to != "" {
		s.results, err = results.New(results.Settings{
			To: to, Delay: s.config.Publish.Delay, Journal: s.journal, Book: s.book, Log: s.log,
			Fault: func(err error) { s.fault("results", err) },
		})
		if err != nil {
			return usagef("publish.results: %w", err)
		}
	}
	if s.config.Journal.Pictures > 0 && s.pictures != "" {
		s.witness = newWitness(s.journal, s.begun.match, s.log, s.fault)
	}
	return nil
}

// tellRecovery says in one line what was found after a power cut.
func (s *station) tellRecovery() {
	if r := s.journal.Recovered; r.Unclean || r.Pictures > 0 {
		s.log.Warn("the last run was cut off; the match log is whole, and the match goes on with its clocks paused",
			"match", s.begun.match, "events", s.begun.last, "at", s.begun.from, "unfinished_pictures_dropped", r.Pictures)
	}
}

func (s *station) openCamera(context.Context) (err error) {
	if s.pictures == "" {
		return nil
	}
	c := s.config.Camera
	s.source, err = camera.Open(s.pictures, camera.Settings{Width: c.Width, Height: c.Height, FPS: c.FPS, From: s.begun.from,
		// Started by systemd nobody reads what fails: the page tells of the camera, and clock and buttons work without.
		Patient: os.Getenv("NOTIFY_SOCKET") != ""})
	if err != nil {
		return err
	}
	s.onClose(func() {
		if err := s.source.Close(); err != nil {
			s.log.Warn("the camera did not close", "error", err)
		}
	})
	frozenAfter := liveFrozenAfter
	if s.film {
		frozenAfter = 0
	}
	watcher, err := openEye(s.settings.Layout, s.corners, s.looks, s.bend, frozenAfter)
	if err != nil {
		return err
	}
	s.eye, s.window = &eyes{now: watcher}, newWindow(s.log)
	s.surveyor = &surveyor{
		window: s.window, supposed: vision.Layout(s.settings.Layout), keep: s.config.CalibrationFile(),
		put: func(c *vision.Calibration) error {
			corners := c.Pixels(c.Size)
			next, err := openEye(s.settings.Layout, &corners, c.Looks, c.Bend, frozenAfter)
			if err == nil {
				s.eye.Put(next)
			}
			return err
		},
	}
	s.onClose(func() { s.eye.Close(); s.window.close(); s.surveyor.close() })
	return nil
}

// liveFrozenAfter is how long a live camera may repeat one picture, noise and all, before it counts as frozen.
const liveFrozenAfter = 5 * time.Second

// assemble builds the table out of what was opened.
func (s *station) assemble() {
	timeline := table.Timeline{Start: time.Now(), From: s.begun.from, Rate: s.rate}
	s.panel = s.newPanel(timeline)
	s.table = &table.Table{
		Referee: s.begun.judge, Twin: s.begun.twin, Timeline: timeline, Live: !s.film, Log: s.log,
		Journal:  s.newLedger(),
		Switched: s.panel.Switched,
	}
	if s.source != nil {
		s.table.Feed = s.newFeed(timeline)
	}
	if s.publisher != nil {
		s.table.Sinks = append(s.table.Sinks, s.publisher)
	}
	if s.witness != nil {
		s.table.Sinks = append(s.table.Sinks, s.witness)
	}
	if s.analyst != nil {
		s.table.Sinks = append(s.table.Sinks, s.analyst)
	}
	if s.pictures != "" && s.config.Publish.Chances && s.config.Publish.Delay > 0 {
		s.kibitzer = newKibitzer(s.journal, s.tellJudged, s.log)
	}
	if s.kibitzer != nil {
		s.table.Sinks = append(s.table.Sinks, s.kibitzer)
	}
	s.table.Sinks = append(s.table.Sinks, s.vault, s.page, &teller{out: s.out, book: s.book, lang: s.config.Language, players: s.begun.players})
	s.observe()
}

// newFeed returns what watches the board.
func (s *station) newFeed(timeline table.Timeline) *feed.Feed {
	f := &feed.Feed{Source: s.source, Eye: s.eye, Seen: s.seen}
	if !s.film {
		f.Offset, f.Now = s.begun.from, timeline.Now
		return f
	}
	f.Wait = timeline.Wait
	for _, in := range s.inputs {
		if in.T > s.begun.from || s.begun.last == 0 {
			f.Inputs = append(f.Inputs, in)
		}
	}
	if sim, ok := s.buttons.(*gpio.Sim); ok {
		f.Press = func(ctx context.Context, in referee.Input) error { return s.tap(ctx, sim, in) }
	}
	return f
}

func (s *station) newLedger() *ledger {
	l := &ledger{journal: s.journal, match: s.begun.match, at: s.begun.from, cursor: func() mqtt.Cursor { return mqtt.Cursor{} }}
	if s.begun.last == 0 {
		l.header = &journal.Header{
			Match: s.begun.match, Players: s.settings.Players, Length: s.settings.Length, Event: s.config.Match.Event, Settings: &s.settings,
			Club: s.config.Club, Table: s.config.Table,
		}
	}
	l.fault = func(err error) { s.fault("log", err) }
	if s.publisher != nil {
		l.cursor = s.publisher.Cursor
	}
	return l
}

// work runs the table and what surrounds it until ctx ends; whatever fails ends the rest.
func (s *station) work(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if s.matches != nil {
		s.matches.stop = stop
	}
	var around sync.WaitGroup
	around.Go(func() {
		if err := s.page.Run(ctx); err != nil {
			stop(err)
		}
	})
	around.Go(func() { s.panel.Run(ctx) })
	around.Go(func() { s.vault.Run(ctx) })
	if s.status != nil {
		around.Go(func() {
			if err := s.status.Run(ctx); err != nil {
				stop(err)
			}
		})
	}
	if !s.film {
		around.Go(func() { watchdog.Feed(ctx, s.health.pulse, provenAfter, s.proven, s.log) })
	}
	if s.keys != nil {
		around.Go(func() { s.watchKeys(ctx) })
	}
	if t, ok := s.out.(*terminal); ok {
		around.Go(func() { s.showClock(ctx, t) })
	}
	if s.begun.last > 0 && s.film {
		around.Go(func() { s.goOn(ctx) })
	}
	around.Go(func() {
		if s.table.FilmEnded(ctx) {
			say(s.out, s.book.Text(s.config.Language, "cli.demo_ended", nil))
		}
	})
	if s.witness != nil {
		around.Go(func() { s.witness.run(ctx) })
	}
	if s.analyst != nil {
		around.Go(func() { s.analyst.run(ctx) })
	}
	if s.kibitzer != nil {
		around.Go(func() { s.kibitzer.run(ctx) })
	}
	if s.results != nil {
		around.Go(func() { s.results.Run(ctx) })
	}
	err := s.table.Run(ctx, true)
	stop(nil)
	around.Wait()
	s.vault.Run(ctx) // what came while everything stopped
	if cause := context.Cause(ctx); err == nil && cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	return err
}

// goOn has a film's match go on after a restart: the people in it cannot know that it was interrupted.
func (s *station) goOn(ctx context.Context) {
	in := referee.Input{T: s.begun.from, Decision: &referee.Decision{What: referee.DecideResume, By: "davar", Why: "restart"}}
	if _, err := s.table.Submit(ctx, in); err != nil {
		s.log.Warn("the match cannot go on", "error", err)
	}
}

// decide hands a person's word to the referee.
func (s *station) decide(ctx context.Context, d referee.Decision) error {
	return s.submit(ctx, referee.Input{Decision: &d})
}

// submit hands in a press or decision of this moment; refused when nothing follows from it.
func (s *station) submit(ctx context.Context, in referee.Input) error {
	in.T = s.table.Timeline.Now()
	events, err := s.table.Submit(ctx, in)
	if err != nil {
		return err
	}
	for _, e := range events {
		if e.Type == referee.DecisionRefused {
			return errors.New(e.Refusal)
		}
	}
	if len(events) == 0 {
		return errors.New("the referee has no use for this now")
	}
	return nil
}
