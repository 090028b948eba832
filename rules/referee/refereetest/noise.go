package refereetest

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"davar/rules/sighting"
)

// Noise says how badly the model camera sees. The zero value sees perfectly. All shares and probabilities are 0...1.
// A noise file is its JSON; davar eval stills --noise-out fits one to what single pictures are read like.
type Noise struct {
	Source string     `json:"source,omitempty"` // what it was fitted to
	Points PointNoise `json:"points"`
	Dice   DiceNoise  `json:"dice"`
	// Hidden is the share of points that a hand over the board hides, one or more of them next to each other.
	Hidden float64 `json:"hidden"`
	// Drop is the share of pictures that are lost, DelayMS for how long a picture is on its way to the referee.
	Drop    float64 `json:"drop"`
	DelayMS int     `json:"delay_ms"`
	// NoMixed hides from the eye that both colours stand on a point, NoTray what was borne off.
	NoMixed bool `json:"no_mixed,omitempty"`
	NoTray  bool `json:"no_tray,omitempty"`
}

// PointNoise says how points are misread.
type PointNoise struct {
	// Empty, Light and Dark are the shares of points that are misread: empty ones, and those with 1, 2, 3... checkers of
	// a colour; the last figure holds for all higher stacks too.
	Empty float64   `json:"empty"`
	Light []float64 `json:"light"`
	Dark  []float64 `json:"dark"`
	// Colour is the share of the misreadings of checkers in which only the colour is wrong, Far that in which the
	// number is off by more than one.
	Colour float64 `json:"colour"`
	Far    float64 `json:"far"`
	// Sure is the probability a misreading claims for itself, the most of the rest going to the truth; 0: as sure as
	// of what is read right.
	Sure float64 `json:"sure"`
	// Persist is the share of misreadings that stay as long as nothing about the point changes: the same stack in the
	// same light is misread the same way each time. The others come and go from picture to picture.
	Persist float64 `json:"persist"`
	// Unsure is the share of right readings that are in doubt, UnsureP the probability they give the truth; all others
	// give away Doubt.
	Unsure  float64 `json:"unsure"`
	UnsureP float64 `json:"unsure_p"`
	Doubt   float64 `json:"doubt"`
}

// DiceNoise says how dice are misread.
type DiceNoise struct {
	Missed float64 `json:"missed"` // share of dice that are not seen
	// False is the share of pictures in which a die is seen where none is, FalseReal how probable such a one is read to
	// be a die at all.
	False     float64 `json:"false"`
	FalseReal float64 `json:"false_real"`
	// Value is the share of dice read with a wrong number, ValueSure the probability this claims; 0: as sure as a right
	// one.
	Value     float64 `json:"value"`
	ValueSure float64 `json:"value_sure"`
	// FlatLeans and LeaningFlat are the shares of flat dice taken for leaning and of leaning ones taken for flat,
	// FlatTilt and LeaningTilt the probability of leaning that such readings claim.
	FlatLeans   float64 `json:"flat_leans"`
	FlatTilt    float64 `json:"flat_tilt"`
	LeaningFlat float64 `json:"leaning_flat"`
	LeaningTilt float64 `json:"leaning_tilt"`
	// Persist is the share of all these errors that stay as long as the die lies; such false dice are things that lie
	// about all the time.
	Persist float64 `json:"persist"`
}

// ReadNoise reads a noise file: one JSON object; an unknown name or a share outside 0...1 is an error.
func ReadNoise(file io.Reader) (Noise, error) {
	var n Noise
	d := json.NewDecoder(file)
	d.DisallowUnknownFields()
	if err := d.Decode(&n); err != nil {
		return Noise{}, fmt.Errorf("refereetest: read a noise file: %w", err)
	}
	if d.More() {
		return Noise{}, fmt.Errorf("refereetest: read a noise file: more than one object")
	}
	if err := n.check(); err != nil {
		return Noise{}, fmt.Errorf("refereetest: read a noise file: %w", err)
	}
	return n, nil
}

// LongestDelayMS is the most a picture may be late, in milliseconds (referee.Input).
const LongestDelayMS = 1000

func (n *Noise) check() error {
	for _, share := range append(n.shares(), n.probabilities()...) {
		if !(*share >= 0 && *share <= 1) {
			return fmt.Errorf("%v is no share or probability, want 0 to 1", *share)
		}
	}
	if len(n.Points.Light) > sighting.MaxCount || len(n.Points.Dark) > sighting.MaxCount {
		return fmt.Errorf("points: more than %d figures for a colour", sighting.MaxCount)
	}
	if n.DelayMS < 0 || n.DelayMS > LongestDelayMS {
		return fmt.Errorf("delay_ms %d is not 0 to %d", n.DelayMS, LongestDelayMS)
	}
	return nil
}

// Write writes the noise file.
func (n Noise) Write(file io.Writer) error {
	for _, x := range append(n.shares(), n.probabilities()...) {
		*x = math.Round(*x*1e5) / 1e5
	}
	out := json.NewEncoder(file)
	out.SetIndent("", " ")
	if err := out.Encode(n); err != nil {
		return fmt.Errorf("refereetest: write a noise file: %w", err)
	}
	return nil
}

// Times returns the noise with all shares of errors k times as high.
func (n Noise) Times(k float64) Noise {
	n.Points.Light, n.Points.Dark = append([]float64{}, n.Points.Light...), append([]float64{}, n.Points.Dark...)
	for _, share := range n.shares() {
		*share = min(*share*k, 0.9)
	}
	return n
}

// shares are the figures that tell how often something goes wrong.
func (n *Noise) shares() []*float64 {
	p, d := &n.Points, &n.Dice
	all := []*float64{
		&p.Empty, &p.Unsure, &p.Doubt, &d.Missed, &d.False, &d.Value, &d.FlatLeans, &d.LeaningFlat, &n.Hidden, &n.Drop,
	}
	for _, row := range [][]float64{p.Light, p.Dark} {
		for i := range row {
			all = append(all, &row[i])
		}
	}
	return all
}

// probabilities are the figures that tell how something goes wrong.
func (n *Noise) probabilities() []*float64 {
	p, d := &n.Points, &n.Dice
	return []*float64{&p.Colour, &p.Far, &p.Sure, &p.Persist, &p.UnsureP, &d.FalseReal, &d.ValueSure, &d.FlatTilt, &d.LeaningTilt, &d.Persist}
}

// of returns the share in which a point with so many checkers, light positive, is misread.
func (p *PointNoise) of(count int) float64 {
	row, n := p.Light, count
	if count < 0 {
		row, n = p.Dark, -count
	}
	switch {
	case n == 0:
		return p.Empty
	case len(row) == 0:
		return 0
	}
	return row[min(n, len(row))-1]
}
