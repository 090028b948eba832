package mqtt

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"davar/rules/referee"
)

// orderAgain is how long an answer is waited for before a command is sent again: the same transaction is not carried
// out twice.
const orderAgain = 3 * time.Second

// ErrRefused is what a table answers when it does not carry a decision out; the error that wraps it says why.
var ErrRefused = errors.New("the table refuses")

// Orders takes a director's decisions and requests to tables and brings their answers, over the connection of Follow
// (FollowOptions.Orders). Its methods may be called from any goroutine.
type Orders struct {
	reader string // where pictures for these orders go

	mu      sync.Mutex
	publish func(topic string, body []byte) // nil: there is no connection
	news    chan struct{}                   // closed when there is a connection again
	waiting map[answerKey]*waiting
}

// answerKey is what an answer is known by.
type answerKey struct {
	at          Place
	name        string
	transaction string
}

// waiting is somebody who waits for an answer, and perhaps for a picture beside it.
type waiting struct {
	answer  chan []byte // holds one
	picture chan Picture
}

// NewOrders returns orders that wait for a connection.
func NewOrders() *Orders {
	return &Orders{reader: rand.Text()[:20], news: make(chan struct{}), waiting: map[answerKey]*waiting{}}
}

// Send has a table carry out a decision and waits for its answer, at the longest until ctx ends. A connection that is
// lost meanwhile is waited for. Match, when it is not empty, must be the one that is played; d.By is the person in whose name
// it is sent. The error wraps ErrRefused when the table has answered no.
func (o *Orders) Send(ctx context.Context, at Place, match string, d referee.Decision) error {
	person := d.By
	d.Transaction, d.By = "", ""
	command := CommandPayload{V: Version, Transaction: rand.Text(), Match: match, Person: person, Decision: d}
	_, err := o.ask(ctx, errand{at: at, name: d.What, transaction: command.Transaction, body: command, again: true}, &ResponsePayload{})
	return err
}

// errand is one thing that a table is asked.
type errand struct {
	at                Place
	name, transaction string
	body              any
	again             bool // the same may be sent again when no answer comes
	picture           bool // a picture belongs to the answer
}

// tableAnswer is what a table answers.
type tableAnswer interface{ outcome() *ResponsePayload }

func (r *ResponsePayload) outcome() *ResponsePayload { return r }

// ask has a table do something and waits until it is answered: into is filled, and where a picture belongs to the answer it
// is there too.
func (o *Orders) ask(ctx context.Context, e errand, into tableAnswer) (Picture, error) {
	body, err := json.Marshal(e.body)
	if err != nil {
		return Picture{}, fmt.Errorf("mqtt: write a command: %w", err)
	}
	key := answerKey{e.at, e.name, e.transaction}
	w := &waiting{answer: make(chan []byte, 1), picture: make(chan Picture, 1)}
	o.mu.Lock()
	o.waiting[key] = w
	o.mu.Unlock()
	defer func() {
		o.mu.Lock()
		delete(o.waiting, key)
		o.mu.Unlock()
	}()
	answer, err := o.await(ctx, e, body, w)
	if err != nil {
		return Picture{}, err
	}
	if err := json.Unmarshal(answer, into); err != nil {
		return Picture{}, fmt.Errorf("mqtt: read a table's answer: %w", err)
	}
	if r := into.outcome(); !r.OK {
		return Picture{}, fmt.Errorf("%w: %s", ErrRefused, r.Error)
	}
	if !e.picture {
		return Picture{}, nil
	}
	select {
	case picture := <-w.picture:
		return picture, nil
	case <-ctx.Done():
		return Picture{}, errors.New("mqtt: the picture was lost on its way: try again")
	}
}

// await sends and waits for the answer.
func (o *Orders) await(ctx context.Context, e errand, body []byte, w *waiting) ([]byte, error) {
	for {
		connected, news := o.hand(e.at.Topic(CommandLevel, e.name), body)
		var again <-chan time.Time
		if e.again || !connected {
			timer := time.NewTimer(orderAgain)
			defer timer.Stop()
			again = timer.C
		}
		if !e.again && connected {
			news = nil
		}
		select {
		case answer := <-w.answer:
			return answer, nil
		case <-ctx.Done():
			if !connected {
				return nil, errors.New("mqtt: no connection to the broker: try again when it is back")
			}
			return nil, errors.New("mqtt: the table does not answer: see whether it is on, then try again")
		case <-news:
		case <-again:
		}
	}
}

// hand gives a command to the connection; news is closed when there is another one.
func (o *Orders) hand(topic string, body []byte) (connected bool, news <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.publish != nil {
		o.publish(topic, body)
	}
	return o.publish != nil, o.news
}

// connected takes a connection; publish must not wait. Nil: there is none any more.
func (o *Orders) connected(publish func(topic string, body []byte)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.publish = publish
	if publish != nil {
		close(o.news)
		o.news = make(chan struct{})
	}
}

// answer takes in what a table answers; what nobody waits for is passed over.
func (o *Orders) answer(at Place, name string, body []byte) error {
	if len(body) > maxPacket {
		return errors.New("it is too long")
	}
	var r ResponsePayload
	if err := json.Unmarshal(body, &r); err != nil {
		return err
	}
	if err := checkVersion(r.V); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if w := o.waiting[answerKey{at, name, r.Transaction}]; w != nil {
		select {
		case w.answer <- body:
		default: // the answer to the same sent again
		}
	}
	return nil
}

// picture takes in a picture; one that nobody waits for is passed over.
func (o *Orders) picture(at Place, body []byte) error {
	if len(body) > maxPacket {
		return errors.New("it is too long")
	}
	var p PicturePayload
	if err := json.Unmarshal(body, &p); err != nil {
		return err
	}
	if err := p.check(); err != nil {
		return err
	}
	name := AskPicture
	if p.Kind == PictureBoard {
		name = AskCalibrate
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if w := o.waiting[answerKey{at, name, p.Transaction}]; w != nil {
		select {
		case w.picture <- p.Picture:
		default:
		}
	}
	return nil
}
