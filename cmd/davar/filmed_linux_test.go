package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"davar/device/camera"
	"davar/device/camera/cameratest"
	"davar/device/journal"
	"davar/device/recording"
	"davar/rules/referee"
	"davar/rules/referee/accuracy"
)

// watched is how much of the film is shown. 0: all of it.
var watched = flag.Duration("watched", 0, "how much of the film TestAFilmedGame… shows; 0: all of it")

// projector shows a filmed game to a camera, with a sensor's noise: no two pictures of a camera are the same.
type projector struct {
	camera *cameratest.Loopback
	noise  []byte        // of the brightness, for two pictures
	begin  chan struct{} // closed when the film is to begin; its first picture is shown before
	over   chan struct{} // closed when it has ended; its last picture is shown from then on
	stall  time.Duration // of the film: there the camera gives nothing for as long as still, and the players wait
	still  time.Duration

	shown []moment // since the film has begun; known once it is over
}

// moment is when the film had come to t.
type moment struct {
	at time.Time
	t  time.Duration
}

const (
	projected = 100 * time.Millisecond // from one picture of the camera to the next, as in the film
	grain     = 2                      // grey levels by which noise reaches up and down
)

func newProjector(t *testing.T, width, height int) *projector {
	p := &projector{camera: cameratest.NewLoopback(t, width, height), noise: make([]byte, 2*width*height),
		begin: make(chan struct{}), over: make(chan struct{})}
	draw := rand.New(rand.NewPCG(1, 2))
	for i := range p.noise {
		p.noise[i] = byte(draw.IntN(2*grain+1) - grain)
	}
	return p
}

