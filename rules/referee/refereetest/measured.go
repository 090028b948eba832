package refereetest

import (
	"bytes"
	_ "embed"
	"fmt"
)

var (
	//go:embed testdata/noise.json
	measured []byte
	//go:embed testdata/usual.json
	usual []byte
)

// MeasuredNoise is how single pictures of many boards never seen before are read: fitted by
//
//	davar eval stills stills/dev/truth.jsonl --given-corners --noise-out noise.json
//
// over the rendered pictures. What single pictures cannot tell, such as how long a misreading lasts, is assumed.
func MeasuredNoise() Noise { return mustRead(measured) }

// UsualNoise is what is assumed of a camera that has learned the looks of the one board it watches.
func UsualNoise() Noise { return mustRead(usual) }

func mustRead(text []byte) Noise {
	n, err := ReadNoise(bytes.NewReader(text))
	if err != nil {
		panic(fmt.Sprintf("refereetest: a noise file of this package: %v", err))
	}
	return n
}
