package web

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"davar/rules"
	"davar/rules/referee"
)

// phone is a small telephone, drawn sharp enough for people to judge the picture.
func phone() chromedp.Action[chromedp.Void] {
	return chromedp.EmulateViewport(360, 740, chromedp.EmulateScale(2))
}

// checkersDrawn is a script that counts the checkers whose centre lies within a triangle: the list of signed
// counts from light's side, the board lying with light at the bottom and home to the right.
const checkersDrawn = `(() => {
	const box = document.querySelector('.still').getBoundingClientRect();
	const numbers = [...document.querySelectorAll('.numbers text')];
	const centre = (el) => { const r = el.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; };
	const counts = Array(24).fill(0);
	for (const checker of document.querySelectorAll('.checker:not(.off)')) {
		const [x, y] = centre(checker.querySelector('.flat'));
		numbers.forEach((number, i) => {
			const [nx, ny] = centre(number);
			const half = (y < box.y + box.height / 2) === (ny < box.y + box.height / 2);
			if (half && Math.abs(x - nx) < 8) counts[i] += checker.classList.contains('light') ? 1 : -1;
		});
	}
	return counts;
})()`

// unmoving is true while nothing on a page moves but what always does.
const unmoving = `document.getAnimations().every((a) => a.playState !== 'running' || a.effect.getComputedTiming().iterations === Infinity)`

// atRest is true when the board is whole and no checker glides any more.
const atRest = `document.querySelectorAll('.checker').length === 30 && ` + unmoving

func TestTheBoardShowsTheCheckersOfTheState(t *testing.T) {
	s, url := start(t, Settings{})
	ctx := tab(t, url, 1440, 900)
	for _, turns := range []int{0, 3, 19, 33, 35} {
		state := stateAfter(t, turns)
		state.Turn = "light" // the numbers on the frame are those of the side on turn
		s.SetState(state, time.Now(), 1)
		eventually(t, ctx, fmt.Sprintf(`document.querySelectorAll('.turn').length === %d`, turns))
		eventually(t, ctx, atRest)
		if got := value[[24]int](t, ctx, checkersDrawn); got != state.Points {
			t.Errorf("after %d turns the board shows\n%v, the state is\n%v", turns, got, state.Points)
		}
		off := value[int](t, ctx, `document.querySelectorAll('.checker.off').length`)
		if want := state.Off[0] + state.Off[1]; off != want {
			t.Errorf("after %d turns %d checkers stand in the trays, want %d", turns, off, want)
		}
	}
	shoot(t, ctx, "bear-off")
}

