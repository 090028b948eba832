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
// over the rendered pictures, by weights that have not learned from them. Today's have, and misread nothing there: what they
// would misread of others those older ones tell. How dice lean is read by today's network, which has not learned from any of them.
// Nobody referees by single pictures of strange boards; it is the prior of FilmNoise.
func MeasuredNoise() Noise { return mustRead(measured) }

// FilmNoise is how the calibrated board of a table is read that is watched: fitted to filmed games by
//
//	davar eval noise seq/dev1 seq/dev2 cork tan navy khatam --prior noise.json --out noise_film.json
//
// by today's weights, which have learned from none of them; delay_ms, which is the measuring machine's, is set to what a
// changed picture takes when nothing else runs. The last four are films that tools/render made, of the styles cork_green, tan_leather,
// navy_yellow and khatam, the second from straight above and the others at an angle. Of 567 stacks none and of 260 dice two are misread; that
// there are no more films is allowed for by the prior.
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
