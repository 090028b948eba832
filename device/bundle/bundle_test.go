package bundle

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

func TestNamesAndSecretsAreTakenOut(t *testing.T) {
	r := NewRedactor([]string{"Anna Berg", "علی", "Jo"}, []string{"hunter2", "p w&"})
	for _, c := range []struct{ text, want string }{
		{"Anna Berg plays", "(name) plays"},
		{"ANNA and berg", "(name) and (name)"},
		{"a bergamot, annals, Jovial", "a bergamot, annals, Jovial"},
		{"player=Jo", "player=(name)"},
		{"بازیکن علی آمد", "بازیکن (name) آمد"},
		{"password hunter2!", "password (secret)!"},
		{"?k=p+w%26", "?k=(secret)"},
		{"open rtsp://cam:abc@10.0.0.2/live: no", "open rtsp://(secret)@10.0.0.2/live: no"},
		{"tcp://broker:1883", "tcp://broker:1883"},
		{"", ""},
	} {
		if got := r.Text(c.text); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.text, got, c.want)
		}
	}
}

func TestOnlyStructuredLinesOfALogAreKept(t *testing.T) {
	log := "Nov 30 davar[7]: time=x level=INFO msg=a\nNov 30 davar[7]: Anna rolls 3-1.\n" +
		"Nov 30 davar[7]: {\"time\":\"x\",\"level\":\"WARN\"}\nNov 30 systemd[1]: davar.service: Watchdog timeout\n"
	got := Structured(log)
	if strings.Contains(got, "Anna") || strings.Count(got, "\n") != 3 {
		t.Errorf("kept\n%s", got)
	}
}

func TestABundleIsATarOfRedactedParts(t *testing.T) {
	var packed bytes.Buffer
	parts := []Part{{"a.txt", "Anna"}, {"b.txt", "nothing"}}
	if err := Write(&packed, "davar-1", time.Unix(1, 0), parts, NewRedactor([]string{"Anna"}, nil)); err != nil {
		t.Fatal(err)
	}
	plain, err := gzip.NewReader(&packed)
	if err != nil {
		t.Fatal(err)
	}
	archive := tar.NewReader(plain)
	var all []string
	for {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(archive)
		all = append(all, h.Name+"="+string(text))
	}
	if got := strings.Join(all, " "); got != "davar-1/a.txt=(name) davar-1/b.txt=nothing" {
		t.Errorf("packed %s", got)
	}
}

func FuzzRedactor(f *testing.F) {
	f.Add("Anna", "Anna plays anna")
	f.Add("İ", "i̇ İ")
	f.Add("", "x")
	f.Fuzz(func(t *testing.T, name, text string) {
		got := NewRedactor([]string{name}, []string{"hunter2"}).Text(text)
		if strings.Contains(got, "hunter2") && !strings.Contains(name, "secret") {
			t.Errorf("%q lets the secret through", text)
		}
	})
}
