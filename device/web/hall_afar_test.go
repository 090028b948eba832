package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"golang.org/x/crypto/bcrypt"

	"davar/rules/referee"
)

// outpost is a table far away that has everything; its pictures come at half the size.
type outpost struct {
	surveyor *surveyor
	maker    *maker
	live     []byte
	kept     []byte // the evidence; nil: not kept yet

	mu     sync.Mutex
	asked  map[string]int // pictures, by their kind
	keeper string         // who has calibrated
	begun  MatchWish
	match  string // that the one who set up saw
	silent bool
}

var errSilent = errors.New("the table does not answer")

func newOutpost(t *testing.T) *outpost {
	return &outpost{
		surveyor: &surveyor{view: photograph(t, 40)}, maker: &maker{}, live: photograph(t, 60), kept: photograph(t, 0), asked: map[string]int{},
	}
}

func (o *outpost) note(do func()) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	do()
	if o.silent {
		return errSilent
	}
	return nil
}

func (o *outpost) pictures(kind string) (n int) {
	_ = o.note(func() { n = o.asked[kind] })
	return n
}

func (o *outpost) Picture(_ context.Context, _ Place, kind string, seq int64) (Photo, error) {
	photo := Photo{JPEG: o.live, Size: [2]int{2 * pictureWidth, 2 * pictureHeight}, Taken: time.Now()}
	err := o.note(func() {
		o.asked[kind]++
		if kind == PictureBefore || kind == PictureAfter {
			photo.JPEG = o.kept
		}
	})
	if photo.JPEG == nil || seq != 2 && seq != 0 {
		err = errors.New("no picture is kept of that")
	}
	return photo, err
}

// half brings corners to the size of the fixture's picture.
func half(c [4]Corner, by float64) [4]Corner {
	for i := range c {
		c[i][0], c[i][1] = c[i][0]*by, c[i][1]*by
	}
	return c
}

func (o *outpost) Read(ctx context.Context, _ Place, corners *[4]Corner) (*Calibrated, error) {
	if err := o.note(func() {}); err != nil {
		return nil, err
	}
	if corners != nil {
		own := half(*corners, 0.5)
		corners = &own
	}
	read, err := o.surveyor.Try(ctx, corners)
	if err == nil {
		read.Corners, read.Size = half(read.Corners, 2), [2]int{2 * pictureWidth, 2 * pictureHeight}
	}
	return read, err
}

func (o *outpost) Keep(ctx context.Context, _ Place, corners [4]Corner, by string) error {
	if err := o.note(func() { o.keeper = by }); err != nil {
		return err
	}
	return o.surveyor.Keep(ctx, corners)
}

func (o *outpost) Form(context.Context, Place) ([]Field, error) {
	return append(o.maker.Form(), Field{Key: "something.newer", Kind: FieldText}), o.note(func() {})
}

func (o *outpost) Begin(ctx context.Context, _ Place, match string, wish MatchWish) error {
	if err := o.note(func() { o.begun, o.match = wish, match }); err != nil {
		return err
	}
	return o.maker.Begin(ctx, wish.Values)
}

// allAsks is a table that has everything, and a device that fails.
var allAsks = Equipment{Faults: []string{"buttons"}, Asks: []string{AskPicture, AskCalibrate, "form", AskSetup}}

// enterDesk signs in and opens a page of the desk of table 2.
func (c *consoleHall) enterDesk(t *testing.T, page string, width, height int64) context.Context {
	t.Helper()
	ctx := tab(t, c.url+"/t/north/2/director/"+page+"?lang=en", width, height)
	eventually(t, ctx, `document.querySelector('input[name=password]')`)
	run(t, ctx, typeInto("input[name=name]", "sara"))
	enter(t, ctx, "input[name=password]", sarasPassword)
	eventually(t, ctx, fmt.Sprintf(`location.pathname === %q`, "/t/north/2/director/"+page))
	return ctx
}

