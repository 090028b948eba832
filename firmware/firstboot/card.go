package firstboot

import (
	"fmt"
	"html"
	"strings"

	"davar/device/qr"
)

// Page returns what the helper prints and lays beside the board: codes for phones that lead to the table's page and, where
// the table makes its own network, into it. NetworkKey is that network's password.
func (s Settings) Page(networkKey string) (string, error) {
	address := fmt.Sprintf("http://%s.local:8080", s.HostName)
	codes := []struct{ title, says, text string }{{"Table " + s.Table, address, address}}
	if s.Hotspot {
		codes = append(codes, struct{ title, says, text string }{"Network " + s.network(), networkKey, qr.WiFi(s.network(), networkKey)})
	}
	var page strings.Builder
	page.WriteString("<!doctype html>\n<meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>Davar</title>\n" +
		"<style>body{font-family:sans-serif;display:flex;flex-wrap:wrap;gap:3em;margin:3em}svg{width:18em}</style>\n")
	for _, c := range codes {
		svg, err := qr.SVG(c.text)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&page, "<section><h1>%s</h1>\n%s\n<p>%s</p></section>\n", html.EscapeString(c.title), svg, html.EscapeString(c.says))
	}
	return page.String(), nil
}
