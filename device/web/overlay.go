package web

import "net/http"

// overlay is GET /overlay: the table for a broadcaster's picture, with nothing behind it. What it shows and how large is
// said by the query, which the page itself reads (page/overlay.js):
//
//	parts   which of board, score, clock, pips, play, calls, chances, comma between; without it all but the board
//	at      where: bottom (default), top, left, right, centre, top-left, top-right, bottom-left, bottom-right
//	size    how large, 0.25 to 4; 1 is made for a picture of 1920×1080
//	board   width of the board in such a picture, in pixels
//	chroma  colour behind it for a mixer that cannot take transparency: green, blue, magenta, or six hexadecimal digits
//	theme   dark (default) or light
//	bottom  light or dark: who sits at the board's bottom; home left or right; without them as at the table
//	lang    en or fa
func (s *Server) overlay(w http.ResponseWriter, r *http.Request) {
	s.page(w, r, "overlay.html", "page.overlay_title")
}
