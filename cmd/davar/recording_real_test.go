package main

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"davar/rules"
	"davar/rules/referee"
	"davar/rules/referee/refereetest"
	"davar/rules/sighting"
	"davar/vision"
)

// realPicture is one picture of a recording of a real game among the photographs.
type realPicture struct {
	Image    string        `json:"image"`
	Sequence string        `json:"sequence"`
	Frame    int           `json:"frame_number"`
	Corners  [4][2]float64 `json:"corners"`
	Bar      [2]float64    `json:"bar_edges_u"`
	Top      [12]int       `json:"top"`
	Bottom   [12]int       `json:"bottom"`
	Dice     []struct {
		On string `json:"on"`
	} `json:"dice"`
}

// thrownWrongly tells whether dice truly lie where side, light sitting at the bottom, may not throw them (DICE-2): these
// players throw wherever they like.
func (p *realPicture) thrownWrongly(side rules.Side) bool {
	right := map[rules.Side]string{rules.Light: "right", rules.Dark: "left"}[side]
	for _, d := range p.Dice {
		if d.On != right {
			return true
		}
	}
	return false
}

// realRecording returns the pictures of the recording in the order in which they were taken, or skips.
func realRecording(t *testing.T) (dir string, pictures []realPicture) {
	t.Helper()
	dir = filepath.Join("..", "..", "..", "shared", "data", "real")
	file, err := os.Open(filepath.Join(dir, "truth.jsonl"))
	if err != nil {
		t.Skipf("NOT TESTED: the photographs are not here: %v", err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var p realPicture
		if json.Unmarshal(lines.Bytes(), &p) == nil && p.Sequence != "" {
			pictures = append(pictures, p)
		}
	}
	if len(pictures) == 0 {
		t.Skip("NOT TESTED: no photographs of one recording are here")
	}
	slices.SortFunc(pictures, func(a, b realPicture) int { return a.Frame - b.Frame })
	return dir, pictures
}

// position returns what truly stands on the board, light's home at the left as in this recording.
func (p *realPicture) position() (pos rules.Position) {
	put := func(point, n int) {
		pos.Checkers[rules.Light][point], pos.Checkers[rules.Dark][25-point] = uint8(max(n, 0)), uint8(max(-n, 0))
	}
	for col := range 12 {
		put(1+col, p.Bottom[col])
		put(24-col, p.Top[col])
	}
	return pos
}

// TestElevenPicturesOfARealRecordingAreFollowedAsOneGame shows the referee the key frames of a real recording, each for as
// long as players would leave the board alone. It is played with twelve checkers on a printed board without a bar;
// checkers that are hit are laid beside it and never come back, dice are mostly thrown out of view, and turns are missing
// between the frames, so that what is played need not be legal. What no picture shows is said by people, as at a table:
// which checkers are out of the game, and whose turn has ended. All else must come from the pictures. Where they are
// not read well enough to be sure, the referee must ask, and nobody may be accused but of dice that do lie in the wrong half.
func TestElevenPicturesOfARealRecordingAreFollowedAsOneGame(t *testing.T) {
	if testing.Short() {
		t.Skip("reading the pictures takes some seconds")
	}
	dir, pictures := realRecording(t)
	t.Run("as the camera reads them", func(t *testing.T) {
		g := realGame{t: t, now: time.Second}
		g.watch(&pictures[0])
		defer g.watcher.Close()
		g.follow(dir, pictures)
	})
	t.Run("read perfectly", func(t *testing.T) {
		g := realGame{t: t, now: time.Second, eye: refereetest.NewEye(refereetest.Noise{}, 1)}
		if followed := g.follow(dir, pictures); followed < followable {
			t.Errorf("%d positions followed, want %d", followed, followable)
		}
	})
}

// followable is how many positions of the recording follow from the one before by something a referee could find out.
const followable = 7

// follow shows all pictures and returns how many of the positions were followed.
func (g *realGame) follow(dir string, pictures []realPicture) int {
	t := g.t
	g.begin()
	followed, told, points := 0, 0, 0
	for i := range pictures {
		p := &pictures[i]
		truth := p.position()
		g.shown = p
		g.picture, g.board = filepath.Join(dir, p.Image), refereetest.Board{Position: truth}
		g.show()
		stated := i == 0 || out(&truth) != g.out
		if stated {
			g.out = out(&truth)
			g.decide(referee.Decision{What: referee.DecideExclude, Position: &truth, Side: rules.Light, By: "director", Why: "laid beside the board"})
		} else {
			g.turns(&g.truth, &truth)
		}
		g.truth = truth
		read, state := agreement(g.seen(), &truth), agreement(g.referee.State().Points, &truth)
		points += read
		asked := g.referee.State().Notice != ""
		switch {
		case stated:
			told++
		case state == 24:
			followed++
		case !asked:
			t.Errorf("%s: %d of 24 points are wrong, and nothing was asked", p.Image, 24-state)
		}
		t.Logf("%s, frame %d: %d of 24 points read right, %d in the referee's position, stated %v, asked %v",
			p.Image, p.Frame, read, state, stated, asked)
	}
	t.Logf("of %d positions %d stated, %d followed; %d of %d points read right; asked %d times, %d rulings",
		len(pictures), told, followed, points, 24*len(pictures), g.asked, g.ruled)
	if g.ruled > 0 {
		t.Errorf("%d rulings: nobody may be accused on what these pictures show", g.ruled)
	}
	return followed
}

// agreement returns on how many points so many checkers stand as in the truth.
func agreement(points [24]int, truth *rules.Position) int {
	n := 0
	for p, count := range points {
		if count == int(truth.Checkers[rules.Light][p+1])-int(truth.Checkers[rules.Dark][24-p]) {
			n++
		}
	}
	return n
}

// out returns how many checkers of each side are missing from the board.
func out(pos *rules.Position) [2]int {
	return [2]int{rules.Checkers - pos.Active(rules.Light), rules.Checkers - pos.Active(rules.Dark)}
}

// realGame is the recording being refereed.
type realGame struct {
	t            *testing.T
	watcher      *vision.Watcher  // looks at the pictures, or
	eye          *refereetest.Eye // sees what truly stands there
	board        refereetest.Board
	referee      *referee.Referee
	now          time.Duration
	frame        int
	out          [2]int
	truth        rules.Position    // at the last picture
	last         sighting.Sighting // of it
	picture      string
	shown        *realPicture
	asked, ruled int
}

// realLayout is how the board of the recording lies.
var realLayout = vision.Layout{Bottom: "light", Home: "left"}

// watch has a watcher look at the pictures.
func (g *realGame) watch(p *realPicture) {
	g.t.Helper()
	var corners [4]vision.Pixel
	for i, c := range p.Corners {
		corners[i] = vision.Pixel{X: c[0], Y: c[1]}
	}
	var err error
	g.watcher, err = vision.NewWatcher(vision.WatcherSettings{
		Layout: realLayout, Corners: &corners, BarLeft: p.Bar[0], BarRight: p.Bar[1],
	})
	if err != nil {
		g.t.Fatal(err)
	}
}

func (g *realGame) begin() {
	g.t.Helper()
	s := referee.DefaultSettings()
	s.Match, s.Layout, s.Cube, s.OpeningSeen = "real", referee.Layout(realLayout), false, false
	var err error
	if g.referee, err = referee.New(s); err != nil {
		g.t.Fatal(err)
	}
}

// show has the picture be seen for three seconds.
func (g *realGame) show() {
	g.t.Helper()
	var img gocv.Mat
	if g.watcher != nil {
		var err error
		if img, err = openPicture(g.picture); err != nil {
			g.t.Fatal(err)
		}
		defer img.Close()
	}
	for range 30 {
		if g.watcher == nil {
			g.last, _ = g.eye.Look(&g.board, g.now, g.frame)
		} else if s, err := g.watcher.Watch(img, g.now, g.frame); err != nil {
			g.t.Fatal(err)
		} else {
			g.last = *s
		}
		seen := g.last
		g.handle(referee.Input{T: g.now, Sighting: &seen})
		g.now, g.frame = g.now+100*time.Millisecond, g.frame+1
	}
}

// turns has the players end the turns that led from one position to another: who has moved presses his clock.
func (g *realGame) turns(from, to *rules.Position) {
	for side := rules.Light; side <= rules.Dark; side++ {
		if from.Checkers[side] == to.Checkers[side] {
			continue
		}
		g.decide(referee.Decision{What: referee.DecideStart, Side: side, By: "players", Why: "turns are missing"})
		g.handle(referee.Input{T: g.now, Press: &referee.Press{Side: side}})
		for range 4 {
			g.show()
		}
	}
}

// seen returns what was read in the last picture.
func (g *realGame) seen() (points [24]int) {
	for p := range points {
		points[p], _ = g.last.Points[p].Counts.Best()
	}
	return points
}

func (g *realGame) decide(d referee.Decision) { g.handle(referee.Input{T: g.now, Decision: &d}) }

func (g *realGame) handle(in referee.Input) {
	for _, e := range g.referee.Handle(in) {
		switch e.Type {
		case referee.Attention:
			g.asked++
		case referee.RulingMade:
			if e.Ruling.Code == "D2" && e.Side != nil && g.shown.thrownWrongly(*e.Side) {
				g.t.Logf("   D2 was said, and the dice do lie there")
				continue
			}
			g.ruled++
			g.t.Logf("   %s was said", e.Ruling.Code)
		}
	}
}
