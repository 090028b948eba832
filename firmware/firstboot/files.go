package firstboot

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"davar/device/durable"
)

// File is one that the settings become.
type File struct {
	Path    string // from the root
	Text    string
	Mode    os.FileMode
	Private bool // it holds a password: only root and the user davar may read it
}

const passwordFile = "/etc/davar/director.password"

// Files returns what the settings become. Key is the password of the table's own network (8 to 63 characters): players and
// spectators are told it, so it is not the director's.
func (s Settings) Files(key string) []File {
	files := []File{
		{Path: "/etc/hostname", Text: s.HostName + "\n", Mode: 0o644},
		{Path: "/etc/hosts", Text: "127.0.0.1 localhost\n::1 localhost ip6-localhost\n127.0.1.1 " + s.HostName + "\n", Mode: 0o644},
		{Path: "/etc/davar/davar.yaml", Text: s.table(), Mode: 0o644},
	}
	if s.Password != "" {
		files = append(files, File{Path: passwordFile, Text: s.Password + "\n", Mode: 0o640, Private: true})
	}
	if s.WifiName != "" {
		files = append(files, File{Path: "/etc/NetworkManager/system-connections/davar-wifi.nmconnection", Text: s.wifi(), Mode: 0o600, Private: true})
	}
	if s.WifiCountry != "" {
		files = append(files, File{Path: "/etc/modprobe.d/davar-wifi.conf", Text: "options cfg80211 ieee80211_regdom=" + s.WifiCountry + "\n", Mode: 0o644})
	}
	if s.Hotspot {
		files = append(files, File{Path: "/etc/NetworkManager/system-connections/davar-hotspot.nmconnection", Text: s.hotspot(key), Mode: 0o600, Private: true})
	}
	return files
}

// table returns the settings of the table, for config.Parse.
func (s Settings) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Written from davar-setup.txt. Every key there is stands in /usr/share/doc/davar/davar.yaml.\n")
	fmt.Fprintf(&b, "club: %s\ntable: %s\nlanguage: %s\n", quoted(s.Club), quoted(s.Table), s.Language)
	fmt.Fprintf(&b, "camera: {source: %s}\n", quoted(s.Camera))
	if s.Buttons {
		fmt.Fprintf(&b, "buttons: {enabled: true}\n")
	}
	fmt.Fprintf(&b, "web:\n  listen: \":8080\"\n")
	if s.Password != "" {
		fmt.Fprintf(&b, "  password_file: %s\n", passwordFile)
	}
	fmt.Fprintf(&b, "mqtt:\n  listen: \"%s:1883\"\n", map[bool]string{false: "127.0.0.1", true: "0.0.0.0"}[s.Broker])
	if s.Password != "" {
		fmt.Fprintf(&b, "  password_file: %s\n", passwordFile)
	}
	fmt.Fprintf(&b, "journal: {path: /var/lib/davar/davar.db}\nmetrics: {listen: \"127.0.0.1:9108\"}\n")
	return b.String()
}

// quoted writes a text as YAML has it between double quotes; JSON's and YAML's escapes for what can be typed are one.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// wifi is the network that is joined, as NetworkManager keeps it.
func (s Settings) wifi() string {
	text := "[connection]\nid=davar-wifi\ntype=wifi\nautoconnect=true\nautoconnect-priority=10\n\n[wifi]\nmode=infrastructure\nssid=" + ssid(s.WifiName) + "\n"
	if s.WifiPassword != "" {
		text += "\n[wifi-security]\nkey-mgmt=wpa-psk\npsk=" + keyfile(s.WifiPassword) + "\n"
	}
	return text + "\n[ipv4]\nmethod=auto\n\n[ipv6]\nmethod=auto\n"
}

// hotspot is the table's own network: it comes up where no other does.
func (s Settings) hotspot(key string) string {
	return "[connection]\nid=davar-hotspot\ntype=wifi\nautoconnect=true\nautoconnect-priority=-10\n\n[wifi]\nmode=ap\nssid=" + ssid(s.network()) +
		"\n\n[wifi-security]\nkey-mgmt=wpa-psk\npsk=" + keyfile(key) + "\n\n[ipv4]\nmethod=shared\n\n[ipv6]\nmethod=ignore\n"
}

// network is the name of the table's own network.
func (s Settings) network() string { return cut("Davar "+s.Table, 32) }

// ssid writes a network's name as a list of bytes, which needs no escapes.
func ssid(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		b.WriteString(strconv.Itoa(int(c)) + ";")
	}
	return b.String()
}

// keyfile escapes a value for a GLib key file.
func keyfile(value string) string {
	escaped := strings.ReplaceAll(value, `\`, `\\`)
	if strings.HasPrefix(escaped, " ") {
		escaped = `\s` + escaped[1:]
	}
	return escaped
}

func cut(text string, bytes int) string {
	if len(text) > bytes {
		return text[:bytes]
	}
	return text
}

// Write puts the files under root, each in one step; owner gets those that hold passwords, as a group (-1: nobody).
func Write(root string, files []File, group int) error {
	var errs []error
	for _, f := range files {
		if err := f.write(root, group); err != nil {
			errs = append(errs, fmt.Errorf("firstboot: write %s: %w", f.Path, err))
		}
	}
	return errors.Join(errs...)
}

func (f File) write(root string, group int) error {
	path := filepath.Join(root, f.Path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return durable.Fill(path, 0o600, func(fresh *os.File) error { // for nobody's eyes from the beginning
		_, err := fresh.WriteString(f.Text)
		if err == nil {
			err = fresh.Chmod(f.Mode)
		}
		if err == nil && group >= 0 && f.Path == passwordFile {
			err = fresh.Chown(-1, group)
		}
		return err
	})
}
