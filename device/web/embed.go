package web

import (
	"fmt"
	"net/http"
	"strings"
)

// embed is GET /embed: the table in a frame of somebody else's page. It has nothing to press and keeps nothing in the
// browser, so being framed does no harm. The query may hold theme (dark or light), bottom, home and lang, as for the
// overlay.
func (s *Server) embed(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Security-Policy", framedBy(s.settings.Embed))
	s.page(w, r, "embed.html", "page.title")
}

// framedBy is the content policy of a page that others may frame.
func framedBy(ancestors string) string {
	switch ancestors {
	case "":
		ancestors = "*"
	case "none":
		ancestors = "'none'"
	}
	return strings.Replace(contentPolicy, "frame-ancestors 'self'", "frame-ancestors "+ancestors, 1)
}

// checkEmbed refuses what would end the directive or the header.
func checkEmbed(ancestors string) error {
	if strings.ContainsAny(ancestors, ";,\r\n") || strings.ContainsFunc(ancestors, func(r rune) bool { return r < ' ' || r > '~' }) {
		return fmt.Errorf("web: new server: embed %q: write addresses with a space between, such as https://club.example, or none", ancestors)
	}
	return nil
}
