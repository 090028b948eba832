package web

import (
	"net"
	"net/http"
)

// audienceOf returns who asks: the director by his session; the table, which is asked for with at=table, when nothing
// is held back from anybody, the unit has been paired or has signed in, or the request comes from this machine, whose
// screen stands beside the board; else the public. A request that a proxy handed on comes from elsewhere, whatever its address says.
func (s *Server) audienceOf(r *http.Request) audience {
	who := s.guard.session(r)
	switch {
	case s.guest.is:
		return public
	case who.Role == Director:
		return director
	case r.URL.Query().Get("at") == "table" && (s.settings.Delay <= 0 || who.Role == AtTable || fromHere(r)):
		return table
	}
	return public
}

func fromHere(r *http.Request) bool {
	for _, header := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via"} {
		if r.Header.Get(header) != "" {
			return false
		}
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	return err == nil && net.ParseIP(host).IsLoopback()
}

// mayWatch tells whether an audience may see the camera's picture, spectators as late as all they see.
func (s *Server) mayWatch(to audience) bool { return to != public || s.settings.PublicFrame }
