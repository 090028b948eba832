package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// jpeg is a picture as far as the journal is concerned.
func jpeg(n, size int) []byte {
	picture := make([]byte, size)
	rng := rand.New(rand.NewPCG(uint64(n), 9))
	for i := range picture {
		picture[i] = byte(rng.Uint32())
	}
	return picture
}

func mustKeep(t testing.TB, j *Journal, p Picture, data []byte) {
	t.Helper()
	if err := j.Keep(context.Background(), p, data); err != nil {
		t.Fatal(err)
	}
}

func names(t testing.TB, j *Journal, match string) []string {
	t.Helper()
	pictures, err := j.Pictures(context.Background(), match)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, p := range pictures {
		all = append(all, fmt.Sprint(p.Role, p.Seq))
	}
	return all
}

func TestEvidenceIsKeptWithItsHashInTheChain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "davar.db")
	j := mustOpen(t, path)
	mustAppend(t, j, Batch{Match: "a/b", Events: rolls("a/b", 1, 5)})
	for i, role := range []string{Before, After, TurnEnd} {
		mustKeep(t, j, Picture{Match: "a/b", Seq: int64(3 + i), Role: role, TMS: 7}, jpeg(i, 500))
	}
	if err := j.Keep(context.Background(), Picture{Match: "nobody", Seq: 1, Role: After}, jpeg(9, 10)); !errors.Is(err, ErrUnknown) {
		t.Errorf("a picture of no match: %v", err)
	}
	j.Close()
	j = mustOpen(t, path)
	if j.Recovered != (Recovery{}) {
		t.Errorf("after a clean end: %+v", j.Recovered)
	}
	if proof := mustVerify(t, j.Reader); proof.Rows != 8 || proof.Pictures != 3 {
		t.Errorf("proof %+v", proof)
	}
	pictures, err := j.Pictures(context.Background(), "a/b")
	if err != nil || len(pictures) != 3 {
		t.Fatalf("%v, %v", pictures, err)
	}
	if data, err := j.Picture(pictures[1]); err != nil || !bytes.Equal(data, jpeg(1, 500)) {
		t.Errorf("read back %d bytes, %v", len(data), err)
	}
}

func TestTheBudgetTakesCleanTurnsFirstAndRulingsLast(t *testing.T) {
	j := mustOpen(t, filepath.Join(t.TempDir(), "davar.db"), WithPictureBudget(5000))
	mustAppend(t, j, Batch{Match: "m", Events: rolls("m", 1, 20)})
	for i := range 10 {
		role := TurnEnd
		if i%3 == 0 {
			role = After
		}
		mustKeep(t, j, Picture{Match: "m", Seq: int64(i), Role: role}, jpeg(i, 1000))
	}
	if got := names(t, j, "m"); !slices.Equal(got, []string{"after0", "after3", "after6", "turnend8", "after9"}) {
		t.Errorf("kept %v", got)
	}
	for i := range 4 {
		mustKeep(t, j, Picture{Match: "m", Seq: int64(20 + i), Role: After}, jpeg(20+i, 1000))
	}
	if got := names(t, j, "m"); !slices.Equal(got, []string{"after9", "after20", "after21", "after22", "after23"}) {
		t.Errorf("kept %v", got)
	}
	files, err := os.ReadDir(j.pictures)
	if err != nil || len(files) != 5 {
		t.Errorf("%d files, %v", len(files), err)
	}
	if proof := mustVerify(t, j.Reader); proof.Pictures != 5 {
		t.Errorf("proof %+v", proof)
	}
}

func TestAPictureBrokenOffByAPowerCutIsDropped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "davar.db")
	j := mustOpen(t, path)
	mustAppend(t, j, Batch{Match: "m", Events: rolls("m", 1, 5)})
	mustKeep(t, j, Picture{Match: "m", Seq: 1, Role: After}, jpeg(1, 100))
	j.Close()
	mustWrite(t, filepath.Join(j.pictures, "m_000002_after_12345678.jpg"), []byte("not in the chain yet"))
	mustWrite(t, filepath.Join(j.pictures, ".m_000003_after_12345678.jpg2837465"), []byte("broken o"))
	mustWrite(t, filepath.Join(j.pictures, "notes.txt"), []byte("somebody's own"))
	j = mustOpen(t, path)
	if j.Recovered.Pictures != 2 {
		t.Errorf("recovered %+v", j.Recovered)
	}
	if files, err := os.ReadDir(j.pictures); err != nil || len(files) != 2 {
		t.Errorf("%v, %v", files, err)
	}
	mustVerify(t, j.Reader)
}

func TestAnyByteAlteredInAPictureIsFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "davar.db")
	j := mustOpen(t, path)
	mustAppend(t, j, Batch{Match: "m", Events: rolls("m", 1, 5)})
	for i := range 4 {
		mustKeep(t, j, Picture{Match: "m", Seq: int64(i), Role: After}, jpeg(i, 300))
	}
	pictures, err := j.Pictures(context.Background(), "m")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(8, 8))
	for range 100 {
		n := rng.IntN(len(pictures))
		file := filepath.Join(j.pictures, pictures[n].Name)
		sound := mustRead(t, file)
		flipped := bytes.Clone(sound)
		flipped[rng.IntN(len(flipped))] ^= 1 << rng.IntN(8)
		mustWrite(t, file, flipped)
		var damage *Damage
		if _, err := j.Verify(context.Background()); !errors.As(err, &damage) || damage.Row != int64(6+n) {
			t.Fatalf("picture %d altered: %v", n, err)
		}
		mustWrite(t, file, sound)
	}
	if err := os.Remove(filepath.Join(j.pictures, pictures[2].Name)); err != nil {
		t.Fatal(err)
	}
	var damage *Damage
	if _, err := j.Verify(context.Background()); !errors.As(err, &damage) || damage.Row != 8 {
		t.Errorf("a picture taken away: %v", err)
	}
}
