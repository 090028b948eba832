package mqtt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"davar/rules/referee"
)

// jpegOf is a picture as far as this package looks at one.
func jpegOf(text string) Picture {
	return Picture{Size: [2]int{1280, 720}, Taken: "2026-06-01T13:00:00Z", JPEG: []byte("\xff\xd8" + text)}
}

// counterTable is a desk that has everything, and what it was asked.
type counterTable struct {
	mu    sync.Mutex
	asked []string
	begun func() // called when a match was set up
}

func (c *counterTable) note(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked = append(c.asked, fmt.Sprintf(format, args...))
}

func (c *counterTable) all() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.Join(c.asked, "\n")
}

func (c *counterTable) desk() Desk {
	return Desk{
		Picture: func(_ context.Context, r PictureRequest) (Picture, error) {
			c.note("picture %s %d", r.Kind, r.Seq)
			switch {
			case r.Seq == 404:
				return Picture{}, errors.New("no picture was kept")
			case r.Seq == 413:
				return jpegOf(strings.Repeat("x", MaxPicture)), nil
			}
			return jpegOf(r.Kind), nil
		},
		Calibrate: func(_ context.Context, r CalibrateRequest, who string) (*BoardRead, Picture, error) {
			if r.Keep {
				c.note("keep %v by %s", *r.Corners, who)
				return nil, Picture{}, nil
			}
			c.note("read %v", r.Corners != nil)
			return &BoardRead{Corners: [4][2]float64{{1, 2}, {3, 4}, {5, 6}, {7, 8}}, Size: [2]int{1280, 720}, Sure: 0.5}, jpegOf("view"), nil
		},
		Form: func(context.Context) ([]Field, error) {
			return []Field{{Key: "match.light", Kind: "text", Value: "Ada"}, {Key: "rules.variant", Kind: "choice", Values: []string{"standard", "iran"}}}, nil
		},
		SetUp: func(_ context.Context, r SetupRequest, who string) (map[string]string, error) {
			c.note("set up %s abandon %v by %s", r.Values["match.light"], r.Abandon, who)
			if r.Values["match.light"] == "" {
				return map[string]string{"match.light": "who?"}, nil
			}
			if c.begun != nil {
				c.begun()
			}
			return nil, nil
		},
	}
}

