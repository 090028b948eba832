package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// table is the program under test: one davar run after the other, with the same settings.
type table struct {
	davar, folder, settings string
	page, status            string // addresses of its page and its metrics
	password                string
	log                     *os.File

	mu      sync.Mutex
	process *exec.Cmd
	ended   chan struct{} // closed when process has ended
	since   time.Time     // when it was started
	crashes []string      // ends that nobody asked for
	asked   bool          // this process is to end
	wall    *wall         // its clock; nil: not reached for yet
}

// freeAddress returns an address of this machine that nobody uses now.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("soak: find a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// newTable writes the settings into the folder. Nothing runs yet.
func newTable(davar, folder, journal, camera, broker string) (*table, error) {
	t := &table{davar: davar, folder: folder, settings: filepath.Join(folder, "soak.yaml"), password: "soaked-through"}
	var err error
	if t.page, err = freeAddress(); err != nil {
		return nil, err
	}
	if t.status, err = freeAddress(); err != nil {
		return nil, err
	}
	secret := filepath.Join(folder, "password")
	settings := fmt.Sprintf(`club: soak
match: {length: 7}
clock: {reserve: 100h}
publish: {delay: 2s}
camera: {source: %q}
journal: {path: %q, pictures: 20}
mqtt: {broker: "tcp://%s", password_file: %q}
web: {listen: %q, password_file: %q}
metrics: {listen: %q}
`, camera, filepath.Join(journal, "davar.db"), broker, secret, t.page, secret, t.status)
	if err := os.WriteFile(secret, []byte(t.password), 0o600); err != nil {
		return nil, fmt.Errorf("soak: write the settings: %w", err)
	}
	if err := os.WriteFile(t.settings, []byte(settings), 0o600); err != nil {
		return nil, fmt.Errorf("soak: write the settings: %w", err)
	}
	if t.log, err = os.Create(filepath.Join(folder, "davar.log")); err != nil {
		return nil, fmt.Errorf("soak: write the program's log: %w", err)
	}
	return t, nil
}

// start starts the program.
func (t *table) start() error {
	c := exec.Command(t.davar, "run", "--config", t.settings)
	c.Dir, c.Stdout, c.Stderr = t.folder, t.log, t.log
	if err := c.Start(); err != nil {
		return fmt.Errorf("soak: start %s: %w", t.davar, err)
	}
	ended := make(chan struct{})
	t.mu.Lock()
	t.process, t.ended, t.since, t.asked, t.wall = c, ended, time.Now(), false, nil
	t.mu.Unlock()
	go func() { // ends with the process, which kill and stop wait for
		err := c.Wait()
		t.mu.Lock()
		if !t.asked {
			t.crashes = append(t.crashes, fmt.Sprintf("davar run ended by itself: %v", err))
		}
		t.mu.Unlock()
		close(ended)
	}()
	return nil
}

// end sends a signal and waits for the process.
func (t *table) end(how syscall.Signal, wait time.Duration) error {
	t.mu.Lock()
	process, ended := t.process, t.ended
	t.asked = true
	t.mu.Unlock()
	_ = process.Process.Signal(how) // one that has ended needs none
	select {
	case <-ended:
		return nil
	case <-time.After(wait):
		_ = process.Process.Kill()
		<-ended
		return fmt.Errorf("it did not stop within %v", wait)
	}
}

// kill ends the program as a power cut does, and starts it again.
func (t *table) kill() error {
	if err := t.end(syscall.SIGKILL, time.Minute); err != nil {
		return err
	}
	return t.start()
}

// jump has the program see its wall clock off by so much from now on.
func (t *table) jump(by time.Duration) (err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.wall == nil {
		if t.wall, err = openWall(t.davar, t.process.Process.Pid); err != nil {
			return err
		}
	}
	return t.wall.set(by)
}

// age tells for how long the program has been running since it was last started.
func (t *table) age() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Since(t.since)
}

// fell returns the ends that nobody asked for.
func (t *table) fell() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]string(nil), t.crashes...)
}

// errRefused is an answer of the page that is no fault of the table: the referee has no use for a press now.
var errRefused = errors.New("refused")

// post sends a press or a decision as somebody at the table does.
func (t *table) post(ctx context.Context, path, body string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+t.page+path, bytes.NewBufferString(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+t.password)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(answer.Body, 1000))
	switch answer.StatusCode {
	case http.StatusNoContent, http.StatusOK:
		return nil
	case http.StatusConflict:
		return errRefused
	}
	return fmt.Errorf("%s answers %s: %s", path, answer.Status, strings.TrimSpace(string(text)))
}

// gauges returns what the program tells of itself: its metrics without labels, and each davar_fault by its device.
func (t *table) gauges(ctx context.Context) (map[string]float64, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+t.status+"/metrics", nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	return parseGauges(answer.Body), nil
}

// parseGauges reads the text format of Prometheus as far as it is needed here.
func parseGauges(r io.Reader) map[string]float64 {
	values := map[string]float64{}
	for lines := bufio.NewScanner(r); lines.Scan(); {
		name, value, ok := strings.Cut(lines.Text(), " ")
		if !ok || strings.HasPrefix(name, "#") {
			continue
		}
		if x, err := strconv.ParseFloat(value, 64); err == nil {
			values[name] = x
		}
	}
	return values
}

// well tells whether a table is fully at work, and else what is wrong with it.
func well(g map[string]float64) error {
	for name, value := range g {
		if strings.HasPrefix(name, "davar_fault{") && value != 0 {
			return fmt.Errorf("it tells of a fault: %s", name)
		}
	}
	switch age := g["davar_frame_age_seconds"]; {
	case age < 0 || age > 5:
		return fmt.Errorf("the newest picture is %.1f s old", age)
	case g["davar_broker_connected"] != 1:
		return errors.New("the broker is not connected")
	}
	return nil
}
