package camera

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gocv.io/x/gocv"
)

// metadata is what rpicam-vid writes about a picture.
const metadata = `SensorTimestamp=1234567\nExposureTime=19998\nAnalogueGain=2.000000\nDigitalGain=1.500000\nColourGains=[ 1.800000, 1.400000 ]\nLensPosition=1.250000\nAeLocked=true\n\n`

// telling is a program in rpicam-vid's place that shows pictures and tells what exposure it found.
const telling = "while :; do cat 0.jpg 1.jpg 2.jpg; printf '" + metadata + "' >&3; sleep 0.05; done\n"

const (
	keptOptions    = "--shutter 19998 --gain 3.0000 --awbgains 1.8000,1.4000 --autofocus-mode manual --lens-position 1.2500"
	keptProperties = "libcamerasrc ae-enable=false exposure-time=19998 analogue-gain=3.0000 awb-enable=false colour-gains=<1.8000,1.4000> af-mode=manual lens-position=1.2500 ! "
)

// askedFor waits until the program in rpicam-vid's place was started with the text among its arguments, or without it.
func askedFor(t *testing.T, text string, with bool) {
	t.Helper()
	var asked []byte
	for begun := time.Now(); time.Since(begun) < 30*time.Second; pause(t.Context(), 10*time.Millisecond) {
		if asked, _ = os.ReadFile(filepath.Join(os.Getenv("RPICAM_FOLDER"), "asked")); len(asked) > 0 && strings.Contains(string(asked), text) == with {
			return
		}
	}
	t.Fatalf("the program was asked for %q; %q in it must be %v", asked, text, with)
}

// holdSoon holds s as soon as it has told its exposure.
func holdSoon(t *testing.T, s Source) []Held {
	t.Helper()
	for begun := time.Now(); ; pause(t.Context(), 10*time.Millisecond) {
		held, err := Hold(s)
		if err == nil {
			return held
		}
		if !errors.Is(err, errNotTold) || time.Since(begun) > 30*time.Second {
			t.Fatal(err)
		}
	}
}

func TestThePisOwnCameraKeepsWhatItFoundWhenItIsOpenedAnew(t *testing.T) {
	fakeRPiCam(t, telling)
	s := mustOpen(t, "rpicam", small)
	defer s.Close()
	img := gocv.NewMat()
	defer img.Close()
	before := await(t, s, &img)
	askedFor(t, "--shutter", false)
	held := holdSoon(t, s)
	want := []Held{{"ExposureTime", 19998}, {"AnalogueGain", 3}, {"ColourGains, red", 1.8}, {"ColourGains, blue", 1.4}, {"LensPosition", 1.25}}
	if !slices.Equal(held, want) {
		t.Errorf("held at %v, want %v", held, want)
	}
	askedFor(t, keptOptions, true)
	for after := before; after.T < before.T+200*time.Millisecond; { // of the new one
		after = await(t, s, &img)
		if after.N <= before.N {
			t.Errorf("after %+v comes %+v", before, after)
		}
	}
	conformHolder(t, s) // releases at its end
	askedFor(t, "--shutter", false)
	holdSoon(t, s)
	askedFor(t, keptOptions, true)
}

