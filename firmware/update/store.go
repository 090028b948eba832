package update

import (
	"archive/tar"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/mod/semver"

	"davar/device/durable"
)

// Store is the folder with the versions that were installed beside the package's own.
type Store struct {
	Dir string
	Key ed25519.PublicKey // who may sign
}

// State is what a store remembers. The zero State is that of a new one: the package's own program is good.
type State struct {
	Good   string   `json:"good,omitempty"`   // version that has proved itself
	Trying string   `json:"trying,omitempty"` // version that is to prove itself
	Tries  int      `json:"tries,omitempty"`  // how often it was started
	Bad    []string `json:"bad,omitempty"`    // versions that did not prove themselves
}

// State reads what the store remembers; a state that cannot be read counts as none.
func (s Store) State() State {
	var state State
	text, err := os.ReadFile(filepath.Join(s.Dir, "state.json"))
	if err != nil || json.Unmarshal(text, &state) != nil {
		return State{}
	}
	return state
}

// remember makes a state safe on disk in one step.
func (s Store) remember(state State) error {
	text, err := json.Marshal(state)
	if err == nil {
		err = durable.Fill(filepath.Join(s.Dir, "state.json"), 0o644, func(f *os.File) error {
			_, err := f.Write(append(text, '\n'))
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("update: remember which version is good: %w", err)
	}
	return nil
}

func (s Store) folder(version string) string { return filepath.Join(s.Dir, "versions", version) }

// Program returns the path of an installed version's program after proving that it is whole and signed.
func (s Store) Program(version string) (string, error) {
	if !versionForm.MatchString(version) {
		return "", fmt.Errorf("update: %q is no version such as 1.2.3", version)
	}
	folder := s.folder(version)
	text, err := os.ReadFile(filepath.Join(folder, manifestFile))
	if err != nil {
		return "", fmt.Errorf("update: open version %s: %w", version, err)
	}
	signature, err := os.ReadFile(filepath.Join(folder, signFile))
	if err != nil {
		return "", fmt.Errorf("update: open version %s: %w", version, err)
	}
	m, err := readManifest(text, signature, s.Key)
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, programFile)
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("update: open version %s: %w", version, err)
	}
	defer f.Close()
	hash := sha256.New()
	if n, err := io.Copy(hash, io.LimitReader(f, m.Size+1)); err != nil || n != m.Size || hex.EncodeToString(hash.Sum(nil)) != m.SHA256 || m.Version != version {
		return "", fmt.Errorf("update: version %s is damaged", version)
	}
	return path, nil
}

// Install reads a release, proves it and has it tried at the next start. It must be for the arch and newer than the
// version given, and not have failed before, unless anyway.
func (s Store) Install(release io.Reader, arch, newerThan string, anyway bool) (Manifest, error) {
	archive := tar.NewReader(release)
	text, err := next(archive, manifestFile, maxSmall)
	if err != nil {
		return Manifest{}, err
	}
	signature, err := next(archive, signFile, maxSmall)
	if err != nil {
		return Manifest{}, err
	}
	m, err := readManifest(text, signature, s.Key)
	if err != nil {
		return m, err
	}
	state := s.State()
	switch {
	case m.Arch != arch:
		return m, fmt.Errorf("update: the release is for %s, this machine is %s", m.Arch, arch)
	case !anyway && newerThan != "" && semver.Compare("v"+m.Version, "v"+newerThan) <= 0:
		return m, fmt.Errorf("update: version %s is not newer than %s; --anyway installs it all the same", m.Version, newerThan)
	case !anyway && slices.Contains(state.Bad, m.Version):
		return m, fmt.Errorf("update: version %s was tried and did not work here; --anyway tries it again", m.Version)
	}
	if err := s.unpack(archive, m, text, signature); err != nil {
		return m, err
	}
	state.Trying, state.Tries = m.Version, 0
	state.Bad = slices.DeleteFunc(state.Bad, func(v string) bool { return v == m.Version })
	return m, s.remember(state)
}

// unpack puts a proven release into the store: whole or not at all.
func (s Store) unpack(archive *tar.Reader, m Manifest, text, signature []byte) error {
	if header, err := archive.Next(); err != nil || header.Name != programFile || header.Size != m.Size {
		return errors.New("update: the release is not whole: get it again")
	}
	folder := s.folder(m.Version)
	fresh := folder + ".new"
	err := errors.Join(os.RemoveAll(fresh), os.MkdirAll(fresh, 0o755))
	hash := sha256.New()
	for _, f := range []struct {
		name  string
		write func(f *os.File) error
	}{
		{manifestFile, func(f *os.File) error { _, err := f.Write(text); return err }},
		{signFile, func(f *os.File) error { _, err := f.Write(signature); return err }},
		{programFile, func(f *os.File) error { _, err := io.Copy(io.MultiWriter(f, hash), archive); return err }},
	} {
		if err == nil {
			err = durable.Fill(filepath.Join(fresh, f.name), 0o755, f.write)
		}
	}
	if err == nil && hex.EncodeToString(hash.Sum(nil)) != m.SHA256 {
		err = ErrUnsigned
	}
	if err == nil {
		err = errors.Join(os.RemoveAll(folder), os.Rename(fresh, folder), durable.SyncFolder(filepath.Dir(folder)))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("update: unpack version %s: %w", m.Version, err), os.RemoveAll(fresh))
	}
	return nil
}

// Healthy says that a version has proved itself. Versions that are not needed any more are removed.
func (s Store) Healthy(version string) error {
	state := s.State()
	if state.Trying != version || version == "" {
		return nil
	}
	before := state.Good
	state.Good, state.Trying, state.Tries = version, "", 0
	if err := s.remember(state); err != nil {
		return err
	}
	entries, err := os.ReadDir(filepath.Join(s.Dir, "versions"))
	if err != nil {
		return fmt.Errorf("update: tidy up: %w", err)
	}
	for _, e := range entries {
		if e.Name() != version && e.Name() != before {
			err = errors.Join(err, os.RemoveAll(s.folder(e.Name())))
		}
	}
	return err
}

// next reads the small file of that name, which must come now.
func next(archive *tar.Reader, name string, most int64) ([]byte, error) {
	header, err := archive.Next()
	if err != nil || header.Name != name || header.Size > most {
		return nil, errors.New("update: this is no release of davar")
	}
	text, err := io.ReadAll(archive)
	if err != nil {
		return nil, errors.New("update: the release is not whole: get it again")
	}
	return text, nil
}
