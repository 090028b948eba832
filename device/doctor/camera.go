package doctor

import (
	"context"
	"fmt"

	"davar/device/camera"
)

// Picture is what is known about a camera and what it shows.
type Picture struct {
	camera.Observation
	Asked      float64 `json:"asked"`           // pictures a second asked for
	AskedSize  [2]int  `json:"asked_size"`      // width and height asked for; zero: nobody asked
	Board      *bool   `json:"board,omitempty"` // whether a board was found; nil: nobody looked
	Calibrated bool    `json:"calibrated"`      // where the board lies was given, not found
}

// Camera is the check of a camera: look observes it for a while.
func Camera(look func(ctx context.Context) (Picture, error)) Check {
	const name = "camera"
	return Check{Name: name, Wait: 2 * usualWait, Look: func(ctx context.Context) []Finding {
		p, err := look(ctx)
		if err != nil {
			return []Finding{{Check: name, State: Fault, Key: "camera_none", Params: params("error", err)}}
		}
		return p.findings(name)
	}}
}

// slow is the share of the pictures asked for below which a camera is told to be slow.
const slow = 0.7

func (p Picture) findings(check string) []Finding {
	var found []Finding
	add := func(s State, key string, pairs ...any) {
		found = append(found, Finding{Check: check, State: s, Key: key, Params: params(pairs...)})
	}
	add(Good, "camera_works", "w", p.Size[0], "h", p.Size[1], "rate", fmt.Sprintf("%.1f", p.Rate))
	found[0].Measured = p
	if p.Frozen {
		add(Fault, "camera_frozen")
	}
	if p.AskedSize != ([2]int{}) && p.AskedSize != p.Size {
		add(Warning, "camera_size", "w", p.Size[0], "h", p.Size[1], "askedw", p.AskedSize[0], "askedh", p.AskedSize[1], "format", p.Format)
	}
	if p.Asked > 0 && p.Rate < slow*p.Asked {
		add(Warning, "camera_slow", "rate", fmt.Sprintf("%.1f", p.Rate), "asked", fmt.Sprintf("%.0f", p.Asked))
	}
	switch {
	case p.Light < camera.Dark:
		add(Fault, "camera_dark", "n", percent(p.Light))
	case p.Light > camera.Bright:
		add(Fault, "camera_bright", "n", percent(p.Light))
	case p.Glare > camera.Glaring:
		add(Warning, "camera_glare", "n", percent(p.Glare))
	}
	if p.Sharpness < camera.Blurred && p.Light >= camera.Dark {
		add(Warning, "camera_blurred")
	}
	switch {
	case p.Calibrated:
		add(Good, "camera_calibrated")
	case p.Board == nil:
	case *p.Board:
		add(Good, "camera_board")
	default:
		add(Warning, "camera_no_board")
	}
	return found
}

func percent(share float64) int { return int(share*100 + 0.5) }
