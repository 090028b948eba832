package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// watchmaker is a program that tells, for each line it reads, the wall clock and how much time has passed, in seconds.
const watchmaker = `package main

import (
	"bufio"
	"fmt"
	"os"
	"time"
)

func main() {
	begun := time.Now()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		now := time.Now()
		fmt.Println(now.Unix(), int(now.Sub(begun).Seconds()))
	}
}
`

func TestTheClockOfOneProgramJumpsAndTimeThatPassedStays(t *testing.T) {
	folder := t.TempDir()
	source, program := filepath.Join(folder, "main.go"), filepath.Join(folder, "watchmaker")
	if err := os.WriteFile(source, []byte(watchmaker), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-o", program, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := exec.Command(program)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		in.Close()
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	}()
	answers := bufio.NewReader(out)
	asked := func() (off, passed int64) {
		t.Helper()
		fmt.Fprintln(in)
		line, err := answers.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Sscan(line, &off, &passed); err != nil {
			t.Fatal(err)
		}
		return off - time.Now().Unix(), passed
	}
	asked() // it runs
	w, err := openWall(program, c.Process.Pid)
	if err != nil {
		t.Skipf("SKIPPED: %v", err) // tracing is not allowed here
	}
	for _, by := range []time.Duration{time.Hour, -time.Hour, 30 * 24 * time.Hour, 0} {
		if err := w.set(by); err != nil {
			t.Skipf("SKIPPED: %v", err)
		}
		off, passed := asked()
		if want := int64(by / time.Second); off < want-60 || off > want+1 || passed > 60 {
			t.Errorf("put %v off: it is %d s off, and %d s have passed", by, off, passed)
		}
	}
}
