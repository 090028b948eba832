package journal

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// faultVariable tells the test binary, started again as a child, to write to the journal named while every write
// beyond some byte of a file fails.
const faultVariable = "DAVAR_JOURNAL_TEST_FAULTS"

// writeThroughFaults appends for ever other places at which the file system fails: the kernel cuts a write short at the
// limit and fails the next one. What failed is tried again once the fault is over, and nothing may be lost or doubled.
func writeThroughFaults(path string) error {
	signal.Ignore(syscall.SIGXFSZ)
	ctx := context.Background()
	j, err := Open(ctx, path)
	if err != nil {
		return err
	}
	defer j.Close()
	rng := rand.New(rand.NewPCG(6, 6))
	seq, failed := int64(0), 0
	var rows int64
	for fault := range faults() {
		wal, err := os.Stat(path + "-wal")
		if err != nil {
			return err
		}
		limit := int(wal.Size()) + rng.IntN(60_000) // soon, in the midst of a batch
		if fault%2 == 0 {
			limit = rng.IntN(int(wal.Size()) + 1) // in a file begun anew, or at once
		}
		if err := limitFiles(uint64(limit)); err != nil {
			return err
		}
		broke := false
		for range 20 {
			batch := Batch{Match: "m", Events: rolls("m", seq+1, 1+rng.IntN(3)), Checkpoint: make([]byte, rng.IntN(6000))}
			_, err := j.Append(batch)
			if err != nil {
				broke = true
				failed++
				if err := limitFiles(^uint64(0)); err != nil {
					return err
				}
				if _, err = j.Append(batch); err != nil {
					return fmt.Errorf("fault %d: the same batch again: %w", fault, err)
				}
			}
			seq, rows = seq+int64(len(batch.Events)), rows+int64(len(batch.Events))
			if broke {
				break
			}
			if err := j.Keep(ctx, Picture{Match: "m", Seq: seq, Role: After}, jpeg(int(seq), rng.IntN(9000))); err == nil {
				rows++
			}
		}
		if err := limitFiles(^uint64(0)); err != nil {
			return err
		}
		if fault%10 > 0 {
			continue
		}
		proof, err := j.Verify(ctx)
		if err != nil {
			return fmt.Errorf("fault %d: %w", fault, err)
		}
		if proof.Rows != rows {
			return fmt.Errorf("fault %d: %d rows, %d were shown", fault, proof.Rows, rows)
		}
	}
	fmt.Printf("%d events, %d writes failed\n", seq, failed)
	if failed < faults()/3 {
		return fmt.Errorf("only %d writes failed", failed)
	}
	return nil
}

// faults is at how many places the file system fails; DAVAR_CRASHES=2000 makes the long run.
func faults() int {
	if n, err := strconv.Atoi(os.Getenv("DAVAR_CRASHES")); err == nil {
		return n
	}
	return 60
}

// limitFiles has every write beyond that many bytes of a file fail in this process.
func limitFiles(bytes uint64) error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	limit.Cur = min(bytes, limit.Max)
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit)
}

func TestAFileSystemThatFailsAtAnyWriteLosesNothingShown(t *testing.T) {
	path := filepath.Join(t.TempDir(), "davar.db")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), faultVariable+"="+path)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Logf("%s", out)
	j := mustOpen(t, path)
	mustVerify(t, j.Reader)
}
