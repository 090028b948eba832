package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"davar/device/mqtt"
)

// Lines of the header on which the clock's buttons are, by the hardware guide.
const (
	lightLine = 17
	darkLine  = 27
)

// watcher is a director who watches one table by MQTT.
type watcher struct {
	client paho.Client

	mu      sync.Mutex
	state   *mqtt.StatePayload
	answers map[string]mqtt.ResponsePayload // by transaction
}

const prefix = "davar/" + club + "/" + table + "/"

// live waits until the table is well, and watches it.
func (s *started) live(ctx context.Context) (*watcher, error) {
	if err := s.healthy(ctx); err != nil {
		return nil, err
	}
	return s.watch(ctx)
}

// watch signs in at the table's own broker.
func (s *started) watch(ctx context.Context) (*watcher, error) {
	w := &watcher{answers: map[string]mqtt.ResponsePayload{}}
	hear := func(client paho.Client) {
		client.SubscribeMultiple(map[string]byte{prefix + "private/state": 1, prefix + "response/#": 1}, nil)
	}
	w.client = paho.NewClient(paho.NewClientOptions().AddBroker(s.broker).SetClientID("trial").SetUsername("director").SetPassword(password).
		SetConnectTimeout(10 * time.Second).SetAutoReconnect(true).SetOnConnectHandler(hear).
		SetDefaultPublishHandler(func(_ paho.Client, m paho.Message) { w.hear(m.Topic(), m.Payload()) }))
	err := s.await(ctx, "the table's broker", func() error {
		t := w.client.Connect()
		t.Wait()
		return t.Error()
	})
	return w, err
}

func (w *watcher) hear(topic string, body []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if topic == prefix+"private/state" {
		var state mqtt.StatePayload
		if json.Unmarshal(body, &state) == nil {
			w.state = &state
		}
		return
	}
	var answer mqtt.ResponsePayload
	if json.Unmarshal(body, &answer) == nil {
		w.answers[answer.Transaction] = answer
	}
}

// sees waits for a state of which so is true.
func (w *watcher) sees(ctx context.Context, s *started, what string, so func(*mqtt.StatePayload) bool) (state mqtt.StatePayload, err error) {
	err = s.await(ctx, what, func() error {
		w.mu.Lock()
		defer w.mu.Unlock()
		switch {
		case w.state == nil:
			return errors.New("no state was heard")
		case !so(w.state):
			clock, _ := json.Marshal(w.state.Clock)
			return fmt.Errorf("the state is: phase %s, turn %q, clock %s", w.state.Phase, w.state.Turn, clock)
		}
		state = *w.state
		return nil
	})
	return state, err
}

// running tells whether the clock of a side runs.
func running(side string) func(*mqtt.StatePayload) bool {
	return func(p *mqtt.StatePayload) bool { return p.Clock != nil && p.Clock.Running == side }
}

// decide sends a director's decision and waits for its answer.
func (w *watcher) decide(ctx context.Context, s *started, what, side string) error {
	transaction := s.name + " " + what
	body := fmt.Sprintf(`{"transaction":%q,"by":"director"}`, transaction)
	if side != "" {
		body = fmt.Sprintf(`{"transaction":%q,"by":"director","side":%q}`, transaction, side)
	}
	w.client.Publish(prefix+"command/"+what, 1, false, body)
	return s.await(ctx, "the answer to "+what, func() error {
		w.mu.Lock()
		defer w.mu.Unlock()
		answer, ok := w.answers[transaction]
		if !ok {
			return errors.New("no answer came")
		}
		if !answer.OK {
			return fmt.Errorf("it was refused: %s", answer.Error)
		}
		return nil
	})
}

