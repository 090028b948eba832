package vision

import (
	"math"
	"slices"

	"davar/rules/sighting"

	"gocv.io/x/gocv"
)

// Finder finds and reads the dice and the doubling cube of a picture: a small network looks over the whole board
// and its surroundings for places worth a look, a second one reads each of them at the picture's full resolution.
// It is not safe for concurrent use. Close it after use.
type Finder struct {
	locator  *locator
	reader   *diceReader
	leaner   *leaner
	looks    []look // dice
	numbered []look // things with a numeral on them
	faint    []look // what may be a die, but rather is none
	blurred  []look // what may be a thing with a numeral, but rather is none
	strange  []look // where no board is known: things with something other than pips on them
	doubted  bool   // there was something that may be a die
	careful  bool   // what is being found is found carefully
}

// Probabilities that decide how a thing is dealt with.
const (
	enoughReal   = 0.5  // that it is one: it counts as a die or a cube
	worthLooking = 0.2  // that it is one: it is looked at again when its number is in doubt
	oneLook      = 0.97 // of its number: one look is enough
	sureReal     = 0.9  // that it is one: nothing else is sought where it lies

	aimOff    = 0.1 // edges, or logarithm of them, by which a look misses
	mostTries = 2   // to look where the thing is
)

// NewFinder returns a finder; it fails when the installed OpenCV cannot run the networks.
func NewFinder() (*Finder, error) {
	l, err := newLocator()
	if err != nil {
		return nil, err
	}
	r, err := newDiceReader()
	if err != nil {
		l.close()
		return nil, err
	}
	n, err := newLeaner()
	if err != nil {
		l.close()
		r.close()
		return nil, err
	}
	return &Finder{locator: l, reader: r, leaner: n}, nil
}

// Close frees what the finder holds.
func (f *Finder) Close() error {
	f.locator.close()
	f.reader.close()
	f.leaner.close()
	return nil
}

// scene is what all looks at one picture have in common.
type scene struct {
	img      gocv.Mat
	upright  affine
	stance   *stance // nil: unknown
	up       *Pixel  // where up points all over the picture, if stance is nil; nil: unknown
	dieEdge  float64 // likely edge of a die, pixels; 0: unknown
	cubeEdge float64 // likely edge of a cube, pixels; 0: no cube is sought
	brief    bool    // faint places are passed over once two dice are found
}

func upright(m affine) affine {
	s := m.scale()
	return affine{a: m.a / s, b: m.b / s, d: m.d / s, e: m.e / s}
}

// readAll reads the spots and returns the dice among them, surest first, and the cube, nil when there is none.
func (f *Finder) readAll(s *scene, spots []spot) (dice []look, cube *look, err error) {
	f.looks, f.numbered, f.strange, f.faint, f.blurred, f.doubted = f.looks[:0], f.numbered[:0], f.strange[:0], f.faint[:0], f.blurred[:0], false
	for _, p := range spots {
		if f.saw(p) || s.brief && f.passesOver(p) {
			continue
		}
		l, err := f.identify(s, p)
		if err != nil {
			return nil, nil, err
		}
		if err := f.lookCloser(s, p, &l); err != nil {
			return nil, nil, err
		}
		switch {
		case l.isNumbered() && s.cubeEdge == 0:
			if l.real >= worthLooking {
				f.strange = append(f.strange, l)
			}
		case l.real < enoughReal:
			f.keepFaint(s, spots, l)
		case l.isNumbered():
			l.cubeHeat = cubeHeat(spots, l.at, s.cubeEdge/3)
			f.numbered = append(f.numbered, l)
		case !p.cube:
			f.looks = append(f.looks, l)
			if s.dieEdge > 0 {
				s.dieEdge = l.size
			}
		}
	}
	if err := f.unite(s); err != nil {
		return nil, nil, err
	}
	f.numbered = distinct(f.numbered)
	more, faintDice, cube := sortNumbered(f.numbered, f.blurred)
	f.faint = append(f.faint, faintDice...)
	f.looks = distinct(append(f.looks, more...))
	return f.looks, cube, nil
}

// keepFaint keeps what rather is no die, nor a thing with a numeral, for when all are seen together.
func (f *Finder) keepFaint(s *scene, spots []spot, l look) {
	f.doubted = f.doubted || l.real >= worthLooking && !l.isNumbered()
	switch {
	case l.real < faintReal:
	case l.isNumbered():
		l.cubeHeat = cubeHeat(spots, l.at, s.cubeEdge/3)
		f.blurred = append(f.blurred, l)
	default:
		f.faint = append(f.faint, l)
	}
}

// lookCloser sets how likely what was seen at the spot is real, and looks again where that, or what it shows, is in doubt.
func (f *Finder) lookCloser(s *scene, p spot, l *look) (err error) {
	l.weigh(p.heat)
	inDoubt := !s.brief && s.stance != nil && !p.cube && l.isDoubtful()
	if !inDoubt && l.real < worthLooking {
		return nil
	}
	sizes := 0.0
	if inDoubt {
		if sizes, err = f.resolve(s, p, l); err != nil {
			return err
		}
	}
	if err := f.lookAgain(s, l); err != nil {
		return err
	}
	if l.weigh(p.heat); inDoubt && !l.isNumbered() {
		l.weighSizes(sizes, p.heat)
	}
	return nil
}

// passesOver tells whether the spot is too faint to be worth a look beside what was found: of the dice on a board nine in ten are hotter,
// and half of all spots are not.
func (f *Finder) passesOver(p spot) bool {
	if p.heat >= faintHeat {
		return false
	}
	if p.cube {
		return slices.ContainsFunc(f.numbered, func(l look) bool { return l.real >= sureReal })
	}
	sure := 0
	for i := range f.looks {
		if f.looks[i].real >= sureReal {
			sure++
		}
	}
	return sure >= 2
}

