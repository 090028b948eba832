package gpio

import (
	"context"
	"fmt"
	"time"
)

// Button names one of the table's buttons.
type Button uint8

// The buttons. AllButtons stands in events that concern the whole set.
const (
	LightButton Button = iota // light's clock button
	DarkButton                // dark's clock button
	PauseButton               // stops both clocks or calls for it
	AllButtons
	buttons = int(AllButtons)
)

var buttonNames = [...]string{"light", "dark", "pause", "all buttons"}

// String returns light, dark, pause or all buttons.
func (b Button) String() string {
	if int(b) < len(buttonNames) {
		return buttonNames[b]
	}
	return fmt.Sprintf("button(%d)", uint8(b))
}

// Kind says what an Event is.
type Kind string

// Kinds of event.
const (
	Press   Kind = "press"   // the button went down
	Stuck   Kind = "stuck"   // it has been down for StuckAfter: pressed by a thing, or a short in its wire
	Freed   Kind = "freed"   // the stuck button was released
	Chatter Kind = "chatter" // it makes far more contacts than a hand can: worn out or a loose wire
	Lost    Kind = "lost"    // no button can be read any more; Err says why
	Back    Kind = "back"    // they can be read again; what was pressed in between is unknown
)

// Event is one thing the buttons report.
type Event struct {
	Kind   Kind
	Button Button
	// At is when it happened, with Go's monotonic reading: for a press that of its first edge.
	At time.Time
	// Late says of a press that its edge was lost and At is when the button was found down, up to a quarter of a
	// second after it went down.
	Late bool
	Err  error // with Lost
}

// Buttons is what is done to a table's buttons.
type Buttons interface {
	// Next waits for the next event and returns it. The events of one button come in order of time; those of two
	// buttons that follow each other within milliseconds may come the other way round on a loaded machine, and
	// their At tells. Its error is ctx's once ctx is done and nothing else: a failing device is an event (Lost).
	// One goroutine at a time may call it, and should do so again soon: the kernel keeps about a thousand edges.
	Next(ctx context.Context) (Event, error)
}

// Panel is what a table shows beside its displays: a lamp for each player and a buzzer.
type Panel interface {
	// Show lights, darkens and sounds as given; what is not wired is left out. It may be called from any
	// goroutine and does not wait for anything but the device itself.
	Show(Indication) error
}
