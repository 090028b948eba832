package journal

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"davar/device/durable"
)

// keyPath returns where the signing key of the journal at path lies.
func keyPath(path string) string { return path + ".key" }

const keyBlock = "PRIVATE KEY" // PKCS #8, as openssl writes it

// makeKey makes the journal's signing key if there is none yet. Only this user may read it.
func makeKey(path string) error {
	if _, err := os.Stat(keyPath(path)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return fmt.Errorf("make the signing key: %w", err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return fmt.Errorf("make the signing key: %w", err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: keyBlock, Bytes: der})
	return durable.Write(keyPath(path), text, 0o600)
}

// signingKey reads the journal's key.
func signingKey(path string) (ed25519.PrivateKey, error) {
	text, err := os.ReadFile(keyPath(path))
	if err != nil {
		return nil, fmt.Errorf("read the signing key: %w", err)
	}
	block, _ := pem.Decode(text)
	if block == nil || block.Type != keyBlock {
		return nil, fmt.Errorf("%s holds no key: remove it, and the next start makes another", keyPath(path))
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("read the signing key: %w", err)
	}
	key, ok := parsed.(ed25519.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("%s is no ed25519 key", keyPath(path))
	}
	return key, nil
}

// PublicKey returns the key by which this journal's exports are known, in hexadecimal.
func (r *Reader) PublicKey() (string, error) {
	key, err := signingKey(r.path)
	if err != nil {
		return "", fmt.Errorf("journal: %w", err)
	}
	return publicKey(key), nil
}

func publicKey(key ed25519.PrivateKey) string {
	return hex.EncodeToString(key.Public().(ed25519.PublicKey)) //nolint:forcetypeassert // an ed25519 key has no other
}