// identify reads the spot at the size it seems to have and, where that leaves doubt, at the size of the other dice
// or of a cube.
func (f *Finder) identify(s *scene, p spot) (look, error) {
	size := p.size
	if p.cube {
		size = s.cubeEdge
	}
	l, err := f.glance(s, p.at, size, 0)
	if err != nil || p.cube {
		return l, err
	}
	if l.kind[1] < 0.7 && s.dieEdge > 0 && math.Abs(math.Log(size/s.dieEdge)) > 0.2 {
		other, err := f.glance(s, p.at, s.dieEdge, 0)
		if err != nil {
			return look{}, err
		}
		if other.kind[1] > l.kind[1] {
			l = other
		}
	}
	if l.isNumbered() && s.cubeEdge > 0 {
		other, err := f.glance(s, l.at, s.cubeEdge, 0)
		if err != nil {
			return look{}, err
		}
		if other.kind[2]*slices.Max(other.numeral[1:]) > l.kind[2]*slices.Max(l.numeral[1:]) {
			l = other
		}
	}
	return l, nil
}

// isNumbered tells whether it is rather a thing with a numeral on it than a die with pips.
func (l *look) isNumbered() bool { return l.kind[2] > l.kind[1] }

// weigh sets how likely the thing is real, given the finding network's logit: whichever of the two it is.
func (l *look) weigh(heat float64) { l.real = both(l.kind[1]+l.kind[2], heat) }

// The finding network's logit counts heatWeight beside that of the reading one; heatBias makes up for most places
// looked at being nothing.
const (
	heatWeight = 2.0
	heatBias   = -2.35
)

// outsideDoubt is by how much a die beside the playing surface must be surer than one on it, in logits: few lie
// there, and much that lies there looks like one.
const outsideDoubt = 1.7

// both joins the opinions of the two networks into one probability.
func both(p float32, heat float64) float32 {
	const least = 1e-6
	return logistic(float32(oddsWithin(p, least) + heatWeight*heat + heatBias))
}

// oddsWithin returns the log-odds of p, taken for no less than least and no more than the opposite of that.
func oddsWithin(p float32, least float64) float64 {
	q := min(max(float64(p), least), 1-least)
	return math.Log(q / (1 - q))
}

// lookAgain looks three times more at a thing whose number, or whether it leans, is in doubt, from the other sides and
// at what the first look showed to be its middle, and takes the mean of all four. Where the board is known the leaner tells what leans.
func (f *Finder) lookAgain(s *scene, l *look) error {
	leans := s.stance == nil && l.cocked > 1-oneLook && l.cocked < oneLook
	if !leans && slices.Max(l.value[:]) > oneLook && !l.isNumbered() || slices.Max(l.numeral[:]) > oneLook && l.isNumbered() {
		return nil
	}
	aim := *l
	for tries := 0; aim.missed() && tries < mostTries; tries++ {
		var err error
		if aim, err = f.glance(s, aim.at, aim.size, 0); err != nil {
			return err
		}
	}
	l.value = aim.value // what the first shows beside its middle is not to be believed
	return f.addOtherSides(s, l, aim.at, aim.size)
}

// addOtherSides makes l, a look at the place, the mean of it and of looks from the three other sides.
func (f *Finder) addOtherSides(s *scene, l *look, at Pixel, size float64) error {
	for quarter := 1; quarter < 4; quarter++ {
		other, err := f.glance(s, at, size, quarter)
		if err != nil {
			return err
		}
		l.add(&other)
	}
	l.scale(0.25)
	return nil
}

// missed tells whether what it shows lies elsewhere, or is of another size, than what was looked for.
func (l *look) missed() bool {
	return distance(l.at, l.aimed) > aimOff*l.size || math.Abs(math.Log(l.size/l.aimedSize)) > aimOff
}

// glance reads the place once, with the picture turned by so many quarters.
func (f *Finder) glance(s *scene, at Pixel, size float64, quarter int) (look, error) {
	m := s.upright
	for range quarter {
		m = affine{a: 0, b: -1, d: 1, e: 0}.after(m)
	}
	up := s.up
	if s.stance != nil {
		v := s.stance.up(at)
		up = &v
	}
	l, err := f.reader.read(s.img, at, size, m, up)
	l.aimed, l.aimedSize = at, size
	return l, err
}

// dieOf puts what the reader saw into the words of the contract.
func dieOf(l *look, g *Geometry) Die {
	d := Die{Center: l.at, Size: l.size, bright: l.bright}
	d.Values, d.Cocked, d.Real = l.value, l.cocked, l.real
	d.Light = lightness(l.bright)
	d.Place, d.Half = sighting.Outside, sighting.Outside
	if g == nil {
		return d
	}
	u, v := g.ToBoard(Pixel{l.at.X - l.up.X, l.at.Y - l.up.Y})
	d.U, d.V = float32(u), float32(v)
	d.Half = sighting.LeftHalf
	if u > (g.BarLeft+g.BarRight)/2 {
		d.Half = sighting.RightHalf
	}
	switch {
	case u < 0 || u > 1 || v < 0 || v > 1:
		d.Place = sighting.Outside
		d.Real = both(d.Real, -(outsideDoubt+heatBias)/heatWeight)
	case u > g.BarLeft && u < g.BarRight:
		d.Place = sighting.OnBar
	default:
		d.Place = d.Half
	}
	return d
}
