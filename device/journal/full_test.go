package journal

import (
	"errors"
	"path/filepath"
	"testing"
)

// fillUntilFull appends batches until one fails, and returns the last seq that was taken and the failure.
func fillUntilFull(t *testing.T, j *Journal) (seq int64, failure error) {
	t.Helper()
	for seq < 200_000 {
		if _, err := j.Append(Batch{Match: "m", Events: rolls("m", seq+1, 20), Checkpoint: make([]byte, 3000)}); err != nil {
			return seq, err
		}
		seq += 20
	}
	t.Fatal("it never got full")
	return 0, nil
}

// checkFull checks that the failed batch is wholly absent while the rest is whole, makes room, and checks that
// the same batch is taken then.
func checkFull(t *testing.T, j *Journal, seq int64, failure error, makeRoom func()) {
	t.Helper()
	if !errors.Is(failure, ErrFull) {
		t.Fatalf("got %v, want ErrFull", failure)
	}
	if proof := mustVerify(t, j.Reader); proof.Rows != seq {
		t.Errorf("%d rows, want %d", proof.Rows, seq)
	}
	makeRoom()
	mustAppend(t, j, Batch{Match: "m", Events: rolls("m", seq+1, 20)})
	if proof := mustVerify(t, j.Reader); proof.Rows != seq+20 {
		t.Errorf("%d rows after there is room, want %d", proof.Rows, seq+20)
	}
}

func TestAFullFileTakesNothingOfABatchAndGoesOnWhenThereIsRoom(t *testing.T) {
	j := mustOpen(t, filepath.Join(t.TempDir(), "davar.db"), func(o *options) { o.pragmas = []string{"max_page_count(60)"} })
	seq, failure := fillUntilFull(t, j)
	checkFull(t, j, seq, failure, func() {
		if _, err := j.write.Exec("PRAGMA max_page_count = 100000"); err != nil {
			t.Fatal(err)
		}
	})
}
