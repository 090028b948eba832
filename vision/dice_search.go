package vision

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"slices"

	"gocv.io/x/gocv"
)

// Find returns the dice of img, the surest first, and its doubling cube, nil when none is seen. img is BGR with 8
// bits a channel; g says where the board lies in it, nil when no board is known: then dice are sought at every
// size, all places are Outside, and no cube is looked for. Dice and cubes less probable than 0.5 are left out. No place is
// OnChecker: that is told where the points were read too (Reader, Watcher).
//
// It is made for films: the board is looked over once, and once two dice are found, faint places are passed over. As dice
// come in pairs an odd number of them calls for a careful look, and so does something that may be a die where there is no other.
func (f *Finder) Find(img gocv.Mat, g *Geometry) ([]Die, *Cube, error) {
	if g == nil {
		if err := checkDicePicture(img); err != nil {
			return nil, nil, err
		}
		dice, err := f.findAnywhere(img)
		return dice, nil, err
	}
	f.Begin()
	return f.finish(img, g)
}

// FindCarefully is Find by the mean of four looks over the board, as it is and mirrored both ways, and with every place
// looked at: of a hundred dice it finds one more, in two to three times the time. g must not be nil.
func (f *Finder) FindCarefully(img gocv.Mat, g *Geometry) ([]Die, *Cube, error) {
	f.Begin()
	f.careful = true
	return f.finish(img, g)
}

// finish takes the steps there are to take.
func (f *Finder) finish(img gocv.Mat, g *Geometry) ([]Die, *Cube, error) {
	for {
		if dice, cube, done, err := f.Step(img, g); done || err != nil {
			return dice, cube, err
		}
	}
}

// Begin forgets what was found so far: the next Step is the first of a new finding.
func (f *Finder) Begin() {
	f.locator.begin()
	f.careful = false
}

// Step does a part of what Find does and returns what that returns, and true, when it was the last one. The parts are looks over the board, one at a time, and
// the reading of what they showed: so that a watcher need not spend on one frame what the whole costs. What img shows must stay the
// same, up to noise, from one step to the next, and g must not be nil.
func (f *Finder) Step(img gocv.Mat, g *Geometry) (dice []Die, cube *Cube, done bool, err error) {
	if err := checkDicePicture(img); err != nil {
		return nil, nil, false, err
	}
	looks := 1
	if f.careful {
		looks = len(everyWay)
	}
	canvas := canvasOf(g.Corners)
	if f.locator.looks < looks {
		return nil, nil, false, f.locator.look(img, canvas, everyWay[f.locator.looks])
	}
	dice, cube, err = f.readBoard(img, g, canvas, f.locator.hottest(canvas))
	if err != nil {
		return nil, nil, false, err
	}
	if !f.careful && (len(dice)%2 == 1 || len(dice) == 0 && f.doubted) {
		f.careful = true
		return nil, nil, false, nil
	}
	f.Begin()
	return dice, cube, true, nil
}

func checkDicePicture(img gocv.Mat) error {
	if img.Empty() {
		return errors.New("vision: find dice: the picture is empty")
	}
	if img.Type() != gocv.MatTypeCV8UC3 {
		return fmt.Errorf("vision: find dice: the picture must have three channels of 8 bits, not type %d", img.Type())
	}
	return nil
}

// readBoard reads the spots of a picture of a board. Whether a die lies on a checker is left open (weighGround).
func (f *Finder) readBoard(img gocv.Mat, g *Geometry, canvas affine, spots []spot) ([]Die, *Cube, error) {
	stance, root := stanceOf(g, image.Pt(img.Cols(), img.Rows())), rootOf(g.Corners)
	s := scene{
		img: img, upright: upright(canvas), stance: &stance,
		dieEdge: dieOfBoard * root, cubeEdge: cubeOfBoard * root,
		brief: !f.careful,
	}
	looks, cube, err := f.readAll(&s, spots)
	if err != nil {
		return nil, nil, err
	}
	looks = inCompany(looks, f.faint, cube, dieOfBoard*root)
	dice := make([]Die, 0, len(looks))
	for i := range looks {
		d := dieOf(&looks[i], g)
		d.ground = groundOf(&looks[i], g, stance.up(d.Center), d.Place)
		dice = append(dice, d)
	}
	dice = slices.DeleteFunc(dice, func(d Die) bool { return d.Real < enoughReal })
	for i := range dice {
		d := &dice[i]
		stand, err := f.leaner.stands(img, d.Center, d.Size, stance.up(d.Center))
		if err != nil {
			return nil, nil, err
		}
		d.Cocked, d.leaning = stand.leans, stand.shown
	}
	slices.SortFunc(dice, func(a, b Die) int { return cmp.Compare(b.Real, a.Real) })
	return dice, cubeOf(cube, g), nil
}