// A director at a hub sees and sets all that he would at the table itself, and nobody else learns of it.
func TestADirectorFarAwaySeesPicturesCalibratesAndSetsUp(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	table := &counterTable{}
	p := startPublisher(t, Options{Server: b.Server(), Desk: table.desk(), Handle: accept})
	stranger := subscribe(t, b.Server().URL, User{}, "davar/#")
	other := subscribe(t, b.Server().URL, director, "davar/+/+/private/+")
	p.Publish(roll("m", 1))
	p.SetState(referee.State{Match: "m", Seq: 1}, time.Now(), 1)
	p.SetFault("camera", true)
	other.untilBody(place.Topic(PrivateLevel, StateLeaf), `"faults":["camera"],"asks":["picture","calibrate","form","setup"]`)
	p.SetFault("camera", false)
	other.untilBody(place.Topic(PrivateLevel, StateLeaf), `"asks":["picture"`)
	c, orders := newChamber(), NewOrders()
	followAs(t, Server{URL: b.Server().URL, User: director.Name, Password: director.Password}, c, orders)
	c.until(t, "the state", func() bool { return len(c.states) > 0 })
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()

	for kind, seq := range map[string]int64{PictureSeen: 0, PictureCamera: 0, PictureBefore: 7, PictureAfter: 7} {
		if got, err := orders.Picture(ctx, place, kind, seq); err != nil || string(got.JPEG) != "\xff\xd8"+kind || got.Size != [2]int{1280, 720} {
			t.Errorf("%s: %+v, %v", kind, got, err)
		}
	}
	for seq, says := range map[int64]string{404: "no picture was kept", 413: "more than"} {
		if _, err := orders.Picture(ctx, place, PictureAfter, seq); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), says) {
			t.Errorf("picture %d: %v", seq, err)
		}
	}
	read, view, err := orders.Read(ctx, place, nil)
	if err != nil || read.Corners[3] != [2]float64{7, 8} || string(view.JPEG) != "\xff\xd8view" {
		t.Errorf("read: %+v %+v, %v", read, view, err)
	}
	if err := orders.KeepCorners(ctx, place, read.Corners, "sara"); err != nil {
		t.Error(err)
	}
	if fields, err := orders.Form(ctx, place); err != nil || len(fields) != 2 || fields[1].Values[1] != "iran" {
		t.Errorf("form: %+v, %v", fields, err)
	}
	if wrong, err := orders.SetUp(ctx, place, "m", "sara", nil, false); err != nil || wrong["match.light"] != "who?" {
		t.Errorf("set up wrongly: %v, %v", wrong, err)
	}
	if wrong, err := orders.SetUp(ctx, place, "m", "sara", map[string]string{"match.light": "Bo"}, true); err != nil || wrong != nil {
		t.Errorf("set up: %v, %v", wrong, err)
	}
	if _, err := orders.SetUp(ctx, place, "yesterday", "sara", nil, true); !errors.Is(err, ErrRefused) {
		t.Errorf("a match that is not played: %v", err)
	}
	for _, want := range []string{"keep [[1 2] [3 4] [5 6] [7 8]] by sara (director)", "set up Bo abandon true by sara (director)"} {
		if !strings.Contains(table.all(), want) {
			t.Errorf("%q is missing in what was asked:\n%s", want, table.all())
		}
	}
	p.Publish(roll("m", 2))
	for _, h := range stranger.until("event 2", hasEvent(t, place.Topic(EventLeaf), 2)) {
		if strings.Contains(h.topic, PrivateLevel) || strings.Contains(h.topic, ResponseLevel) || strings.Contains(h.body, "camera") || strings.Contains(h.body, `"asks"`) {
			t.Errorf("a stranger heard %s %.200s", h.topic, h.body)
		}
	}
}

func TestARequestThatMakesNoSenseIsAnsweredAndNotCarriedOut(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	table := &counterTable{}
	startPublisher(t, Options{Server: b.Server(), Desk: table.desk()})
	s := subscribe(t, b.Server().URL, director, "davar/#")
	s.untilBody(place.Topic(AvailableLeaf), Online)
	for i, c := range []struct{ name, body, says string }{
		{AskPicture, `{"transaction":"%s","kind":"seen"}`, "reader"},
		{AskPicture, `{"transaction":"%s","kind":"seen","reader":"x/../#"}`, "reader"},
		{AskPicture, `{"transaction":"%s","kind":"secret","reader":"AAAABBBB"}`, "no kind"},
		{AskPicture, `{"transaction":"%s","kind":"seen","reader":"AAAABBBB","wyh":1}`, "wyh"},
		{AskCalibrate, `{"transaction":"%s","keep":true}`, "which corners"},
		{AskCalibrate, `{"transaction":"%s","corners":[[1,2],[3,4],[5,6],[1e300,0]]}`, "far outside"},
		{AskCalibrate, `{"transaction":"%s","corners":"all"}`, "cannot be read"},
		{AskSetup, `{"transaction":"%s","match":"yesterday"}`, "yesterday"},
		{AskSetup, `{"transaction":"%s","values":{"a":"` + strings.Repeat("x", maxText+1) + `"}}`, "bytes"},
		{AskSetup, `{"transaction":"%s","person":"sara (hall)"}`, "brackets"},
		{AskForm, `{"transaction":"%s","v":99}`, "version"},
	} {
		transaction := fmt.Sprint("t", i)
		s.must(s.client.Publish(place.Topic(CommandLevel, c.name), 1, false, fmt.Sprintf(c.body, transaction)))
		if r := s.answer(c.name, transaction); r.OK || !strings.Contains(r.Error, c.says) {
			t.Errorf("%s: %+v, want it to say %q", c.body, r, c.says)
		}
	}
	for _, body := range []string{`{}`, `nonsense`, ``, `[]`, `{"transaction":"` + strings.Repeat("x", maxTransaction+1) + `"}`, strings.Repeat(" ", maxCommand+1)} {
		s.must(s.client.Publish(place.Topic(CommandLevel, AskForm), 1, false, body))
	}
	s.until("answers to all", func(all []heard) bool {
		n := 0
		for _, h := range all {
			if h.topic == place.Topic(ResponseLevel, AskForm) && strings.Contains(h.body, `"ok":false`) {
				n++
			}
		}
		return n == 7
	})
	if table.all() != "" {
		t.Errorf("carried out: %s", table.all())
	}
}

