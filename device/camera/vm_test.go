package camera

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
	"unsafe"

	"gocv.io/x/gocv"

	"davar/device/camera/cameratest"
)

// These tests plug the kernel's own cameras in and out. They run in the virtual machine of testvm.sh, and nowhere else:
// what they load and unload belongs to nobody there.

const firstDevice = cameratest.Device

// vividCamera are the parameters with which vivid is one camera and nothing else.
var vividCamera = []string{"n_devs=1", "node_types=0x1", "num_inputs=1", "input_types=0"}

// vivid plugs in a camera that the kernel draws.
func vivid(t *testing.T) {
	t.Helper()
	cameratest.PlugIn(t, "vivid", vividCamera...)
	t.Cleanup(func() { cameratest.Unplug(t, "vivid") })
	awaitDevice(t)
}

// awaitDevice waits until the device can be opened; udev is not there to wait for.
func awaitDevice(t *testing.T) {
	t.Helper()
	for begun := time.Now(); time.Since(begun) < time.Minute; {
		if c, err := openControls(firstDevice); err == nil {
			c.close()
			return
		}
	}
	t.Fatal("the camera does not appear")
}

// lose waits until the source says that it is lost.
func lose(t *testing.T, s Source, img *gocv.Mat) time.Duration {
	t.Helper()
	begun := time.Now()
	for {
		_, err := s.Next(context.Background(), img)
		if errors.Is(err, ErrLost) {
			return time.Since(begun)
		}
		if err != nil {
			t.Fatal(err)
		}
		if time.Since(begun) > time.Minute {
			t.Fatal("a camera that is gone is never told as lost")
		}
	}
}

// named returns the control with that name.
func (c controls) named(t *testing.T, name string) uint32 {
	t.Helper()
	const next = 0x80000000
	for id := uint32(0); ; {
		var q struct {
			id, kind           uint32
			name               [32]byte
			low, high, step, d int32
			flags              uint32
			reserved           [2]uint32
		}
		q.id = id | next
		if c.ask(queryControl, unsafe.Pointer(&q)) != nil {
			t.Fatalf("the driver has no control %q", name)
		}
		if got, _, _ := strings.Cut(string(q.name[:]), "\x00"); got == name {
			return q.id
		}
		id = q.id
	}
}

// withControls lends the device's controls.
func withControls(t *testing.T, use func(c controls)) {
	t.Helper()
	c, err := openControls(firstDevice)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	use(c)
}

func mustSet(t *testing.T, c controls, id uint32, value int32) {
	t.Helper()
	if err := c.set(control{id, value}); err != nil {
		t.Fatalf("set control %#x to %d: %v", id, value, err)
	}
}

func mustGet(t *testing.T, c controls, id uint32) int32 {
	t.Helper()
	value, err := c.get(id)
	if err != nil {
		t.Fatalf("read control %#x: %v", id, err)
	}
	return value
}

func TestACameraOfTheKernelConforms(t *testing.T) {
	cameratest.InMachine(t)
	vivid(t)
	conformLive(t, func(t *testing.T) Source { return mustOpen(t, firstDevice, Settings{Width: 640, Height: 360, FPS: 10}) })
}

func TestTheFormatIsNegotiatedAndReadBack(t *testing.T) {
	cameratest.InMachine(t)
	vivid(t)
	for _, c := range []struct {
		asked Settings
		size  [2]int // pictures that come; vivid's webcam has a few sizes and no JPEG
	}{
		{Settings{Width: 640, Height: 360, FPS: 10}, [2]int{640, 360}},
		{Settings{Width: 1280, Height: 720, FPS: 10}, [2]int{1280, 720}},
		{Settings{Width: 330, Height: 200, FPS: 60}, [2]int{320, 180}},
		{Settings{Width: 9999, Height: 9999, FPS: 1}, [2]int{3840, 2160}},
	} {
		o, err := Probe(context.Background(), firstDevice, c.asked, 0, 0, nil)
		if err != nil {
			t.Errorf("%+v: %v", c.asked, err)
			continue
		}
		if o.Size != c.size || !strings.Contains(o.Format, fmt.Sprintf("%dx%d", o.Size[0], o.Size[1])) || strings.Contains(o.Format, "MJPG") {
			t.Errorf("asked for %+v: pictures are %v, the camera says %q; want %v", c.asked, o.Size, o.Format, c.size)
		}
		t.Logf("asked for %dx%d at %d: %s", c.asked.Width, c.asked.Height, c.asked.FPS, o.Format)
	}
}

