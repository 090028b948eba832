package camera

import (
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"time"
)

// patience is a reader that gives up when nothing comes for silentFor.
type patience struct {
	in     io.Reader
	giveUp *time.Timer
}

func newPatience(in io.Reader, giveUp func()) *patience {
	return &patience{in: in, giveUp: time.AfterFunc(silentFor, giveUp)}
}

// Read implements io.Reader.
func (p *patience) Read(b []byte) (int, error) {
	n, err := p.in.Read(b)
	if n > 0 {
		p.giveUp.Reset(silentFor)
	}
	return n, err
}

func (p *patience) end() { p.giveUp.Stop() }

// webOpener opens a camera on the network. One that sends JPEG pictures one after the other (multipart/x-mixed-replace)
// is read by ourselves, so that a stall is noticed; anything else is OpenCV's.
func webOpener(address string) opener {
	other := streamOpener(address)
	return func(ctx context.Context, _ bool) (eye, error) {
		reading, stop := context.WithCancel(ctx)
		silent := func(why any) error {
			stop()
			return fmt.Errorf("camera: open %s: the stream does not answer (%v); check address and network", withoutUser(address), why)
		}
		request, err := http.NewRequestWithContext(reading, http.MethodGet, address, nil)
		if err != nil {
			return nil, silent("no address")
		}
		giveUp := time.AfterFunc(silentFor, stop)
		answer, err := http.DefaultClient.Do(request)
		giveUp.Stop()
		switch {
		case reading.Err() != nil:
			return nil, silent("nothing came in time")
		case err != nil:
			return nil, silent("no connection") // the error itself may hold the address with its password
		case answer.StatusCode != http.StatusOK:
			answer.Body.Close()
			return nil, silent(answer.Status)
		}
		if kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type")); kind != "multipart/x-mixed-replace" {
			answer.Body.Close()
			stop()
			return other(ctx, false)
		}
		alive := newPatience(answer.Body, stop)
		return &stream{pictures: newJPEGs(alive), end: func() {
			stop()
			answer.Body.Close()
			alive.end()
		}}, nil
	}
}
