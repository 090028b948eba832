package web

import (
	"strings"
	"testing"
	"time"
)

func TestAPassHoldsForItsAccountItsTimeAndItsKeyAlone(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	p := &passes{key: []byte("0123456789abcdef0123456789abcdef"), now: func() time.Time { return now }}
	secretOf := func(name string) string { return map[string]string{"sara": "hash", "omid": "other"}[name] }
	text, _ := p.seal("sara", "hash")
	forged, _ := p.seal("sara", "guessed")
	another, _ := (&passes{key: []byte("another key of more than 32 bytes"), now: p.now}).seal("sara", "hash")
	body, seal, _ := strings.Cut(text, ".")
	omids, _ := p.seal("omid", "other")
	omidsBody, _, _ := strings.Cut(omids, ".")
	for _, c := range []struct{ name, text, want string }{
		{"her own", text, "sara"}, {"sealed with another password", forged, ""}, {"sealed with another key", another, ""},
		{"another's name under her seal", omidsBody + "." + seal, ""}, {"without a seal", body, ""}, {"with an empty seal", body + ".", ""},
		{"nothing", "", ""}, {"too long", text + strings.Repeat("A", 2000), ""}, {"no pass at all", "a.b", ""},
	} {
		if got := p.read(c.text, secretOf); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	now = now.Add(sessionLife)
	if p.read(text, secretOf) != "" {
		t.Error("it holds after its end")
	}
}
