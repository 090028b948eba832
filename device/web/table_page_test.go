package web

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"davar/rules"
	"davar/rules/referee"
)

func TestTheTablesPageIsOpenedByThePasswordAndPressesTheClock(t *testing.T) {
	inputs := make(chan referee.Input, 16)
	s, url := start(t, Settings{Password: secret, Control: func(_ context.Context, in referee.Input) error {
		inputs <- in
		return nil
	}})
	s.SetState(stateAfter(t, 19), time.Now().Add(-4*time.Second), 1)
	ctx := tab(t, url+"/table", 1100, 900)
	enter(t, ctx, "input", "not the password")
	eventually(t, ctx, `document.querySelector('.refused').textContent === 'Wrong password.'`)
	shoot(t, ctx, "sign in")
	enter(t, ctx, "input", secret)
	eventually(t, ctx, `document.querySelector('.clock.running time').textContent !== '–:––'`)
	s.SetState(stateAfter(t, 19), time.Now(), 1) // the delay may have run out while the page came
	eventually(t, ctx, `document.querySelector('.clock.running .delay').textContent.startsWith('Delay')`)
	shoot(t, ctx, "table")

	next := func(what string) referee.Input {
		t.Helper()
		select {
		case in := <-inputs:
			return in
		case <-time.After(15 * time.Second):
			t.Fatalf("%s did not reach the table", what)
			return referee.Input{}
		}
	}
	pressed := func(what string, side rules.Side) {
		t.Helper()
		if in := next(what); in.Press == nil || in.Press.Side != side {
			t.Errorf("%s reached the table as %+v", what, in)
		}
	}
	run(t, ctx, click(`[data-press="dark"]`))
	pressed("a finger on dark's button", rules.Dark)
	run(t, ctx, chromedp.KeyEvent("a"))
	pressed("the key A", rules.Light)
	run(t, ctx, chromedp.KeyEvent("l"))
	pressed("the key L", rules.Dark)
	run(t, ctx, focus(`[data-press="light"]`), chromedp.KeyEvent(kb.Enter))
	pressed("Enter on light's button", rules.Light)

	decided := func(selector, what string) *referee.Decision {
		t.Helper()
		run(t, ctx, click(selector))
		in := next(what)
		if in.Decision == nil || in.Decision.What != what {
			t.Fatalf("%s reached the table as %+v", what, in)
		}
		return in.Decision
	}
	decided(`[data-decide="pause"]`, referee.DecidePause)
	eventually(t, ctx, `document.getElementById('answer').textContent === 'Done.'`)
	if d := decided(`[data-decide="replay"][data-for="dark"]`, referee.DecideReplay); d.Side != rules.Dark {
		t.Errorf("dark is to replay, %+v arrived", d)
	}
	run(t, ctx, chromedp.SetValue(chromedp.CSS("#minutes"), "3"), chromedp.SetValue(chromedp.CSS("#seconds"), "30"))
	if d := decided(`[data-decide="adjust"][data-for="light"]`, referee.DecideAdjust); d.Side != rules.Light || d.RemainingMS != 210_000 {
		t.Errorf("light's clock is set to 3:30, %+v arrived", d)
	}
	run(t, ctx, chromedp.SetValue(chromedp.CSS("#score-light"), "4"), chromedp.SetValue(chromedp.CSS("#score-dark"), "2"))
	if d := decided(`[data-decide="score"]`, referee.DecideScore); *d.Score != (referee.Score{Light: 4, Dark: 2}) {
		t.Errorf("the score is set to 4-2, %+v arrived", d)
	}
	if d := decided(`[data-decide="resign"][data-for="dark"]`, referee.DecideResign); d.Side != rules.Dark || d.Points != 1 {
		t.Errorf("dark concedes a single, %+v arrived", d)
	}
	run(t, ctx, phone())
	if overflow := value[int](t, ctx, `document.documentElement.scrollWidth - innerWidth`); overflow > 0 {
		t.Errorf("on a phone the table's page is %d pixels too wide", overflow)
	}
	shoot(t, ctx, "table on a phone")
	run(t, ctx, click("#language"), chromedp.EmulateViewport(1100, 1400))
	eventually(t, ctx, `document.querySelector('.clock time').textContent.startsWith('۱')`)
	shoot(t, ctx, "persian table")
}

// screen is the smallest one that stands beside a board: ten inches, 1024 by 600.
const (
	screenWidth, screenHeight = 1024, 600
	screenMM                  = 222.7 / screenWidth // of a pixel
)

