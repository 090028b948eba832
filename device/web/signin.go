package web

import (
	"errors"
	"net/http"
)

// signIn is POST /signin with the form field "password". It leads back to the table's page.
func (s *Server) signIn(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, longestBody)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "the form was not understood", http.StatusBadRequest)
		return
	}
	ok, err := s.guard.try(r.RemoteAddr, r.PostForm.Get("password"))
	switch {
	case errors.Is(err, errSlowDown):
		s.log.Warn("too many wrong passwords on the page", "from", r.RemoteAddr)
		http.Redirect(w, r, "/table?refused=wait#below", http.StatusSeeOther)
		return
	case !ok:
		s.log.Warn("wrong password on the page", "from", r.RemoteAddr)
		http.Redirect(w, r, "/table?refused=wrong#below", http.StatusSeeOther)
		return
	}
	s.session(w, r, func(r *http.Request) error {
		if err := s.guard.sessions.RenewToken(r.Context()); err != nil {
			return err
		}
		s.guard.sessions.Put(r.Context(), sessionKey, true)
		return nil
	})
}

// signOut is POST /signout.
func (s *Server) signOut(w http.ResponseWriter, r *http.Request) {
	s.session(w, r, func(r *http.Request) error { return s.guard.sessions.Destroy(r.Context()) })
}

// session changes the session and leads back to the table's page.
func (s *Server) session(w http.ResponseWriter, r *http.Request, change func(r *http.Request) error) {
	s.guard.sessions.LoadAndSave(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := change(r); err != nil {
			s.log.Error("a session could not be changed", "error", err)
			http.Error(w, "try again", http.StatusInternalServerError)
			return
		}
		http.Redirect(w, r, "/table", http.StatusSeeOther)
	})).ServeHTTP(w, r)
}
