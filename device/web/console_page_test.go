package web

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"davar/rules"
	"davar/rules/referee"
)

// enterConsole opens a page of the console and signs in by name.
func (b *bureau) enterConsole(t *testing.T, page string, width, height int64) context.Context {
	t.Helper()
	ctx := tab(t, b.url+page+"?lang=en", width, height)
	eventually(t, ctx, `document.querySelector('input[name=password]')`)
	run(t, ctx, typeInto("input[name=name]", "sara"))
	enter(t, ctx, "input[name=password]", sarasPassword)
	eventually(t, ctx, fmt.Sprintf(`location.pathname === %q`, page))
	return ctx
}

func TestTheDirectorSignsInSeesWhoNeedsHimAndOverrulesWithOneTap(t *testing.T) {
	b := newBureau(t)
	ctx := b.enterConsole(t, "/director", 1280, 800)
	eventually(t, ctx, `document.querySelectorAll('.table-card .need').length === 2`)
	if got := value[string](t, ctx, `document.querySelector('.need.first').textContent`); got != "Director called" {
		t.Errorf("the first need is %q", got)
	}
	eventually(t, ctx, `document.querySelector('.says li').textContent === 'Moves do not match the roll 3-1.'`)
	run(t, ctx, click(".table-card .open"))
	eventually(t, ctx, `document.querySelector('.case h3').textContent === 'Moves do not match the roll 3-1.'`)
	eventually(t, ctx, `[...document.querySelectorAll('.evidence img')].filter((i) => i.naturalWidth === 960).length === 2`)
	eventually(t, ctx, `!document.getElementById('picture').hidden && document.getElementById('picture').width === 960`)
	if got := value[string](t, ctx, `document.querySelector('.case').innerText`); !containsAll(got, "MOVE-1", "بهرام", "8/5 6/5", "the next throw") {
		t.Errorf("the case reads %s", got)
	}
	run(t, ctx, click(`[data-answer="overrule"]`))
	if d := b.decision(t); d.What != referee.DecideOverrule || d.Ruling != "M3" || d.By != "sara" {
		t.Errorf("%+v", d)
	}
	eventually(t, ctx, `document.getElementById('answer').textContent === 'Done.'`)
	run(t, ctx, click(`[data-answer="replay"]`))
	if d := b.decision(t); d.What != referee.DecideReplay || d.Side != rules.Dark || d.Ruling != "M3" {
		t.Errorf("confirmed: %+v", d)
	}
	run(t, ctx, click(`.quick [data-why="appeal"]`))
	if d := b.decision(t); d.What != referee.DecidePause || d.Why != "appeal" {
		t.Errorf("appeal: %+v", d)
	}
	state := stateAfter(t, 20)
	state.Match = "now"
	b.SetState(state, time.Now(), 1) // play goes on
	eventually(t, ctx, `!document.querySelector('.case') && !document.getElementById('nothing').hidden`)
}

