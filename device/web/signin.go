package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// signIn is POST /signin with the form fields "password", "name" (none: the director) and "next", the page to go on to.
func (s *Server) signIn(w http.ResponseWriter, r *http.Request) {
	if !readForm(w, r) {
		return
	}
	next := s.onward(r.PostForm.Get("next"))
	name := strings.TrimSpace(r.PostForm.Get("name"))
	if name == "" {
		name = directorsName
	}
	who, ok, err := s.guard.try(r.RemoteAddr, name, r.PostForm.Get("password"))
	switch {
	case errors.Is(err, errSlowDown):
		s.log.Warn("too many wrong passwords on the page", "from", r.RemoteAddr)
		refuse(w, r, next, "wait")
		return
	case !ok:
		s.log.Warn("wrong password on the page", "from", r.RemoteAddr)
		refuse(w, r, next, "wrong")
		return
	}
	s.log.Info("signed in", "name", who.Name, "role", who.Role, "from", r.RemoteAddr)
	if p := s.guard.passes; p != nil {
		text, ends := p.seal(who.Name, s.guard.hashes[who.Name].Hash)
		p.give(w, r, text, ends)
		http.Redirect(w, r, next, http.StatusSeeOther)
		return
	}
	s.session(w, r, next, func(r *http.Request) error {
		if err := s.guard.sessions.RenewToken(r.Context()); err != nil {
			return err
		}
		s.guard.sessions.Put(r.Context(), nameKey, who.Name)
		s.guard.sessions.Put(r.Context(), roleKey, string(who.Role))
		return nil
	})
}

// readForm reads a form of bounded size, or answers why not.
func readForm(w http.ResponseWriter, r *http.Request) bool {
	r.Body = http.MaxBytesReader(w, r.Body, longestBody)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "the form was not understood", http.StatusBadRequest)
		return false
	}
	return true
}

// home is the page that a sign-in leads to when no other was asked for.
func (s *Server) home() string {
	if s.ofHall() {
		return "/director"
	}
	return "/table"
}

// onward returns the page of this server that a sign-in leads to; whatever names another place leads home.
func (s *Server) onward(next string) string {
	to, err := url.Parse(next)
	if err != nil || to.Scheme != "" || to.Host != "" || strings.Contains(next, `\`) {
		return s.home()
	}
	if strings.HasPrefix(to.Path, "/director") || s.ofHall() && strings.HasPrefix(to.Path, "/t/") {
		return to.RequestURI()
	}
	return s.home()
}

// refuse leads back to the form that was filled in.
func refuse(w http.ResponseWriter, r *http.Request, next, why string) {
	at := "/table?refused=" + why + "#below"
	if next != "/table" {
		at = "/signin?" + url.Values{"refused": {why}, "next": {next}}.Encode()
	}
	http.Redirect(w, r, at, http.StatusSeeOther)
}

// signOut is POST /signout.
func (s *Server) signOut(w http.ResponseWriter, r *http.Request) {
	if p := s.guard.passes; p != nil {
		p.give(w, r, "", time.Time{})
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	s.session(w, r, s.home(), func(r *http.Request) error { return s.guard.sessions.Destroy(r.Context()) })
}

// session changes the session and leads on to a page.
func (s *Server) session(w http.ResponseWriter, r *http.Request, next string, change func(r *http.Request) error) {
	s.guard.sessions.LoadAndSave(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := change(r); err != nil {
			s.log.Error("a session could not be changed", "error", err)
			http.Error(w, "try again", http.StatusInternalServerError)
			return
		}
		http.Redirect(w, r, next, http.StatusSeeOther)
	})).ServeHTTP(w, r)
}

// pairPage is GET /pair: where a tablet types in the code that the console shows.
func (s *Server) pairPage(w http.ResponseWriter, r *http.Request) {
	s.page(w, r, "pair.html", "console.pair_title")
}

// pair is POST /pair with the form field "code".
func (s *Server) pair(w http.ResponseWriter, r *http.Request) {
	if !readForm(w, r) {
		return
	}
	if !s.guard.attempts.take(r.RemoteAddr) {
		http.Redirect(w, r, "/pair?refused=wait", http.StatusSeeOther)
		return
	}
	token, tablet, err := s.guard.tablets.pair(r.PostForm.Get("code"))
	if err != nil {
		s.log.Warn("a tablet could not be paired", "from", r.RemoteAddr, "error", err)
		http.Redirect(w, r, "/pair?refused=wrong", http.StatusSeeOther)
		return
	}
	s.guard.attempts.giveBack(r.RemoteAddr)
	s.log.Info("a tablet was paired", "name", tablet.Name, "from", r.RemoteAddr)
	http.SetCookie(w, &http.Cookie{
		Name: tabletCookie, Value: token, Path: "/", MaxAge: int(tabletLife / time.Second), HttpOnly: true,
		SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil,
	})
	http.Redirect(w, r, "/table", http.StatusSeeOther)
}
