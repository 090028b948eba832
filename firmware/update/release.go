package update

import (
	"archive/tar"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// Manifest is what is signed: which program it is, and its hash.
type Manifest struct {
	Product string `json:"product"` // davar
	Version string `json:"version"` // 1.2.3
	Arch    string `json:"arch"`    // as Go names it: arm64
	SHA256  string `json:"sha256"`  // of the program, hexadecimal
	Size    int64  `json:"size"`    // bytes
}

const (
	product      = "davar"
	programFile  = "davar"
	manifestFile = "manifest.json"
	signFile     = "manifest.sig"
	// maxProgram is larger than any program will be, and small enough for the card.
	maxProgram = 256 << 20
	maxSmall   = 4 << 10
)

// ErrUnsigned says that a release does not come from who holds the key.
var ErrUnsigned = errors.New("update: the release is not signed with our key; get it from where davar is released")

var versionForm = regexp.MustCompile(`^\d{1,6}\.\d{1,6}\.\d{1,6}(-[0-9A-Za-z.]{1,32})?$`)

func (m Manifest) check() error {
	switch {
	case m.Product != product:
		return fmt.Errorf("update: this is a release of %q, not of davar", m.Product)
	case !versionForm.MatchString(m.Version):
		return fmt.Errorf("update: %q is no version such as 1.2.3", m.Version)
	case m.Size < 1 || m.Size > maxProgram:
		return fmt.Errorf("update: a program of %d bytes is not to be believed", m.Size)
	}
	return nil
}

// readManifest returns the manifest if the key's holder signed its text.
func readManifest(text, signature []byte, key ed25519.PublicKey) (Manifest, error) {
	if len(key) != ed25519.PublicKeySize || !ed25519.Verify(key, text, signature) {
		return Manifest{}, ErrUnsigned
	}
	var m Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("update: read the manifest: %w", err)
	}
	return m, m.check()
}

// Pack writes a release of the program: a tar of manifest, signature and program, in that order.
func Pack(out io.Writer, program []byte, version, arch string, key ed25519.PrivateKey) error {
	sum := sha256.Sum256(program)
	m := Manifest{Product: product, Version: version, Arch: arch, SHA256: hex.EncodeToString(sum[:]), Size: int64(len(program))}
	if err := m.check(); err != nil {
		return err
	}
	text, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("update: pack: %w", err)
	}
	archive := tar.NewWriter(out)
	for _, f := range []struct {
		name string
		text []byte
	}{{manifestFile, text}, {signFile, ed25519.Sign(key, text)}, {programFile, program}} {
		err = errors.Join(err, archive.WriteHeader(&tar.Header{Name: f.name, Mode: 0o755, Size: int64(len(f.text)), Format: tar.FormatPAX}))
		if err == nil {
			_, err = archive.Write(f.text)
		}
	}
	if err = errors.Join(err, archive.Close()); err != nil {
		return fmt.Errorf("update: pack: %w", err)
	}
	return nil
}

// FormatKey writes a key, public or private, as one line of text.
func FormatKey(key []byte) string { return base64.StdEncoding.EncodeToString(key) + "\n" }

// ParsePublicKey reads what FormatKey wrote.
func ParsePublicKey(text string) (ed25519.PublicKey, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil || len(key) != ed25519.PublicKeySize {
		return nil, errors.New("update: this is no public key for releases")
	}
	return key, nil
}

// ParsePrivateKey reads what FormatKey wrote.
func ParsePrivateKey(text string) (ed25519.PrivateKey, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil || len(key) != ed25519.PrivateKeySize {
		return nil, errors.New("update: this is no private key for releases")
	}
	return key, nil
}
