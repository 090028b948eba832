package web

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// listens is a listener that says where it is.
type listens struct {
	net.Listener
	at string
}

func (l listens) Addr() net.Addr {
	a, _ := net.ResolveTCPAddr("tcp", l.at)
	return a
}

func TestPhonesAreSentWhereTheyReachTheTable(t *testing.T) {
	own := ownAddress()
	for _, c := range []struct{ name, host, listener, want string }{
		{"from another machine", "davar.local:8080", "0.0.0.0:8080", "http://davar.local:8080"},
		{"from another machine, by a proxy", "club.example", "127.0.0.1:8080", "http://club.example"},
		{"at the table's own screen", "127.0.0.1:8080", "[::]:8080", "http://" + net.JoinHostPort(own, "8080")},
		{"at the table's own screen, one network alone", "localhost:8080", "192.0.2.7:8080", "http://192.0.2.7:8080"},
		{"on a machine that shows nobody", "localhost:8080", "127.0.0.1:8080", ""},
	} {
		s := &Server{listener: listens{at: c.listener}}
		r := httptest.NewRequest("GET", "http://"+c.host+"/welcome", nil)
		got, _ := s.addressFor(r)
		if own == "" && strings.HasPrefix(c.name, "at the table's own screen") && c.host == "127.0.0.1:8080" {
			continue // a machine without a network
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestTheWelcomeShowsACodeForThePage(t *testing.T) {
	b := newBureau(t)
	_, text := fetch(t, http.DefaultClient, b.url+"/welcome")
	if !strings.Contains(text, "This page opens on this machine alone") || strings.Contains(text, "<svg xmlns") {
		t.Errorf("on a machine that shows nobody it says\n%s", text)
	}
	r := httptest.NewRequest("GET", "http://davar.local:8080/welcome", nil)
	w := httptest.NewRecorder()
	b.handler.ServeHTTP(w, r)
	for _, want := range []string{"http://davar.local:8080", "<svg xmlns", "Point your phone"} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%q is not in\n%s", want, w.Body)
		}
	}
}
