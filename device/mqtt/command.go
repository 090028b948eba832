package mqtt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"davar/rules/referee"
)

// Limits of commands.
const (
	commandQueue   = 64
	commandTimeout = 10 * time.Second // for one to be carried out
	maxCommand     = 16 << 10         // bytes
	maxTransaction = 128              // bytes
	remembered     = 1024             // transactions whose answers are kept
)

// commands takes commands in, has each carried out once, and answers.
type commands struct {
	handle  func(context.Context, referee.Decision, string) error
	newest  func() Position
	respond func(response)
	log     *slog.Logger
	queue   chan message

	// Of the goroutine in run alone.
	answers map[string]ResponsePayload // by name and transaction
	order   []string                   // keys of answers, oldest first
}

// message is a command as it came.
type message struct {
	name string
	body []byte
}

func newCommands(handle func(context.Context, referee.Decision, string) error, log *slog.Logger,
	newest func() Position, respond func(response)) *commands {
	return &commands{
		handle: handle, newest: newest, respond: respond, log: log,
		queue: make(chan message, commandQueue), answers: map[string]ResponsePayload{},
	}
}

// receive takes a command in and returns at once; when too many wait it answers so.
func (c *commands) receive(m message) {
	select {
	case c.queue <- m:
	default:
		_, transaction, _ := decodeCommand(m)
		c.respond(response{m.name, c.answer(transaction, errors.New("too many commands wait: try again"))})
	}
}

// run carries commands out, one after the other, until ctx ends.
func (c *commands) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case m := <-c.queue:
			c.respond(c.carryOut(ctx, m))
		}
	}
}

func (c *commands) carryOut(ctx context.Context, m message) response {
	command, transaction, err := decodeCommand(m)
	if err != nil {
		return response{m.name, c.answer(transaction, err)}
	}
	command.Decision.Transaction = transaction
	key := commandKey(m.name, transaction)
	if known, ok := c.answers[key]; ok {
		return response{m.name, known}
	}
	if at := c.newest(); command.Match != "" && command.Match != at.Match {
		err = fmt.Errorf("match %q is not the one being played", command.Match)
	} else {
		err = c.call(ctx, command.Decision, speaker(command.By, command.Person))
	}
	r := c.answer(transaction, err)
	c.log.Info("mqtt: command", "name", m.name, "by", speaker(command.By, command.Person), "transaction", transaction, "error", r.Error)
	c.remember(key, r)
	return response{m.name, r}
}

func commandKey(name, transaction string) string { return name + "/" + transaction }

// recall remembers what came of commands before a restart; it is called before run.
func (c *commands) recall(decided []referee.Event) {
	for _, e := range decided {
		if e.Transaction != "" && (e.Type == referee.DecisionMade || e.Type == referee.DecisionRefused) {
			c.remember(commandKey(e.What, e.Transaction), ResponsePayload{
				V: Version, Seq: e.Seq, Match: e.Match, Transaction: e.Transaction, OK: e.Type == referee.DecisionMade, Error: e.Refusal,
			})
		}
	}
}

func (c *commands) call(ctx context.Context, d referee.Decision, who string) error {
	ctx, cancel := context.WithTimeout(ctx, commandTimeout)
	defer cancel()
	return c.handle(ctx, d, who)
}

func (c *commands) answer(transaction string, err error) ResponsePayload {
	return answerTo(transaction, c.newest(), err)
}

// answerTo answers a command or a request; at is the newest event.
func answerTo(transaction string, at Position, err error) ResponsePayload {
	payload := ResponsePayload{V: Version, Seq: at.Seq, Match: at.Match, Transaction: transaction, OK: err == nil}
	if err != nil {
		payload.Error = err.Error()
	}
	return payload
}

func (c *commands) remember(key string, payload ResponsePayload) {
	if _, known := c.answers[key]; known {
		return
	}
	if len(c.order) == remembered {
		delete(c.answers, c.order[0])
		c.order = c.order[1:]
	}
	c.answers[key] = payload
	c.order = append(c.order, key)
}

// decodeCommand reads a command. The transaction is returned as far as it could be read also with an error.
func decodeCommand(m message) (command CommandPayload, transaction string, err error) {
	about, known := referee.AboutSide(m.name)
	if len(m.body) > maxCommand {
		return command, "", errors.New("the command is too long")
	}
	var given struct {
		Transaction string  `json:"transaction"`
		Side        *string `json:"side"`
	}
	if err := json.Unmarshal(m.body, &given); err != nil {
		return command, "", fmt.Errorf("the command is no JSON object: %w", err)
	}
	if len(given.Transaction) > maxTransaction {
		return command, "", errors.New("the transaction is too long")
	}
	strict := json.NewDecoder(bytes.NewReader(m.body))
	strict.DisallowUnknownFields()
	err = strict.Decode(&command)
	switch {
	case !known:
		err = fmt.Errorf("there is no command %q", m.name)
	case err != nil:
		err = fmt.Errorf("the command cannot be read: %w", err)
	case given.Transaction == "":
		err = errors.New("the command has no transaction: give each its own, and the same again only to repeat it")
	case command.V > Version:
		err = fmt.Errorf("the command has version %d, this table knows %d", command.V, Version)
	case command.What != "" && command.What != m.name:
		err = fmt.Errorf("the command's topic says %q, its decision %q", m.name, command.What)
	case about && given.Side == nil:
		err = errors.New("say which side: light or dark")
	default:
		err = checkPerson(command.Person)
	}
	command.What = m.name
	return command, given.Transaction, err
}
