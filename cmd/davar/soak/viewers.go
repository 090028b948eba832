package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"davar/device/mqtt"
)

// position names an event.
type position struct {
	match string
	seq   int64
}

// shown is everything that anybody was shown.
type shown struct {
	mu      sync.Mutex
	private map[position]string // events on the director's topic, and what they were
	public  map[position]string // on the public one
	pages   map[position]bool   // states and events on spectators' pages
	updates int                 // of all pages together
}

func newShown() *shown {
	return &shown{private: map[position]string{}, public: map[position]string{}, pages: map[position]bool{}}
}

// event notes an event of a topic.
func (s *shown) event(topic string, body []byte) {
	var e mqtt.EventPayload
	if json.Unmarshal(body, &e) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	into := s.public
	if strings.Contains(topic, "/private/") {
		into = s.private
	}
	into[position{e.Match, e.Seq}] = e.Type
}

// update notes what a page was told: a state, or an event.
func (s *shown) update(data string) {
	var m struct {
		State struct {
			Match string
			Seq   int64
		}
		Match string
		Seq   int64
	}
	if json.Unmarshal([]byte(data), &m) != nil {
		return
	}
	at := position{m.Match, m.Seq}
	if m.State.Match != "" {
		at = position{m.State.Match, m.State.Seq}
	}
	if at.match == "" || at.seq == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages[at] = true
	s.updates++
}

// subscribe watches both event topics at the broker until the client is disconnected; it comes back by itself.
func (s *shown) subscribe(broker string, user mqtt.User) paho.Client {
	note := func(_ paho.Client, m paho.Message) { s.event(m.Topic(), m.Payload()) }
	o := paho.NewClientOptions().AddBroker("tcp://" + broker).SetClientID("soak-viewer").SetUsername(user.Name).SetPassword(user.Password)
	o.SetConnectRetry(true).SetConnectRetryInterval(time.Second).SetMaxReconnectInterval(2 * time.Second)
	o.SetOnConnectHandler(func(c paho.Client) {
		c.SubscribeMultiple(map[string]byte{"davar/+/+/event": 1, "davar/+/+/private/event": 1}, note)
	})
	c := paho.NewClient(o)
	c.Connect()
	return c
}

// spectate looks at the page until ctx ends, and comes back when it was away.
func (s *shown) spectate(ctx context.Context, page string) {
	for ctx.Err() == nil {
		_ = s.follow(ctx, page)
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

func (s *shown) follow(ctx context.Context, page string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, page+"/events", nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the page answers %s", answer.Status)
	}
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			s.update(data)
		}
	}
	return lines.Err()
}
