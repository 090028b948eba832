package web

import (
	"bytes"
	"context"
	"image"
	"image/color"
	paint "image/draw"
	"image/jpeg"
	"math"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"davar/device/journal"
	"davar/rules"
	"davar/rules/referee"
)

// boardCorners is where the board lies in the pictures of the console's tests.
var boardCorners = [4]Corner{{210, 60}, {760, 84}, {842, 470}, {128, 446}}

const pictureWidth, pictureHeight = 960, 540

// photograph draws a board with two checkers, seen from the side.
func photograph(t testing.TB, shade uint8) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, pictureWidth, pictureHeight))
	paint.Draw(img, img.Bounds(), image.NewUniform(color.RGBA{90, 70, 52, 255}), image.Point{}, paint.Src)
	for y := range pictureHeight {
		for x := range pictureWidth {
			if inside(float64(x), float64(y)) {
				img.Set(x, y, color.RGBA{30, 90 + shade, 70, 255})
			}
		}
	}
	for i, c := range []Corner{{300, 110}, {500, 400}} {
		for dy := -16; dy <= 16; dy++ {
			for dx := -16; dx <= 16; dx++ {
				if dx*dx+dy*dy <= 256 {
					img.Set(int(c[0])+dx, int(c[1])+dy, color.RGBA{uint8(230 - 190*i), uint8(220 - 190*i), uint8(200 - 180*i), 255})
				}
			}
		}
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, img, nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func inside(x, y float64) bool {
	for i, a := range boardCorners {
		b := boardCorners[(i+1)%4]
		if (b[0]-a[0])*(y-a[1])-(b[1]-a[1])*(x-a[0]) < 0 {
			return false
		}
	}
	return true
}

// surveyor is a calibrator that knows where the board lies.
type surveyor struct {
	view []byte

	mu    sync.Mutex
	tried []*[4]Corner
	kept  *[4]Corner
}

func (s *surveyor) Try(_ context.Context, corners *[4]Corner) (*Calibrated, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tried = append(s.tried, corners)
	found := &Calibrated{Corners: boardCorners, Size: [2]int{pictureWidth, pictureHeight}, View: s.view, Sure: 0.5}
	if corners == nil {
		found.Corners[0] = Corner{260, 120} // found badly: a person must mend it
	} else {
		found.Corners = *corners
	}
	if off(found.Corners) < 12 {
		found.Start, found.Sure = true, 0.97
		found.Top = [12]int{5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2}
		found.Bottom = [12]int{-5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2}
	}
	return found, nil
}

// off returns how far the worst corner is from where it should be.
func off(corners [4]Corner) (worst float64) {
	for i, c := range corners {
		worst = max(worst, math.Hypot(c[0]-boardCorners[i][0], c[1]-boardCorners[i][1]))
	}
	return worst
}

func (s *surveyor) Keep(_ context.Context, corners [4]Corner) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = &corners
	return nil
}

func (s *surveyor) has() (tried int, kept *[4]Corner) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.tried), s.kept
}

// maker is a match maker that takes anything but a match of 98 points.
type maker struct {
	mu     sync.Mutex
	begun  []map[string]string
	answer error
}

func (m *maker) Form() []Field {
	return []Field{
		{Key: "match.light", Kind: FieldText, Value: "Light"}, {Key: "match.dark", Kind: FieldText, Value: "Dark"},
		{Key: "match.length", Kind: FieldNumber, Value: "7", Max: 99}, {Key: "match.event", Kind: FieldText},
		{Key: "rules.variant", Kind: FieldChoice, Value: "standard", Values: []string{"standard", "iran", "tavla", "nackgammon"}},
		{Key: "clock.preset", Kind: FieldChoice, Value: "usbgf-singles", Values: []string{"usbgf-singles", "usbgf-doubles", "ukbgf", "club-15", "no-delay"}},
		{Key: "cube.crawford", Kind: FieldSwitch, Value: "true"},
		{Key: "clock.reserve", Kind: FieldTime, Value: "0s", More: true},
		{Key: "rules.hit_run", Kind: FieldChoice, Value: "", Values: []string{"", "allowed", "no_cover", "banned"}, More: true},
	}
}

func (m *maker) Begin(_ context.Context, values map[string]string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if values["match.length"] == "98" {
		return FieldErrors{"match.length": "98 is odd", "clock.reserve": "too short"}
	}
	if m.answer == nil {
		m.begun = append(m.begun, values)
	}
	return m.answer
}

func (m *maker) last() map[string]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.begun) == 0 {
		return nil
	}
	return m.begun[len(m.begun)-1]
}

const sarasPassword = "a plain old password"

// bureau is a server with everything a console can have, and a ruling open at its table.
type bureau struct {
	*Server
	url      string
	inputs   chan referee.Input
	surveyor *surveyor
	maker    *maker
	folder   string
}

