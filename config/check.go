package config

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Presets are the names of the clock's presets.
var Presets = []string{"usbgf-singles", "usbgf-doubles", "ukbgf", "club-15", "no-delay"}

// check returns what is wrong with values that have the right type.
func (c *Config) check() []Problem {
	var ps []Problem
	wrong := func(key, format string, args ...any) {
		ps = append(ps, Problem{Key: key, Why: fmt.Sprintf(format, args...)})
	}
	oneOf := func(key, value string, allowed ...string) {
		if !slices.Contains(allowed, value) {
			wrong(key, "%q is not known; use %s", value, strings.Join(allowed, ", "))
		}
	}
	between := func(key string, value, low, high int) {
		if value < low || value > high {
			wrong(key, "%d is out of range; use %d to %d", value, low, high)
		}
	}
	notNegative := func(key string, value time.Duration) {
		if value < 0 {
			wrong(key, "a time cannot be negative")
		}
	}
	for key, value := range map[string]string{"club": c.Club, "table": c.Table} {
		if value == "" || strings.ContainsAny(value, "/+#") {
			wrong(key, "%q cannot be part of an MQTT topic; use a name without / + #", value)
		}
	}
	oneOf("language", c.Language, "en", "fa")
	between("match.length", c.Match.Length, 0, 99)
	oneOf("match.bottom", c.Match.Bottom, "light", "dark")
	oneOf("match.home", c.Match.Home, "left", "right")
	oneOf("match.turn_end", c.Match.TurnEnd, "clock", "pickup")
	oneOf("clock.preset", c.Clock.Preset, Presets...)
	notNegative("clock.reserve", c.Clock.Reserve)
	notNegative("clock.delay", c.Clock.Delay)
	oneOf("monitor.mode", c.Monitor.Mode, "announce", "director_only", "off")
	if c.Camera.Source == "" {
		wrong("camera.source", "say where the picture comes from, such as /dev/video0")
	}
	between("camera.width", c.Camera.Width, 320, 7680)
	between("camera.height", c.Camera.Height, 240, 4320)
	between("camera.fps", c.Camera.FPS, 1, 60)
	for key, b := range map[string]Button{"buttons.light": c.Buttons.Light, "buttons.dark": c.Buttons.Dark, "buttons.pause": c.Buttons.Pause} {
		oneOf(key+".pull", b.Pull, "up", "down", "none")
	}
	if c.Buttons.Light.Pin == c.Buttons.Dark.Pin {
		wrong("buttons.dark.pin", "both players cannot use line %s", c.Buttons.Dark.Pin)
	}
	if c.Journal.Path == "" {
		wrong("journal.path", "say where the match log lies")
	}
	c.checkNetwork(wrong)
	notNegative("mqtt.public_delay", c.MQTT.PublicDelay)
	slices.SortFunc(ps, func(a, b Problem) int { return strings.Compare(a.Key, b.Key) })
	return ps
}

func (c *Config) checkNetwork(wrong func(key, format string, args ...any)) {
	for key, value := range map[string]string{"mqtt.listen": c.MQTT.Listen, "web.listen": c.Web.Listen} {
		if _, _, err := net.SplitHostPort(value); err != nil {
			wrong(key, "%q is not an address; write it as 127.0.0.1:8080 or :8080", value)
		}
	}
	if c.MQTT.Broker == "embedded" || c.MQTT.Broker == "none" {
		return
	}
	u, err := url.Parse(c.MQTT.Broker)
	if err != nil || u.Host == "" || !slices.Contains([]string{"tcp", "ssl", "ws", "wss", "mqtt", "mqtts"}, u.Scheme) {
		wrong("mqtt.broker", "%q is not a broker; use embedded, none or an address such as tcp://broker:1883 or ssl://broker:8883", c.MQTT.Broker)
	}
}
