package web

import (
	"html/template"
	"net"
	"net/http"
	"os"

	"davar/device/qr"
)

// welcomeData is what the page with the code for phones is made from.
type welcomeData struct {
	pageData
	Address string        // where a phone finds the page; empty: nowhere but on this machine
	Name    string        // the same by the machine's name
	Code    template.HTML // of the address
}

// welcome is GET /welcome: the code for phones, on the table's own screen until the match begins.
func (s *Server) welcome(w http.ResponseWriter, r *http.Request) {
	d := welcomeData{pageData: s.data(r, "page.title")}
	d.Address, d.Name = s.addressFor(r)
	if d.Address != "" {
		svg, err := qr.SVG(d.Address)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		d.Code = template.HTML(svg) // figures alone
	}
	console{s}.render(w, "welcome.html", d)
}

// addressFor returns where others reach the page: as who asks has reached it, or, for who sits at this machine, by an
// address of its network; and by the machine's name, as mDNS has it. Empty: nobody else reaches it.
func (s *Server) addressFor(r *http.Request) (address, name string) {
	if host, _, err := net.SplitHostPort(r.Host); err == nil && !isLoopback(host) {
		return "http://" + r.Host, ""
	} else if err != nil && r.Host != "" && !isLoopback(r.Host) { // behind a proxy, without a port
		return "http://" + r.Host, ""
	}
	if s.listener == nil {
		return "", ""
	}
	host, port, err := net.SplitHostPort(s.listener.Addr().String())
	if ip := net.ParseIP(host); err != nil || ip == nil || ip.IsLoopback() {
		return "", ""
	} else if !ip.IsUnspecified() {
		return "http://" + net.JoinHostPort(host, port), ""
	}
	if machine, err := os.Hostname(); err == nil {
		name = "http://" + net.JoinHostPort(machine+".local", port)
	}
	if ip := ownAddress(); ip != "" {
		return "http://" + net.JoinHostPort(ip, port), name
	}
	return name, ""
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// ownAddress returns an address of this machine on its network, IPv4 where it has one.
func ownAddress() string {
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return ""
	}
	six := ""
	for _, a := range addresses {
		n, ok := a.(*net.IPNet)
		switch {
		case !ok || !n.IP.IsGlobalUnicast():
		case n.IP.To4() != nil:
			return n.IP.String()
		case six == "":
			six = n.IP.String()
		}
	}
	return six
}
