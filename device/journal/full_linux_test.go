package journal

import (
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