// show shows a picture once, and returns when the next is due.
func (p *projector) show(ctx context.Context, picture []byte) error {
	due := time.NewTimer(projected)
	defer due.Stop()
	noisy := slices.Clone(picture)
	noise := p.noise[rand.IntN(len(p.noise)/2):]
	for i := 0; i < len(noisy); i += 2 { // brightness lies between 16 and 235: no noise runs over
		noisy[i] += noise[i/2]
	}
	p.camera.Show(noisy)
	select {
	case <-due.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// run shows the film at the speed at which it was filmed, or as fast as the machine goes, until ctx ends.
func (p *projector) run(ctx context.Context, film string) error {
	source, err := camera.Open(film, camera.Settings{})
	if err != nil {
		return err
	}
	defer source.Close()
	img := gocv.NewMat()
	defer img.Close()
	if _, err := source.Next(ctx, &img); err != nil {
		return err
	}
	picture := cameratest.YUYV(img.ToBytes())
	for !closed(p.begin) {
		if err := p.show(ctx, picture); err != nil {
			return err
		}
	}
	told, stalled := time.Duration(0), p.still == 0
	for now := time.Duration(0); ; {
		next, err := source.Next(ctx, &img)
		if errors.Is(err, io.EOF) || *watched > 0 && next.T > *watched {
			break
		} else if err != nil {
			return err
		}
		if !stalled && next.T >= p.stall {
			stalled = true
			select {
			case <-time.After(p.still):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		for ; now < next.T; now += projected { // where the machine is late the film is: no picture is left out
			p.shown = append(p.shown, moment{time.Now(), now})
			if err := p.show(ctx, picture); err != nil {
				return err
			}
		}
		picture = cameratest.YUYV(img.ToBytes())
		if next.T >= told { // whoever waits sees how far it is
			fmt.Printf("film: %v\n", next.T)
			told = next.T + 10*time.Second
		}
	}
	close(p.over)
	for p.show(ctx, picture) == nil {
	}
	return nil
}

// filmTime returns what the film had come to at a moment.
func (p *projector) filmTime(at time.Time) (t time.Duration) {
	for _, m := range p.shown {
		if m.at.After(at) {
			break
		}
		t = m.t
	}
	return t
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// startRun starts davar run on the camera and returns when it says where its page is; stop ends it as systemd would.
func startRun(t *testing.T, settings string) (stop func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "run", "--config", settings)
	cmd.Env = append(os.Environ(), "DAVAR_TEST_PROGRAM=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	says, up, ended := bufio.NewScanner(out), make(chan struct{}), make(chan error, 1)
	go func() { // ends with the program
		for said := false; says.Scan(); {
			fmt.Println("davar:", says.Text())
			if !said && strings.Contains(says.Text(), "http://") {
				said = true
				close(up)
			}
		}
		ended <- cmd.Wait()
	}()
	select {
	case <-up:
	case err := <-ended:
		t.Fatalf("davar run does not start: %v", err)
	}
	return func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // Wait tells
		if err := <-ended; err != nil {
			t.Errorf("davar run ends with %v", err)
		}
	}
}

// awaitGame returns the match's events once the game has ended in them, or after patience.
func awaitGame(t *testing.T, path string, patience time.Duration) []referee.Event {
	t.Helper()
	log, err := journal.OpenReader(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	look := time.NewTicker(time.Second)
	defer look.Stop()
	for begun := time.Now(); ; <-look.C {
		matches, err := log.Matches(t.Context())
		if err != nil || len(matches) != 1 {
			t.Fatalf("the log has %d matches, %v; want one", len(matches), err)
		}
		events, err := log.Events(t.Context(), matches[0].ID, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		ended := slices.ContainsFunc(events, func(e referee.Event) bool { return e.Type == referee.GameEnded })
		if ended || time.Since(begun) > patience {
			return events
		}
	}
}

// TestAFilmedGameIsFollowedThroughACameraOfTheKernel has the complete program watch the bundled game through /dev/video0,
// which stalls once for longer than a driver waits, and compares the log with what happened in the film.
func TestAFilmedGameIsFollowedThroughACameraOfTheKernel(t *testing.T) {
	cameratest.InMachine(t)
	film, err := recording.Open(filepath.Join("..", "..", "device", "recording", "testdata", "dev1"))
	if err != nil {
		t.Fatal(err)
	}
	p := newProjector(t, 1280, 720)
	p.stall, p.still = 30*time.Second, 15*time.Second
	ctx, stop := context.WithCancel(t.Context())
	projected := make(chan error, 1)
	go func() { projected <- p.run(ctx, film.Pictures()) }()
	defer func() { stop(); <-projected }()

	folder := t.TempDir()
	log := filepath.Join(folder, "davar.db")
	stopRun := startRun(t, write(t, "davar.yaml", fmt.Sprintf(`club: loop
match: {length: %d}
turn: {end: pickup}
dice: {sets: %d}
publish: {delay: 0s, chances: false}
camera: {source: %s, width: 1280, height: 720, fps: 10}
journal: {path: %s, pictures: 0}
mqtt: {listen: "127.0.0.1:0"}
web: {listen: "127.0.0.1:0"}
`, film.Length, film.Sets, cameratest.Device, log)))
	select {
	case <-time.After(10 * time.Second): // while players sit down
	case err := <-projected:
		t.Fatal(err)
	}
	close(p.begin)
	select {
	case <-p.over:
	case err := <-projected:
		t.Fatal(err)
	}
	events := awaitGame(t, log, 20*time.Second)
	stopRun()
	compareWithFilm(t, film, p, events)
}

// compareWithFilm sets events to the film's time and holds them against what happened in it.
func compareWithFilm(t *testing.T, film *recording.Film, p *projector, events []referee.Event) {
	t.Helper()
	stalled := false
	for i := range events {
		e := &events[i]
		at, err := time.Parse(time.RFC3339, e.At)
		if err != nil {
			t.Fatal(err)
		}
		e.TMS = p.filmTime(at).Milliseconds()
		if e.Type == referee.Attention {
			t.Logf("at %v of the film: %s", p.filmTime(at), e.Why)
			stalled = stalled || e.Why == "camera" && (p.filmTime(at)-p.stall).Abs() < time.Second
		}
	}
	file, err := os.Open(filepath.Join(film.Dir, "events.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	truth, err := accuracy.ReadTruth(file)
	if err != nil {
		t.Fatal(err)
	}
	if *watched > 0 { // what came in the last moments may not have been announced
		truth = slices.DeleteFunc(truth, func(h accuracy.Happening) bool { return h.T > (*watched - 10*time.Second).Seconds() })
	}
	r, err := accuracy.Compare(truth, events, "pickup")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("through %s: rolls %+v, plays %+v, cube %+v, false rulings %d, questions %d, result right %v", cameratest.Device, r.Rolls, r.Plays,
		r.Cube, r.FalseRulings, r.Questions, r.ResultRight)
	if r.Rolls.Right < r.Rolls.Expected || r.Plays.Right < r.Plays.Expected || r.Cube.Right < r.Cube.Expected || r.FalseRulings > 0 || *watched == 0 && !r.ResultRight {
		t.Errorf("the film tells otherwise: %v", r.Differences)
	}
	if !stalled {
		t.Error("the table was not told that the camera stalled")
	}
}