func TestAnUnpluggedCameraIsLostAndComesBackWhenItIsPluggedIn(t *testing.T) {
	cameratest.InMachine(t)
	vivid(t)
	s := mustOpen(t, firstDevice, Settings{Width: 640, Height: 360, FPS: 10})
	defer s.Close()
	img := gocv.NewMat()
	defer img.Close()
	before := await(t, s, &img)
	for round := range 3 {
		unbind := "/sys/bus/platform/drivers/vivid/unbind" // as a plug that is pulled while pictures are read
		if err := os.WriteFile(unbind, []byte("vivid.0"), 0); err != nil {
			t.Fatal(err)
		}
		took := lose(t, s, &img)
		other, err := Open(firstDevice, Settings{})
		if err == nil {
			other.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "plug it in") {
			t.Errorf("with the camera unplugged a new opening says %v", err)
		}
		if err := os.WriteFile(strings.Replace(unbind, "unbind", "bind", 1), []byte("vivid.0"), 0); err != nil {
			t.Fatal(err)
		}
		plugged := time.Now()
		after := await(t, s, &img)
		if after.N <= before.N || after.T <= before.T || img.Cols() != 640 {
			t.Errorf("after %+v comes %+v, %d wide", before, after, img.Cols())
		}
		t.Logf("round %d: told as lost after %v, back %v after it was plugged in", round, took.Round(time.Millisecond), time.Since(plugged).Round(time.Millisecond))
		before = after
	}
}