func containsAll(text string, words ...string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

func TestTheDirectorSetsThePositionByTappingCheckers(t *testing.T) {
	b := newBureau(t)
	ctx := b.enterConsole(t, "/director/table", 1280, 900)
	eventually(t, ctx, `document.querySelectorAll('.turns li').length === 19`)
	run(t, ctx, click("#editor-box summary"))
	tap := func(cell string) { run(t, ctx, click(`[data-cell="`+cell+`"]`)) }
	eventually(t, ctx, `document.querySelectorAll('.editor .cell').length === 26`)
	run(t, ctx, chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll('.editor .row button')].find((e) => e.textContent === 'Starting position').click()`))
	tap("p1") // dark's 24 point has two dark checkers: a light one in their place
	run(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelectorAll('.editor-tools input')[2].click()`))
	tap("p6") // one of light's five off the 6 point
	run(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelectorAll('.editor-tools input')[1].click()`))
	tap("bar1")
	run(t, ctx, click(`[data-set="dark"]`))
	d := b.decision(t)
	if d.What != referee.DecideSet || d.Side != rules.Dark || d.Position == nil {
		t.Fatalf("%+v", d)
	}
	p := *d.Position
	if p.Checkers[0][1] != 1 || p.Checkers[0][6] != 4 || p.Checkers[1][24] != 0 || p.Checkers[1][25] != 1 || p.Checkers[1][0] != 1 || p.Checkers[0][0] != 0 {
		t.Errorf("%v", p)
	}
	run(t, ctx, chromedp.Evaluate[chromedp.Void](`window.confirm = () => true; undefined`), click(".turns li:nth-child(2) .back-to"))
	if d := b.decision(t); d.What != referee.DecideUndo || d.Seq != 18 {
		t.Errorf("undo: %+v", d)
	}
	run(t, ctx, chromedp.Evaluate[chromedp.Void](`window.confirm = (asked) => { window.asked = asked; return false; }; undefined`), click("#decisions summary"), click(`[data-decide="again"]`))
	if got := value[string](t, ctx, `window.asked`); got != "Play this game anew from its opening roll? Nothing of it counts." {
		t.Errorf("asked: %q", got)
	}
	run(t, ctx, chromedp.Evaluate[chromedp.Void](`window.confirm = () => true; undefined`), click(`[data-decide="crawford"]`))
	if d := b.decision(t); d.What != referee.DecideCrawford { // and nothing of the game that was not to be played anew
		t.Errorf("crawford: %+v", d)
	}
	run(t, ctx, click("#roll-cube summary"), chromedp.SetValue(chromedp.CSS("#cube-value"), "4"), click(`[data-owner="dark"]`))
	if d := b.decision(t); d.What != referee.DecideCube || d.Cube != 4 || d.Owner == nil || *d.Owner != rules.Dark {
		t.Errorf("cube: %+v", d)
	}
}

// drag moves a corner by the mouse, in steps as a hand does.
func drag(t *testing.T, ctx context.Context, corner int, to Corner) {
	t.Helper()
	box := value[[4]float64](t, ctx, `(() => { const r = document.getElementById('stage').getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; })()`)
	at := value[[2]float64](t, ctx, fmt.Sprintf(`(() => { const r = document.querySelectorAll('.corner')[%d].getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, corner))
	end := [2]float64{box[0] + to[0]/pictureWidth*box[2], box[1] + to[1]/pictureHeight*box[3]}
	run(t, ctx, chromedp.DragAndDropXY(at[0], at[1], end[0], end[1], 4))
}

func TestTheBoardIsCalibratedByDraggingItsCornersOrWithTheKeyboard(t *testing.T) {
	b := newBureau(t)
	ctx := b.enterConsole(t, "/director/calibrate", 1280, 900)
	eventually(t, ctx, `document.getElementById('reading').textContent.includes('Not the starting position')`) // it was looked for, and not quite found
	drag(t, ctx, 0, boardCorners[0])
	eventually(t, ctx, `document.getElementById('reading').dataset.start === 'true'`)
	if got := value[string](t, ctx, `document.getElementById('reading').textContent`); !containsAll(got, "Light 15, dark 15", "97") {
		t.Errorf("beside the picture stands %q", got)
	}
	if w := value[int](t, ctx, `document.getElementById('view').width`); w != pictureWidth {
		t.Errorf("the rectified view is %d wide", w)
	}
	tried, _ := b.surveyor.has()
	run(t, ctx, focus(`[data-corner="2"]`), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowUp))
	eventually(t, ctx, `!document.getElementById('keep').disabled && document.getElementById('reading').textContent.includes('Light 15')`)
	if again, _ := b.surveyor.has(); again <= tried {
		t.Error("a corner was moved and nothing was read anew")
	}
	shoot(t, ctx, "calibrate by dragging")
	run(t, ctx, click("#keep"))
	eventually(t, ctx, `document.getElementById('answer').textContent.startsWith('Kept.')`)
	_, kept := b.surveyor.has()
	want := boardCorners
	want[2][0], want[2][1] = want[2][0]+2, want[2][1]-1
	for i := range want {
		if kept == nil || math.Hypot(kept[i][0]-want[i][0], kept[i][1]-want[i][1]) > 2 {
			t.Fatalf("kept %v, want %v", kept, want)
		}
	}
}

