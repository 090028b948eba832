package camera

import (
	"context"
	"io"
	"time"

	"gocv.io/x/gocv"
)

// Fake is a source for tests: it shows its pictures at ten a second of its own time and then ends; a nil picture
// makes Next return ErrLost once.
type Fake struct {
	Pictures []*gocv.Mat
	// Automatic are the values that the camera has found by itself; there is nothing to hold when it has none.
	Automatic []Held
	holding   bool
	next      int
}

// Next gives the next picture of Pictures.
func (f *Fake) Next(ctx context.Context, img *gocv.Mat) (Picture, error) {
	if err := ctx.Err(); err != nil {
		return Picture{}, err
	}
	if f.next == len(f.Pictures) {
		return Picture{}, io.EOF
	}
	n := f.next
	f.next++
	if f.Pictures[n] == nil {
		return Picture{}, ErrLost
	}
	f.Pictures[n].CopyTo(img)
	return Picture{T: time.Duration(n) * time.Second / folderRate, N: n}, nil
}

// Hold implements Holder.
func (f *Fake) Hold() ([]Held, error) {
	if len(f.Automatic) == 0 {
		return nil, ErrNothingToHold
	}
	f.holding = true
	return f.Automatic, nil
}

// Release implements Holder.
func (f *Fake) Release() error { f.holding = false; return nil }

// Close does nothing: the pictures belong to the test.
func (f *Fake) Close() error { return nil }

var (
	_ Source = (*Fake)(nil)
	_ Source = (*video)(nil)
	_ Source = (*folder)(nil)
	_ Source = (*live)(nil)
	_ Holder = held{}
	_ Holder = (*Fake)(nil)
)
