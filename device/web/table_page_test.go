package web

import (
	"context"
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
	run(t, ctx, chromedp.SendKeys(chromedp.CSS("input"), "not the password\n"))
	eventually(t, ctx, `document.querySelector('.refused').textContent === 'Wrong password.'`)
	shoot(t, ctx, "sign in")
	run(t, ctx, chromedp.SendKeys(chromedp.CSS("input"), secret+"\n"))
	eventually(t, ctx, `document.querySelector('.press.running .delay').textContent.startsWith('Delay')`)
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
	run(t, ctx, chromedp.Focus(chromedp.CSS(`[data-press="light"]`)), chromedp.KeyEvent(kb.Enter))
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
	eventually(t, ctx, `document.querySelector('.press time').textContent.startsWith('۱')`)
	shoot(t, ctx, "persian table")
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
