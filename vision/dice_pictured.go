package vision

import (
	"math"
	"slices"

	"gocv.io/x/gocv"
)

// There are sets of dice with a picture (a club's badge, a skull) on the face that would be the one or the six.
const (
	picturedFactor = 1.35 // by which a die with its picture up differs in size from the middle one of the others at most
	surelyShown    = 0.9  // of a number: a die shows it in pips
	bodyShare      = 0.15 // of a pictured face that has the colour of another die's body at least: of 44 faces .18 and more, of 12 other things .13 and less
	bodyLightness  = 40   // by which that colour may differ, of 255
	bodyColour     = 8    // and in the plane of colours, of 255
)

// pictured returns the dice among things that bear something other than pips: those as large as the dice of the picture and of the
// same material, where none of these lies. Which number the picture stands for the dice tell: not one of those that are seen in pips.
func (f *Finder) pictured(s *scene, dice, things []look) ([]look, error) {
	if len(dice) == 0 || len(things) == 0 {
		return nil, nil
	}
	size := middleSize(dice)
	things = slices.DeleteFunc(things, func(l look) bool {
		return !near(l.size, size, picturedFactor) || l.isPartOfAny(dice)
	})
	things = distinct(things)
	if len(things) == 0 {
		return nil, nil
	}
	bodies := make([]labColour, len(dice))
	for i := range dice {
		face, err := f.reader.face(s, &dice[i])
		if err != nil {
			return nil, err
		}
		bodies[i] = middleColour(face)
	}
	six := sixPictured(dice)
	kept := things[:0]
	for _, l := range things {
		face, err := f.reader.face(s, &l)
		if err != nil {
			return nil, err
		}
		if likestBody(face, bodies) < bodyShare {
			continue
		}
		p := six
		if p < 0 {
			const doubt = 0.05 // about what the reader, who has never seen the picture, makes of it
			p = (l.value[6] + doubt) / (l.value[1] + l.value[6] + 2*doubt)
		}
		l.value = [7]float32{1: 1 - p, 6: p}
		kept = append(kept, l)
	}
	return kept, nil
}

// sixPictured returns how likely the picture stands for the six rather than for the one, by what the dice show in pips; -1 when they
// do not tell.
func sixPictured(dice []look) float32 {
	var shown [7]float32
	for i := range dice {
		for n := range shown {
			if dice[i].value[n] > surelyShown {
				shown[n]++
			}
		}
	}
	if shown[1] == shown[6] {
		return -1
	}
	return (shown[1] + 0.1) / (shown[1] + shown[6] + 0.2)
}

// middleSize returns the median of the dice's edges.
func middleSize(dice []look) float64 {
	sizes := make([]float64, len(dice))
	for i := range dice {
		sizes[i] = dice[i].size
	}
	slices.Sort(sizes)
	return sizes[len(sizes)/2]
}

// labColour is a colour of CIE L*a*b*, each part from 0 to 255 as OpenCV has them.
type labColour [3]uint8

// face returns the colours of the upper face of what was seen.
func (r *diceReader) face(s *scene, l *look) ([]labColour, error) {
	m := readerView(l.at, l.size, s.upright)
	lab := gocv.NewMat()
	defer lab.Close()
	gocv.CvtColor(r.crop.cut(s.img, m), &lab, gocv.ColorBGRToLab)
	px, err := lab.DataPtrUint8()
	if err != nil {
		return nil, err
	}
	var face []labColour
	onFace(m.apply(Pixel{l.at.X + l.up.X, l.at.Y + l.up.Y}), func(i int) {
		face = append(face, labColour(px[3*i:]))
	})
	return face, nil
}

// middleColour returns the median of each part of the colours: of a die's face that of its body, for pips never cover half of it.
func middleColour(face []labColour) (middle labColour) {
	part := make([]uint8, len(face))
	for c := range middle {
		for i := range face {
			part[i] = face[i][c]
		}
		slices.Sort(part)
		if len(part) > 0 {
			middle[c] = part[len(part)/2]
		}
	}
	return middle
}

// likestBody returns which share of the face has the colour of a body, of that body of which most has.
func likestBody(face []labColour, bodies []labColour) float64 {
	most := 0
	for _, b := range bodies {
		n := 0
		for _, c := range face {
			if c.isLike(b) {
				n++
			}
		}
		most = max(most, n)
	}
	return float64(most) / float64(max(1, len(face)))
}

func (c labColour) isLike(o labColour) bool {
	apart := func(i int) float64 { return float64(c[i]) - float64(o[i]) }
	return math.Abs(apart(0)) < bodyLightness && math.Hypot(apart(1), apart(2)) < bodyColour
}
