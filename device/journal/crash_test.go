package journal

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// crashVariable tells the test binary, started again as a child, to write to the journal named until it is killed.
const crashVariable = "DAVAR_JOURNAL_TEST_WRITER"

func TestMain(m *testing.M) {
	if path := os.Getenv(faultVariable); path != "" {
		if err := writeThroughFaults(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if path := os.Getenv(crashVariable); path != "" {
		fmt.Fprintln(os.Stderr, writeUntilKilled(path))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// writeUntilKilled appends batches of one to three events for ever, some with a picture, and prints the last seq of each
// once it is durable.
func writeUntilKilled(path string) error {
	ctx := context.Background()
	j, err := Open(ctx, path)
	if err != nil {
		return err
	}
	u, _, err := j.Last(ctx)
	if err != nil {
		return err
	}
	for seq := u.LastSeq + 1; ; {
		n := 1 + int(seq%3)
		last := seq + int64(n) - 1
		_, err := j.Append(Batch{
			Match: "m", Events: rolls("m", seq, n), Checkpoint: fmt.Appendf(nil, "%d", last), Resume: []byte(`{}`),
		})
		if err != nil {
			return err
		}
		if seq%5 == 0 {
			if err := j.Keep(ctx, Picture{Match: "m", Seq: last, Role: After}, jpeg(int(last), 3000)); err != nil {
				return err
			}
		}
		fmt.Println(last)
		seq = last + 1
	}
}

// crashes is how often the writer is killed; DAVAR_CRASHES=2000 makes the long run.
func crashes(t *testing.T) int {
	n, err := strconv.Atoi(os.Getenv("DAVAR_CRASHES"))
	switch {
	case err == nil:
		return n
	case testing.Short():
		return 3
	}
	t.Log("15 kills; set DAVAR_CRASHES=2000 for the long run")
	return 15
}

func TestNothingShownIsLostWhenTheWriterIsKilled(t *testing.T) {
	var path string
	rng := rand.New(rand.NewPCG(1, 2))
	var shown int64
	for kill := range crashes(t) {
		if kill%50 == 0 { // proving a long journal takes longer than killing its writer
			path, shown = filepath.Join(t.TempDir(), "davar.db"), 0
		}
		// After some lines or, one time in four, at any instant since the process was started.
		lines, after := rng.IntN(20), time.Duration(rng.IntN(3000))*time.Microsecond
		if kill%4 == 0 {
			lines, after = -1, time.Duration(rng.IntN(60_000))*time.Microsecond
		}
		last := runAndKill(t, path, lines, after)
		shown = max(shown, last)

		j := mustOpen(t, path)
		if last > 0 && !j.Recovered.Unclean {
			t.Errorf("kill %d: it is not noticed that the writer was killed", kill)
		}
		proof := mustVerify(t, j.Reader)
		u, ok, err := j.Last(context.Background())
		if err != nil || !ok && shown > 0 {
			t.Fatalf("kill %d: last: ok %v, %v", kill, ok, err)
		}
		if !ok { // killed before anything was written
			j.Close()
			continue
		}
		// At most the one batch in flight is there without having been shown.
		if u.LastSeq < shown || u.LastSeq > shown+3 || proof.Rows != u.LastSeq+int64(proof.Pictures) {
			t.Fatalf("kill %d: %d was shown, the journal ends at %d, proof %+v", kill, shown, u.LastSeq, proof)
		}
		if string(u.Checkpoint) != fmt.Sprint(u.LastSeq) {
			t.Fatalf("kill %d: checkpoint %s goes with event %d", kill, u.Checkpoint, u.LastSeq)
		}
		shown = u.LastSeq
		j.Close()
	}
}

// runAndKill starts a writer, kills it some time after it printed the given number of lines, and returns the
// last seq that it printed in full.
func runAndKill(t *testing.T, path string, lines int, after time.Duration) (last int64) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), crashVariable+"="+path)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if lines < 0 {
		time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
	}
	read := bufio.NewReader(out)
	for i := 0; ; i++ {
		line, err := read.ReadString('\n')
		if err != nil {
			break // the pipe is closed: the writer is dead
		}
		if _, err := fmt.Sscan(line, &last); err != nil {
			t.Fatalf("line %q: %v", line, err)
		}
		if i == lines {
			time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait()
	if complaint.Len() > 0 {
		t.Fatalf("the writer failed: %s", complaint.String())
	}
	return last
}

func TestATornWriteAheadLogLosesWholeBatchesOffTheEndOnly(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "davar.db")
	j := mustOpen(t, path)
	ends := map[int64]bool{0: true}
	for seq := int64(1); seq < 60; seq += 3 {
		mustAppend(t, j, Batch{Match: "m", Events: rolls("m", seq, 3), Checkpoint: fmt.Appendf(nil, "%d", seq+2)})
		ends[seq+2] = true
	}
	db, wal := mustRead(t, path), mustRead(t, path+"-wal")
	j.Close()

	rng := rand.New(rand.NewPCG(3, 4))
	kept := map[int64]bool{}
	for i := range 60 {
		torn := bytes.Clone(wal[:rng.IntN(len(wal)+1)])
		if i%2 == 0 && len(torn) > 0 { // a sector that was never written, or written as rubbish
			at := rng.IntN(len(torn))
			for k := at; k < min(at+512, len(torn)); k++ {
				torn[k] = byte(rng.Uint32())
			}
		}
		copied := filepath.Join(folder, fmt.Sprintf("copy%d.db", i))
		mustWrite(t, copied, db)
		mustWrite(t, copied+"-wal", torn)
		j := mustOpen(t, copied)
		proof := mustVerify(t, j.Reader)
		if !ends[proof.Rows] {
			t.Fatalf("copy %d ends inside a batch: %d rows", i, proof.Rows)
		}
		kept[proof.Rows] = true
		mustAppend(t, j, Batch{Match: "m", Events: rolls("m", proof.Rows+1, 2)})
		j.Close()
	}
	if len(kept) < 5 {
		t.Errorf("the tearing hit only %d different places", len(kept))
	}
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func mustWrite(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}
