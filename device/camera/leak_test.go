//go:build matprofile

package camera

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"gocv.io/x/gocv"
)

func TestASourceKeepsNoMatAfterClose(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		img := gocv.NewMatWithSize(48, 64, gocv.MatTypeCV8UC3)
		gocv.IMWrite(filepath.Join(dir, fmt.Sprintf("p%d.png", i)), img)
		img.Close()
	}
	before := gocv.MatProfile.Count()
	for range 3 {
		s, err := Open(dir, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		img := gocv.NewMat()
		for {
			if _, err := s.Next(context.Background(), &img); err != nil {
				break
			}
		}
		img.Close()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if after := gocv.MatProfile.Count(); after != before {
		t.Errorf("%d Mats before, %d after", before, after)
	}
}
