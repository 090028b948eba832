package vision

import (
	_ "embed" // the weights
	"math"
	"slices"

	"gocv.io/x/gocv"
)

//go:embed weights/dice_read.onnx.gz
var diceReadWeights []byte

// The reader looks at a crop of readerSide pixels in which a die's (or cube's) edge is readerEdge long; its outputs
// stand in train/dice_read.py.
const (
	readerSide = 48
	readerEdge = 20.0

	outKind    = 0  // nothing, die, cube
	outValue   = 3  // cannot be told, 1...6
	outNumeral = 10 // as numerals
	outCocked  = 21
	outChecker = 22
	outUp      = 23 // from the centre to the middle of the upper face, tenths of a pixel of the crop
	outShift   = 25 // from the crop's middle to the thing's, quarters
	outSize    = 27 // logarithm of the true edge over the assumed one

	// Dice on checkers came 2.5 times as often in training as they are, cocked ones, which are looked for in training for their
	// own sake, 1.5 times as often as in pictures of boards; the logarithms correct that.
	checkerOftener = 0.92
	cockedOftener  = 0.42

	// valueTemper divides what speaks for each number: pictures are harder to read in training than they are.
	valueTemper = 0.8
)

// look is what the reader says of one spot.
type look struct {
	at      Pixel // refined centre
	up      Pixel // from it to the middle of the upper face; pixels of the picture
	size    float64
	kind    [3]float32 // nothing, die, cube
	real    float32    // that it is what it was taken for, by both networks
	value   [7]float32
	numeral [len(numerals)]float32
	cocked  float32
	checker float32
	bright  float64 // the body's brightness, 0...1

	aimed     Pixel // where it was looked for, and for how large an edge
	aimedSize float64

	cubeHeat float64 // of a thing with a numeral: see the function of that name
}

// add adds what another look at the same thing says.
func (l *look) add(o *look) {
	l.at = Pixel{l.at.X + o.at.X, l.at.Y + o.at.Y}
	l.up = Pixel{l.up.X + o.up.X, l.up.Y + o.up.Y}
	l.size += o.size
	l.bright += o.bright
	l.cocked += o.cocked
	l.checker += o.checker
	for i := range l.kind {
		l.kind[i] += o.kind[i]
	}
	for i := range l.value {
		l.value[i] += o.value[i]
	}
	for i := range l.numeral {
		l.numeral[i] += o.numeral[i]
	}
}

// scale multiplies all it says by k: the mean after adding 1/k looks.
func (l *look) scale(k float64) {
	f := float32(k)
	l.at, l.up = Pixel{k * l.at.X, k * l.at.Y}, Pixel{k * l.up.X, k * l.up.Y}
	l.size *= k
	l.bright *= k
	l.cocked *= f
	l.checker *= f
	for i := range l.kind {
		l.kind[i] *= f
	}
	for i := range l.value {
		l.value[i] *= f
	}
	for i := range l.numeral {
		l.numeral[i] *= f
	}
}

// diceReader reads dice and cubes from crops of the picture at its full resolution.
type diceReader struct {
	net    *network
	crop   *cutter
	camera gocv.Mat // where up points in the crop: x, y, 1, or all 0 where nobody knows
	disc   []uint8  // brightness of the upper face's pixels
}

func newDiceReader() (*diceReader, error) {
	net, err := newNetwork("dice reading", outSize+1, diceReadWeights)
	if err != nil {
		return nil, err
	}
	return &diceReader{
		net: net, crop: newCutter(readerSide, readerSide, gocv.BorderReplicate),
		camera: gocv.NewMatWithSize(1, 3, gocv.MatTypeCV32F),
	}, nil
}

func (r *diceReader) close() {
	r.camera.Close()
	r.crop.close()
	r.net.close()
}

// read looks at the spot. upright is the turn (without scale) that makes the board upright; up, where up points there
// (stance.up), nil when nobody knows.
func (r *diceReader) read(img gocv.Mat, at Pixel, size float64, upright affine, up *Pixel) (look, error) {
	m := readerView(at, size, upright)
	var camera [3]float32
	if up != nil {
		v := upright.turn(*up)
		camera = [3]float32{float32(v.X), float32(v.Y), 1}
	}
	for i, v := range camera {
		r.camera.SetFloatAt(0, i, v)
	}
	r.net.net.SetInput(r.camera, "camera")
	var l look
	back := m.inverse()
	err := r.net.run(r.crop.cut(img, m), func(out []float32) {
		softmax(l.kind[:], out[outKind:])
		tempered(l.value[:], out[outValue:], valueTemper)
		softmax(l.numeral[:], out[outNumeral:])
		l.cocked, l.checker = logistic(out[outCocked]-cockedOftener), logistic(out[outChecker]-checkerOftener)
		l.up = back.turn(Pixel{10 * float64(out[outUp]), 10 * float64(out[outUp+1])})
		shift := back.turn(Pixel{4 * float64(out[outShift]), 4 * float64(out[outShift+1])})
		l.at = Pixel{at.X + shift.X, at.Y + shift.Y}
		l.size = size
		if l.kind[2] < l.kind[1] { // it never learned the size of a cube
			l.size *= math.Exp(float64(out[outSize]))
		}
	})
	if err != nil {
		return look{}, err
	}
	l.bright, err = r.brightness(m.apply(Pixel{l.at.X + l.up.X, l.at.Y + l.up.Y}))
	return l, err
}

// readerView returns the map from the picture to the crop that shows a thing of the given edge at the given place.
func readerView(at Pixel, size float64, upright affine) affine {
	k := readerEdge / size
	m := affine{a: upright.a * k, b: upright.b * k, d: upright.d * k, e: upright.e * k}
	c := m.turn(at)
	m.c, m.f = readerSide/2-0.5-c.X, readerSide/2-0.5-c.Y
	return m
}

// onFace calls with the index of each pixel of the crop within the upper face whose middle is p.
func onFace(p Pixel, pixel func(i int)) {
	const radius = 0.42 * readerEdge
	for y := range readerSide {
		for x := range readerSide {
			if math.Hypot(float64(x)-p.X, float64(y)-p.Y) <= radius {
				pixel(y*readerSide + x)
			}
		}
	}
}

// brightness returns the median brightness around p of the crop: of a die's upper face, of which the pips never
// cover half.
func (r *diceReader) brightness(p Pixel) (float64, error) {
	px, err := r.crop.view.DataPtrUint8()
	if err != nil {
		return 0, err
	}
	r.disc = r.disc[:0]
	onFace(p, func(i int) {
		q := px[3*i:]
		r.disc = append(r.disc, uint8((29*int(q[0])+150*int(q[1])+77*int(q[2]))>>8))
	})
	if len(r.disc) == 0 {
		return 0.5, nil
	}
	slices.Sort(r.disc)
	return float64(r.disc[len(r.disc)/2]) / 255, nil
}

// softmax makes probabilities of the logits.
func softmax(dst, logits []float32) { tempered(dst, logits, 1) }

// tempered makes probabilities of the logits divided by temper.
func tempered(dst, logits []float32, temper float32) {
	top := slices.Max(logits[:len(dst)])
	var sum float32
	for i := range dst {
		dst[i] = float32(math.Exp(float64((logits[i] - top) / temper)))
		sum += dst[i]
	}
	for i := range dst {
		dst[i] /= sum
	}
}

func logistic(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }
