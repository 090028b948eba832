package web

import (
	"context"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser starts Chromium once for all tests of the page and skips, saying so, where there is none.
var browser = sync.OnceValues(func() (context.Context, error) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("force-color-profile", "srgb"))
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stop := chromedp.NewContext(allocator)
	stopBrowser = func() { stop(); stopAllocator() }
	return ctx, chromedp.Do(ctx)
})

var stopBrowser = func() {}

func TestMain(m *testing.M) {
	code := m.Run()
	stopBrowser()
	os.Exit(code)
}

// visitors are the browsers within the browser, one for each test: cookies know no ports, and pages of one test's server
// would take the language and the sign-in of another's.
var visitors = map[string]context.Context{}

// visitor returns the test's own browser.
func visitor(t *testing.T) context.Context {
	t.Helper()
	root, err := browser()
	if err != nil {
		t.Skipf("NOT TESTED: no Chromium here, the page cannot be looked at (apt-get install chromium): %v", err)
	}
	name, _, part := strings.Cut(t.Name(), "/")
	if ctx, known := visitors[name]; known {
		return ctx
	}
	if part {
		t.Fatalf("%s opens the first page in a part of it: open one before", name)
	}
	ctx, stop := chromedp.NewContext(root, chromedp.WithNewBrowserContext())
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	visitors[name] = ctx
	t.Cleanup(func() {
		delete(visitors, name)
		stop()
	})
	return ctx
}

// tab opens a page of a server in a window of the given size. The test fails when the page reports an error on
// its console.
func tab(t *testing.T, address string, width, height int64) context.Context {
	t.Helper()
	ctx, stop := chromedp.NewContext(visitor(t))
	run(t, ctx) // opens the tab
	ctx, cancel := context.WithTimeout(ctx, 60*time.Second)
	var complaints []string
	var mu sync.Mutex
	err := chromedp.Listen(ctx, func(event any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			complaints = append(complaints, (&chromedp.ExceptionError{ExceptionDetails: e.ExceptionDetails}).Error())
		case *log.EventEntryAdded: // what the browser itself objects to, such as a breach of the content policy
			if e.Entry.Level == log.EntryLevelError && !strings.Contains(e.Entry.URL, "/events") {
				complaints = append(complaints, e.Entry.Text+" "+e.Entry.URL)
			}
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.ConsoleAPICalledTypeError {
				complaints = append(complaints, e.Args[0].Value.String())
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		for _, c := range complaints {
			t.Errorf("the page complains: %s", c)
		}
		cancel()
		stop()
	})
	run(t, ctx, chromedp.EmulateViewport(width, height), chromedp.Navigate(address))
	return ctx
}

func run(t *testing.T, ctx context.Context, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// enter types text and presses return.
func enter(t *testing.T, ctx context.Context, field, text string) {
	t.Helper()
	run(t, ctx, typeInto(field, text+"\n"))
}

// eventually waits until an expression in the page is true; what it speaks of need not be there yet.
func eventually(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	poll := chromedp.Poll[bool]("(() => { try { return Boolean("+expression+"); } catch { return false; } })()", chromedp.WithPollingTimeout(15*time.Second))
	_, err := chromedp.Run(ctx, poll)
	for err != nil && gaveWay(err) && ctx.Err() == nil {
		// The page has just given way to the next.
		_, err = chromedp.Run(ctx, poll)
	}
	if err != nil {
		seen, _ := chromedp.Run(ctx, chromedp.Evaluate[string]("document.body.innerText"))
		t.Fatalf("never true: %s: %v\nthe page reads:\n%s", expression, err, seen)
	}
}

func value[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// shoot keeps a picture of the page in the folder DAVAR_SHOTS, for people to look at.
func shoot(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	folder := os.Getenv("DAVAR_SHOTS")
	if folder == "" {
		return
	}
	const settled = `Promise.all(document.getAnimations().filter(a => a.effect.getComputedTiming().iterations === 1).map(a => a.finished)).then(() => true)`
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](settled, chromedp.EvalAwaitPromise)); err != nil {
		t.Fatal(err)
	}
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, strings.ReplaceAll(name, " ", "-")+".png"), png, 0o644); err != nil {
		t.Fatal(err)
	}
}

// start makes a server for a test.
func start(t *testing.T, settings Settings) (*Server, string) {
	t.Helper()
	settings.Addr = "127.0.0.1:0"
	s, err := New(settings)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.handler)
	t.Cleanup(func() {
		s.hub.close()
		server.Close()
	})
	return s, server.URL
}
