package mqtt

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Desk is what a table lets its director see and do from afar, besides deciding. What is nil is refused, and the private
// state does not name it. Its functions are called by one goroutine at a time, may take seconds and hold up nothing: no
// decision waits behind them.
type Desk struct {
	// Picture returns what was asked for, at most MaxPicture bytes of JPEG.
	Picture func(ctx context.Context, r PictureRequest) (Picture, error)
	// Calibrate reads the board in the newest picture, and with r.Keep has the table go on with the corners; then both
	// answers may be empty. The picture is the rectified view. Who asks is told as Options.Handle is told it.
	Calibrate func(ctx context.Context, r CalibrateRequest, who string) (*BoardRead, Picture, error)
	// Form returns what can be set for a match.
	Form func(ctx context.Context) ([]Field, error)
	// SetUp begins a match, or says why a value is wrong, by its key.
	SetUp func(ctx context.Context, r SetupRequest, who string) (wrong map[string]string, err error)
}

// names lists what can be asked.
func (d Desk) names() (names []string) {
	for _, one := range []struct {
		name string
		can  bool
	}{{AskPicture, d.Picture != nil}, {AskCalibrate, d.Calibrate != nil}, {AskForm, d.Form != nil}, {AskSetup, d.SetUp != nil}} {
		if one.can {
			names = append(names, one.name)
		}
	}
	return names
}

const (
	askQueue   = 8
	askTimeout = 12 * time.Second // for one to be carried out
	// pictureEvery is the least time between two pictures that a table sends, however many ask.
	pictureEvery = 400 * time.Millisecond
	askedBefore  = 64 // transactions whose answers are kept
)

// counter takes requests in, has the desk carry each out once, and answers.
type counter struct {
	desk    Desk
	newest  func() Position
	respond func(name string, payload any)
	show    func(reader string, p PicturePayload)
	log     *slog.Logger
	queue   chan message

	// Of the goroutine in run alone.
	answers map[string]any // by name and transaction
	order   []string       // keys of answers, oldest first
	shown   time.Time      // when the last picture was sent
}

func newCounter(desk Desk, log *slog.Logger, newest func() Position, respond func(string, any), show func(string, PicturePayload)) *counter {
	return &counter{
		desk: desk, newest: newest, respond: respond, show: show, log: log,
		queue: make(chan message, askQueue), answers: map[string]any{},
	}
}

// receive takes a request in and returns at once; when too many wait it answers so.
func (c *counter) receive(m message) {
	select {
	case c.queue <- m:
	default:
		r, _ := c.open(m.name)
		_ = decodeRequest(m.body, r)
		c.respond(m.name, c.answer(r.ask().Transaction, errors.New("too many requests wait: try again")))
	}
}

// run carries requests out, one after the other, until ctx ends; one under way is answered still.
func (c *counter) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case m := <-c.queue:
			c.respond(m.name, c.carryOut(ctx, m))
		}
	}
}

// open returns an empty request and what carries it out once it is filled in.
func (c *counter) open(name string) (request, func(context.Context) any) {
	switch name {
	case AskPicture:
		r := &PictureRequest{}
		return r, func(ctx context.Context) any { return c.picture(ctx, r) }
	case AskCalibrate:
		r := &CalibrateRequest{}
		return r, func(ctx context.Context) any { return c.calibrate(ctx, r) }
	case AskForm:
		r := &FormRequest{}
		return r, func(ctx context.Context) any { return c.form(ctx, r) }
	}
	r := &SetupRequest{}
	return r, func(ctx context.Context) any { return c.setUp(ctx, r) }
}

func (c *counter) carryOut(ctx context.Context, m message) any {
	r, do := c.open(m.name)
	err := decodeRequest(m.body, r)
	ask := r.ask()
	if err != nil {
		return c.answer(ask.Transaction, err)
	}
	key := commandKey(m.name, ask.Transaction)
	if known, ok := c.answers[key]; ok {
		return known // a picture that belonged to it is not sent again
	}
	if at := c.newest(); ask.Match != "" && ask.Match != at.Match {
		return c.answer(ask.Transaction, fmt.Errorf("match %q is not the one being played", ask.Match))
	}
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	answer := do(ctx)
	if len(c.order) == askedBefore {
		delete(c.answers, c.order[0])
		c.order = c.order[1:]
	}
	c.answers[key], c.order = answer, append(c.order, key)
	return answer
}

func (c *counter) answer(transaction string, err error) ResponsePayload {
	return answerTo(transaction, c.newest(), err)
}

func (c *counter) picture(ctx context.Context, r *PictureRequest) any {
	if c.desk.Picture == nil {
		return c.answer(r.Transaction, errNotAsked)
	}
	if err := c.pace(ctx); err != nil {
		return c.answer(r.Transaction, err)
	}
	picture, err := c.desk.Picture(ctx, *r)
	if err == nil {
		err = c.send(r.Reader, r.Transaction, r.Kind, picture)
	}
	return c.answer(r.Transaction, err)
}

func (c *counter) calibrate(ctx context.Context, r *CalibrateRequest) any {
	if c.desk.Calibrate == nil {
		return c.answer(r.Transaction, errNotAsked)
	}
	who := speaker(r.By, r.Person)
	read, view, err := c.desk.Calibrate(ctx, *r, who)
	if r.Keep {
		c.log.Info("mqtt: calibrate", "by", who, "corners", r.Corners, "error", err)
	}
	if err == nil && r.Reader != "" && len(view.JPEG) > 0 {
		err = c.send(r.Reader, r.Transaction, PictureBoard, view)
	}
	if err != nil {
		read = nil
	}
	return CalibrateResponse{c.answer(r.Transaction, err), read}
}

func (c *counter) form(ctx context.Context, r *FormRequest) any {
	if c.desk.Form == nil {
		return c.answer(r.Transaction, errNotAsked)
	}
	fields, err := c.desk.Form(ctx)
	return FormResponse{c.answer(r.Transaction, err), fields}
}

func (c *counter) setUp(ctx context.Context, r *SetupRequest) any {
	if c.desk.SetUp == nil {
		return c.answer(r.Transaction, errNotAsked)
	}
	who := speaker(r.By, r.Person)
	wrong, err := c.desk.SetUp(ctx, *r, who)
	c.log.Info("mqtt: set up a match", "by", who, "transaction", r.Transaction, "abandon", r.Abandon, "wrong", len(wrong), "error", err)
	answer := SetupResponse{c.answer(r.Transaction, err), wrong}
	answer.OK = answer.OK && len(wrong) == 0
	return answer
}

// errNotAsked refuses what this table does not have.
var errNotAsked = errors.New("this table does not have that")

// pace waits until another picture may be sent.
func (c *counter) pace(ctx context.Context) error {
	wait := time.NewTimer(pictureEvery - time.Since(c.shown))
	defer wait.Stop()
	select {
	case <-wait.C:
		return nil
	case <-ctx.Done():
		return errors.New("too many pictures are asked for")
	}
}

// send shows a picture to who asked for it.
func (c *counter) send(reader, transaction, kind string, picture Picture) error {
	at := c.newest()
	p := PicturePayload{V: Version, Seq: at.Seq, Match: at.Match, Transaction: transaction, Kind: kind, Picture: picture}
	if err := p.check(); err != nil {
		return err
	}
	c.shown = time.Now()
	c.show(reader, p)
	return nil
}
