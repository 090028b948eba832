package web

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// passes are sessions that no server keeps: who has signed in carries his name and the end of the session with him,
// sealed with a key that all hubs of a federation share, so that any of them knows him.
type passes struct {
	key []byte
	now func() time.Time
}

const passCookie = "davar_pass"

// pass is what is sealed.
type pass struct {
	Name string `json:"name"`
	Ends int64  `json:"ends"` // Unix time
}

// seal returns a pass in writing. The secret of the account is part of the seal: another password ends all its passes.
func (p *passes) seal(name, secret string) (text string, ends time.Time) {
	ends = p.now().Add(sessionLife)
	body, err := json.Marshal(pass{name, ends.Unix()})
	if err != nil { // cannot happen
		return "", ends
	}
	return base64.RawURLEncoding.EncodeToString(body) + "." + base64.RawURLEncoding.EncodeToString(p.sum(body, secret)), ends
}

func (p *passes) sum(body []byte, secret string) []byte {
	mac := hmac.New(sha256.New, p.key)
	mac.Write([]byte(secret))
	mac.Write([]byte{0})
	mac.Write(body)
	return mac.Sum(nil)
}

// read returns whose pass it is, empty when it is nobody's; secretOf returns the secret of an account, empty when there
// is none of that name.
func (p *passes) read(text string, secretOf func(name string) string) string {
	written, seal, _ := strings.Cut(text, ".")
	body, err := base64.RawURLEncoding.DecodeString(written)
	if err != nil || len(text) > 1024 {
		return ""
	}
	given, err := base64.RawURLEncoding.DecodeString(seal)
	if err != nil {
		return ""
	}
	var one pass
	if json.Unmarshal(body, &one) != nil || p.now().Unix() >= one.Ends {
		return ""
	}
	secret := secretOf(one.Name)
	if secret == "" || !hmac.Equal(given, p.sum(body, secret)) {
		return ""
	}
	return one.Name
}

// give has a browser keep a pass; an empty one takes it away.
func (p *passes) give(w http.ResponseWriter, r *http.Request, text string, ends time.Time) {
	cookie := &http.Cookie{
		Name: passCookie, Value: text, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Expires: ends, Secure: r.TLS != nil,
	}
	if text == "" {
		cookie.MaxAge = -1
	}
	http.SetCookie(w, cookie)
}
