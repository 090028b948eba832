package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"davar/config"
	"davar/device/journal"
	"davar/device/mqtt"
	"davar/device/recording"
	"davar/device/web"
	"davar/rules/referee"
)

// runs runs the program until the test ends.
func runs(t *testing.T, out io.Writer, args ...string) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		root := newRootCommand()
		root.SetArgs(args)
		root.SetOut(out)
		root.SetErr(t.Output())
		if err := root.ExecuteContext(ctx); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		stop()
		running.Wait()
	})
}

// opened passes on what a hub says, and tells when it names its page, which is open then.
type opened struct {
	io.Writer
	told chan struct{}
}

func (o opened) Write(said []byte) (int, error) {
	if bytes.Contains(said, []byte("All tables: ")) {
		o.told <- struct{}{}
	}
	return o.Writer.Write(said)
}

// A director who sits at a hub sees the board of a table that a camera watches, has it calibrated, decides and sets up the
// next match; the table's log names him. Table, camera, broker and hub are the program's own.
func TestATableIsRunFromAHub(t *testing.T) {
	browser := browse(t)
	folder := t.TempDir()
	film, err := recording.Unpack(filepath.Join(folder, "film"))
	if err != nil {
		t.Fatal(err)
	}
	network := httptest.NewServer(&filmedCamera{t, filepath.Join(film.Dir, "video.mp4"), make(chan struct{})})
	t.Cleanup(network.Close)
	account, err := web.NewAccount("sara", web.Director, "a plain old password")
	if err != nil {
		t.Fatal(err)
	}
	password, accounts, log := filepath.Join(folder, "password"), filepath.Join(folder, "accounts"), filepath.Join(folder, "davar.db")
	for file, text := range map[string]string{password: "another old password\n", accounts: account.String() + "\n"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at, broker, hall := freePort(t), freePort(t), freePort(t)
	settings := write(t, "davar.yaml", fmt.Sprintf("club: north\ntable: \"4\"\ncamera: {source: %q}\nweb: {listen: %q, password_file: %q}\njournal: {path: %q}\n"+
		"mqtt: {listen: %q, user: director}\npublish: {delay: 1h}\n", network.URL+"/camera.mjpg", at, password, log, broker))
	said := greetings{t.Output(), make(chan struct{}, 10)}
	runs(t, said, "run", "--config", settings)
	said.wait(t)
	open := opened{t.Output(), make(chan struct{}, 10)}
	runs(t, open, "hub", "--broker", "tcp://"+broker, "--listen", hall, "--user", "director", "--password-file", password, "--accounts", accounts)
	select {
	case <-open.told:
	case <-time.After(time.Minute):
		t.Fatal("the hub names no page")
	}

	desk := "http://" + hall + "/t/north/4/director/"
	browser.visit("http://" + hall + "/signin?lang=en&next=/director")
	browser.until(`document.querySelector('input[name=password]')`)
	browser.run(`document.querySelector('input[name=name]').value = 'sara'; document.querySelector('input[name=password]').value = 'a plain old password'; document.querySelector('form[action="/signin"]').requestSubmit()`)
	browser.until(`document.querySelector('.table-card .open')`)
	browser.visit(desk)
	browser.until(`!document.getElementById('picture').hidden && document.getElementById('picture').width >= 640`)
	browser.run(`document.querySelector('[data-why="appeal"]').click()`)
	browser.until(`document.getElementById('answer').textContent === 'Done.'`)

	browser.visit(desk + "calibrate")
	browser.until(`document.getElementById('reading').textContent.includes('Light 15, dark 15') && document.getElementById('view').width > 300`)
	browser.run(`document.getElementById('keep').click()`)
	browser.until(`document.getElementById('answer').textContent.startsWith('Kept.')`)
	kept := config.Default()
	kept.Journal.Path = log
	if _, err := os.Stat(kept.CalibrationFile()); err != nil {
		t.Error(err)
	}

	browser.visit(desk + "setup")
	browser.until(`document.getElementById('begin').disabled === false`)
	for id, value := range map[string]string{"match-light": "Tove Lind", "match-dark": "کیان", "match-length": "5"} {
		browser.run(fmt.Sprintf(`document.getElementById(%q).value = %q`, id, value))
	}
	browser.run(`document.getElementById('abandon')?.click(); document.getElementById('begin').click()`)
	browser.until(`document.getElementById('answer').textContent.startsWith('The match is set up.')`)
	said.wait(t)
	browser.visit(desk)
	browser.until(`document.getElementById('about').textContent.includes('Tove Lind') && document.getElementById('about').textContent.includes('5-point match')`)
	browser.until(`!document.getElementById('picture').hidden`)

	reader, err := journal.OpenReader(t.Context(), log)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if who := deciders(t, reader); len(who) != 1 || who[0] != "sara (director)" {
		t.Errorf("the log says that %q decided", who)
	}
}

// deciders returns who has decided anything in the matches of a log.
func deciders(t *testing.T, reader *journal.Reader) (who []string) {
	t.Helper()
	matches, err := reader.Matches(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range matches {
		events, err := reader.Events(t.Context(), m.ID, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if e.Type == referee.DecisionMade {
				who = append(who, e.By)
			}
		}
	}
	return who
}

func TestTheEvidenceOfARulingGoesThroughABrokerHoweverLargeItIs(t *testing.T) {
	log, err := journal.Open(t.Context(), filepath.Join(t.TempDir(), "davar.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	settings := referee.DefaultSettings()
	settings.Match = "m"
	header := &journal.Header{Players: settings.Players, Settings: &settings}
	if _, err := log.Append(journal.Batch{Match: "m", Header: header, Events: []referee.Event{
		{Seq: 1, Match: "m", Type: referee.MatchStarted}, {Seq: 2, Match: "m", Game: 1, Type: referee.RulingMade, Ruling: &referee.RulingBody{ID: 2, Code: "M3"}},
	}}); err != nil {
		t.Fatal(err)
	}
	noise := gocv.NewMatWithSize(1080, 1920, gocv.MatTypeCV8UC3) // nothing takes more room
	defer noise.Close()
	gocv.RandU(&noise, gocv.NewScalar(0, 0, 0, 0), gocv.NewScalar(255, 255, 255, 0))
	jpeg, err := encodeJPEG(noise, 90)
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Keep(t.Context(), journal.Picture{Match: "m", Seq: 2, Role: journal.After}, jpeg); err != nil {
		t.Fatal(err)
	}
	s := &station{journal: log, begun: &beginning{match: "m"}}
	got, err := s.evidenceAfar(t.Context(), mqtt.PictureRequest{Kind: mqtt.PictureAfter, Seq: 2})
	if err != nil || got.Size != [2]int{1920, 1080} || len(got.JPEG) > mqtt.MaxPicture || len(got.JPEG) < 10_000 {
		t.Errorf("%d bytes of a picture of %v, %v", len(got.JPEG), got.Size, err)
	}
	if taken, err := time.Parse(time.RFC3339, got.Taken); err != nil || time.Since(taken) > time.Minute {
		t.Errorf("taken %s, %v", got.Taken, err)
	}
	for _, r := range []mqtt.PictureRequest{{Kind: mqtt.PictureBefore, Seq: 2}, {Kind: mqtt.PictureAfter, Seq: 1}} {
		if _, err := s.evidenceAfar(t.Context(), r); err == nil {
			t.Errorf("%+v: a picture that was never kept", r)
		}
	}
}
