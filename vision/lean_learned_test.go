package vision

import (
	"image"
	"image/color"
	"math"
	"testing"

	"davar/rules/sighting"

	"gocv.io/x/gocv"
)

// lying returns a die of a camera that stands otherwise than its corners say, whose upper face lies off from where a flat one's does,
// by all of its looks.
func lying(at, off Pixel, looks float32) Die {
	const x, y, scale = 0.03, -0.02, 0.08 // of the camera
	r := rise{at: at, looks: 8, leans: looks}
	for i := range r.off {
		r.off[i] = Pixel{x + scale*at.X + off.X, y + scale*at.Y + off.Y}
	}
	return Die{Center: Pixel{1280 * at.X, 1280 * at.Y}, Size: 22, rise: r, Die: sighting.Die{Cocked: looks}}
}

// thrown are places of dice of a game.
var thrown = []Pixel{{-0.3, -0.1}, {0.25, 0.12}, {0.1, -0.15}, {-0.2, 0.18}, {0.3, -0.02}, {-0.1, 0.05}}

func TestFlatDiceTellWhereTheUpperFaceOfTheNextLies(t *testing.T) {
	var k uppers
	for _, at := range thrown {
		d := lying(at, Pixel{}, 0.02)
		k.learn(&d)
	}
	at := Pixel{0.2, -0.2}
	if mean, variance := k.expect(at); distance(mean, Pixel{0.03 + 0.08*0.2, -0.02 - 0.08*0.2}) > 0.01 || math.Sqrt(variance) > 0.02 {
		t.Errorf("expected at %v, give or take %.3f", mean, math.Sqrt(variance))
	}
	for _, c := range []struct {
		name  string
		off   Pixel
		leans bool
	}{
		{"a flat die in doubt", Pixel{0.01, 0.01}, false},
		{"a die that leans to the left", Pixel{-0.1, 0.01}, true},
		{"a die that leans towards the viewer", Pixel{0, 0.12}, true},
	} {
		d := lying(at, c.off, 0.4)
		dice := []Die{d}
		if k.judge(dice); (dice[0].Cocked > 0.75) != c.leans || !c.leans && dice[0].Cocked > 0.2 {
			t.Errorf("%s leans with %.2f", c.name, dice[0].Cocked)
		}
	}
}

func TestInTheFirstThrowTheDieThatLiesFlatTellsOfTheOther(t *testing.T) {
	at := Pixel{0.28, -0.1}
	alone := []Die{lying(at, Pixel{-0.08, 0}, 0.3)}
	beside := []Die{lying(at, Pixel{-0.08, 0}, 0.3), lying(Pixel{0.25, 0.05}, Pixel{}, 0.01)}
	var k uppers
	k.judge(alone)
	k.judge(beside)
	if beside[0].Cocked <= alone[0].Cocked || beside[1].Cocked > 0.01 {
		t.Errorf("leans with %.2f alone, with %.2f beside one that leans with %.2f", alone[0].Cocked, beside[0].Cocked, beside[1].Cocked)
	}
}

func TestADieThatIsSeenFlatFromOneSideIsNotMadeToLean(t *testing.T) {
	d := lying(Pixel{}, Pixel{0.1, 0}, 0.5)
	d.rise.off[3] = Pixel{0.03, -0.02}
	var k uppers
	for _, at := range thrown {
		f := lying(at, Pixel{}, 0.02)
		k.learn(&f)
	}
	dice := []Die{d}
	if k.judge(dice); dice[0].Cocked > 0.5 {
		t.Errorf("leans with %.2f", dice[0].Cocked)
	}
	far := lying(Pixel{}, Pixel{40, -30}, 0.5)
	if e := k.evidence(&far.rise); !(e > 2 && e < 6) {
		t.Errorf("an upper face seen far off speaks by %v", e)
	}
	hidden := lying(Pixel{}, Pixel{0.12, 0}, 0.5)
	hidden.rise.blends = true
	if e := k.evidence(&hidden.rise); e > 0 {
		t.Errorf("a side that may pass for the ground makes a die lean, by %.1f", e)
	}
	few := lying(Pixel{}, Pixel{0.1, 0}, 0.05)
	few.rise.looks = 1
	if e := k.evidence(&few.rise); e > 0 {
		t.Errorf("one look makes a die that looks flat lean, by %.1f", e)
	}
}

func TestASideOfTheGroundsColourIsTold(t *testing.T) {
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(40, 110, 30, 0), 200, 200, gocv.MatTypeCV8UC3) // felt
	defer img.Close()
	gocv.Rectangle(&img, image.Rect(90, 110, 110, 160), color.RGBA{R: 215, G: 200, B: 180}, -1) // a point below the die
	gocv.Rectangle(&img, image.Rect(89, 89, 111, 111), color.RGBA{R: 235, G: 235, B: 230}, -1)  // the die
	s := scene{img: img}
	for _, c := range []struct {
		lean Pixel
		want bool
	}{{Pixel{0, 0.1}, true}, {Pixel{0.1, 0}, false}, {Pixel{-0.1, 0}, false}, {Pixel{0, -0.1}, false}, {Pixel{}, false}} {
		l := look{at: Pixel{100, 100}, size: 22, rise: rise{off: [8]Pixel{c.lean}, looks: 1}}
		if got := s.blends(&l); got != c.want {
			t.Errorf("leaning %v: the side may pass for the ground: %v", c.lean, got)
		}
	}
}

func TestADieTellsOnceHoweverLongItLies(t *testing.T) {
	var k uppers
	for range 5 {
		d := lying(thrown[0], Pixel{}, 0.02)
		k.learn(&d)
	}
	once := k.weight
	d := lying(thrown[0], Pixel{}, 0.02)
	var other uppers
	other.learn(&d)
	if once != other.weight {
		t.Errorf("it told %v, once is %v", once, other.weight)
	}
	leaning := lying(thrown[1], Pixel{0.1, 0}, 0.9)
	if k.learn(&leaning); k.weight != once {
		t.Error("a die that leans told where flat ones lie")
	}
}
