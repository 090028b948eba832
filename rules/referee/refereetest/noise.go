package refereetest

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"davar/rules/sighting"
)

// Noise says how badly the model camera sees. The zero value sees perfectly. All shares and probabilities are 0...1.
// A noise file is its JSON; davar eval noise fits one to films and single pictures, davar eval stills --noise-out to single
// pictures alone.
//
// The model, from the largest scale to the smallest:
//   - A table. Boards are not equally hard to read: where most pictures of a set are read without fault and a few hardly at
//     all, what is misread comes in heaps. Each table draws how hard it is once (Spread).
//   - A thing as it lies. A stack or a die that nothing touches is read the same way in each picture, rightly or wrongly
//     and with the same confidence: the reading is drawn when it comes to lie there. So looking often helps little.
//   - A picture. Now and then a thing is read afresh all the same (Persist is the share in which it is not): the light
//     flickers, a hand throws a shadow. A picture may be lost or come late.
//
// How probable a reading claims to be is drawn from what was claimed by readings of its kind, right and wrong ones apart:
// the lists hold such claims, each as likely as any other of its list. Shares of what was seen too rarely lean on what
// it is like (cmd/davar/noise.go), so that no error is taken to be impossible because it was not met among few.
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
	// Sure are probabilities that misreadings claim; none: as sure as what is read right. Truth is the share of the rest
	// that they leave to the truth.
	Sure  []float64 `json:"sure"`
	Truth float64   `json:"truth"`
	// Unsure is the share of right readings that are in doubt, UnsureP the probabilities they claim, Certain those of
	// all others; none: they give away Doubt.
	Unsure  float64   `json:"unsure"`
	UnsureP []float64 `json:"unsure_p"`
	Certain []float64 `json:"certain,omitempty"`
	Doubt   float64   `json:"doubt,omitempty"`
	// Persist is the share of pictures in which a point is read as it was when it came to be as it is.
	Persist float64 `json:"persist"`
	// Spread is the variance of how hard tables are to read; their mean is 1, and all shares above are multiplied by it.
	Spread float64 `json:"spread"`
}