func TestTheDirectorOfAHallSeesTheBoardTheEvidenceAndWhatFails(t *testing.T) {
	c := openConsoleHall(t, sessionKey)
	kept := c.outpost.kept
	_ = c.outpost.note(func() { c.outpost.kept = nil })
	ctx := c.enterDesk(t, "", 1280, 1000)
	eventually(t, ctx, `!document.getElementById('picture').hidden && document.getElementById('picture').width === 960`)
	eventually(t, ctx, `document.getElementById('faults').innerText.includes('Clock buttons dead')`)
	// Pictures of a ruling are kept a moment after it.
	eventually(t, ctx, `document.querySelector('.evidence .none').checkVisibility()`)
	_ = c.outpost.note(func() { c.outpost.kept = kept })
	eventually(t, ctx, `[...document.querySelectorAll('.evidence img')].filter((i) => i.naturalWidth === 960 && i.checkVisibility()).length === 2`)
	if value[bool](t, ctx, `document.querySelector('.evidence .none').checkVisibility()`) {
		t.Error("there is evidence, and the page says that there is none")
	}
	run(t, ctx, click("#drawn"))
	waitUntil(t, "the picture as the camera gave it", func() bool { return c.outpost.pictures(PictureCamera) > 0 })
	run(t, ctx, click(`.camera-view a`))
	eventually(t, ctx, `location.pathname === '/t/north/2/director/calibrate' && document.querySelector('.rooms [aria-current]').textContent === 'Calibrate'`)
	run(t, ctx, click(`.rooms a:nth-child(2)`))
	eventually(t, ctx, `location.pathname === '/t/north/2/director/'`)
}

func textOf(t *testing.T, answer *http.Response) string {
	t.Helper()
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Error(err)
	}
	return string(text)
}

// waitUntil waits for what happens at the server.
func waitUntil(t *testing.T, what string, done func() bool) {
	t.Helper()
	for limit := time.Now().Add(20 * time.Second); !done(); {
		if time.Now().After(limit) {
			t.Fatalf("waited in vain for %s", what)
		}
		<-time.After(20 * time.Millisecond)
	}
}

func TestManyDirectorsWhoLookAtATableAskItForOnePicture(t *testing.T) {
	c := openConsoleHall(t, sessionKey)
	sara := signInAs(t, c.url, "sara", sarasPassword)
	var looking sync.WaitGroup
	for range 12 {
		looking.Go(func() {
			if answer, err := sara.Get(c.url + "/t/north/2/director/picture.jpg"); err != nil || answer.StatusCode != http.StatusOK {
				t.Errorf("%v, %v", answer, err)
			} else if answer.Body.Close(); answer.Header.Get(sizeHeader) != "1920x1080" {
				t.Errorf("the camera's picture is said to be %s", answer.Header.Get(sizeHeader))
			}
		})
	}
	looking.Wait()
	if n := c.outpost.pictures(PictureSeen); n > 6 {
		t.Errorf("the table was asked for %d pictures", n)
	}
	if answer, err := sara.Get(c.url + "/t/north/1/director/"); err != nil {
		t.Error(err)
	} else if text := textOf(t, answer); strings.Contains(text, "camera-view") || strings.Contains(text, "/calibrate") {
		t.Error("a table without a camera shows one")
	}
	_ = c.outpost.note(func() { c.outpost.silent = true })
	for path, want := range map[string]int{
		"/t/north/2/director/picture.jpg?plain=1": http.StatusNoContent, "/t/north/2/director/evidence/2/before": http.StatusNoContent,
		"/t/north/2/director/evidence/2/turnend": http.StatusNotFound, "/t/north/2/director/evidence/x/before": http.StatusNotFound,
		"/t/north/2/director/setup": http.StatusOK, "/t/north/9/director/picture.jpg": http.StatusNotFound,
	} {
		answer, err := sara.Get(c.url + path)
		if err != nil {
			t.Fatal(err)
		}
		if text := textOf(t, answer); answer.StatusCode != want || strings.HasSuffix(path, "setup") && !strings.Contains(text, "does not answer") {
			t.Errorf("%s: %s", path, answer.Status)
		}
	}
}

