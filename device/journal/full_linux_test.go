package journal

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestAFullDiskTakesNothingOfABatchAndGoesOnWhenThereIsRoom(t *testing.T) {
	folder := smallDisk(t, "size=3m")
	ballast := filepath.Join(folder, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	j := mustOpen(t, filepath.Join(folder, "davar.db"))
	seq, failure := fillUntilFull(t, j)
	if _, err := j.Append(Batch{Match: "m", Events: rolls("m", seq+1, 20)}); err == nil {
		t.Log("a smaller batch still fitted")
		seq += 20
	}
	checkFull(t, j, seq, failure, func() {
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
	})
}

func TestADiskThatIsFullAtAnyWriteLosesNothingShown(t *testing.T) {
	folder := smallDisk(t, "size=8m")
	ballast := filepath.Join(folder, "ballast")
	j := mustOpen(t, filepath.Join(folder, "davar.db"))
	ctx := context.Background()
	seq, full := int64(0), 0
	var rows int64
	rng := rand.New(rand.NewPCG(4, 4))
	for free := range 40 { // pages left
		var fs syscall.Statfs_t
		if err := syscall.Statfs(folder, &fs); err != nil {
			t.Fatal(err)
		}
		if room := int64(fs.Bavail) - int64(free); room > 0 {
			if err := os.WriteFile(ballast, make([]byte, room*fs.Bsize), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for range 40 {
			n := 1 + rng.IntN(4)
			_, err := j.Append(Batch{Match: "m", Events: rolls("m", seq+1, n), Checkpoint: make([]byte, 2000)})
			if err != nil {
				if !errors.Is(err, ErrFull) {
					t.Fatalf("%d pages free: %v", free, err)
				}
				full++
				break
			}
			seq, rows = seq+int64(n), rows+int64(n)
			if err := j.Keep(ctx, Picture{Match: "m", Seq: seq, Role: After}, jpeg(int(seq), 5000)); err == nil {
				rows++
			} else if !errors.Is(err, ErrFull) {
				t.Fatalf("%d pages free, a picture: %v", free, err)
			}
		}
		if proof := mustVerify(t, j.Reader); proof.Rows != rows {
			t.Fatalf("%d pages free: %d rows, %d were shown", free, proof.Rows, rows)
		}
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
		mustAppend(t, j, Batch{Match: "m", Events: rolls("m", seq+1, 1)})
		seq, rows = seq+1, rows+1
	}
	if full < 20 {
		t.Errorf("it was full only %d times", full)
	}
}

// smallDisk mounts a file system in memory with the options given, where the system lets this user.
func smallDisk(t *testing.T, options string) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: mounting a small disk needs root; the file with a page limit is tested instead")
	}
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, options); err != nil {
		t.Skipf("SKIPPED: mounting a small disk is not permitted here (%v); the file with a page limit is tested instead", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, 0); err != nil {
			t.Errorf("unmount: %v", err)
		}
	})
	return folder
}
