package doctor

import (
	"context"
	"fmt"

	"davar/device/display"
)

// Display is one wired display.
type Display struct {
	Address string
	Screen  display.Screen
}

// allLit is 88:88: every segment shines, so that one that is broken is seen.
var allLit = display.Face{Digits: [4]byte{0x7f, 0x7f, 0x7f, 0x7f}, Colon: true}

// Displays is the check of the seven-segment displays; open returns them and what closes their bus. Those that answer
// show 88:88 until the check ends.
func Displays(open func() ([]Display, func(), error)) Check {
	const name = "displays"
	return Check{Name: name, Look: func(context.Context) []Finding {
		displays, closeBus, err := open()
		if err != nil {
			return []Finding{{Check: name, State: Fault, Key: "displays_closed", Params: params("error", err)}}
		}
		defer closeBus()
		if len(displays) == 0 {
			return []Finding{{Check: name, State: Skipped, Key: "displays_none"}}
		}
		var found []Finding
		for _, d := range displays {
			f := Finding{Check: name, State: Good, Key: "display_works", Params: params("address", d.Address)}
			if err := d.Screen.Show(allLit); err != nil {
				f.State, f.Key = Fault, "display_silent"
				f.Params["error"] = fmt.Sprint(err)
			}
			found = append(found, f)
		}
		return found
	}}
}
