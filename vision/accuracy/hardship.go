package accuracy

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"gocv.io/x/gocv"
)

// Hardship spoils the pictures of a film as bad light, a poor camera or a knock at the table would, the same way each
// time. It belongs to one goroutine; Close it after use.
type Hardship struct {
	seed  uint64
	spoil func(h *Hardship, img *gocv.Mat, t time.Duration, n int) (lost bool)
	knock []knock

	other, matrix gocv.Mat
}

// hardships are all there are, with what each does.
var hardships = map[string]struct {
	about string
	spoil func(h *Hardship, img *gocv.Mat, t time.Duration, n int) bool
}{
	"blur":     {"out of focus by 1.6 pixels", (*Hardship).blur},
	"bump":     {"the camera is knocked every half minute by up to 2 % and 1.5°", (*Hardship).bump},
	"compress": {"JPEG of quality 20", (*Hardship).compress},
	"crop":     {"a nearer, shifted view", (*Hardship).crop},
	"dim":      {"three tenths of the light, and noise", (*Hardship).dim},
	"drop":     {"every third picture lost, and 0.7 s in every ten", (*Hardship).drop},
	"flicker":  {"light that flickers by 15 % in bands", (*Hardship).flicker},
	"noise":    {"noise of 12 grey levels", (*Hardship).noise},
	"ramp":     {"light that comes and goes between 45 and 115 %", (*Hardship).ramp},
	"tint":     {"light that turns from warm to cold and back", (*Hardship).tint},
}

// Hardships returns the names of all hardships, in the order of the alphabet, each with what it does.
func Hardships() (names, about []string) {
	for name := range hardships {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		about = append(about, hardships[name].about)
	}
	return names, about
}

// NewHardship returns the hardship of that name; those of different seeds differ where chance is in it.
func NewHardship(name string, seed uint64) (*Hardship, error) {
	found, ok := hardships[name]
	if !ok {
		names, _ := Hardships()
		return nil, fmt.Errorf("accuracy: make pictures worse: %q is not known; there are %s", name, strings.Join(names, ", "))
	}
	h := &Hardship{seed: seed, spoil: found.spoil, other: gocv.NewMat(), matrix: gocv.NewMatWithSize(2, 3, gocv.MatTypeCV64F)}
	h.knock = h.knocks()
	return h, nil
}

// Close frees what the hardship holds.
func (h *Hardship) Close() {
	h.other.Close()
	h.matrix.Close()
}

// Spoil makes img (BGR, 8 bits), the picture numbered n, taken at t, worse; lost: it never arrived.
func (h *Hardship) Spoil(img *gocv.Mat, t time.Duration, n int) (lost bool) {
	return h.spoil(h, img, t, n)
}

// chance is what happens to picture n by chance.
func (h *Hardship) chance(n int) *rand.Rand { return rand.New(rand.NewPCG(h.seed, uint64(n))) }

func (h *Hardship) blur(img *gocv.Mat, _ time.Duration, _ int) bool {
	gocv.GaussianBlur(*img, img, image.Point{}, 1.6, 1.6, gocv.BorderReflect101)
	return false
}

func (h *Hardship) compress(img *gocv.Mat, _ time.Duration, _ int) bool {
	file, err := gocv.IMEncodeWithParams(gocv.JPEGFileExt, *img, []int{gocv.IMWriteJpegQuality, 20})
	if err != nil {
		return true
	}
	defer file.Close()
	worse, err := gocv.IMDecode(file.GetBytes(), gocv.IMReadColor)
	if err != nil {
		return true
	}
	defer worse.Close()
	worse.CopyTo(img)
	return false
}

func (h *Hardship) crop(img *gocv.Mat, _ time.Duration, _ int) bool {
	r := h.chance(0)
	h.move(img, 1.05, 0, (r.Float64()-0.5)*0.01, (r.Float64()-0.5)*0.01)
	return false
}

func (h *Hardship) drop(_ *gocv.Mat, t time.Duration, n int) bool {
	return h.chance(n).IntN(3) == 0 || t%(10*time.Second) < 700*time.Millisecond
}

func (h *Hardship) dim(img *gocv.Mat, _ time.Duration, n int) bool {
	img.ConvertToWithParams(img, gocv.MatTypeCV8U, 0.3, 0)
	h.grain(img, n, 4)
	return false
}

func (h *Hardship) noise(img *gocv.Mat, _ time.Duration, n int) bool {
	h.grain(img, n, 12)
	return false
}

