package journal

import (
	"bytes"
	"context"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"davar/rules/referee"
)

// signed returns a signed match with pictures, and the journal it is from.
func signed(t testing.TB) ([]byte, *Journal) {
	t.Helper()
	j := mustOpen(t, filepath.Join(t.TempDir(), "davar.db"))
	settings := referee.DefaultSettings()
	mustAppend(t, j, Batch{Match: "m", Header: &Header{Players: [2]string{"Ann", "داریوش"}, Length: 5, Settings: &settings}, Events: rolls("m", 1, 6)})
	mustAppend(t, j, Batch{Match: "other", Events: rolls("other", 1, 2)})
	mustKeep(t, j, Picture{Match: "m", Seq: 2, Role: Before}, jpeg(1, 300))
	mustAppend(t, j, Batch{Match: "m", Events: rolls("m", 7, 2)})
	var out bytes.Buffer
	if err := j.Export(context.Background(), &out, "m", "2026-03-21T18:00:00Z"); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), j
}

func TestASignedMatchIsProvenAnywhere(t *testing.T) {
	file, j := signed(t)
	if !IsExport(file) {
		t.Errorf("not known for an export: %.60q", file)
	}
	x, err := VerifyExport(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	key, err := j.PublicKey()
	if err != nil || x.Key != key {
		t.Errorf("signed by %s, the journal's key is %s (%v)", x.Key, key, err)
	}
	if len(x.Events) != 8 || x.Header.Players[1] != "داریوش" || x.Header.Settings == nil || len(x.Pictures) != 1 {
		t.Errorf("got %d events, header %+v, %d pictures", len(x.Events), x.Header, len(x.Pictures))
	}
}

func TestTheKeyStaysTheSame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "davar.db")
	j := mustOpen(t, path)
	first, err := j.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	j.Close()
	if second, err := mustOpen(t, path).PublicKey(); err != nil || second != first {
		t.Errorf("%s became %s (%v)", first, second, err)
	}
}

func TestAnyByteAlteredInASignedMatchIsFound(t *testing.T) {
	file, _ := signed(t)
	for at := range file {
		flipped := bytes.Clone(file)
		flipped[at] ^= 1 << (at % 8)
		if _, err := VerifyExport(bytes.NewReader(flipped)); err == nil {
			t.Fatalf("byte %d altered is not found", at)
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		at, bit := rng.IntN(len(file)), byte(1)<<rng.IntN(8)
		flipped := bytes.Clone(file)
		flipped[at] ^= bit
		if _, err := VerifyExport(bytes.NewReader(flipped)); err == nil {
			t.Fatalf("byte %d xor %#x is not found", at, bit)
		}
	}
	for _, changed := range [][]byte{file[:len(file)-1], append(bytes.Clone(file), '\n'), file[1:], file[:len(file)/2], nil} {
		if _, err := VerifyExport(bytes.NewReader(changed)); err == nil {
			t.Errorf("%d of %d bytes are taken for whole", len(changed), len(file))
		}
	}
}

func FuzzVerifyExport(f *testing.F) {
	file, _ := signed(f)
	f.Add(file)
	f.Add([]byte("ed25519 00 00\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if x, err := VerifyExport(bytes.NewReader(data)); err == nil && !bytes.Equal(data, file) && x.Key == "" {
			t.Error("a proven match without a key")
		}
	})
}
