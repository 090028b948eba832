package refereetest

import (
	"bytes"
	_ "embed"
	"fmt"
)

//go:embed testdata/noise.json
var measured []byte

// MeasuredNoise is what davar eval stills measured over the rendered pictures, the board's corners given, fitted by its
// flag --noise-out. What single pictures cannot tell, and how often pictures are lost, is assumed.
func MeasuredNoise() Noise {
	n, err := ReadNoise(bytes.NewReader(measured))
	if err != nil {
		panic(fmt.Sprintf("refereetest: the noise file of this package: %v", err))
	}
	return n
}
