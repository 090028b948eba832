package vision

import "gocv.io/x/gocv"

// looker takes the looks of boards from pictures. It owns its Mats and is not safe for concurrent use.
type looker struct {
	rectifier *rectifier
	small     gocv.Mat
	thumb     thumb
}

func newLooker() *looker { return &looker{rectifier: newRectifier(watchCoarse), small: gocv.NewMat()} }

func (l *looker) close() {
	l.rectifier.close()
	l.small.Close()
}

// learn learns the looks of the board that g places in img, whose points hold the given checkers.
func (l *looker) learn(img gocv.Mat, g *Geometry, counts *[2][12]int) (*Appearance, error) {
	if err := l.thumb.take(l.rectifier.rectify(img, g), &l.small); err != nil {
		return nil, err
	}
	return learnAppearance(&l.thumb, counts)
}

// weigh adds to what was read of the board in img what its looks say.
func (l *looker) weigh(img gocv.Mat, g *Geometry, looks *Appearance, r *Reading) error {
	if err := l.thumb.take(l.rectifier.rectify(img, g), &l.small); err != nil {
		return err
	}
	looks.weigh(&l.thumb, r)
	return nil
}
