package firstboot

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Settings are what the file can say.
type Settings struct {
	WifiName     string // empty: no wireless network is joined
	WifiPassword string // empty: it is open
	WifiCountry  string // two letters, as DE
	Club, Table  string
	Language     string // en or fa
	Password     string // of the page's buttons and the director; empty: nothing can be changed from the page
	HostName     string // the machine answers to NAME.local
	TimeZone     string // as Europe/Berlin
	Hotspot      bool   // the table makes a wireless network of its own while it has joined none
	Camera       string // as camera.source of the table's settings
	Buttons      bool   // the clock's buttons are wired as the hardware guide shows
	Broker       bool   // other machines, such as the club's hub, may watch this table by MQTT
}

// Default returns what holds where the file says nothing.
func Default() Settings {
	return Settings{Club: "club", Table: "1", Language: "en", HostName: "davar", Hotspot: true, Camera: "/dev/video0", Buttons: true}
}

// maxFile is larger than any file that people write.
const maxFile = 64 << 10

var (
	hostForm    = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)
	countryForm = regexp.MustCompile(`^[A-Z]{2}$`)
	zoneForm    = regexp.MustCompile(`^[A-Za-z0-9_+-]{1,32}(/[A-Za-z0-9_+-]{1,32}){0,2}$`)
)

// Parse reads the file: lines "key = value", empty lines, and comments after # at the beginning of a line. Windows' line
// ends and byte order mark do not matter. All that is wrong is reported, joined, each with its line; nothing is to be
// applied then. Values of passwords are never in an error.
func Parse(text []byte) (Settings, error) {
	s := Default()
	if len(text) > maxFile || !utf8.Valid(text) {
		return s, errors.New("firstboot: davar-setup.txt is not a text of up to 64 KB (UTF-8)")
	}
	var errs []error
	seen := map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))))
	lines.Buffer(nil, maxFile+1)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !ok {
			errs = append(errs, fmt.Errorf("firstboot: line %d: write it as key = value", n))
			continue
		}
		if seen[key] {
			errs = append(errs, fmt.Errorf("firstboot: line %d: %s is set twice", n, shown(key)))
			continue
		}
		seen[key] = true
		if why := s.set(key, value); why != "" && value != "" {
			errs = append(errs, fmt.Errorf("firstboot: line %d: %s: %s", n, shown(key), why))
		}
	}
	if err := lines.Err(); err != nil {
		errs = append(errs, fmt.Errorf("firstboot: %w", err))
	}
	return s, errors.Join(errs...)
}

// shown is a key in an error; a line may be anything, a password too.
func shown(key string) string {
	if _, ok := keys[key]; !ok {
		return "this key"
	}
	return key
}

// keys are all there are: where each goes, a text or a switch, and what a text may be. The check returns what would be
// right, empty when it is.
var keys = map[string]struct {
	field func(s *Settings) *string
	check func(value string) string
	flag  func(s *Settings) *bool
}{
	"wifi_name":     {field: func(s *Settings) *string { return &s.WifiName }, check: within(1, 32, "a network's name has up to 32 bytes")},
	"wifi_password": {field: func(s *Settings) *string { return &s.WifiPassword }, check: within(8, 63, "it has 8 to 63 characters")},
	"wifi_country":  {field: func(s *Settings) *string { return &s.WifiCountry }, check: matching(countryForm, "two capital letters, such as DE")},
	"club":          {field: func(s *Settings) *string { return &s.Club }, check: topic},
	"table":         {field: func(s *Settings) *string { return &s.Table }, check: topic},
	"language":      {field: func(s *Settings) *string { return &s.Language }, check: oneOf("en", "fa")},
	"password":      {field: func(s *Settings) *string { return &s.Password }, check: within(6, 72, "it has 6 to 72 characters")},
	"host_name":     {field: func(s *Settings) *string { return &s.HostName }, check: matching(hostForm, "small letters, digits and hyphens")},
	"time_zone":     {field: func(s *Settings) *string { return &s.TimeZone }, check: matching(zoneForm, "such as Europe/Berlin")},
	"camera":        {field: func(s *Settings) *string { return &s.Camera }, check: within(1, 300, "such as /dev/video0, rpicam or an address")},
	"hotspot":       {flag: func(s *Settings) *bool { return &s.Hotspot }},
	"buttons":       {flag: func(s *Settings) *bool { return &s.Buttons }},
	"broker":        {flag: func(s *Settings) *bool { return &s.Broker }},
}

// set takes one value over and returns what is wrong with it. An empty one leaves the default.
func (s *Settings) set(key, value string) (why string) {
	k, ok := keys[key]
	switch {
	case !ok:
		return "there is no such key"
	case value == "":
		return ""
	}
	for _, c := range value {
		if c < ' ' || c == 0x7f || c == utf8.RuneError {
			return "it holds a character that cannot be typed"
		}
	}
	if k.flag != nil {
		*k.flag(s) = value == "yes"
		return oneOf("yes", "no")(value)
	}
	if why := k.check(value); why != "" {
		return why
	}
	*k.field(s) = value
	return ""
}

func within(low, high int, why string) func(string) string {
	return func(value string) string {
		if len(value) < low || len(value) > high {
			return why
		}
		return ""
	}
}

func matching(form *regexp.Regexp, why string) func(string) string {
	return func(value string) string {
		if !form.MatchString(value) {
			return why
		}
		return ""
	}
}

func oneOf(words ...string) func(string) string {
	return func(value string) string {
		for _, word := range words {
			if value == word {
				return ""
			}
		}
		return "use " + strings.Join(words, " or ")
	}
}

// topic is a name that can be part of an MQTT topic.
func topic(value string) string {
	if strings.ContainsAny(value, "/+#") || len(value) > 60 {
		return "a name of up to 60 bytes without / + #"
	}
	return ""
}

// Blank returns the file with the values of its passwords taken out, so that the card does not tell them.
func Blank(text []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		key, _, ok := bytes.Cut(line, []byte("="))
		switch string(bytes.TrimSpace(bytes.TrimPrefix(key, []byte("\xef\xbb\xbf")))) {
		case "wifi_password", "password":
			if ok {
				out.Write(key)
				out.WriteString("=\n")
				continue
			}
		}
		out.Write(line)
	}
	return out.Bytes()
}