func newBureau(t *testing.T) *bureau {
	t.Helper()
	hash, err := bcrypt.GenerateFromPassword([]byte(sarasPassword), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	sara := Account{"sara", Director, string(hash)}
	b := &bureau{
		inputs: make(chan referee.Input, 32), surveyor: &surveyor{view: photograph(t, 40)}, maker: &maker{}, folder: t.TempDir(),
	}
	picture, drawn := photograph(t, 0), photograph(t, 60)
	b.Server, b.url = start(t, Settings{
		Password: secret, Accounts: []Account{sara}, Folder: b.folder, Table: "1", Matches: b.log(t, picture),
		Control: func(_ context.Context, in referee.Input) error {
			b.inputs <- in
			return nil
		},
		Frame:      func() ([]byte, time.Time, bool) { return picture, time.Now(), true },
		Drawn:      func() ([]byte, time.Time, bool) { return drawn, time.Now(), true },
		Calibrator: b.surveyor, MatchMaker: b.maker,
		Examine: func(context.Context, string) []Symptom {
			return []Symptom{
				{Check: "camera", State: "ok", Says: "1280×720 pixels, 9.8 pictures a second."},
				{Check: "camera", State: "warning", Says: "The picture is blurred.", Do: "Focus the lens on the checkers."},
				{Check: "buttons", State: "fault", Says: "The buttons cannot be read: gpio: no GPIO lines", Do: "The user must be in the group gpio."},
				{Check: "displays", State: "skipped", Says: "No displays are set."},
			}
		},
	})
	state := stateAfter(t, 19)
	state.Match, state.Players = "now", [2]string{"Anna Brandt", "بهرام"}
	state.Clock.Paused, state.Clock.Running = "ruling", ""
	state.Rulings = []referee.RulingBody{{
		ID: 2, Code: "M3", Rules: []string{"MOVE-1", "IRREG-1"}, Severity: "R", Audience: "table", Remedy: "replay", Until: "window",
		Params: map[string]string{"a": "3", "b": "1"}, Answers: []string{referee.DecideReplay, referee.DecideOverrule}, Nearest: []string{"8/5 6/5"},
	}}
	b.SetState(state, time.Now(), 1)
	return b
}

// log is a match log with a ruling against dark and the pictures of it.
func (b *bureau) log(t *testing.T, picture []byte) *journal.Journal {
	t.Helper()
	log, err := journal.Open(t.Context(), filepath.Join(t.TempDir(), "davar.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	dark, s := rules.Dark, referee.DefaultSettings()
	s.Match = "now"
	events := []referee.Event{
		{Seq: 1, Match: "now", Type: referee.MatchStarted},
		{Seq: 2, Match: "now", Game: 1, Type: referee.RulingMade, Side: &dark, Ruling: &referee.RulingBody{ID: 2, Code: "M3"}},
	}
	header := &journal.Header{Players: [2]string{"Anna Brandt", "بهرام"}, Length: 7, Settings: &s}
	if _, err := log.Append(journal.Batch{Match: "now", Header: header, Events: events}); err != nil {
		t.Fatal(err)
	}
	for i, role := range []string{journal.Before, journal.After} {
		if err := log.Keep(t.Context(), journal.Picture{Match: "now", Seq: 2, Role: role, TMS: int64(i)}, append([]byte(nil), picture...)); err != nil {
			t.Fatal(err)
		}
	}
	return log
}

// decision waits for the next one that reaches the table.
func (b *bureau) decision(t *testing.T) *referee.Decision {
	t.Helper()
	select {
	case in := <-b.inputs:
		if in.Decision == nil {
			t.Fatalf("%+v reached the table", in)
		}
		return in.Decision
	case <-time.After(20 * time.Second):
		t.Fatal("nothing reached the table")
		return nil
	}
}

// busyHall has the console list six tables besides, in all states of need.
func (b *bureau) busyHall() {
	own := b.ConsoleTable()
	table := func(name string, change func(*ConsoleTable, *referee.State)) ConsoleTable {
		s := *own.State
		s.Rulings, s.Notice = nil, ""
		c := *s.Clock
		c.Paused, c.Running = "", s.Turn
		s.Clock = &c
		t := ConsoleTable{Name: name, State: &s, AsOf: time.Now(), Rate: 1}
		change(&t, &s)
		return t
	}
	all := []ConsoleTable{
		own,
		table("2", func(_ *ConsoleTable, s *referee.State) { s.Players = [2]string{"Tove Lind", "کیان"} }),
		table("3", func(_ *ConsoleTable, s *referee.State) { s.Clock.Flagged, s.Clock.RemainingMS[0] = "light", 0 }),
		table("4", func(_ *ConsoleTable, s *referee.State) {
			s.Clock.RemainingMS, s.Clock.DelayMS = [2]int64{41_000, 40_000}, 0
		}),
		table("5", func(_ *ConsoleTable, s *referee.State) { s.Notice = "camera" }),
		table("6", func(t *ConsoleTable, s *referee.State) { t.Faults, s.Phase = []string{"buttons"}, "over" }),
		{Name: "7", Away: AwayOffline},
	}
	b.settings.Tables = func() []ConsoleTable { return all }
}
