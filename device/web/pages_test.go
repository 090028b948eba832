package web

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"davar/rules/referee"
)

//go:embed testdata/axe/axe.min.js
var axe string

// everyPage lists the pages with what tells that each is there, and whether one must have signed in.
var everyPage = []struct {
	name, path, ready string
	director          bool
	width, height     int64
}{
	{"live", "/", `document.querySelectorAll('.checker').length === 30`, false, 1440, 900},
	{"screen", "/table", `document.querySelector('.clock time').textContent !== '–:––'`, false, 1024, 600},
	{"overlay", "/overlay?parts=board,score,clock,pips,play,calls", `document.querySelectorAll('.checker').length === 30`, false, 1280, 720},
	{"embed", "/embed", `document.querySelectorAll('.checker').length === 30`, false, 640, 480},
	{"match", "/matches/now", `document.querySelector('h1, h2')`, false, 1100, 900},
	{"season", "/season", `document.querySelector('h1')`, false, 1100, 900},
	{"matches", "/matches", `document.querySelector('.match-list, .nothing')`, false, 1100, 800},
	{"welcome", "/welcome", `document.querySelector('.welcome p')`, false, 1024, 600},
	{"sign in", "/signin?next=/director", `document.querySelector('input[name=password]')`, false, 900, 700},
	{"pair", "/pair", `document.querySelector('input[name=code]')`, false, 900, 700},
	{"tables", "/director", `document.querySelectorAll('.table-card .mini-board').length > 0`, true, 1280, 800},
	{"desk", "/director/table", `document.querySelector('.evidence img')?.naturalWidth && !document.getElementById('picture').hidden && document.querySelectorAll('.checker').length === 30`, true, 1360, 1200},
	{"calibrate", "/director/calibrate", `document.getElementById('reading').textContent.length > 20`, true, 1280, 820},
	{"doctor", "/director/doctor", `document.querySelectorAll('.symptoms li').length === 4`, true, 1100, 700},
	{"set up", "/director/setup", `document.getElementById('begin').disabled === false`, true, 1100, 1100},
	{"table", "/table", `document.querySelector('[data-press] time').textContent !== '–:––'`, true, 1100, 1300},
}

