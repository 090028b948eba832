// Package qr draws the squares that a phone's camera reads.
package qr

import (
	"fmt"
	"strings"

	"rsc.io/qr"
)

// quiet is how many cells around a code must be empty for phones to find it.
const quiet = 4

// SVG returns a picture (SVG) of the code that says text, black on white. Its error is that the text is too long, over some
// two thousand bytes.
func SVG(text string) (string, error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return "", fmt.Errorf("qr: draw %d bytes: %w", len(text), err)
	}
	var path strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", from+quiet, y+quiet, x-from, x-from)
			}
		}
	}
	size := code.Size + 2*quiet
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h%dv%dH0z"/><path d="%s"/></svg>`,
		size, size, size, size, &path), nil
}

// WiFi returns the text by which phones join a network.
func WiFi(name, password string) string {
	escape := strings.NewReplacer(`\`, `\\`, `;`, `\;`, `,`, `\,`, `:`, `\:`, `"`, `\"`)
	return "WIFI:T:WPA;S:" + escape.Replace(name) + ";P:" + escape.Replace(password) + ";;"
}
