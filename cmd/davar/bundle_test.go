package main

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// unpack returns the text of every file in a gzipped tar by its name without the folder.
func unpack(t *testing.T, path string) map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	plain, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for archive := tar.NewReader(plain); ; {
		h, err := archive.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(h.Name)] = string(text)
	}
}

func TestABundleHoldsNobodysNameAndNoSecret(t *testing.T) {
	journal := filledLog(t) // Ann plays Ben in the Open
	password := write(t, "director.password", "correct-horse\n")
	settings := write(t, "davar.yaml", "match: {light: Xerxes Quill, dark: Zenobia, event: Nightingale Cup}\njournal: {path: "+journal+"}\n"+
		"camera: {source: 'rtsp://eye:swordfish@127.0.0.1:9/live'}\nweb: {password_file: "+password+"}\n"+
		"mqtt: {broker: 'tcp://who:sesame@127.0.0.1:9', password_file: "+password+", user: whoever}\n"+
		"publish: {results: 'https://127.0.0.1:9/in?key=opensaysme'}\n")
	out := filepath.Join(t.TempDir(), "b.tar.gz")
	if _, complaints, status := davar(t, "bundle", "--config", settings, "--out", out); status != exitDone {
		t.Fatal(complaints)
	}
	parts := unpack(t, out)
	for _, want := range []string{"doctor.json", "settings.yaml", "log.txt", "metrics.txt", "matches.txt"} {
		if _, ok := parts[want]; !ok {
			t.Errorf("the bundle lacks %s", want)
		}
	}
	if !strings.Contains(parts["matches.txt"], "match m1: length 1") || !strings.Contains(parts["settings.yaml"], "fps: 10") {
		t.Errorf("the bundle says too little: %v", parts)
	}
	for name, text := range parts {
		for _, word := range []string{"Ann", "Ben", "Xerxes", "Quill", "Zenobia", "Nightingale", "correct-horse", "swordfish", "sesame", "whoever", "opensaysme"} {
			if strings.Contains(strings.ToLower(text), strings.ToLower(word)) && !strings.Contains("annulled", strings.ToLower(word)) {
				t.Errorf("%s holds %q:\n%s", name, word, text)
			}
		}
	}
	if info, err := os.Stat(out); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others may read the bundle: %v", info.Mode())
	}
}
