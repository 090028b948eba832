package vision

import (
	"math"
	"testing"

	"davar/rules"
)

// emptyStrip is a strip in which surely nothing lies.
func emptyStrip() (q quarter) {
	q.seen, q.light = true, 0.5
	for n := range q.p {
		q.p[n] = 0.001
	}
	q.p[0] = 0.985
	return q
}

// stripOf is a strip in which n checkers lie, light with the given probability.
func stripOf(n int, light float32) quarter {
	q := emptyStrip()
	q.p[0], q.p[n], q.light = 0.001, 0.985, light
	return q
}

func TestWhatLiesInATrayDecidesBetweenTwoCounts(t *testing.T) {
	r := startReading()
	r.Top[0] = either(3, 4, 0.7) // one or two of the fifteen are off
	off := weighTrays(&[4]quarter{emptyStrip(), stripOf(1, 0.95), emptyStrip(), emptyStrip()})
	conserve(r, off)
	if n, p := r.Top[0].Counts.Best(); n != 4 || p < 0.9 {
		t.Errorf("3 (0.7) or 4 with one light checker in a tray became %d (%.2f)", n, p)
	}
	if n, p := r.Off[rules.Light].Best(); n != 1 || p < 0.9 {
		t.Errorf("%d light checkers are off (%.2f), want 1", n, p)
	}
	if n, p := r.Off[rules.Dark].Best(); n != 0 || p < 0.9 {
		t.Errorf("%d dark checkers are off (%.2f), want 0", n, p)
	}
}

func TestEmptyTraysSpeakForACheckerMore(t *testing.T) {
	off := weighTrays(&[4]quarter{emptyStrip(), emptyStrip(), emptyStrip(), emptyStrip()})
	if off[1][0] > 0.9 || off[1][0] < trayElsewhere {
		t.Errorf("with all trays empty one light checker off is %.3f times as likely to be seen so: it may lie elsewhere, but seldom does", off[1][0])
	}
}

func TestStripsOutsideThePictureSayNothing(t *testing.T) {
	off := weighTrays(new([4]quarter))
	for l := range off {
		for d, p := range off[l] {
			if math.Abs(p-1) > 1e-9 && !(l > 0 && d > 0) {
				t.Fatalf("%d and %d off are %.3f times as likely though nothing can be seen", l, d, p)
			}
		}
	}
}

func TestOneStripDoesNotHoldTheCheckersOfBothSides(t *testing.T) {
	off := weighTrays(&[4]quarter{stripOf(5, 0.5), emptyStrip(), emptyStrip(), emptyStrip()})
	if off[5][5] > off[5][0]+off[0][5] { // those of the other side may lie elsewhere, but the strip speaks once
		t.Errorf("five checkers of unclear colour: both sides %.3g, one alone %.3g and %.3g", off[5][5], off[5][0], off[0][5])
	}
}

func TestStripsLieBesideTheFourHalves(t *testing.T) {
	for i, c := range [4]struct{ u, v float64 }{{-trayReach, -trayAbove}, {1 + trayReach, -trayAbove}, {-trayReach, 1 + trayAbove}, {1 + trayReach, 1 + trayAbove}} {
		way := [4]mirror{{}, {sides: true}, {rows: true}, {sides: true, rows: true}}[i]
		m := quarterToBoard(way)
		if u, v := project(&m, 0, 0); math.Abs(u-c.u) > 1e-9 || math.Abs(v-c.v) > 1e-9 {
			t.Errorf("%+v: the outer corner shows %.3f, %.3f of the board, want %.3f, %.3f", way, u, v, c.u, c.v)
		}
		if u, v := project(&m, 2*trayAcross, trayDown); math.Abs(u-0.5) > 0.5 || math.Abs(v-0.5) > trayBelow-0.5+1e-9 {
			t.Errorf("%+v: the inner corner shows %.3f, %.3f: not where board and half end", way, u, v)
		}
	}
}
