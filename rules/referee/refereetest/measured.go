package refereetest

import (
	"bytes"
	_ "embed"
	"fmt"
)

var (
	//go:embed testdata/noise.json
	measured []byte
	//go:embed testdata/noise_film.json
	filmed []byte
	//go:embed testdata/usual.json
	usual []byte
)

// MeasuredNoise is how single pictures of many boards never seen before are read, easy ones and hopeless ones: fitted by
//
//	davar eval stills stills/dev/truth.jsonl --given-corners --noise-out noise.json
//
// over the rendered pictures, by weights that have not learned from them. Nobody referees by single pictures of strange
// boards; it is the prior of FilmNoise.
func MeasuredNoise() Noise { return mustRead(measured) }

// FilmNoise is how the calibrated board of a table is read that is watched: fitted to filmed games by
//
//	davar eval noise seq/dev1 seq/dev2 --prior noise.json --out noise_film.json
//
// In the films nothing is misread; that there are no more than two of them is allowed for by the prior.
func FilmNoise() Noise { return mustRead(filmed) }

// UsualNoise is an assumption older than both: many fleeting errors of some confidence, of everything alike.
func UsualNoise() Noise { return mustRead(usual) }

func mustRead(text []byte) Noise {
	n, err := ReadNoise(bytes.NewReader(text))
	if err != nil {
		panic(fmt.Sprintf("refereetest: a noise file of this package: %v", err))
	}
	return n
}
