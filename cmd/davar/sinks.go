package main

import (
	"fmt"
	"io"
	"time"

	"davar/device/phrasebook"
	"davar/rules/referee"
)

// teller prints what happens at a table, one sentence a line.
type teller struct {
	out     io.Writer
	book    *phrasebook.Book
	lang    string
	players [2]string
}

// Publish prints the event's sentence; events without one are left out.
func (t *teller) Publish(e referee.Event) {
	text := t.book.Tell(t.lang, e, t.players)
	if text == "" {
		return
	}
	fmt.Fprintf(t.out, "%6s  %s\n", clockText(e.TMS), text)
}

// SetState does nothing: the events tell all.
func (t *teller) SetState(referee.State, time.Time, float64) {}

// clockText writes a time since the match's beginning as minutes, seconds and tenths.
func clockText(ms int64) string {
	return fmt.Sprintf("%d:%02d.%d", ms/60000, ms/1000%60, ms/100%10)
}
