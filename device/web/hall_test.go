package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"davar/device/analysis"
	"davar/rules/referee"
)

// openHall makes a hall for a test and serves it.
func openHall(t *testing.T, settings Settings) (*Hall, string) {
	t.Helper()
	settings.Addr = "127.0.0.1:0"
	h, err := NewHall(settings)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h.front.handler)
	t.Cleanup(func() {
		h.close()
		server.Close()
	})
	h.SetDeaf(false)
	return h, server.URL
}

// seat shows a table of a hall after so many turns.
func seat(t *testing.T, h *Hall, club, table string, turns int, light, dark string) {
	t.Helper()
	s := stateAfter(t, turns)
	s.Players = [2]string{light, dark}
	h.SetState(Place{club, table}, s, time.Now(), 1, 2*time.Minute, nil)
}

func TestAHallListsItsTablesAndTellsWhatChanges(t *testing.T) {
	h, url := openHall(t, Settings{})
	seat(t, h, "north", "10", 3, "A", "B")
	seat(t, h, "north", "9", 5, "C", "D")
	h.tell(h.changes())
	f := follow(t, url)
	name, _, data := f.next()
	if nine, ten := strings.Index(data, `"table":"9"`), strings.Index(data, `"table":"10"`); name != "state" || nine < 0 || ten < nine {
		t.Fatalf("whoever comes hears %s %s", name, data)
	}
	seat(t, h, "north", "9", 6, "C", "E")
	h.SetAway(Place{"north", "10"}, AwayOffline)
	h.tell(h.changes())
	if name, _, data := f.next(); name != "tables" || !strings.Contains(data, `["C","E"]`) || !strings.Contains(data, `"away":"offline"`) {
		t.Errorf("of a change he hears %s %s", name, data)
	}
	h.Remove(Place{"north", "10"})
	h.tell(h.changes())
	if name, _, data := f.next(); name != "tables" || !strings.Contains(data, `"gone":true`) || strings.Contains(data, `["C","E"]`) {
		t.Errorf("of a table that goes he hears %s %s", name, data)
	}
}

func TestWhoeverComesToATableOfAHallGetsItsStateAtOnce(t *testing.T) {
	h, url := openHall(t, Settings{})
	seat(t, h, "club é", "1", 7, "A", "B")
	f := follow(t, url+"/t/club%20%C3%A9/1")
	if name, _, data := f.next(); name != "late" || data != `{"delay_ms":120000}` {
		t.Errorf("first comes %s %s", name, data)
	}
	if name, _, data := f.next(); name != "state" || !strings.Contains(data, `"seq":107`) {
		t.Errorf("then comes %s %.80s", name, data)
	}
	for _, path := range []string{"", "overlay", "embed", "state.json"} {
		if answer, _ := get(t, url+"/t/club%20%C3%A9/1/"+path); answer.StatusCode != http.StatusOK {
			t.Errorf("/%s: %s", path, answer.Status)
		}
		if answer, _ := get(t, url+"/t/club/2/"+path); answer.StatusCode != http.StatusNotFound {
			t.Errorf("/%s of a table that is not there: %s", path, answer.Status)
		}
	}
	if answer, _ := get(t, url+"/t/club%20%C3%A9/1"); answer.Request.URL.Path != "/t/club é/1/" {
		t.Errorf("without the last stroke one comes to %s", answer.Request.URL.Path)
	}
}

func TestAHallShowsTheChancesThatATableTellsOf(t *testing.T) {
	h, url := openHall(t, Settings{})
	judged := &analysis.Judgement{Chances: &analysis.BothChances{Seq: 106, Light: analysis.SideChances{Win: 0.61}, Dark: analysis.SideChances{Win: 0.39}}}
	h.SetState(Place{"c", "1"}, stateAfter(t, 7), time.Now(), 1, time.Minute, judged)
	if _, body := get(t, url+"/t/c/1/state.json"); !strings.Contains(body, `"judged":{"chances":{"seq":106,"light":{"win":0.61,`) {
		t.Errorf("it shows %s", body)
	}
}

func TestAHallThatHearsNothingTellsTheLoadBalancer(t *testing.T) {
	h, url := openHall(t, Settings{})
	for _, deaf := range []bool{true, false} {
		h.SetDeaf(deaf)
		if answer, _ := get(t, url+"/healthz"); (answer.StatusCode == http.StatusOK) == deaf {
			t.Errorf("deaf %v: %s", deaf, answer.Status)
		}
	}
}

func TestAHallBoundsItsViewersOverAllTables(t *testing.T) {
	h, url := openHall(t, Settings{MaxViewers: 2})
	seat(t, h, "c", "1", 1, "A", "B")
	seat(t, h, "c", "2", 1, "A", "B")
	follow(t, url+"/t/c/1")
	follow(t, url+"/t/c/2")
	if answer, _ := get(t, url+"/events"); answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("one too many: %s", answer.Status)
	}
}