// switches presses a button and waits until the other side's clock is seen to run.
func (w *watcher) switches(ctx context.Context, s *started, line int, to string) (mqtt.StatePayload, error) {
	begun := time.Now()
	if err := s.press(line); err != nil {
		return mqtt.StatePayload{}, fmt.Errorf("press GPIO%d: %w", line, err)
	}
	state, err := w.sees(ctx, s, "the clock of "+to, running(to))
	if err == nil {
		say("%s: a press on GPIO%d, and %v later the clock of %s is seen to run over MQTT", s.name, line, time.Since(begun).Round(time.Millisecond), to)
	}
	return state, err
}

// begins has a match begin with the turn of light.
func (w *watcher) begins(ctx context.Context, s *started) (mqtt.StatePayload, error) {
	if state, err := w.sees(ctx, s, "the state", func(p *mqtt.StatePayload) bool { return p.Match != "" }); err != nil {
		return state, err
	}
	if err := w.decide(ctx, s, "start", "light"); err != nil {
		return mqtt.StatePayload{}, err
	}
	return w.sees(ctx, s, "the clock of light", running("light"))
}

// firstEvening plays until the plug is pulled and returns what was seen last.
func firstEvening(ctx context.Context, m machine) (last mqtt.StatePayload, err error) {
	s, err := m.plugIn(ctx, "first")
	if err != nil {
		return last, err
	}
	defer s.pullPlug()
	w, err := s.live(ctx)
	if err != nil {
		return last, err
	}
	defer w.client.Disconnect(0)
	if _, err := w.begins(ctx, s); err != nil {
		return last, err
	}
	if _, err := w.switches(ctx, s, lightLine, "dark"); err != nil {
		return last, err
	}
	if _, err := w.switches(ctx, s, darkLine, "light"); err != nil {
		return last, err
	}
	last, err = w.switches(ctx, s, lightLine, "dark")
	say("the plug is pulled in match %s, at event %d", last.Match, last.Seq)
	return last, err
}

// secondEvening finds the match again and plays on.
func secondEvening(ctx context.Context, m machine, before mqtt.StatePayload) error {
	s, err := m.plugIn(ctx, "second")
	if err != nil {
		return err
	}
	defer s.pullPlug()
	w, err := s.playsOn(ctx, before)
	if err != nil {
		return err
	}
	defer w.client.Disconnect(0)
	_, err = w.switches(ctx, s, darkLine, "light")
	return err
}

// playsOn finds the match as it was before the plug was pulled, its clocks paused, and has the clock run that ran.
func (s *started) playsOn(ctx context.Context, before mqtt.StatePayload) (*watcher, error) {
	w, err := s.live(ctx)
	if err != nil {
		return nil, err
	}
	err = func() error {
		state, err := w.sees(ctx, s, "the state", func(p *mqtt.StatePayload) bool { return p.Match != "" })
		if err != nil {
			return err
		}
		if err := same(before, state); err != nil {
			return err
		}
		say("match %s is back at event %d, its clocks paused", state.Match, state.Seq)
		if err := w.decide(ctx, s, "resume", ""); err != nil {
			return err
		}
		_, err = w.sees(ctx, s, "the clock of "+before.Clock.Running, running(before.Clock.Running))
		return err
	}()
	if err != nil {
		w.client.Disconnect(0)
		return nil, err
	}
	return w, nil
}

// same tells how a match has come back otherwise than it was.
func same(before, state mqtt.StatePayload) error {
	if state.Match != before.Match || state.Seq < before.Seq || state.Clock == nil {
		return fmt.Errorf("match %s at event %d was shown before, %s at %d comes back", before.Match, before.Seq, state.Match, state.Seq)
	}
	if state.Clock.Running != "" {
		return fmt.Errorf("the clock of %s runs before anybody said so", state.Clock.Running)
	}
	for side, was := range before.Clock.RemainingMS {
		if is := state.Clock.RemainingMS[side]; is > was || was-is > (5*time.Minute).Milliseconds() {
			return fmt.Errorf("side %d had %d ms left, has %d", side, was, is)
		}
	}
	return nil
}
