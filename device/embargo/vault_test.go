package embargo

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"davar/rules/referee"
)

// openVault opens a vault at second *s of the afternoon.
func openVault(path string, s *int) *Vault {
	v := OpenVault(path, time.Minute, slog.New(slog.DiscardHandler))
	v.now = func() time.Time { return noon.Add(time.Duration(*s) * time.Second) }
	return v
}

// closeVault writes what there is to write.
func closeVault(v *Vault) {
	ended, end := context.WithCancel(context.Background())
	end()
	v.Run(ended)
}

func kept(v *Vault) (seqs []int64) {
	for _, g := range v.Given() {
		seqs = append(seqs, g.State.Seq)
	}
	return seqs
}

func TestAVaultKeepsTheStatesOfClosedTurnsOverARestartAndNoOther(t *testing.T) {
	path, now := filepath.Join(t.TempDir(), "v"), 0
	v := openVault(path, &now)
	for _, e := range turns {
		now = int(e.At.Sub(noon).Seconds())
		v.Publish(e.Event)
		v.SetState(referee.State{Match: "m", Seq: e.Event.Seq}, e.At, 1)
	}
	closeVault(v)
	again := openVault(path, &now)
	got := again.Given()
	if seqs := kept(again); len(seqs) != 2 || seqs[0] != 1 || seqs[1] != 4 {
		t.Fatalf("kept are the states %v, want 1 and 4: the turn from 5 on is open", seqs)
	}
	if !got[1].At.Equal(noon.Add(30 * time.Second)) {
		t.Errorf("state 4 was given at %v", got[1].At)
	}
	// Long after, another turn is closed: what spectators are past is let go of.
	now = 1000
	again.Publish(given(7, referee.Roll, now).Event)
	again.SetState(referee.State{Match: "m", Seq: 7}, noon, 1)
	now = 2000
	again.Publish(given(8, referee.MatchEnded, now).Event)
	again.SetState(referee.State{Match: "m", Seq: 8}, noon, 1)
	if seqs := kept(again); len(seqs) != 2 || seqs[0] != 4 || seqs[1] != 8 {
		t.Errorf("then states %v are kept", seqs)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("anybody can read it: %v, %v", info.Mode(), err)
	}
}

func TestWithoutADelayNothingIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v")
	v := OpenVault(path, 0, slog.New(slog.DiscardHandler))
	for _, e := range turns {
		v.Publish(e.Event)
		v.SetState(referee.State{Match: "m", Seq: e.Event.Seq}, e.At, 1)
	}
	closeVault(v)
	if _, err := os.Stat(path); err == nil || len(v.Given()) > 0 {
		t.Error("something is kept")
	}
}

func TestADamagedVaultIsBegunAnew(t *testing.T) {
	path, now := filepath.Join(t.TempDir(), "v"), 0
	if err := os.WriteFile(path, []byte(`[{"state":`), 0o600); err != nil {
		t.Fatal(err)
	}
	if v := openVault(path, &now); len(v.Given()) > 0 {
		t.Error("something was read from it")
	}
}