func TestEveryPastPositionIsOneClickAway(t *testing.T) {
	s, url := start(t, Settings{})
	s.SetState(stateAfter(t, 21), time.Now(), 1)
	ctx := tab(t, url, 1440, 900)
	eventually(t, ctx, `document.querySelectorAll('.turn').length === 21`)
	for _, turns := range []int{1, 4, 13, 16} {
		run(t, ctx, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.querySelectorAll('.turn')[%d].click()`, turns-1)))
		eventually(t, ctx, atRest)
		got, want := value[[24]int](t, ctx, checkersDrawn), stateAfter(t, turns).Points
		if stateAfter(t, turns).Plays[turns-1].Side == "dark" { // the numbers are dark's then
			got = mirrored(got)
		}
		if got != want {
			t.Errorf("after turn %d the board shows\n%v, it was\n%v", turns, got, want)
		}
	}
	if !value[bool](t, ctx, `document.getElementById('viewing').textContent.includes('16')`) {
		t.Error("the page does not say which position it shows")
	}
	shoot(t, ctx, "past")

	s.SetState(stateAfter(t, 22), time.Now(), 1) // the game goes on and the viewer stays where he looks
	eventually(t, ctx, `document.querySelectorAll('.turn').length === 22`)
	if !value[bool](t, ctx, `document.body.classList.contains('past')`) {
		t.Error("a new play takes the viewer away from the position he looks at")
	}
	run(t, ctx, click("#back"))
	eventually(t, ctx, `!document.body.classList.contains('past')`)

	run(t, ctx, chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent(kb.ArrowLeft))
	eventually(t, ctx, `document.querySelector('.turn[aria-current="true"]') === document.querySelectorAll('.turn')[19]`)
	run(t, ctx, chromedp.KeyEvent(kb.Home))
	eventually(t, ctx, `document.getElementById('first').disabled`)
	eventually(t, ctx, atRest)
	if got := value[[24]int](t, ctx, checkersDrawn); got != stateAfter(t, 0).Points {
		t.Errorf("the start is shown as %v", got)
	}
	run(t, ctx, chromedp.KeyEvent(kb.End))
	eventually(t, ctx, `!document.body.classList.contains('past')`)
}

func mirrored(points [24]int) (m [24]int) {
	for i, n := range points {
		m[23-i] = n
	}
	return m
}

func TestTheClockOfTheSideOnTurnCountsDown(t *testing.T) {
	s, url := start(t, Settings{})
	state := stateAfter(t, 19) // light to roll, 12:34, 12 s delay
	clock := func(i int) string {
		return fmt.Sprintf(`document.querySelectorAll('.player time')[%d].textContent`, i) // 0 is the top: dark
	}
	ctx := tab(t, url, 1440, 900)
	eventually(t, ctx, `document.getElementById('link').dataset.state === 'live'`)
	s.SetState(state, time.Now().Add(-3*time.Second), 1)
	eventually(t, ctx, `/^Delay [78]$/.test(document.querySelector('.running .delay').textContent)`) // the reserve rests meanwhile
	if got := value[string](t, ctx, clock(1)); got != "12:34" {
		t.Errorf("in the delay light's reserve reads %s, want 12:34", got)
	}
	s.SetState(state, time.Now().Add(-20*time.Second), 1)
	eventually(t, ctx, clock(1)+` <= '12:25'`)
	eventually(t, ctx, clock(1)+` <= '12:23'`)
	if got := value[string](t, ctx, clock(0)); got != "11:28" {
		t.Errorf("dark's clock stands at 11:28 and reads %s", got)
	}
	if delay := value[string](t, ctx, `document.querySelector('.running .delay').textContent`); delay != "" {
		t.Errorf("the delay is over and reads %q", delay)
	}
	s.SetState(state, time.Now().Add(-2*time.Second), 60) // a film at sixty times the speed
	eventually(t, ctx, clock(1)+` < '10:50'`)

	state.Clock = &referee.ClockView{RemainingMS: [2]int64{400, 688_000}, Running: "light"}
	s.SetState(state, time.Now().Add(-3*time.Second), 1)
	eventually(t, ctx, clock(1)+` === '0:01'`) // nobody has said that the flag fell
	state.Clock = &referee.ClockView{RemainingMS: [2]int64{0, 688_000}, Running: "", Flagged: "light"}
	s.SetState(state, time.Now(), 1)
	eventually(t, ctx, clock(1)+` === '0:00'`)
	state.Clock = &referee.ClockView{RemainingMS: [2]int64{3_725_000, 688_000}, Running: "light", Paused: "ruling"}
	s.SetState(state, time.Now().Add(-time.Hour), 1)
	eventually(t, ctx, clock(1)+` === '1:02:05'`) // stopped clocks do not count
	state.Clock = nil
	s.SetState(state, time.Now(), 1)
	eventually(t, ctx, `document.querySelector('.clock').hidden`)
}

func TestThePersianPageRunsFromRightToLeft(t *testing.T) {
	s, url := start(t, Settings{})
	state := stateAfter(t, 33)
	state.Rulings = []referee.RulingBody{{ID: 3, Code: "M3", Rules: []string{"MOVE-1", "IRREG-5"}, Severity: "R", Audience: "table",
		Params: map[string]string{"a": "3", "b": "1"}}}
	s.SetState(state, time.Now().Add(-2*time.Second), 1)
	ctx := tab(t, url+"/?lang=fa", 1440, 900)
	eventually(t, ctx, `document.querySelector('.call p')?.textContent === 'حرکت\u200cها با تاس ۳ و ۱ نمی\u200cخواند.'`)
	eventually(t, ctx, `document.querySelector('.player time').textContent === '۱۱:۲۸'`)
	if !value[bool](t, ctx, `getComputedStyle(document.body).direction === 'rtl' && document.querySelector('.side').getBoundingClientRect().right < document.querySelector('.stage').getBoundingClientRect().left`) {
		t.Error("the record does not lie to the left of the board")
	}
	shoot(t, ctx, "persian")
	run(t, ctx, phone(), click("#theme"))
	shoot(t, ctx, "persian phone")
	if overflow := value[int](t, ctx, `document.documentElement.scrollWidth - innerWidth`); overflow > 0 {
		t.Errorf("on a phone the Persian page is %d pixels too wide", overflow)
	}
	run(t, ctx, click("#language"))
	eventually(t, ctx, `document.documentElement.dir === 'ltr' && document.querySelector('.call p').textContent === 'Moves do not match the roll 3-1.'`)
	run(t, ctx, chromedp.Navigate(url))
	eventually(t, ctx, `document.documentElement.lang === 'en' && document.getElementById('dark').media === 'all'`) // both wishes are kept
}

func TestThePageFitsFromPhoneToWall(t *testing.T) {
	s, url := start(t, Settings{Password: "correct horse", Control: func(context.Context, referee.Input) error { return nil }})
	state := stateAfter(t, 19)
	state.Players = [2]string{"A name that is a good deal longer than most", "Dark"}
	state.Phase, state.Dice = "rolled", []int{6, 6}
	state.Crawford, state.Cube.Owner, state.Cube.Value = true, "", 1
	s.SetState(state, time.Now().Add(-20*time.Second), 1)
	ctx := tab(t, url+"/?lang=en", 1440, 900)
	for _, size := range []struct {
		name string
		set  chromedp.Action[chromedp.Void]
	}{
		{"phone", phone()}, {"phone lying", chromedp.EmulateViewport(740, 360)}, {"tablet", chromedp.EmulateViewport(820, 1180)},
		{"desktop", chromedp.EmulateViewport(1440, 900)}, {"wall", chromedp.EmulateViewport(1920, 1080)},
	} {
		run(t, ctx, size.set)
		eventually(t, ctx, atRest)
		if overflow := value[int](t, ctx, `document.documentElement.scrollWidth - innerWidth`); overflow > 0 {
			t.Errorf("on a %s the page is %d pixels too wide", size.name, overflow)
		}
		if size.name == "desktop" || size.name == "wall" {
			if !value[bool](t, ctx, `document.documentElement.scrollHeight <= innerHeight`) {
				t.Errorf("on a %s the page scrolls", size.name)
			}
		}
		shoot(t, ctx, size.name)
	}
	run(t, ctx, click("#theme"))
	shoot(t, ctx, "wall dark")
}

func TestALostTurnAndAnUnwrittenPlayAreToldApart(t *testing.T) {
	s, url := start(t, Settings{})
	state := stateAfter(t, 3)
	danced := referee.LastPlay{Seq: 4, Side: "light", Dice: []int{6, 6}, Legal: true}
	p := startOf()
	play(t, &p, rules.Dark, "8/4 6/4")
	play(t, &p, rules.Light, "24/23 13/9")
	play(t, &p, rules.Dark, "8/2* 2/1*")
	danced.Position = gnuID(&p, rules.Dark)
	play(t, &p, rules.Dark, "13/10")
	odd := referee.LastPlay{Seq: 5, Side: "dark", Dice: []int{4, 2}, Position: gnuID(&p, rules.Light)}
	state.Plays = append(state.Plays, danced, odd)
	s.SetState(state, time.Now(), 1)
	ctx := tab(t, url, 1000, 700)
	eventually(t, ctx, `document.querySelectorAll('.turn').length === 5`)
	got := value[[]string](t, ctx, `[...document.querySelectorAll('.notation')].map((el) => el.textContent)`)
	if want := []string{"8/4 6/4", "24/23 13/9", "8/2* 2/1*", "no move", "played"}; !slices.Equal(got, want) {
		t.Errorf("the record reads %q, want %q", got, want)
	}
}

func TestCheckersGlideUnlessTheViewerWantsStillness(t *testing.T) {
	s, url := start(t, Settings{})
	s.SetState(stateAfter(t, 4), time.Now(), 1)
	for _, motion := range []struct {
		wish   string
		glides bool
	}{{"no-preference", true}, {"reduce", false}} {
		ctx := tab(t, "about:blank", 1000, 700)
		run(t, ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: motion.wish}},
			})
			return err
		}), chromedp.Navigate(url))
		s.SetState(stateAfter(t, 5), time.Now(), 1)
		eventually(t, ctx, `document.querySelectorAll('.turn').length === 5`)
		run(t, ctx, chromedp.Evaluate[chromedp.Void](`window.glides = 0;
			const animate = Element.prototype.animate;
			Element.prototype.animate = function (...a) { window.glides++; return animate.apply(this, a); }; undefined`))
		s.SetState(stateAfter(t, 6), time.Now(), 1)
		eventually(t, ctx, `document.querySelectorAll('.turn').length === 6`)
		if got := value[bool](t, ctx, `window.glides > 0`); got != motion.glides {
			t.Errorf("with prefers-reduced-motion %s checkers glide: %t", motion.wish, got)
		}
	}
}

func TestEitherSideMayLieAtTheBottomAndEitherHomeSide(t *testing.T) {
	s, url := start(t, Settings{})
	var p rules.Position
	p.Checkers[rules.Light][6], p.Checkers[rules.Light][4], p.Checkers[rules.Light][rules.Off] = 7, 2, 6
	p.Checkers[rules.Dark][2], p.Checkers[rules.Dark][8], p.Checkers[rules.Dark][rules.Bar] = 8, 1, 6
	state := stateAfter(t, 0)
	show(&state, &p)
	state.Layout = referee.Layout{Bottom: "dark", Home: "left"}
	state.Cube = referee.CubeState{Enabled: true, Value: 2, Owner: "dark", Offered: "dark"}
	state.Turn, state.Dice = "", []int{3, 5}
	s.SetState(state, time.Now(), 1)
	ctx := tab(t, url, 1200, 800)
	eventually(t, ctx, `document.querySelectorAll('.count').length === 3`)
	shoot(t, ctx, "dark at the bottom")
	centre := func(selector string) [2]float64 {
		return value[[2]float64](t, ctx, fmt.Sprintf(`(() => {
			const box = document.querySelector('.still').getBoundingClientRect();
			const all = [...document.querySelectorAll(%q)].map((el) => el.getBoundingClientRect());
			const mean = (f) => all.reduce((sum, r) => sum + f(r), 0) / all.length;
			return [(mean((r) => r.x + r.width / 2) - box.x) / box.width, (mean((r) => r.y + r.height / 2) - box.y) / box.height];
		})()`, selector))
	}
	for _, want := range []struct {
		what, selector string
		left, top      bool
	}{
		{"light's home, light sitting at the top", ".count.light", true, true},
		{"light's borne-off checkers", ".checker.light.off", true, true},
		{"light's opening die in the right half of his chair", ".die:first-child .throw", true, false},
		{"dark's opening die in the right half of his chair", ".die:last-child .throw", false, false},
	} {
		at := centre(want.selector)
		if (at[0] < 0.5) != want.left {
			t.Errorf("%s lies at %.2f across", want.what, at[0])
		}
		if want.top && at[1] > 0.5 {
			t.Errorf("%s lies at %.2f down", want.what, at[1])
		}
	}
	if got := value[string](t, ctx, `document.querySelector('.cube-value').textContent`); got != "4" {
		t.Errorf("dark offers the cube at 4, it reads %s", got)
	}
	run(t, ctx, click("#flip"), click("#mirror"))
	eventually(t, ctx, `document.querySelectorAll('.count').length === 3`)
	if at := centre(".count.light"); at[0] < 0.5 || at[1] < 0.5 {
		t.Errorf("turned and mirrored, light's home lies at %.2f", at)
	}
	if !value[bool](t, ctx, `document.querySelector('#player-bottom').dataset.side === 'light'`) {
		t.Error("turned, light's panel is not at the bottom")
	}
}

func TestAScreenReaderIsToldThePositionAndThePlays(t *testing.T) {
	s, url := start(t, Settings{})
	state := stateAfter(t, 3)
	state.Players[0] = "Ann"
	s.SetState(state, time.Now(), 1)
	ctx := tab(t, url, 1000, 700)
	eventually(t, ctx, `document.getElementById('position').textContent.startsWith('Ann: 2 on the bar, ')`)
	if !value[bool](t, ctx, `document.getElementById('board').getAttribute('aria-describedby') === 'position'`) {
		t.Error("the board is not described by the position in words")
	}
	light := rules.Light
	s.Publish(referee.Event{Seq: 104, Type: referee.PlayMade, Side: &light, Notation: "bar/22(2) 6/3(2)"})
	eventually(t, ctx, `document.querySelector('[aria-live=polite]').lastChild.textContent === 'Ann plays bar/22(2) 6/3(2).'`)
	s.Publish(referee.Event{Seq: 105, Type: referee.RollInvalid, Side: &light, Why: "cocked"})
	eventually(t, ctx, `document.querySelector('.call p').textContent === 'Cocked die: the roll does not count.'`)
}

func TestTheCamerasPictureIsFetchedOnlyWhenOpened(t *testing.T) {
	var picture bytes.Buffer
	if err := jpeg.Encode(&picture, image.NewGray(image.Rect(0, 0, 16, 9)), nil); err != nil {
		t.Fatal(err)
	}
	asked := make(chan struct{}, 100)
	s, url := start(t, Settings{PublicFrame: true, Frame: func() ([]byte, time.Time, bool) {
		asked <- struct{}{}
		return picture.Bytes(), time.Now(), true
	}})
	s.SetState(stateAfter(t, 0), time.Now(), 1)
	ctx := tab(t, url, 1000, 700)
	eventually(t, ctx, `!document.getElementById('camera').hidden`)
	if len(asked) > 0 {
		t.Error("a picture nobody looks at is fetched")
	}
	run(t, ctx, click("#camera summary"))
	select {
	case <-asked:
	case <-time.After(15 * time.Second):
		t.Error("the opened picture is not fetched")
	}
	eventually(t, ctx, `document.getElementById('frame').naturalWidth === 16`)
}
