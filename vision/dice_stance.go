package vision

import (
	"image"
	"math"
)

// What is likely of a camera and a board: the focal length as a share of the picture's longer side, the board's
// width over its height, and how far each may be off (logarithms); how far from square to each other the board's
// sides may seem (cosine). The same numbers stand in train/dice_data.py.
const (
	usualFocus, focusOff   = 1.1, 0.35
	usualAspect, aspectOff = 1.1, 0.1
	squareOff              = 0.03
	focusSteps             = 25
	leastFocus, focusSpan  = 0.5, 6.0
)

// stance says how the camera stands to the board.
type stance struct {
	focus  float64    // focal length, pixels
	normal [3]float64 // of the board, as the camera sees it (x right, y down, z away), towards the camera
	middle Pixel      // of the picture
	strain float64    // how unlikely it is: the sum of the squares of what is off, each over what is usual
}

// stanceOf returns the most likely stance of those that the board's place in a picture of the given size allows.
func stanceOf(g *Geometry, size image.Point) stance {
	s := stance{middle: Pixel{float64(size.X) / 2, float64(size.Y) / 2}}
	h := g.toPicture
	for i := range 3 {
		h[i] -= s.middle.X * h[6+i]
		h[3+i] -= s.middle.Y * h[6+i]
	}
	s.strain = math.Inf(1)
	side := float64(max(size.X, size.Y))
	for i := range focusSteps {
		share := leastFocus * math.Pow(focusSpan, float64(i)/(focusSteps-1))
		f := side * share
		a, b := [3]float64{h[0] / f, h[3] / f, h[6]}, [3]float64{h[1] / f, h[4] / f, h[7]}
		la, lb := math.Sqrt(dot(a, a)), math.Sqrt(dot(b, b))
		cost := square(dot(a, b)/(la*lb)/squareOff) + square(math.Log(la/lb/usualAspect)/aspectOff) +
			square(math.Log(share/usualFocus)/focusOff)
		if cost >= s.strain {
			continue
		}
		s.strain, s.focus = cost, f
		s.normal = [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
		n := math.Sqrt(dot(s.normal, s.normal))
		if s.normal[2] > 0 {
			n = -n
		}
		for k := range s.normal {
			s.normal[k] /= n
		}
	}
	return s
}

// up returns where up points at p: in the picture, the way from the foot of a thing to the top of it, in units of
// its width when it is as high as it is wide.
func (s *stance) up(p Pixel) Pixel {
	return Pixel{
		s.normal[0] - (p.X-s.middle.X)/s.focus*s.normal[2],
		s.normal[1] - (p.Y-s.middle.Y)/s.focus*s.normal[2],
	}
}

func dot(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func square(x float64) float64 { return x * x }