// grain adds noise of the given standard deviation, in grey levels.
func (h *Hardship) grain(img *gocv.Mat, n int, deviation float64) {
	const middle = 64
	if h.other.Rows() != img.Rows() || h.other.Cols() != img.Cols() || h.other.Type() != img.Type() {
		h.other.Close()
		h.other = gocv.NewMatWithSize(img.Rows(), img.Cols(), img.Type())
	}
	gocv.SetRNGSeed(int(h.seed%1000)*1_000_000 + n)
	gocv.RandN(&h.other, gocv.NewScalar(middle, middle, middle, 0), gocv.NewScalar(deviation, deviation, deviation, 0))
	gocv.AddWeighted(*img, 1, h.other, 1, -middle, img)
}

func (h *Hardship) ramp(img *gocv.Mat, t time.Duration, _ int) bool {
	img.ConvertToWithParams(img, gocv.MatTypeCV8U, float32(0.8+0.35*wave(t, 40*time.Second)), 0)
	return false
}

func (h *Hardship) tint(img *gocv.Mat, t time.Duration, _ int) bool {
	warm := 0.2 * wave(t, 50*time.Second)
	h.scale(img, func(int) (b, g, r float64) { return 1 - warm, 1, 1 + warm })
	return false
}

func (h *Hardship) flicker(img *gocv.Mat, t time.Duration, _ int) bool {
	rows := float64(img.Rows())
	h.scale(img, func(y int) (b, g, r float64) {
		k := 1 + 0.15*math.Sin(2*math.Pi*(float64(y)/rows+7.3*t.Seconds()))
		return k, k, k
	})
	return false
}

// scale multiplies each row's blue, green and red by what factors returns.
func (h *Hardship) scale(img *gocv.Mat, factors func(y int) (b, g, r float64)) {
	px, err := img.DataPtrUint8()
	if err != nil {
		return
	}
	width := 3 * img.Cols()
	for y := range img.Rows() {
		b, g, r := factors(y)
		row := px[y*width : (y+1)*width]
		var table [3][256]uint8
		for c, k := range [3]float64{b, g, r} {
			for v := range table[c] {
				table[c][v] = uint8(min(255, math.Round(float64(v)*k)))
			}
		}
		for i, v := range row {
			row[i] = table[i%3][v]
		}
	}
}

// wave goes up and down between -1 and 1 once in a period.
func wave(t, period time.Duration) float64 {
	return math.Sin(2 * math.Pi * t.Seconds() / period.Seconds())
}

// knock is one push against the camera or its stand: when, and where to, as shares of the picture's width.
type knock struct {
	at                   time.Duration
	zoom, angle, dx, dy  float64
	tremble, trembleFrom float64
}

// knocks returns the knocks of an hour.
func (h *Hardship) knocks() (all []knock) {
	r := h.chance(-1)
	part := func(most float64) float64 { return (2*r.Float64() - 1) * most }
	for at := 15 * time.Second; at < time.Hour; at += time.Duration(25+r.IntN(10)) * time.Second {
		all = append(all, knock{at: at, zoom: part(0.01), angle: part(1.5), dx: part(0.02), dy: part(0.02), tremble: 0.004, trembleFrom: r.Float64()})
	}
	return all
}

// bump shows the picture from where the last knock has left the camera: each one leaves it elsewhere, in half a second
// in which it trembles.
func (h *Hardship) bump(img *gocv.Mat, t time.Duration, _ int) bool {
	const lasts = 0.5
	i, found := slices.BinarySearchFunc(h.knock, t, func(k knock, t time.Duration) int { return cmp.Compare(k.at, t) })
	if !found {
		i--
	}
	if i < 0 {
		return false
	}
	now, before := h.knock[i], knock{}
	if i > 0 {
		before = h.knock[i-1]
	}
	share := min(1, (t-now.at).Seconds()/lasts)
	mix := func(a, b float64) float64 { return a + (b-a)*share }
	shake := now.tremble * (1 - share) * math.Sin(2*math.Pi*(now.trembleFrom+9*(t-now.at).Seconds()))
	h.move(img, 1+mix(before.zoom, now.zoom), mix(before.angle, now.angle), mix(before.dx, now.dx)+shake, mix(before.dy, now.dy)-shake)
	return false
}

// move shows the picture zoomed about its middle, turned by so many degrees and shifted by shares of its width.
func (h *Hardship) move(img *gocv.Mat, zoom, degrees, dx, dy float64) {
	w, rows := float64(img.Cols()), float64(img.Rows())
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	a, b := zoom*cos, zoom*sin
	for i, v := range [6]float64{a, -b, w/2 - a*w/2 + b*rows/2 + dx*w, b, a, rows/2 - b*w/2 - a*rows/2 + dy*w} {
		h.matrix.SetDoubleAt(i/3, i%3, v)
	}
	gocv.WarpAffineWithParams(*img, &h.other, h.matrix, image.Pt(img.Cols(), img.Rows()), gocv.InterpolationLinear, gocv.BorderReplicate, color.RGBA{})
	h.other.CopyTo(img)
}