func TestADriverThatIsUnloadedAndLoadedAgainIsTheSame(t *testing.T) {
	cameratest.InMachine(t)
	cameratest.PlugIn(t, "vivid", vividCamera...)
	s := mustOpen(t, firstDevice, Settings{Width: 640, Height: 360, FPS: 10})
	img := gocv.NewMat()
	defer img.Close()
	await(t, s, &img)
	if err := os.WriteFile("/sys/bus/platform/drivers/vivid/unbind", []byte("vivid.0"), 0); err != nil {
		t.Fatal(err)
	}
	lose(t, s, &img)
	for begun := time.Now(); exec.Command("rmmod", "vivid").Run() != nil; { // until the reader has let it go
		if time.Since(begun) > time.Minute {
			t.Fatal("the driver of a camera that is lost stays in use")
		}
	}
	vivid(t)
	await(t, s, &img)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestFaultsOfADriverAreSurvived has the driver refuse and fail where real ones do.
func TestFaultsOfADriverAreSurvived(t *testing.T) {
	cameratest.InMachine(t)
	for _, fault := range []string{"Inject VIDIOC_REQBUFS Error", "Inject VIDIOC_STREAMON Error", "Inject V4L2_BUF_FLAG_ERROR", "Inject Fatal Streaming Error", "Disconnect"} {
		t.Run(fault, func(t *testing.T) {
			vivid(t)
			inject := func() {
				withControls(t, func(c controls) {
					mustSet(t, c, c.named(t, fault), 1)
				})
			}
			if strings.HasPrefix(fault, "Inject VIDIOC") { // of the next opening
				inject()
				s, err := Open(firstDevice, Settings{Width: 640, Height: 360, FPS: 10})
				if err != nil && !strings.Contains(err.Error(), "no camera answers") {
					t.Errorf("it is told as %v", err)
				}
				if err == nil {
					s.Close()
				}
			}
			s := mustOpen(t, firstDevice, Settings{Width: 640, Height: 360, FPS: 10, Patient: true})
			defer s.Close()
			img := gocv.NewMat()
			defer img.Close()
			first := await(t, s, &img)
			inject()
			for begun := time.Now(); time.Since(begun) < time.Minute; {
				if after := await(t, s, &img); after.N > first.N+10 {
					return
				}
			}
			t.Error("pictures do not come again")
		})
	}
}

func TestAutomaticExposureIsHeldAlsoAfterTheCameraWasUnplugged(t *testing.T) {
	cameratest.InMachine(t)
	vivid(t)
	s := mustOpen(t, firstDevice, Settings{Width: 640, Height: 360, FPS: 10})
	defer s.Close()
	img := gocv.NewMat()
	defer img.Close()
	await(t, s, &img)
	automatic := func() (auto, value int32) {
		withControls(t, func(c controls) { auto, value = mustGet(t, c, autoGain), mustGet(t, c, gain) })
		return auto, value
	}
	if auto, _ := automatic(); auto != 1 {
		t.Fatalf("vivid's automatic gain is %d at the start", auto)
	}
	conformHolder(t, s)
	held, err := Hold(s)
	if err != nil || len(held) != 1 || held[0].Name != "Gain" {
		t.Fatalf("held %v, %v", held, err)
	}
	if auto, value := automatic(); auto != 0 || float64(value) != held[0].Value {
		t.Errorf("held at %v: automatic %d, gain %d", held, auto, value)
	}
	bind := "/sys/bus/platform/drivers/vivid/"
	for _, how := range []string{"unbind", "bind"} {
		if err := os.WriteFile(bind+how, []byte("vivid.0"), 0); err != nil {
			t.Fatal(err)
		}
		if how == "unbind" {
			lose(t, s, &img)
		}
	}
	await(t, s, &img)
	if auto, value := automatic(); auto != 0 || float64(value) != held[0].Value {
		t.Errorf("held at %v and plugged in again: automatic %d, gain %d", held, auto, value)
	}
	if err := Release(s); err != nil {
		t.Error(err)
	}
	if auto, _ := automatic(); auto != 1 {
		t.Errorf("released, automatic gain is %d", auto)
	}
}

// loopback is a camera that the test feeds.
type loopback struct {
	*cameratest.Loopback
	fed chan bool // true: pictures come
}

// feed shows pictures of rising shade at ten a second until the context ends, but for the times it is told to stand still.
func (l loopback) feed(ctx context.Context) {
	on := true
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for n := 0; ; n++ {
		select {
		case on = <-l.fed:
		case <-tick.C:
			if on {
				l.ShowShade(byte(n))
			}
		case <-ctx.Done():
			return
		}
	}
}

func TestACameraThatStallsIsLostAndGoesOn(t *testing.T) {
	cameratest.InMachine(t)
	l := loopback{cameratest.NewLoopback(t, 640, 480), make(chan bool)}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); l.feed(ctx) }()
	defer func() { stop(); <-done }()
	s := mustOpen(t, firstDevice, Settings{Width: 640, Height: 480, FPS: 10})
	img := gocv.NewMat()
	defer img.Close()
	for i := range 3 {
		before := await(t, s, &img)
		l.fed <- false
		took := lose(t, s, &img)
		l.fed <- true
		begun := time.Now()
		after := await(t, s, &img)
		if after.N <= before.N || after.T <= before.T {
			t.Errorf("after %+v comes %+v", before, after)
		}
		t.Logf("stall %d: told as lost after %v, goes on %v after the camera does", i, took.Round(time.Millisecond), time.Since(begun).Round(time.Millisecond))
	}
	l.fed <- false
	lose(t, s, &img)
	begun := time.Now()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	t.Logf("closing while it stalls took %v", time.Since(begun).Round(time.Millisecond))
}
