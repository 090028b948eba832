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

// wrongs collects what is wrong with single values.
type wrongs []Problem

func (w *wrongs) add(key, format string, args ...any) {
	*w = append(*w, Problem{Key: key, Why: fmt.Sprintf(format, args...)})
}

func (w *wrongs) oneOf(key, value string, allowed ...string) {
	if !slices.Contains(allowed, value) {
		known := slices.DeleteFunc(slices.Clone(allowed), func(s string) bool { return s == "" })
		w.add(key, "%q is not known; use %s", value, strings.Join(known, ", "))
	}
}

func (w *wrongs) between(key string, value, low, high int) {
	if value < low || value > high {
		w.add(key, "%d is out of range; use %d to %d", value, low, high)
	}
}

func (w *wrongs) notNegative(key string, value time.Duration) {
	if value < 0 {
		w.add(key, "a time cannot be negative")
	}
}

// check returns what is wrong with values that have the right type.
func (c *Config) check() []Problem {
	var w wrongs
	for key, value := range map[string]string{"club": c.Club, "table": c.Table} {
		if value == "" || strings.ContainsAny(value, "/+#") {
			w.add(key, "%q cannot be part of an MQTT topic; use a name without / + #", value)
		}
	}
	w.oneOf("language", c.Language, "en", "fa")
	w.between("match.length", c.Match.Length, 0, 99)
	w.oneOf("match.bottom", c.Match.Bottom, "light", "dark")
	w.oneOf("match.home", c.Match.Home, "left", "right")
	c.checkLaw(&w)
	w.oneOf("clock.condition", c.Clock.Condition, "required", "request", "agreement")
	w.oneOf("clock.preset", c.Clock.Preset, Presets...)
	w.notNegative("clock.reserve", c.Clock.Reserve)
	w.notNegative("clock.delay", c.Clock.Delay)
	w.oneOf("monitor.mode", c.Monitor.Mode, "announce", "director_only", "off")
	if c.Camera.Source == "" {
		w.add("camera.source", "say where the picture comes from, such as /dev/video0")
	}
	w.between("camera.width", c.Camera.Width, 320, 7680)
	w.between("camera.height", c.Camera.Height, 240, 4320)
	w.between("camera.fps", c.Camera.FPS, 1, 60)
	for key, b := range map[string]Button{"buttons.light": c.Buttons.Light, "buttons.dark": c.Buttons.Dark, "buttons.pause": c.Buttons.Pause} {
		w.oneOf(key+".pull", b.Pull, "up", "down", "none")
	}
	if c.Buttons.Light.Pin == c.Buttons.Dark.Pin {
		w.add("buttons.dark.pin", "both players cannot use line %s", c.Buttons.Dark.Pin)
	}
	if c.Journal.Path == "" {
		w.add("journal.path", "say where the match log lies")
	}
	c.checkNetwork(&w)
	slices.SortFunc(w, func(a, b Problem) int { return strings.Compare(a.Key, b.Key) })
	return w
}

func (c *Config) checkNetwork(w *wrongs) {
	for key, value := range map[string]string{"mqtt.listen": c.MQTT.Listen, "web.listen": c.Web.Listen} {
		if _, _, err := net.SplitHostPort(value); err != nil {
			w.add(key, "%q is not an address; write it as 127.0.0.1:8080 or :8080", value)
		}
	}
	if c.MQTT.Broker == "embedded" || c.MQTT.Broker == "none" {
		return
	}
	u, err := url.Parse(c.MQTT.Broker)
	if err != nil || u.Host == "" || !slices.Contains([]string{"tcp", "ssl", "ws", "wss", "mqtt", "mqtts"}, u.Scheme) {
		w.add("mqtt.broker", "%q is not a broker; use embedded, none or an address such as tcp://broker:1883 or ssl://broker:8883", c.MQTT.Broker)
	}
}
