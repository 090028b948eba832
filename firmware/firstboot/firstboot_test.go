package firstboot

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"davar/config"
)

const sample = "\xef\xbb\xbf# Davar\r\nwifi_name = Café Zürich\r\nwifi_password = pass word=1\r\nwifi_country = CH\r\nclub = zürich\r\ntable=3\r\n" +
	"language = fa\r\npassword = open sesame\r\nhost_name = davar-3\r\ntime_zone = Europe/Zurich\r\nhotspot = no\r\n" +
	"camera = rpicam:1\r\nbuttons = no\r\nbroker = yes\r\n"

func TestTheFileOfThePersonIsRead(t *testing.T) {
	s, err := Parse([]byte(sample))
	want := Settings{WifiName: "Café Zürich", WifiPassword: "pass word=1", WifiCountry: "CH", Club: "zürich", Table: "3", Language: "fa",
		Password: "open sesame", HostName: "davar-3", TimeZone: "Europe/Zurich", Camera: "rpicam:1", Broker: true}
	if err != nil || s != want {
		t.Errorf("%v; read %+v", err, s)
	}
	for _, text := range []string{"", "# nothing\n\n", "club =\n"} {
		if s, err := Parse([]byte(text)); err != nil || s != Default() {
			t.Errorf("%q: %v, %+v", text, err, s)
		}
	}
}

func TestAllThatIsWrongIsToldWithoutThePasswords(t *testing.T) {
	_, err := Parse([]byte("wifi_pasword = hunter2hunter2\npassword = short\nlanguage = de\nclub = a/b\nclub = c\nhost_name = Über\nno sign\ntable = a\x07b\nbuttons = perhaps\n"))
	if err == nil {
		t.Fatal("nothing is told")
	}
	for _, want := range []string{"line 1: this key: there is no such key", "line 2: password", "line 3: language: use en or fa", "line 4: club",
		"line 5: club is set twice", "line 6: host_name", "line 7", "line 8: table", "line 9: buttons: use yes or no"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not told in\n%v", want, err)
		}
	}
	if strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "short") {
		t.Errorf("a password is told: %v", err)
	}
}

func TestTheFilesAreThoseOfTheSystem(t *testing.T) {
	s, err := Parse([]byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	s.Hotspot = true
	root := t.TempDir()
	if err := Write(root, s.Files("random key"), -1); err != nil {
		t.Fatal(err)
	}
	read := func(path string) string {
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	c, err := config.Parse("davar.yaml", []byte(read("etc/davar/davar.yaml")))
	if err != nil || c.Club != "zürich" || c.Table != "3" || c.Language != "fa" || c.Web.PasswordFile != passwordFile || c.Web.Listen != ":8080" {
		t.Errorf("%v; the table's settings are %+v", err, c)
	}
	if c.Camera.Source != "rpicam:1" || c.Buttons.Enabled || c.MQTT.Listen != "0.0.0.0:1883" || c.MQTT.PasswordFile != passwordFile {
		t.Errorf("camera, buttons and broker are %+v, %+v, %+v", c.Camera, c.Buttons, c.MQTT)
	}
	if c, err := config.Parse("davar.yaml", []byte(Default().table())); err != nil || !c.Buttons.Enabled || c.MQTT.Listen != "127.0.0.1:1883" || c.MQTT.PasswordFile != "" {
		t.Errorf("%v; a card that nobody filled in gives %+v, %+v", err, c.Buttons, c.MQTT)
	}
	if got := read(passwordFile); got != "open sesame\n" {
		t.Errorf("the password is %q", got)
	}
	wifi := read("etc/NetworkManager/system-connections/davar-wifi.nmconnection")
	if !strings.Contains(wifi, "psk=pass word=1\n") || !strings.Contains(wifi, "ssid=67;97;102;195;169;") {
		t.Errorf("the network is\n%s", wifi)
	}
	if spot := read("etc/NetworkManager/system-connections/davar-hotspot.nmconnection"); !strings.Contains(spot, "mode=ap") || !strings.Contains(spot, "psk=random key\n") || strings.Contains(spot, "sesame") {
		t.Errorf("the table's own network is\n%s", spot)
	}
	for path, want := range map[string]os.FileMode{passwordFile: 0o640, "etc/NetworkManager/system-connections/davar-wifi.nmconnection": 0o600, "etc/hostname": 0o644} {
		if info, err := os.Stat(filepath.Join(root, path)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v has mode %v, want %v", path, err, info.Mode(), want)
		}
	}
	if left := string(Blank([]byte(sample))); strings.Contains(left, "pass word") || strings.Contains(left, "sesame") || !strings.Contains(left, "Café") {
		t.Errorf("the card keeps\n%s", left)
	}
}

// FuzzParse finds files that are taken and then give settings that the table refuses, or that the blanked file tells.
func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte("club = \"a\\\nlanguage=en"))
	f.Add([]byte("wifi_name==\npassword = ======\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := Parse(text)
		if err != nil {
			return
		}
		c, err := config.Parse("davar.yaml", []byte(s.table()))
		if err != nil || c.Club != s.Club || c.Table != s.Table {
			t.Fatalf("%q: %v; club %q is read as %q, table %q as %q", text, err, s.Club, c.Club, s.Table, c.Table)
		}
		for _, file := range s.Files("0123456789") {
			if strings.HasSuffix(file.Path, ".nmconnection") && strings.Count(file.Text, "\n[") > 5 {
				t.Fatalf("%q breaks out of its line:\n%s", text, file.Text)
			}
		}
		again, err := Parse(Blank(text))
		if err != nil || again.Password != "" || again.WifiPassword != "" || again.Club != s.Club {
			t.Fatalf("%q blanked: %v, %+v", text, err, again)
		}
	})
}