func TestATableWithoutACameraSaysThatItHasNoPictures(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	startPublisher(t, Options{Server: b.Server(), Handle: accept, Desk: Desk{Form: func(context.Context) ([]Field, error) { return nil, nil }}})
	c, orders := newChamber(), NewOrders()
	followAs(t, Server{URL: b.Server().URL, User: director.Name, Password: director.Password}, c, orders)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, err := orders.Form(ctx, place); err != nil { // once the connection is there
		t.Fatal(err)
	}
	_, pictureErr := orders.Picture(ctx, place, PictureSeen, 0)
	_, _, readErr := orders.Read(ctx, place, nil)
	_, setErr := orders.SetUp(ctx, place, "", "", nil, false)
	for what, err := range map[string]error{"picture": pictureErr, "calibrate": readErr, "setup": setErr} {
		if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "does not have") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// However many ask, a table sends two or three pictures a second, and what is decided does not wait behind them.
func TestPicturesAreSentAtALowRateAndHoldNoDecisionUp(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	table, slow := &counterTable{}, make(chan struct{})
	desk := table.desk()
	quick := desk.Picture
	desk.Picture = func(ctx context.Context, r PictureRequest) (Picture, error) {
		if r.Seq == 1 {
			<-slow
		}
		return quick(ctx, r)
	}
	var o office
	startPublisher(t, Options{Server: b.Server(), Desk: desk, Handle: o.handle})
	s := subscribe(t, b.Server().URL, director, "davar/#")
	s.untilBody(place.Topic(AvailableLeaf), Online)
	ask := func(transaction string, seq int) {
		s.must(s.client.Publish(place.Topic(CommandLevel, AskPicture), 1, false,
			fmt.Sprintf(`{"transaction":%q,"kind":"after","reader":"AAAABBBB","seq":%d}`, transaction, seq)))
	}
	ask("slow", 1)
	s.must(s.client.Publish(place.Topic(CommandLevel, "pause"), 1, false, `{"transaction":"p"}`))
	s.answer("pause", "p") // while a picture is being made
	close(slow)
	s.answer(AskPicture, "slow")
	begun := time.Now()
	for i := range 3 {
		ask(fmt.Sprint("q", i), 2)
	}
	for i := range 3 {
		s.untilBody(place.Topic(PrivateLevel, PictureLeaf, "AAAABBBB"), fmt.Sprintf(`"transaction":"q%d"`, i))
	}
	if took := time.Since(begun); took < 2*pictureEvery {
		t.Errorf("three pictures were sent within %v", took)
	}
}

// The next match is set up by ending this one: whoever did so is still answered.
func TestWhoSetsUpTheNextMatchIsAnsweredByTheOneThatEnds(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	table, ends := &counterTable{}, make(chan struct{})
	table.begun = func() { close(ends) }
	desk := table.desk()
	p := startPublisher(t, Options{Server: b.Server(), Desk: desk})
	s := subscribe(t, b.Server().URL, director, "davar/#")
	s.untilBody(place.Topic(AvailableLeaf), Online)
	s.must(s.client.Publish(place.Topic(CommandLevel, AskSetup), 1, false, `{"transaction":"next","values":{"match.light":"Bo"}}`))
	<-ends
	closePublisher(t, p)
	if r := s.answer(AskSetup, "next"); !r.OK {
		t.Errorf("%+v", r)
	}
	s.untilBody(place.Topic(AvailableLeaf), Stopped)
}

func FuzzDecodeRequest(f *testing.F) {
	for _, body := range []string{
		`{"transaction":"t","kind":"seen","reader":"AAAABBBB"}`, `{"transaction":"t","corners":[[0,0],[1,0],[1,1],[0,1]],"keep":true}`,
		`{"transaction":"t","values":{"match.light":"x"},"abandon":true}`, `{"transaction":"t","corners":[[NaN]]}`, `null`, `[]`,
	} {
		for _, name := range asks {
			f.Add(name, []byte(body))
		}
	}
	c := newCounter(Desk{}, quiet, func() Position { return Position{} }, func(string, any) {}, nil)
	f.Fuzz(func(t *testing.T, name string, body []byte) {
		r, _ := c.open(name)
		if err := decodeRequest(body, r); err != nil {
			return
		}
		if a := r.ask(); a.Transaction == "" || len(a.Transaction) > maxTransaction || checkPerson(a.Person) != nil {
			t.Errorf("%q taken as %+v", body, r)
		}
		if p, ok := r.(*PictureRequest); ok && strings.ContainsAny(p.Reader, "/+#") {
			t.Errorf("a picture would go to %q", p.Reader)
		}
	})
}

func FuzzWhatATableAnswers(f *testing.F) {
	picture, err := json.Marshal(PicturePayload{V: 1, Transaction: "t", Kind: PictureSeen, Picture: jpegOf("x")})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(picture)
	f.Add([]byte(`{"v":1,"transaction":"t","ok":true,"fields":[{"key":"a","kind":"text"}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		o := NewOrders()
		w := &waiting{answer: make(chan []byte, 1), picture: make(chan Picture, 1)}
		o.waiting[answerKey{place, AskPicture, "t"}] = w
		_ = o.answer(place, AskPicture, body)
		_ = o.picture(place, body)
		select {
		case p := <-w.picture:
			if len(p.JPEG) > MaxPicture || !bytes.HasPrefix(p.JPEG, []byte("\xff\xd8")) || p.Size[0] < 1 {
				t.Errorf("taken as a picture: %q", body)
			}
		default:
		}
		var form FormResponse
		if json.Unmarshal(body, &form) == nil && checkForm(form.Fields) == nil && len(form.Fields) > maxFields {
			t.Errorf("taken as a form: %q", body)
		}
	})
}

func TestWhatIsAskedAndAnsweredFitsItsDescription(t *testing.T) {
	corners := [4][2]float64{}
	for name, payload := range map[string]any{
		"picture":           PicturePayload{V: 1, Kind: PictureSeen, Picture: jpegOf("x")},
		"pictureRequest":    PictureRequest{Ask: newAsk("sara"), Reader: "AAAABBBB", Kind: PictureAfter, Seq: 2},
		"calibrateRequest":  CalibrateRequest{Ask: newAsk(""), Corners: &corners, Keep: true},
		"calibrateResponse": CalibrateResponse{ResponsePayload{V: 1, OK: true}, &BoardRead{}},
		"formRequest":       FormRequest{newAsk("")},
		"formResponse":      FormResponse{ResponsePayload{V: 1, OK: true}, []Field{{Key: "cube.max", Kind: "number", Min: 2, Max: 4096, More: true}}},
		"setupRequest":      SetupRequest{Ask: newAsk("sara"), Values: map[string]string{"match.light": "Bo"}, Abandon: true},
		"setupResponse":     SetupResponse{ResponsePayload{V: 1}, map[string]string{"match.light": "who?"}},
		"state":             StatePayload{V: 1, State: referee.State{Plays: []referee.LastPlay{}, Rulings: []referee.RulingBody{}}, Faults: []string{"log"}, Asks: asks},
	} {
		text, err := json.Marshal(payload)
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema(t, name).Validate(value); err != nil {
			t.Errorf("%s: %s\n%v", name, text, err)
		}
	}
}
