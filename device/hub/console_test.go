package hub

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"davar/device/mqtt"
	"davar/device/web"
	"davar/rules/referee"
)

const sarasPassword = "a plain old password"

// director is somebody who has signed in to a hub.
type director struct {
	t      *testing.T
	client *http.Client
	at     string
}

func signIn(t *testing.T, h *Hub, name, password string) *director {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	d := &director{t, &http.Client{Jar: jar}, h.URL()}
	answer, err := d.client.PostForm(d.at+"/signin", url.Values{"name": {name}, "password": {password}})
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return d
}

func (d *director) ask(path, body string) (int, string) {
	d.t.Helper()
	method := http.MethodGet
	if body != "" {
		method = http.MethodPost
	}
	request, err := http.NewRequest(method, d.at+path, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := d.client.Do(request)
	if err != nil {
		d.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// until asks again and again until the answer holds a text.
func (d *director) until(path, text string) {
	d.t.Helper()
	for limit := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		if _, got := d.ask(path, ""); strings.Contains(got, text) {
			return
		} else if time.Now().After(limit) {
			d.t.Fatalf("%s never says %s, but %s", path, text, got)
		}
	}
}

// A director signs in to a hub, sees at once what is not public yet, and decides; the table carries it out and answers.
func TestADirectorDecidesAtATableOverAHub(t *testing.T) {
	account, err := web.NewAccount("sara", web.Director, sarasPassword)
	if err != nil {
		t.Fatal(err)
	}
	broker, err := mqtt.StartBroker(mqtt.BrokerOptions{Listen: "127.0.0.1:0", Users: []mqtt.User{{Name: "hall", Password: "open sesame"}}, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = broker.Close() })
	decided, asked := make(chan referee.Decision, 8), make(chan string, 8)
	board := seatWith(t, mqtt.Options{
		Finished: func(context.Context) ([]mqtt.FinishedMatch, error) {
			return []mqtt.FinishedMatch{{Match: "old", Players: [2]string{"Ivo Jansen", "Gita Hosseini"}, Ended: "2026-06-01T13:00:00Z"}}, nil
		},
		Server: broker.Server(), Place: mqtt.Place{Club: "c", Table: "1"}, Policy: mqtt.Policy{Delay: time.Hour},
		Desk: farDesk(asked),
		Handle: func(_ context.Context, d referee.Decision, who string) error {
			d.By = who
			decided <- d
			if d.What == referee.DecideUndo {
				return errors.New("there is no turn to take back")
			}
			return nil
		},
	})
	board.publisher.SetFault("buttons", true)
	board.state.Clock, board.state.Appeal = nil, true // nothing but the state tells of an appeal without a clock
	board.play(3)
	h := openHub(t, Settings{
		Broker: mqtt.Server{URL: "tcp://" + broker.Addr(), User: "hall", Password: "open sesame"}, Accounts: []web.Account{account},
	})
	sara := signIn(t, h, "sara", sarasPassword)
	sara.until("/director/tables.json", `"needs":["appeal","fault"]`)
	sara.seesAndSets(asked)
	if status, text := sara.ask("/t/c/1/director/decision", `{"decision":"pause","why":"appeal"}`); status != http.StatusNoContent {
		t.Fatalf("%d %s", status, text)
	}
	if d := <-decided; d.What != referee.DecidePause || d.Why != "appeal" || d.By != "sara (hall)" { // the hub says who, the broker which account it was
		t.Errorf("%+v", d)
	}
	if status, text := sara.ask("/t/c/1/director/decision", `{"decision":"undo"}`); status != http.StatusConflict || !strings.Contains(text, "no turn to take back") {
		t.Errorf("%d %s", status, text)
	}
	stranger := signIn(t, h, "sara", "not hers at all")
	for _, path := range []string{
		"/director/tables.json", "/t/c/1/director/cases.json", "/t/c/1/director/events", "/t/c/1/director/picture.jpg", "/t/c/1/director/evidence/2/after",
	} {
		if status, text := stranger.ask(path, ""); status != http.StatusUnauthorized {
			t.Errorf("a stranger gets %s: %d %s", path, status, text)
		}
	}
	if status, text := stranger.ask("/t/c/1/state.json", ""); status != http.StatusNotFound {
		t.Errorf("what is held back for an hour is shown: %d %s", status, text)
	}
	stranger.until("/matches", "Ivo Jansen")
	if status, text := stranger.ask("/tables.json", ""); strings.Contains(text, "Ada") {
		t.Errorf("what is held back for an hour is listed: %d %s", status, text)
	}
}

// farDesk is what a table has for directors far away; it tells what was changed and by whom.
func farDesk(changed chan<- string) mqtt.Desk {
	view := mqtt.Picture{Size: [2]int{1280, 720}, JPEG: []byte("\xff\xd8 a picture")}
	return mqtt.Desk{
		Picture: func(_ context.Context, r mqtt.PictureRequest) (mqtt.Picture, error) {
			if r.Kind == mqtt.PictureBefore {
				return mqtt.Picture{}, errors.New("no picture is kept of that")
			}
			return view, nil
		},
		Calibrate: func(_ context.Context, r mqtt.CalibrateRequest, who string) (*mqtt.BoardRead, mqtt.Picture, error) {
			if r.Keep {
				changed <- "calibrated by " + who
				return nil, mqtt.Picture{}, nil
			}
			return &mqtt.BoardRead{Size: view.Size, Sure: 0.75}, view, nil
		},
		Form: func(context.Context) ([]mqtt.Field, error) {
			return []mqtt.Field{{Key: "match.light", Kind: "text", Value: "Ada"}}, nil
		},
		SetUp: func(_ context.Context, r mqtt.SetupRequest, who string) (map[string]string, error) {
			if r.Values["match.light"] == "" {
				return map[string]string{"match.light": "who?"}, nil
			}
			changed <- r.Values["match.light"] + " set up by " + who
			return nil, nil
		},
	}
}

// seesAndSets has a director look at a table, calibrate it and set up a match.
func (d *director) seesAndSets(changed <-chan string) {
	d.t.Helper()
	for _, c := range []struct {
		path, body string
		status     int
		says       string
	}{
		{"picture.jpg", "", http.StatusOK, "\xff\xd8"},
		{"evidence/2/after", "", http.StatusOK, "\xff\xd8"},
		{"evidence/2/before", "", http.StatusNoContent, ""},
		{"calibration", `{"corners":[[1,1],[9,1],[9,9],[1,9]]}`, http.StatusOK, `"sure":0.75`},
		{"calibration/keep", `{"corners":[[1,1],[9,1],[9,9],[1,9]]}`, http.StatusNoContent, ""},
		{"setup", "", http.StatusOK, `value="Ada"`},
		{"setup", `{"values":{"match.light":"Bo"}}`, http.StatusLocked, "PROC-5"},
		{"setup", `{"values":{"match.light":""},"abandon":true}`, http.StatusOK, "who?"},
		{"setup", `{"values":{"match.light":"Bo"},"abandon":true}`, http.StatusOK, "begun"},
	} {
		if status, text := d.ask("/t/c/1/director/"+c.path, c.body); status != c.status || !strings.Contains(text, c.says) {
			d.t.Errorf("%s %s: %d %.300s", c.path, c.body, status, text)
		}
	}
	for _, want := range []string{"calibrated by sara (hall)", "Bo set up by sara (hall)"} {
		select {
		case got := <-changed:
			if got != want {
				d.t.Errorf("%q, want %q", got, want)
			}
		case <-time.After(patience):
			d.t.Fatalf("%q never happens", want)
		}
	}
}

func TestAConsoleNeedsAnAccountAtTheBroker(t *testing.T) {
	_, err := New(Settings{Listen: ":0", Broker: mqtt.Server{URL: "tcp://x:1883"}, Accounts: []web.Account{{Name: "sara"}}})
	if err == nil || !strings.Contains(err.Error(), "hub.user") {
		t.Error(err)
	}
}
