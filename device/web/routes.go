package web

import (
	"net/http"
	"time"
)

// contentPolicy lets a page load what this server has, and nothing else; no script stands in a page.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'self'"

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	quick := func(pattern string, handle http.HandlerFunc) { mux.Handle(pattern, withDeadline(handle)) }
	quick("GET /{$}", s.livePage)
	quick("GET /table", s.tablePage)
	quick("GET /welcome", s.welcome)
	quick("GET /overlay", s.overlay)
	quick("GET /embed", s.embed)
	quick("GET /assets/{name}", s.pages.asset)
	quick("GET /texts/{file}", s.pages.texts)
	quick("GET /state.json", s.showState)
	quick("GET /frame.jpg", s.showFrame)
	quick("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("ok\n")) })
	mux.HandleFunc("GET /events", s.streamEvents)
	mux.HandleFunc("GET /director/events", console{s}.directed(s.streamEvents))
	if s.settings.Matches != nil {
		(&archive{s, s.settings.Matches, s.settings.Delay, time.Now}).routes(quick)
	}
	console{s}.routes(quick)
	console{s}.examinationRoutes(quick)

	quick("GET /signin", s.signInPage)
	quick("GET /pair", s.pairPage)
	quick("POST /pair", s.pair)
	quick("POST /press", s.press)
	quick("POST /decision", s.decide)
	quick("POST /signin", s.signIn)
	quick("POST /signout", s.signOut)
	return withHeaders(http.NewCrossOriginProtection().Handler(mux))
}

func withDeadline(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A connection that cannot have a deadline (a test's recorder) is served without.
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(requestTimeout))
		next.ServeHTTP(w, r)
	})
}

func withHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", contentPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		next.ServeHTTP(w, r)
	})
}