func TestAMatchIsSetUpOnAPhone(t *testing.T) {
	b := newBureau(t)
	over := stateAfter(t, 0)
	over.Phase = "match_over"
	b.SetState(over, time.Now(), 1)
	ctx := b.enterConsole(t, "/director/setup", 360, 740)
	run(t, ctx, phone())
	const ready = `document.getElementById('begin').disabled === false`
	eventually(t, ctx, ready)
	for _, field := range [][2]string{{"#match-light", "Tove"}, {"#match-dark", "کیان"}, {"#match-length", "98"}} {
		run(t, ctx, chromedp.SetValue(chromedp.CSS(field[0]), field[1]))
	}
	run(t, ctx, click("#begin"))
	eventually(t, ctx, `document.getElementById('wrong-match-length').textContent === '98 is odd'`)
	eventually(t, ctx, `document.activeElement.id === 'match-length'`)
	run(t, ctx, chromedp.SetValue(chromedp.CSS("#match-length"), "5"), chromedp.SetValue(chromedp.CSS("#rules-variant"), "iran"), click("#begin"))
	eventually(t, ctx, `document.getElementById('answer').textContent.startsWith('The match is set up.')`)
	got := b.maker.last()
	if got["match.light"] != "Tove" || got["match.dark"] != "کیان" || got["match.length"] != "5" || got["rules.variant"] != "iran" || got["cube.crawford"] != "true" {
		t.Errorf("set up as %v", got)
	}
	if overflow := value[int](t, ctx, `document.documentElement.scrollWidth - innerWidth`); overflow > 0 {
		t.Errorf("on a phone the page is %d pixels too wide", overflow)
	}
	shoot(t, ctx, "set up a match on a phone")

	sheet := filepath.Join(t.TempDir(), "draw.csv")
	write := func(text string) {
		if err := os.WriteFile(sheet, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		run(t, ctx, choose("#sheet", sheet), click("#import button.main"))
	}
	write("light,dark,length\nAnn,Bo,7\nCy,,7\n")
	eventually(t, ctx, `document.querySelector('.mistakes li').textContent === 'Line 3: the name in the column “dark” is missing'`)
	write("table;light;dark;length\n1;Ann;Bo;9\n2;Cy;Di;11\n")
	eventually(t, ctx, `document.querySelectorAll('.draw tbody tr').length === 2`)
	run(t, ctx, click(".draw tbody tr:nth-child(2) a"))
	eventually(t, ctx, `document.getElementById('match-dark').value === 'Di' && document.getElementById('match-length').value === '11'`)
	eventually(t, ctx, ready)
	run(t, ctx, click("#begin"))
	eventually(t, ctx, `document.getElementById('answer').textContent.startsWith('The match is set up.')`)
	if got := b.maker.last(); got["match.light"] != "Cy" || got["match.length"] != "11" {
		t.Errorf("from the draw: %v", got)
	}
}

func TestAMatchInWhichTheFirstGameHasBegunIsLeftOnlyOnPurpose(t *testing.T) { // PROC-5
	b := newBureau(t)
	ctx := b.enterConsole(t, "/director/setup", 1000, 900)
	eventually(t, ctx, `document.getElementById('begin').disabled === false`)
	run(t, ctx, click("#begin"))
	eventually(t, ctx, `document.getElementById('answer').textContent.startsWith('Say first')`)
	if b.maker.last() != nil {
		t.Error("another match was begun")
	}
	run(t, ctx, click("#abandon"), click("#begin"))
	eventually(t, ctx, `document.getElementById('answer').textContent.startsWith('The match is set up.')`)
	if b.maker.last() == nil {
		t.Error("no match was begun")
	}
}

func TestATabletIsPairedByACodeAndItsRightTakenAway(t *testing.T) {
	b := newBureau(t)
	ctx := b.enterConsole(t, "/director", 1000, 900)
	eventually(t, ctx, `document.querySelector('#invite button').disabled === false`)
	enter(t, ctx, "#tablet-name", "Window")
	eventually(t, ctx, `document.querySelector('b.code').textContent.length === 9`)
	code := value[string](t, ctx, `document.querySelector('b.code').textContent`)
	unit := pairTablet(t, b.url, code)
	if answer, body := post(t, unit, b.url+"/press", `{"side":"dark"}`); answer.StatusCode != 204 {
		t.Errorf("the tablet presses: %s %s", answer.Status, body)
	}
	eventually(t, ctx, `document.querySelector('#tablets bdi') || (document.dispatchEvent(new Event('visibilitychange')), false)`)
	// The list is made anew now and then: the button is pressed in the page, not where it was.
	run(t, ctx, chromedp.Evaluate[chromedp.Void](`window.confirm = () => true; document.querySelector('#tablets button').click(); undefined`))
	eventually(t, ctx, `!document.querySelector('#tablets bdi')`)
	if answer, _ := post(t, unit, b.url+"/press", `{"side":"dark"}`); answer.StatusCode != 401 {
		t.Errorf("without its right the tablet presses: %s", answer.Status)
	}
}
