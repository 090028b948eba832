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

// Orders takes a director's decisions to tables and brings their answers, over the connection of Follow
// (FollowOptions.Orders). Its methods may be called from any goroutine.
type Orders struct {
	mu      sync.Mutex
	publish func(topic string, body []byte) // nil: there is no connection
	news    chan struct{}                   // closed when there is a connection again
	waiting map[answerKey]chan ResponsePayload
}

// answerKey is what an answer is known by.
type answerKey struct {
	at          Place
	name        string
	transaction string
}

// NewOrders returns orders that wait for a connection.
func NewOrders() *Orders {
	return &Orders{news: make(chan struct{}), waiting: map[answerKey]chan ResponsePayload{}}
}

// Send has a table carry out a decision and waits for its answer, at the longest until ctx ends. A connection that is
// lost meanwhile is waited for. Match, when it is not empty, must be the one that is played; d.By is the person in whose name
// it is sent. The error wraps ErrRefused when the table has answered no.
func (o *Orders) Send(ctx context.Context, at Place, match string, d referee.Decision) error {
	key := answerKey{at, d.What, rand.Text()}
	person := d.By
	d.Transaction, d.By = "", ""
	body, err := json.Marshal(CommandPayload{V: Version, Transaction: key.transaction, Match: match, Person: person, Decision: d})
	if err != nil {
		return fmt.Errorf("mqtt: write a command: %w", err)
	}
	answered := make(chan ResponsePayload, 1)
	o.mu.Lock()
	o.waiting[key] = answered
	o.mu.Unlock()
	defer func() {
		o.mu.Lock()
		delete(o.waiting, key)
		o.mu.Unlock()
	}()
	for {
		connected, news := o.hand(at.Topic(CommandLevel, d.What), body)
		again := time.NewTimer(orderAgain)
		select {
		case r := <-answered:
			again.Stop()
			if !r.OK {
				return fmt.Errorf("%w: %s", ErrRefused, r.Error)
			}
			return nil
		case <-ctx.Done():
			again.Stop()
			if !connected {
				return errors.New("mqtt: no connection to the broker: try again when it is back")
			}
			return errors.New("mqtt: the table does not answer: see whether it is on, then try again")
		case <-news:
			again.Stop()
		case <-again.C:
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
	var r ResponsePayload
	if err := json.Unmarshal(body, &r); err != nil {
		return err
	}
	if err := checkVersion(r.V); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if waits := o.waiting[answerKey{at, name, r.Transaction}]; waits != nil {
		select {
		case waits <- r:
		default: // the answer to the same sent again
		}
	}
	return nil
}