// DiceNoise says how dice are misread.
type DiceNoise struct {
	Missed float64 `json:"missed"` // share of dice that are not seen
	// False is the share of pictures in which a die is seen where none is. Real and FalseReal are probabilities of being
	// a die at all that are read of dice, and of what is none.
	False     float64   `json:"false"`
	FalseReal []float64 `json:"false_real"`
	Real      []float64 `json:"real"`
	// Value is the share of dice read with a wrong number, ValueSure the probabilities such numbers claim (none: as sure
	// as a right one), Truth the share of the rest that they leave to the right number.
	Value     float64   `json:"value"`
	ValueSure []float64 `json:"value_sure"`
	Truth     float64   `json:"truth"`
	// Confused holds, for each number 1 to 6, how likely it is to be taken for each of 1 to 6 when it is misread; empty: any
	// for any other.
	Confused [][]float64 `json:"confused,omitempty"`
	// Unsure, UnsureP, Certain and Doubt are as those of points.
	Unsure  float64   `json:"unsure"`
	UnsureP []float64 `json:"unsure_p"`
	Certain []float64 `json:"certain,omitempty"`
	Doubt   float64   `json:"doubt,omitempty"`
	// FlatLeans and LeaningFlat are the shares of flat dice taken for leaning and of leaning ones taken for flat.
	// FlatTilt and LeaningTilt are the probabilities of leaning that such errors claim, Flat and Leaning those that are
	// read of flat and of leaning dice taken for what they are.
	FlatLeans   float64   `json:"flat_leans"`
	FlatTilt    []float64 `json:"flat_tilt"`
	LeaningFlat float64   `json:"leaning_flat"`
	LeaningTilt []float64 `json:"leaning_tilt"`
	Flat        []float64 `json:"flat"`
	Leaning     []float64 `json:"leaning"`
	// Persist is the share of pictures in which a die is read as it was when it came to lie there, and of false dice those
	// that lie about all the time.
	Persist float64 `json:"persist"`
	// Spread is as that of points.
	Spread float64 `json:"spread"`
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

const (
	// LongestDelayMS is the most a picture may be late, in milliseconds (referee.Input).
	LongestDelayMS = 1000
	// MostSpread is the greatest variance of how hard tables are: beyond, one in hundreds would be misread wholly.
	MostSpread = 25
)

func (n *Noise) check() error {
	for _, share := range append(n.shares(), n.probabilities()...) {
		if !(*share >= 0 && *share <= 1) {
			return fmt.Errorf("%v is no share or probability, want 0 to 1", *share)
		}
	}
	for _, spread := range []float64{n.Points.Spread, n.Dice.Spread} {
		if !(spread >= 0 && spread <= MostSpread) {
			return fmt.Errorf("spread %v is not 0 to %d", spread, MostSpread)
		}
	}
	if len(n.Points.Light) > sighting.MaxCount || len(n.Points.Dark) > sighting.MaxCount {
		return fmt.Errorf("points: more than %d figures for a colour", sighting.MaxCount)
	}
	if rows := len(n.Dice.Confused); rows != 0 && rows != 6 {
		return fmt.Errorf("dice: %d rows of confused numbers, want 6 or none", rows)
	}
	for i, row := range n.Dice.Confused {
		if len(row) != 6 {
			return fmt.Errorf("dice: the confusions of %d are %d, want 6", i+1, len(row))
		}
	}
	if n.DelayMS < 0 || n.DelayMS > LongestDelayMS {
		return fmt.Errorf("delay_ms %d is not 0 to %d", n.DelayMS, LongestDelayMS)
	}
	return nil
}

// Write writes the noise file.
func (n Noise) Write(file io.Writer) error {
	n = n.clone()
	for _, x := range append(n.shares(), n.probabilities()...) {
		*x = math.Round(*x*1e5) / 1e5
	}
	n.Points.Spread, n.Dice.Spread = math.Round(n.Points.Spread*100)/100, math.Round(n.Dice.Spread*100)/100
	text, err := json.Marshal(n)
	if err == nil {
		_, err = fmt.Fprintf(file, "%s\n", text)
	}
	if err != nil {
		return fmt.Errorf("refereetest: write a noise file: %w", err)
	}
	return nil
}

// Times returns the noise with all shares of errors k times as high.
func (n Noise) Times(k float64) Noise {
	n = n.clone()
	for _, share := range n.shares() {
		*share = min(*share*k, 0.9)
	}
	return n
}

// At returns the noise at a table that is so many times as hard to read, its points and its dice.
func (n Noise) At(points, dice float64) Noise {
	n = n.clone()
	leans, flat := n.Dice.FlatLeans, n.Dice.LeaningFlat
	for _, share := range n.Points.shares() {
		*share = min(*share*points, 0.9)
	}
	for _, share := range n.Dice.shares() {
		*share = min(*share*dice, 0.9)
	}
	n.Dice.FlatLeans, n.Dice.LeaningFlat = leans, flat // leaning is told as well or as badly everywhere
	return n
}

// clone returns a copy that shares no figure.
func (n Noise) clone() Noise {
	for _, list := range n.lists() {
		*list = append([]float64(nil), *list...)
	}
	rows := n.Dice.Confused
	n.Dice.Confused = nil
	for _, row := range rows {
		n.Dice.Confused = append(n.Dice.Confused, append([]float64(nil), row...))
	}
	return n
}

// shares are the figures that tell how often something goes wrong.
func (n *Noise) shares() []*float64 {
	return append(append(n.Points.shares(), n.Dice.shares()...), &n.Hidden, &n.Drop)
}

func (p *PointNoise) shares() []*float64 {
	all := []*float64{&p.Empty, &p.Unsure, &p.Doubt}
	for _, row := range [][]float64{p.Light, p.Dark} {
		for i := range row {
			all = append(all, &row[i])
		}
	}
	return all
}

func (d *DiceNoise) shares() []*float64 {
	return []*float64{&d.Missed, &d.False, &d.Value, &d.Unsure, &d.Doubt, &d.FlatLeans, &d.LeaningFlat}
}

// probabilities are the figures that tell how something goes wrong.
func (n *Noise) probabilities() []*float64 {
	p, d := &n.Points, &n.Dice
	all := []*float64{&p.Colour, &p.Far, &p.Truth, &p.Persist, &d.Truth, &d.Persist}
	for _, list := range append(n.lists()[2:], rowsOf(d.Confused)...) {
		for i := range *list {
			all = append(all, &(*list)[i])
		}
	}
	return all
}

// lists are all lists of figures, those of shares first.
func (n *Noise) lists() []*[]float64 {
	p, d := &n.Points, &n.Dice
	return []*[]float64{
		&p.Light, &p.Dark, &p.Sure, &p.UnsureP, &p.Certain, &d.FalseReal, &d.Real, &d.ValueSure, &d.UnsureP, &d.Certain, &d.FlatTilt,
		&d.LeaningTilt, &d.Flat, &d.Leaning,
	}
}

func rowsOf(table [][]float64) (rows []*[]float64) {
	for i := range table {
		rows = append(rows, &table[i])
	}
	return rows
}

// Of returns the share in which a point with so many checkers, light positive, is misread.
func (p *PointNoise) Of(count int) float64 {
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

// leans returns the share of dice that lean, or lie flat, and are taken for the other.
func (n *DiceNoise) leans(cocked bool) float64 {
	if cocked {
		return n.LeaningFlat
	}
	return n.FlatLeans
}

// tilts returns the probabilities of leaning that are read of a die that leans or lies flat, taken for that or the other.
func (n *DiceNoise) tilts(cocked, wrong bool) []float64 {
	switch {
	case cocked && wrong:
		return n.LeaningTilt
	case cocked:
		return n.Leaning
	case wrong:
		return n.FlatTilt
	}
	return n.Flat
}