func TestNamesWithNumbersAreOrderedAsPeopleDo(t *testing.T) {
	got := []string{"table 10", "table 9", "B", "table 9b", "2", "10"}
	slices.SortFunc(got, compareNaturally)
	if want := []string{"2", "10", "B", "table 9", "table 9b", "table 10"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestOnlyTheEmbeddedPageMayStandInFramesOfOthers(t *testing.T) {
	for embed, want := range map[string]string{
		"": "frame-ancestors *", "none": "frame-ancestors 'none'", "https://club.example": "frame-ancestors https://club.example",
	} {
		_, url := start(t, Settings{Embed: embed})
		if answer, _ := get(t, url+"/embed"); !strings.HasSuffix(answer.Header.Get("Content-Security-Policy"), want) {
			t.Errorf("embed %q: %s", embed, answer.Header.Get("Content-Security-Policy"))
		}
		for _, path := range []string{"/", "/overlay", "/table"} {
			if answer, _ := get(t, url+path); !strings.HasSuffix(answer.Header.Get("Content-Security-Policy"), "frame-ancestors 'self'") {
				t.Errorf("%s: %s", path, answer.Header.Get("Content-Security-Policy"))
			}
		}
	}
	if _, err := New(Settings{Addr: ":0", Embed: "*; script-src *"}); err == nil {
		t.Error("a second directive got through")
	}
}

func TestTheHallLeadsToEachTable(t *testing.T) {
	h, url := openHall(t, Settings{})
	players := [][2]string{{"Ada Berg", "Cyrus Dara"}, {"Elif Fikri", "Gita Hosseini"}, {"Ivo Jansen", "Kaveh Lotfi"}, {"مینا", "نادر"}}
	for i := range 12 {
		p := players[i%len(players)]
		seat(t, h, "Club Nord", fmt.Sprint(i+1), 3*i, p[0], p[1])
	}
	h.SetAway(Place{"Club Nord", "4"}, AwayOffline)
	h.tell(h.changes())
	for _, lang := range []string{"en", "fa"} {
		ctx := tab(t, url+"/?lang="+lang, 1280, 800)
		eventually(t, ctx, `document.querySelectorAll('.card').length === 12`)
		shoot(t, ctx, "hall-"+lang)
	}
	ctx := tab(t, url+"/?lang=en", 390, 760)
	eventually(t, ctx, `document.querySelectorAll('.card').length === 12`)
	shoot(t, ctx, "hall phone")
	seat(t, h, "Club Nord", "1", 9, "New", "Names")
	h.tell(h.changes())
	eventually(t, ctx, `document.querySelector('.card bdi').textContent === 'New'`)
	run(t, ctx, click(`.card`))
	eventually(t, ctx, `document.querySelectorAll('.turn').length === 9 && location.pathname === '/t/Club%20Nord/1/'`)
	eventually(t, ctx, `document.getElementById('link-text').textContent.includes('2:00')`)
	h.SetAway(Place{"Club Nord", "1"}, AwayOffline)
	eventually(t, ctx, `document.getElementById('link-text').textContent === 'The table is offline'`)
	h.SetAway(Place{"Club Nord", "1"}, "")
	eventually(t, ctx, `document.getElementById('link').dataset.state === 'live'`)
	if answer, body := get(t, url+"/t/none/1/"); answer.StatusCode != http.StatusNotFound || !strings.Contains(body, "hall.js") {
		t.Errorf("a table that is not there: %s", answer.Status)
	}
}

func TestTheOverlayShowsWhatIsAskedFor(t *testing.T) {
	s, url := start(t, Settings{})
	state := stateAfter(t, 21)
	state.Players = [2]string{"Ada Berg", "Cyrus Dara"}
	state.Rulings = []referee.RulingBody{{Code: "M2", Rules: []string{"DICE-4"}, Severity: "R", Audience: "table", ID: 5}}
	s.SetState(state, time.Now(), 1)
	const ready = `!document.body.hidden && document.querySelector('#player-first .name')?.textContent === 'Ada Berg'`
	for name, query := range map[string]string{
		"overlay en": "", "overlay fa": "lang=fa", "overlay board": "parts=board,score,clock,pips,play&at=right&board=760&size=0.8",
		"overlay green": "chroma=green&theme=light&at=top", "overlay corner": "parts=board&at=bottom-left&board=500&lang=fa",
	} {
		ctx := tab(t, url+"/overlay?"+query, 1920, 1080)
		if !strings.Contains(query, "fa") {
			eventually(t, ctx, ready)
		}
		eventually(t, ctx, `!document.body.hidden`)
		if strings.Contains(query, "chroma") {
			eventually(t, ctx, `getComputedStyle(document.body).backgroundColor === 'rgb(0, 255, 0)'`)
		} else {
			run(t, ctx, chromedp.EmulateViewport(1920, 1080))
			eventually(t, ctx, `getComputedStyle(document.body).backgroundColor === 'rgba(0, 0, 0, 0)'`)
		}
		want := strings.Contains(query, "board")
		if got := value[bool](t, ctx, `!document.getElementById('board').hidden`); got != want {
			t.Errorf("%s: the board is there: %v", name, got)
		}
		if wide := value[bool](t, ctx, `document.documentElement.scrollWidth > 1920 || document.documentElement.scrollHeight > 1080`); wide {
			t.Errorf("%s reaches beyond the picture", name)
		}
		shoot(t, ctx, name)
	}
}

func TestAnotherHousesPageFramesTheTable(t *testing.T) {
	s, url := start(t, Settings{})
	s.SetState(stateAfter(t, 21), time.Now(), 1)
	for _, size := range [][2]int{{640, 520}, {360, 480}} {
		host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, `<!doctype html><body style="margin:0"><iframe src="%s/embed?lang=en&theme=dark" width="%d" height="%d" style="border:0" sandbox="allow-scripts allow-same-origin allow-popups"></iframe>`, url, size[0], size[1])
		}))
		defer host.Close()
		ctx := tab(t, strings.Replace(host.URL, "127.0.0.1", "localhost", 1), int64(size[0]), int64(size[1]))
		eventually(t, ctx, `performance.now() > 1500`) // the frame cannot be asked, and the picture is for people alone
		shoot(t, ctx, fmt.Sprintf("embed %d", size[0]))
	}
	ctx := tab(t, url+"/embed?lang=fa&theme=light", 640, 520)
	eventually(t, ctx, `document.querySelectorAll('.checker').length === 30`)
	eventually(t, ctx, `document.documentElement.scrollHeight <= 520 && document.documentElement.scrollWidth <= 640`)
	shoot(t, ctx, "embed fa")
}