func TestATableFarAwayIsCalibratedByDraggingOnAPhoneToo(t *testing.T) {
	for name, width := range map[string]int64{"a desk": 1280, "a phone": 390} {
		c := openConsoleHall(t, sessionKey)
		visitor(t)
		t.Run(name, func(t *testing.T) {
			ctx := tab(t, c.url+"/signin?lang=en&next=/t/north/2/director/calibrate", width, 900)
			eventually(t, ctx, `document.querySelector('input[name=password]') || document.getElementById('reading')`)
			run(t, ctx, typeInto("input[name=name]", "sara"))
			enter(t, ctx, "input[name=password]", sarasPassword)
			eventually(t, ctx, `document.getElementById('reading').textContent.includes('Not the starting position')`)
			drag(t, ctx, 0, boardCorners[0])
			eventually(t, ctx, `document.getElementById('reading').dataset.start === 'true' && document.getElementById('view').width === 960`)
			run(t, ctx, focus(`[data-corner="2"]`), chromedp.KeyEvent(kb.ArrowRight))
			eventually(t, ctx, `!document.getElementById('keep').disabled && document.getElementById('reading').textContent.includes('Light 15')`)
			shoot(t, ctx, "hall calibrate on "+name)
			run(t, ctx, click("#keep"))
			eventually(t, ctx, `document.getElementById('answer').textContent.startsWith('Kept.')`)
			_, kept := c.outpost.surveyor.has()
			for i, want := range half(boardCorners, 2) { // in pixels of the camera's own picture
				if kept == nil || math.Hypot(kept[i][0]-want[0], kept[i][1]-want[1]) > 12 {
					t.Fatalf("kept %v, want about %v", kept, half(boardCorners, 2))
				}
			}
			if c.outpost.keeper != "sara" {
				t.Errorf("calibrated by %q", c.outpost.keeper)
			}
			run(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector('form[action="/signout"]').submit()`))
			eventually(t, ctx, `location.pathname === '/'`)
		})
	}
}

func TestAMatchIsSetUpAtATableFarAwayOnAPhone(t *testing.T) {
	c := openConsoleHall(t, sessionKey)
	ctx := c.enterDesk(t, "setup", 360, 740)
	run(t, ctx, phone())
	eventually(t, ctx, `document.getElementById('begin').disabled === false`)
	if value[bool](t, ctx, `Boolean(document.getElementById('import'))`) {
		t.Error("a hall keeps no draw sheet, and offers one")
	}
	if value[bool](t, ctx, `document.getElementById('setup').innerText.includes('something')`) {
		t.Error("what this hall has no words for is offered")
	}
	run(t, ctx, click("#begin"))
	eventually(t, ctx, `document.getElementById('answer').textContent.startsWith('Say first')`) // PROC-5
	for _, field := range [][2]string{{"#match-light", "Tove"}, {"#match-dark", "کیان"}, {"#match-length", "98"}, {"#clock-preset", "club-15"}} {
		run(t, ctx, chromedp.SetValue(chromedp.CSS(field[0]), field[1]))
	}
	run(t, ctx, click("#abandon"), click("#begin"))
	eventually(t, ctx, `document.getElementById('wrong-match-length').textContent === '98 is odd' && document.activeElement.id === 'match-length'`)
	run(t, ctx, chromedp.SetValue(chromedp.CSS("#match-length"), "5"), chromedp.SetValue(chromedp.CSS("#rules-variant"), "tavla"), click("#begin"))
	eventually(t, ctx, `document.getElementById('answer').textContent.startsWith('The match is set up.')`)
	got, wish := c.outpost.maker.last(), c.outpost.begun
	if got["match.light"] != "Tove" || got["match.dark"] != "کیان" || got["match.length"] != "5" || got["rules.variant"] != "tavla" || got["clock.preset"] != "club-15" {
		t.Errorf("set up as %v", got)
	}
	if wish.By != "sara" || !wish.Abandon || c.outpost.match != "now2" {
		t.Errorf("set up by %q, who saw %q; abandoned %v", wish.By, c.outpost.match, wish.Abandon)
	}
	if overflow := value[int](t, ctx, `document.documentElement.scrollWidth - innerWidth`); overflow > 0 {
		t.Errorf("on a phone the page is %d pixels too wide", overflow)
	}
	shoot(t, ctx, "hall set up on a phone")

	s := stateAfter(t, 0)
	s.Match, s.Phase, s.Game, s.Score = "next2", "setup", 1, referee.Score{}
	c.SetPrivateState(Place{"north", "2"}, s, time.Now(), 1, allAsks)
	sara := signInAs(t, c.url, "sara", sarasPassword)
	if answer, text := post(t, sara, c.url+"/t/north/2/director/setup", `{"values":{}}`); answer.StatusCode != http.StatusOK || !strings.Contains(text, "begun") {
		t.Errorf("nothing has begun at the table, and it is not set up: %s %s", answer.Status, text)
	}
	c.SetPrivateState(Place{"north", "2"}, referee.State{Match: "film"}, time.Now(), 1, Equipment{})
	for _, path := range []string{"setup", "calibration", "calibration/keep"} {
		wish := map[string]string{"setup": `{"values":{},"abandon":true}`, "calibration": `{}`, "calibration/keep": `{"corners":[[1,1],[9,1],[9,9],[1,9]]}`}[path]
		if answer, text := post(t, sara, c.url+"/t/north/2/director/"+path, wish); answer.StatusCode != http.StatusConflict {
			t.Errorf("%s at a table that has nothing of it: %s %s", path, answer.Status, text)
		}
	}
}

// FuzzHallConsole sends any body to whatever of a hall's desk takes one.
func FuzzHallConsole(f *testing.F) {
	hash, err := bcrypt.GenerateFromPassword([]byte(sarasPassword), bcrypt.MinCost)
	if err != nil {
		f.Fatal(err)
	}
	far := &outpost{surveyor: &surveyor{}, maker: &maker{}, asked: map[string]int{}}
	h, err := NewHall(Settings{
		Addr: "127.0.0.1:0", Accounts: []Account{{"sara", Director, string(hash)}}, Afar: far,
		Order: func(context.Context, Place, string, referee.Decision) error { return nil },
	})
	if err != nil {
		f.Fatal(err)
	}
	h.SetPrivateState(Place{"north", "2"}, referee.State{Match: "m"}, time.Now(), 1, allAsks)
	server := httptest.NewServer(h.front.handler)
	f.Cleanup(server.Close)
	rooms := map[string]string{
		"decision": `{"decision":"pause"}`, "calibration": `{"corners":[[1,1],[9,1],[9,9],[1,9]]}`, "calibration/keep": `{"corners":[[1,1],[9,1],[9,9],[1,9]]}`,
		"setup": `{"values":{"match.light":"x"},"abandon":true}`,
	}
	for _, body := range rooms {
		f.Add([]byte(body))
	}
	var sara *http.Client
	f.Fuzz(func(t *testing.T, body []byte) {
		if sara == nil {
			sara = signInAs(t, server.URL, "sara", sarasPassword)
		}
		for leaf := range rooms {
			if answer, text := post(t, sara, server.URL+"/t/north/2/director/"+leaf, string(body)); answer.StatusCode >= 500 || answer.StatusCode == http.StatusUnauthorized {
				t.Errorf("%s: %s %s", leaf, answer.Status, text)
			}
		}
	})
}