func TestAHeldCameraThatDiesIsStartedAgainHeld(t *testing.T) {
	fakeRPiCam(t, "for i in 1 2 3 4 5 6 7 8; do cat 0.jpg 1.jpg; printf '"+metadata+"' >&3; sleep 0.05; done\n") // and dies
	s := mustOpen(t, "rpicam", small)
	defer s.Close()
	holdSoon(t, s)
	for range 3 {
		askedFor(t, keptOptions, true)
		if err := os.Remove(filepath.Join(os.Getenv("RPICAM_FOLDER"), "asked")); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAProgramTooOldToTellItsExposureShowsPicturesAllTheSame(t *testing.T) {
	fakeRPiCam(t, "case \"$*\" in *--metadata*) exit 255 ;; esac\n"+telling)
	s := mustOpen(t, "rpicam", small)
	defer s.Close()
	img := gocv.NewMat()
	defer img.Close()
	await(t, s, &img)
	if held, err := Hold(s); !errors.Is(err, ErrNothingToHold) {
		t.Errorf("held %v, %v", held, err)
	}
}

// pipes stands in GStreamer's place.
type pipes struct {
	picture *gocv.Mat
	refuse  string // a pipeline with that in it

	mu   sync.Mutex
	open []string
}

func (p *pipes) opener(pipeline, _ string) opener {
	return func(context.Context, bool) (eye, error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.open = append(p.open, pipeline)
		if p.refuse != "" && strings.Contains(pipeline, p.refuse) {
			return nil, errors.New("no such property")
		}
		return blind{true, p.picture}, nil
	}
}

// openLast waits until the pipeline opened last has the text in it, or not.
func (p *pipes) openLast(t *testing.T, text string, with bool) {
	t.Helper()
	for begun := time.Now(); ; pause(t.Context(), 10*time.Millisecond) {
		p.mu.Lock()
		last := p.open[len(p.open)-1]
		p.mu.Unlock()
		if strings.Contains(last, text) == with {
			return
		}
		if time.Since(begun) > 30*time.Second {
			t.Fatalf("the pipeline is %s; %q in it must be %v", last, text, with)
		}
	}
}

// startPipes opens the camera of that name through p.
func startPipes(t *testing.T, p *pipes, name string) Source {
	t.Helper()
	p.picture = grey(t, 90)
	l := &libcamera{name: name, settings: small, pipeline: p.opener}
	s, err := openKept(l.open, &l.keeper, l, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

const listing = `case "$*" in *--list-cameras*) printf 'Available cameras\n0 : imx219 [3280x2464] (/base/i2c@0/imx219@10)\n    Modes: 1\n1 : imx708 [4608x2592] (/base/i2c@1/imx708@1a)\n'; exit ;; esac
printf '` + metadata + `' >&3
`

func TestThroughGStreamerThePisOwnCameraKeepsWhatTheOtherProgramFinds(t *testing.T) {
	fakeRPiCam(t, listing)
	p := &pipes{}
	s := startPipes(t, p, "/base/i2c@1/imx708@1a")
	img := gocv.NewMat()
	defer img.Close()
	await(t, s, &img)
	held, err := Hold(s)
	if err != nil || len(held) != 5 {
		t.Fatalf("held at %v, %v", held, err)
	}
	askedFor(t, "--camera 1 ", true)
	p.openLast(t, "exposure-time=19998", true)
	await(t, s, &img)
	conformHolder(t, s)
	p.openLast(t, "exposure-time", false)
}

func TestAPartOfGStreamerTooOldToKeepAnExposureShowsPicturesAllTheSame(t *testing.T) {
	fakeRPiCam(t, listing)
	p := &pipes{refuse: "ae-enable"}
	s := startPipes(t, p, "")
	if _, err := Hold(s); err != nil {
		t.Fatal(err)
	}
	p.openLast(t, "exposure-time", false)
	img := gocv.NewMat()
	defer img.Close()
	await(t, s, &img)
}

func TestWithoutTheProgramThatTellsThereIsNothingToHoldThroughGStreamer(t *testing.T) {
	if _, err := exec.LookPath("rpicam-vid"); err == nil {
		t.Skip("SKIPPED: rpicam-vid is installed here")
	}
	if held, err := Hold(startPipes(t, &pipes{}, "")); !errors.Is(err, ErrNothingToHold) {
		t.Errorf("held %v, %v", held, err)
	}
}

func TestAnExposureIsTakenFromWhatRPiCamTellsOfEachPicture(t *testing.T) {
	whole := strings.ReplaceAll(metadata, `\n`, "\n")
	found := exposure{shutter: 19998, gain: 3, red: 1.8, blue: 1.4, lens: 1.25, focused: true}
	fixed := found
	fixed.lens, fixed.focused = 0, false
	for _, c := range []struct {
		name, text string
		want       []exposure
	}{
		{"a picture", whole, []exposure{found}},
		{"a lens that does not move", strings.ReplaceAll(whole, "LensPosition=1.250000\n", ""), []exposure{fixed}},
		{"one without exposure", "SensorTimestamp=1\n\n" + whole, []exposure{found}},
		{"one cut off", whole + "ExposureTime=5\nAnalogueGain=1\n", []exposure{found}},
		{"figures that cannot be", strings.ReplaceAll(whole, "19998", "-1") + strings.ReplaceAll(whole, "19998", "NaN") + strings.ReplaceAll(whole, "1.4", "1e99"), nil},
	} {
		var got []exposure
		readMetadata(strings.NewReader(c.text), func(x exposure) { got = append(got, x) })
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	if got := libcameraPipeline("", &found, small); !strings.HasPrefix(got, keptProperties) {
		t.Errorf("the pipeline is %s", got)
	}
	if got := strings.Join(fixed.options(), " "); strings.Contains(got, "focus") {
		t.Errorf("a lens that does not move is moved: %s", got)
	}
}

func FuzzReadMetadata(f *testing.F) {
	f.Add(strings.ReplaceAll(metadata, `\n`, "\n"))
	f.Add("ColourGains=[ 1, 2 ]\nAnalogueGain=inf\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		readMetadata(strings.NewReader(text), func(x exposure) {
			for _, option := range append(x.options(), x.properties()) {
				if len(option) > 300 || strings.ContainsAny(option, "!\n") {
					t.Errorf("%q becomes %q", text, option)
				}
			}
			if !(x.shutter > 0) || !(x.gain > 0) || !(x.red > 0) || !(x.blue > 0) {
				t.Errorf("%q is %+v", text, x)
			}
		})
	})
}
