package qr

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"rsc.io/qr"
)

// cells reads which cells of a picture of this package are black, and how many there are in a row.
func cells(t *testing.T, svg string) (black map[[2]int]bool, size int) {
	t.Helper()
	number := func(text string) int {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	box := regexp.MustCompile(`viewBox="0 0 (\d+) (\d+)"`).FindStringSubmatch(svg)
	if box == nil || box[1] != box[2] {
		t.Fatalf("no square in %.200s", svg)
	}
	black = map[[2]int]bool{}
	for _, run := range regexp.MustCompile(`M(\d+) (\d+)h(\d+)v1h-(\d+)z`).FindAllStringSubmatch(svg, -1) {
		for x := range number(run[3]) {
			black[[2]int{number(run[1]) + x, number(run[2])}] = true
		}
	}
	return black, number(box[1])
}

func TestEachBlackCellOfTheCodeIsDrawnOnceAndItsSurroundingsAreEmpty(t *testing.T) {
	for _, text := range []string{"http://192.168.1.7:8080", WiFi("Davar 7", "k3y;with:marks"), strings.Repeat("long ", 100)} {
		svg, err := SVG(text)
		if err != nil {
			t.Fatal(err)
		}
		code, err := qr.Encode(text, qr.M)
		if err != nil {
			t.Fatal(err)
		}
		black, size := cells(t, svg)
		if size != code.Size+8 {
			t.Errorf("%d cells wide for a code of %d", size, code.Size)
		}
		for y := range size {
			for x := range size {
				if black[[2]int{x, y}] != code.Black(x-4, y-4) {
					t.Fatalf("%.20q: cell %d, %d is drawn %v", text, x, y, black[[2]int{x, y}])
				}
			}
		}
	}
	if _, err := SVG(strings.Repeat("x", 5000)); err == nil {
		t.Error("more than fits is drawn")
	}
}
