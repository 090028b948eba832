package vision

import (
	"fmt"
	"image"
	"image/color"

	"davar/rules"
	"davar/rules/sighting"

	"gocv.io/x/gocv"
)

var (
	inkBoard  = color.RGBA{255, 220, 0, 0}
	inkSure   = color.RGBA{0, 255, 120, 0}
	inkDoubt  = color.RGBA{255, 80, 40, 0}
	inkHidden = color.RGBA{170, 170, 170, 0}
	inkDie    = color.RGBA{255, 0, 200, 0}
)

// doubtful is the probability below which a reading is drawn as doubtful.
const doubtful = 0.9

// Overlay draws into img what was read of it: the board's outline and bar, the count on each point (green when
// sure, red when doubtful, grey when hidden; negative for dark), the bar's checkers, dice and cube.
func Overlay(img *gocv.Mat, r *Reading) {
	g := r.Geometry
	scale := max(0.4, g.Diagonal()/1600)
	line := func(u0, v0, u1, v1 float64) {
		gocv.Line(img, pixelAt(g.ToPicture(u0, v0)), pixelAt(g.ToPicture(u1, v1)), inkBoard, max(1, int(2*scale)))
	}
	line(0, 0, 1, 0)
	line(1, 0, 1, 1)
	line(1, 1, 0, 1)
	line(0, 1, 0, 0)
	line(g.BarLeft, 0, g.BarLeft, 1)
	line(g.BarRight, 0, g.BarRight, 1)
	text := func(p Pixel, s string, ink color.RGBA) {
		size := gocv.GetTextSize(s, gocv.FontHersheySimplex, scale, 2)
		at := pixelAt(p).Add(image.Pt(-size.X/2, size.Y/2))
		gocv.PutText(img, s, at, gocv.FontHersheySimplex, scale, black, max(3, int(6*scale)))
		gocv.PutText(img, s, at, gocv.FontHersheySimplex, scale, ink, max(1, int(2*scale)))
	}
	point := func(p *sighting.Point, at Pixel) {
		n, q := p.Counts.Best()
		switch {
		case p.Hidden:
			text(at, "?", inkHidden)
		case p.Mixed > 0.5:
			text(at, "mix", inkDoubt)
		case n != 0 || q < doubtful:
			text(at, fmt.Sprint(n), ink(q))
		}
	}
	for i := range 12 {
		left, right := g.PointSpan(i)
		point(&r.Top[i], g.ToPicture((left+right)/2, -0.02))
		point(&r.Bottom[i], g.ToPicture((left+right)/2, 1.02))
	}
	middle := (g.BarLeft + g.BarRight) / 2
	if n, q := r.Bar[rules.Light].Best(); n > 0 {
		text(g.ToPicture(middle, 0.6), fmt.Sprint(n), ink(q))
	}
	if n, q := r.Bar[rules.Dark].Best(); n > 0 {
		text(g.ToPicture(middle, 0.4), fmt.Sprint(-n), ink(q))
	}
	for i := range r.Dice {
		d := &r.Dice[i]
		v, _ := d.Best()
		s := fmt.Sprint(v)
		if d.Cocked > 0.5 {
			s += "!"
		}
		gocv.Circle(img, pixelAt(d.Center), int(d.Size), inkDie, max(1, int(2*scale)))
		text(Pixel{d.Center.X, d.Center.Y - 1.8*d.Size}, s, inkDie)
	}
	if c := r.Cube; c != nil {
		v, _ := c.Best()
		text(c.Center, fmt.Sprintf("cube %d", v), inkDie)
	}
}

func ink(p float32) color.RGBA {
	if p < doubtful {
		return inkDoubt
	}
	return inkSure
}

func pixelAt(p Pixel) image.Point { return image.Pt(int(p.X+0.5), int(p.Y+0.5)) }