// violations runs axe on a page and returns what it finds serious or worse, a line each.
func violations(t *testing.T, ctx context.Context) []string {
	t.Helper()
	run(t, ctx, chromedp.Evaluate[chromedp.Void]("if (!window.axe) {"+axe+"}; undefined"))
	found, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](`axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations
		.filter((v) => ['serious', 'critical'].includes(v.impact))
		.flatMap((v) => v.nodes.map((n) => v.id + ': ' + n.target.join(' ') + ': ' + n.any.concat(n.all, n.none).map((c) => c.message).join('; '))))`,
		chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestEveryPageIsOpenToAll looks at each page in both languages and themes: axe finds nothing serious, nothing is wider
// than the window, and the console of the browser stays empty. With DAVAR_SHOTS it keeps a picture of each.
func TestEveryPageIsOpenToAll(t *testing.T) {
	b := newBureau(t)
	b.busyHall()
	if pairings, wrong := ParseDraw([]byte("table,round,light,dark,length\n1,Final,Anna Brandt,بهرام,7\n2,Semifinal,Tove Lind,کیان,5\n")); wrong != nil {
		t.Fatal(wrong)
	} else if err := b.draw.set(pairings); err != nil {
		t.Fatal(err)
	}
	if _, err := b.guard.tablets.invite("Window"); err != nil {
		t.Fatal(err)
	}
	console := b.enterConsole(t, "/director", 1280, 800)
	run(t, console, chromedp.Navigate("about:blank")) // it would ask for the tables after signing out, and complain
	for _, page := range everyPage {
		if page.director {
			t.Run(page.name, func(t *testing.T) { lookAt(t, b.url, page.name, page.path, page.ready, page.width, page.height) })
		}
	}
	ctx := tab(t, b.url+"/director", 1280, 800)
	run(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector('form[action="/signout"]').submit()`))
	eventually(t, ctx, `location.pathname === '/table' && !document.querySelector('form[action="/signout"]')`)
	for _, page := range everyPage {
		if !page.director {
			t.Run(page.name, func(t *testing.T) { lookAt(t, b.url, page.name, page.path, page.ready, page.width, page.height) })
		}
	}
}

// TestEveryPageOfAHallIsOpenToAll does the same for the pages of davar hub.
func TestEveryPageOfAHallIsOpenToAll(t *testing.T) {
	c := openConsoleHall(t, sessionKey)
	c.tell(c.changes())
	c.SetMatches(Place{"north", "1"}, []FinishedMatch{{Players: [2]string{"Anna Brandt", "بهرام"}, Score: referee.Score{Light: 7, Dark: 3}, Event: "Spring Open", Ended: "2026-06-01T14:00:00Z"}})
	const board = `document.querySelectorAll('.checker').length === 30`
	for _, page := range [][3]string{
		{"hall", "/", `document.querySelectorAll('.card').length === 2`}, {"hall live", "/t/north/2/", board}, {"hall embed", "/t/north/2/embed", board},
		{"hall overlay", "/t/north/2/overlay", `document.body.innerText.includes('Anna')`},
		{"hall results", "/matches", `document.querySelectorAll(".match-list li").length === 1`},
		{"hall sign in", "/signin?next=/director", `document.querySelector('input[name=password]')`},
	} {
		visitor(t)
		t.Run(page[0], func(t *testing.T) { lookAt(t, c.url, page[0], page[1], page[2], 1280, 800) })
	}
	ctx := tab(t, c.url+"/director", 1280, 800)
	eventually(t, ctx, `document.querySelector('input[name=password]')`)
	run(t, ctx, typeInto("input[name=name]", "sara"))
	enter(t, ctx, "input[name=password]", sarasPassword)
	eventually(t, ctx, `document.querySelectorAll('.table-card').length === 2`)
	run(t, ctx, chromedp.Navigate("about:blank"))
	for _, page := range [][3]string{
		{"hall director", "/director", `document.querySelectorAll('.table-card').length === 2`},
		{"hall desk", "/t/north/2/director/", board + ` && document.querySelector('.evidence img')?.naturalWidth && !document.getElementById('picture').hidden`},
		{"hall calibrate", "/t/north/2/director/calibrate", `document.getElementById('reading').textContent.length > 20`},
		{"hall set up", "/t/north/2/director/setup", `document.getElementById('begin').disabled === false`},
	} {
		t.Run(page[0], func(t *testing.T) { lookAt(t, c.url, page[0], page[1], page[2], 1280, 1000) })
	}
}

// calm is true once nothing has moved for a dozen frames: what has just come to a page fades in from the next frame on.
const calm = `(window.calmFrames = ` + unmoving + ` ? (window.calmFrames ?? 0) + 1 : 0) > 12`

// lookAt looks at a page of the server at url in both languages and themes, and on a phone.
func lookAt(t *testing.T, url, name, path, ready string, width, height int64) {
	ctx := tab(t, url+path, width, height)
	for _, lang := range []string{"en", "fa"} {
		at := path + "?lang=" + lang
		if strings.Contains(path, "?") {
			at = path + "&lang=" + lang
		}
		run(t, ctx, chromedp.EmulateViewport(width, height), chromedp.Navigate(url+at))
		eventually(t, ctx, fmt.Sprintf(`document.documentElement.lang === %q && document.getElementById('dark')`, lang))
		eventually(t, ctx, ready)
		for _, theme := range []string{"light", "dark"} {
			run(t, ctx, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.getElementById('dark').media = %q; undefined`,
				map[string]string{"light": "not all", "dark": "all"}[theme])))
			eventually(t, ctx, calm)
			for _, v := range violations(t, ctx) {
				t.Errorf("%s in %s, %s: %s", name, lang, theme, v)
			}
			shoot(t, ctx, strings.Join([]string{"page", name, lang, theme}, " "))
		}
		run(t, ctx, phone())
		if overflow := value[int](t, ctx, `document.documentElement.scrollWidth - innerWidth`); overflow > 0 {
			t.Errorf("%s in %s is %d pixels too wide for a phone", name, lang, overflow)
		}
		shoot(t, ctx, strings.Join([]string{"page", name, lang, "phone"}, " "))
	}
}
