package web

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// What a hand does to a page. The page itself is asked for the element at the moment of doing: chromedp's own list of
// nodes can lag for good behind a page that has just given way to the next.

// middleOf waits until the element is in view, lies still and nothing lies over its middle, then gives that middle. A
// page that gives way to the next meanwhile is no error: the next one is asked.
func middleOf(selector string) chromedp.Action[[]float64] {
	ask := chromedp.Evaluate[[]float64](fmt.Sprintf(`(() => {
		const e = document.querySelector(%q);
		if (!e) return [];
		e.scrollIntoView({ behavior: 'instant', block: 'nearest', inline: 'nearest' });
		const r = e.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2;
		return r.width && r.height && e.contains(document.elementFromPoint(x, y)) ? [x, y] : [];
	})()`, selector))
	return func(ctx context.Context, t *chromedp.Target) ([]float64, error) {
		var last []float64
		for {
			at, err := ask(ctx, t)
			switch {
			case ctx.Err() != nil:
				return nil, fmt.Errorf("the page never showed %s: %w", selector, ctx.Err())
			case err != nil && !gaveWay(err):
				return nil, err
			case err == nil && len(at) == 2 && slices.Equal(at, last):
				return at, nil
			}
			last = at
			select {
			case <-ctx.Done():
			case <-time.After(30 * time.Millisecond): // of the browser, which is another process
			}
		}
	}
}

// gaveWay tells whether an answer failed because the page has just given way to the next.
func gaveWay(err error) bool {
	return strings.Contains(err.Error(), "navigated") || strings.Contains(err.Error(), "context")
}

// click presses the element's middle as a finger would, and once more when the browser, as it does now and then on a busy machine,
// has let the first touch go by without a word to the page.
func click(selector string) chromedp.Action[chromedp.Void] {
	feel := chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`window.felt = false;
		document.querySelector(%q)?.addEventListener('pointerdown', () => { window.felt = true; }, { capture: true, once: true }); undefined`, selector))
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for range 2 {
			at, err := middleOf(selector)(ctx, t)
			if err != nil {
				return err
			}
			if _, err := feel(ctx, t); err != nil && !gaveWay(err) {
				return err
			}
			if _, err = chromedp.MouseClickXY(at[0], at[1])(ctx, t); err != nil || felt(ctx, t) {
				return err
			}
		}
		return nil
	})
}

// felt waits a while for the page to feel the touch; a page that has given way to the next has felt it.
func felt(ctx context.Context, t *chromedp.Target) bool {
	ask := chromedp.Evaluate[bool](`window.felt !== false`)
	for range 100 {
		if yes, err := ask(ctx, t); err != nil || yes {
			return true
		}
		select {
		case <-ctx.Done():
			return true
		case <-time.After(30 * time.Millisecond): // of the browser, which is another process
		}
	}
	return false
}

// focus puts the keyboard on the element.
func focus(selector string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := middleOf(selector)(ctx, t); err != nil {
			return err
		}
		_, err := chromedp.Evaluate[chromedp.Void](fmt.Sprintf("document.querySelector(%q).focus()", selector))(ctx, t)
		return err
	})
}

// typeInto types text into the field, key by key, and once more where the browser has let keys go by without a word to the page; then
// presses Enter when the text ends with a new line.
func typeInto(selector, text string) chromedp.Action[chromedp.Void] {
	keys, enters := strings.CutSuffix(text, "\n")
	holds := chromedp.Evaluate[bool](fmt.Sprintf("document.querySelector(%q).value.endsWith(%q)", selector, keys))
	empty := chromedp.Evaluate[chromedp.Void](fmt.Sprintf("document.querySelector(%q).value = ''; undefined", selector))
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for range 2 {
			if _, err := focus(selector)(ctx, t); err != nil {
				return err
			}
			if _, err := chromedp.KeyEvent(keys)(ctx, t); err != nil {
				return err
			}
			if whole, err := holds(ctx, t); err != nil || whole {
				break // a page that has given way to the next has felt the keys
			}
			if _, err := empty(ctx, t); err != nil {
				return err
			}
		}
		if !enters {
			return nil
		}
		return enterFelt(ctx, t)
	})
}

// enterFelt presses Enter, and once more when the page has not felt it.
func enterFelt(ctx context.Context, t *chromedp.Target) error {
	feel := chromedp.Evaluate[chromedp.Void](`window.felt = false;
		addEventListener('keydown', (e) => { window.felt ||= e.key === 'Enter'; }, { capture: true }); undefined`)
	for range 2 {
		if _, err := feel(ctx, t); err != nil && !gaveWay(err) {
			return err
		}
		if _, err := chromedp.KeyEvent("\n")(ctx, t); err != nil || felt(ctx, t) {
			return err
		}
	}
	return nil
}

// choose gives the file to the field for files.
func choose(selector, file string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := middleOf(selector)(ctx, t); err != nil {
			return err
		}
		field, err := cdp.Call(ctx, t, runtime.Evaluate, runtime.EvaluateParams{Expression: fmt.Sprintf("document.querySelector(%q)", selector)})
		if err != nil {
			return err
		}
		_, err = cdp.Call(ctx, t, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: []string{file}, ObjectID: field.Result.ObjectID})
		return err
	})
}
