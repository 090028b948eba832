package web

import (
	"bytes"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"davar/device/journal"
	"davar/device/scoresheet"
	"davar/rules/record"
	"davar/rules/transcript"
)

// kinds of the files a match can be had as, by the end of their names.
var fileKinds = map[string]string{
	".mat": "text/plain; charset=utf-8", ".sgf": "application/x-go-sgf; charset=utf-8", ".xgid": "text/plain; charset=utf-8",
	".json": "application/json; charset=utf-8", ".html": "text/html; charset=utf-8", ".davar": "application/x-ndjson",
}

// download is GET /matches/{id}/{file}: match.mat, match.sgf, match.xgid, match.json, sheet.en.html, sheet.fa.html or,
// for the director, match.davar, signed.
func (a *archive) download(w http.ResponseWriter, r *http.Request) {
	file := r.PathValue("file")
	kind, ok := fileKinds[filepath.Ext(file)]
	if !ok {
		http.NotFound(w, r)
		return
	}
	director, err := a.guard.authorized(r)
	if err != nil {
		http.Error(w, "too many attempts: wait a minute", http.StatusTooManyRequests)
		return
	}
	if strings.HasSuffix(file, ".davar") && !director {
		http.Error(w, "sign in first", http.StatusUnauthorized)
		return
	}
	m, t, err := a.open(r, director)
	if err != nil {
		a.fail(w, err)
		return
	}
	data, err := a.file(r, file, t, director)
	if err != nil {
		a.fail(w, err)
		return
	}
	if data == nil {
		http.NotFound(w, r)
		return
	}
	name := strings.TrimPrefix(strings.TrimPrefix(file, "match"), "sheet")
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Disposition", `attachment; filename="`+plain(m.ID+name)+`"; filename*=UTF-8''`+url.PathEscape(m.ID+name))
	w.Write(data)
}

// plain keeps of a file's name what any system takes.
func plain(name string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' || strings.ContainsRune(`"\/:*?<>|;`, c) {
			return '_'
		}
		return c
	}, name)
}

// file returns the match as a file of that name, nil when there is none of it.
func (a *archive) file(r *http.Request, name string, t *transcript.Transcript, director bool) ([]byte, error) {
	switch ext := filepath.Ext(name); {
	case name == "match.davar":
		var out bytes.Buffer
		err := a.log.Export(r.Context(), &out, t.ID, a.now().UTC().Format(time.RFC3339))
		return out.Bytes(), err
	case ext == ".html":
		lang, ok := strings.CutPrefix(strings.TrimSuffix(name, ext), "sheet.")
		if !ok || a.book.Match(lang) != lang {
			return nil, nil
		}
		return scoresheet.Of(t, a.book, scoresheet.Options{Lang: lang, Private: director, Analysis: a.analysis(t.ID)}).HTML()
	case strings.TrimSuffix(name, ext) == "match":
		data, _, err := t.Record().Write(record.Format(ext[1:]))
		return data, err
	}
	return nil, nil
}

// picture is GET /matches/{id}/pictures/{name}, for the director alone.
func (a *archive) picture(w http.ResponseWriter, r *http.Request) {
	if ok, err := a.guard.authorized(r); err != nil || !ok {
		http.Error(w, "sign in first", http.StatusUnauthorized)
		return
	}
	pictures, err := a.log.Pictures(r.Context(), r.PathValue("id"))
	if err != nil {
		a.fail(w, err)
		return
	}
	for _, p := range pictures {
		if p.Name != r.PathValue("name") {
			continue
		}
		data, err := a.log.Picture(p)
		if err != nil {
			a.fail(w, err)
			return
		}
		w.Header().Set("Content-Type", "image/jpeg")
		w.Header().Set("Cache-Control", "private, max-age=3600")
		w.Write(data)
		return
	}
	http.NotFound(w, r)
}

// rename is POST /matches/{id}/rename with the form fields light, dark, event and why.
func (a *archive) rename(w http.ResponseWriter, r *http.Request) {
	a.amend(w, r, func(id string) error {
		names := journal.Names{
			Light: short(r.PostForm.Get("light")), Dark: short(r.PostForm.Get("dark")), Event: short(r.PostForm.Get("event")),
		}
		return a.log.Rename(r.Context(), id, names, "director", short(r.PostForm.Get("why")))
	}, "/matches/"+url.PathEscape(r.PathValue("id")))
}

// remove is POST /matches/{id}/delete with the form field why.
func (a *archive) remove(w http.ResponseWriter, r *http.Request) {
	a.amend(w, r, func(id string) error {
		return a.log.Delete(r.Context(), id, "director", short(r.PostForm.Get("why")))
	}, "/matches")
}

// amend lets the director change something in the log, and leads on to a page.
func (a *archive) amend(w http.ResponseWriter, r *http.Request, change func(id string) error, then string) {
	if ok, err := a.guard.authorized(r); err != nil || !ok {
		http.Error(w, "sign in first", http.StatusUnauthorized)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, longestBody)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "the form was not understood", http.StatusBadRequest)
		return
	}
	if _, err := a.log.Match(r.Context(), r.PathValue("id")); err != nil {
		a.fail(w, err)
		return
	}
	if err := change(r.PathValue("id")); err != nil {
		a.Server.log.Warn("a match could not be changed from the page", "error", err)
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	http.Redirect(w, r, then, http.StatusSeeOther)
}