func TestTheTablesScreenIsReadFromTwoMetresAndShowsNothingThatHelps(t *testing.T) {
	s, url := start(t, Settings{Password: secret, Control: func(context.Context, referee.Input) error { return nil }})
	state := stateAfter(t, 19)
	state.Players = [2]string{"Anna-Katharina Brandt", "بهرام"}
	state.Score, state.Crawford = referee.Score{Light: 3, Dark: 2}, false
	state.Rulings = []referee.RulingBody{{ID: 3, Code: "M3", Rules: []string{"MOVE-1"}, Severity: "R", Audience: "table", Params: map[string]string{"a": "3", "b": "1"}}}
	s.SetState(state, time.Now().Add(-4*time.Second), 1)
	s.SetFault("buttons", true)
	ctx := tab(t, url+"/table?lang=en", screenWidth, screenHeight)
	eventually(t, ctx, `document.querySelector('.clock.running .delay').textContent.startsWith('Delay')`)
	eventually(t, ctx, `document.querySelectorAll('#calls .call').length === 2`)
	// Letters are seen at 2 m from 10 minutes of arc on and read at a glance from 16: 5.8 and 9.3 mm.
	for _, c := range []struct {
		selector string
		mm       float64
	}{{".clock time", 20}, {".clock .score", 9.3}, {".clock.running .delay", 9.3}, {"#cube", 9.3}, {".clock .name", 5.8}, {"#calls .call p", 5.8}} {
		size := value[float64](t, ctx, `parseFloat(getComputedStyle(document.querySelector('`+c.selector+`')).fontSize)`)
		if mm := size * 0.7 * screenMM; mm < c.mm { // a capital is 0.7 of the type's size
			t.Errorf("%s is %.1f mm high, want %.1f", c.selector, mm, c.mm)
		}
		if !value[bool](t, ctx, `[...document.querySelectorAll('`+c.selector+`')].every((e) => { const r = e.getBoundingClientRect(); return r.left >= 0 && r.right <= innerWidth && r.top >= 0 && r.bottom <= innerHeight; })`) {
			t.Errorf("%s is not whole on the screen", c.selector)
		}
	}
	shoot(t, ctx, "screen")
	text := value[string](t, ctx, `document.getElementById('screen').innerText`)
	for _, hint := range append([]string{"Pips", "pips", state.Last.Notation}, state.Last.Position) { // EQUIP-9, PUB-3
		if hint != "" && strings.Contains(text, hint) {
			t.Errorf("the screen shows %q: %s", hint, text)
		}
	}
	if n := value[int](t, ctx, `document.querySelectorAll('[data-press], [data-decide], svg.still').length`); n != 0 {
		t.Errorf("who has not signed in finds %d buttons or boards", n)
	}
	s.SetFault("buttons", false)
	eventually(t, ctx, `document.querySelectorAll('#calls .call').length === 1`)
	run(t, ctx, chromedp.Evaluate[chromedp.Void](`document.getElementById('language').click(); undefined`))
	eventually(t, ctx, `document.documentElement.dir === 'rtl' && document.querySelector('.clock time').textContent.startsWith('۱')`)
	state.Rulings, state.Clock.Running, state.Clock.Paused, state.Clock.Flagged = nil, "", "flag", "light"
	state.Cube.Owner, state.Cube.Value, state.Cube.Offered = "dark", 2, ""
	s.SetState(state, time.Now(), 1)
	eventually(t, ctx, `document.querySelector('.clock.flagged time').textContent === '۰:۰۰'`)
	shoot(t, ctx, "persian screen at a flag")
	state.Cube.Owner, state.Cube.Value = "", 1
	s.SetState(state, time.Now(), 1)
	eventually(t, ctx, `document.querySelector('.holds.middle #cube') !== null`)
	clear := `(() => { const c = document.getElementById('cube').getBoundingClientRect();
		return [...document.querySelectorAll('.clock time')].every((e) => { const r = document.createRange(); r.selectNodeContents(e);
			const b = r.getBoundingClientRect(); return b.right <= c.left || b.left >= c.right || b.bottom <= c.top || b.top >= c.bottom; }); })()`
	if !value[bool](t, ctx, clear) {
		t.Error("the cube between the players covers figures of a clock")
	}
	shoot(t, ctx, "screen with the cube in the middle")
	run(t, ctx, phone())
	if !value[bool](t, ctx, clear) {
		t.Error("on a phone the cube between the players covers figures of a clock")
	}
	if overflow := value[int](t, ctx, `document.documentElement.scrollWidth - innerWidth`); overflow > 0 {
		t.Errorf("on a phone the screen is %d pixels too wide", overflow)
	}
	shoot(t, ctx, "screen on a phone")
}

func TestAClockWithoutACameraHasNoPageOfTheBoard(t *testing.T) {
	s, url := start(t, Settings{ClockOnly: true})
	state := stateAfter(t, 0)
	s.SetState(state, time.Now(), 1)
	ctx := tab(t, url+"/?lang=en", screenWidth, screenHeight)
	eventually(t, ctx, `document.querySelector('.clock time').textContent.startsWith('1')`)
	if n := value[int](t, ctx, `document.querySelectorAll('#board, a[href="/"]').length`); n != 0 {
		t.Error("it shows a board that nobody sees")
	}
}

func TestThePageComesBackByItselfAfterTheServer(t *testing.T) {
	serve := func(addr string) (*Server, func()) {
		s, err := New(Settings{Addr: addr})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Listen(); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- s.Run(ctx) }()
		return s, func() {
			stop()
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	}
	first, stop := serve("127.0.0.1:0")
	first.SetState(stateAfter(t, 2), time.Now(), 1)
	addr := first.listener.Addr().String()
	ctx := tab(t, first.URL(), 1000, 700)
	eventually(t, ctx, `document.querySelectorAll('.turn').length === 2 && document.getElementById('link').dataset.state === 'live'`)
	run(t, ctx, chromedp.Evaluate[chromedp.Void](`window.notReloaded = true; undefined`))
	stop()
	eventually(t, ctx, `document.getElementById('link').dataset.state === 'lost'`)
	second, stopAgain := serve(addr)
	defer stopAgain()
	second.SetState(stateAfter(t, 7), time.Now(), 1)
	eventually(t, ctx, `document.querySelectorAll('.turn').length === 7 && document.getElementById('link').dataset.state === 'live'`)
	if !value[bool](t, ctx, `window.notReloaded === true`) {
		t.Error("the page was loaded anew")
	}
}
