package config

import (
	"fmt"
	"net"
	"slices"
	"strconv"
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
	if c.Clock.Condition == "required" && c.Turn.End != "clock" { // CLOCK-1, CLOCK-3
		w.add("turn.end", "where clocks are required (clock.condition) a press ends the turn; set clock, or another condition")
	}
	w.oneOf("clock.preset", c.Clock.Preset, Presets...)
	if c.Clock.System != "" {
		w.oneOf("clock.system", c.Clock.System, "simple", "bronstein", "fischer", "plain", "hourglass")
	}
	w.notNegative("clock.reserve", c.Clock.Reserve)
	w.notNegative("clock.bonus", c.Clock.Bonus)
	w.notNegative("clock.delay", c.Clock.Delay)
	w.notNegative("clock.overtime", c.Clock.Overtime)
	w.oneOf("monitor.mode", c.Monitor.Mode, "announce", "director_only", "off")
	if c.Camera.Source == "" {
		w.add("camera.source", "say where the picture comes from, such as /dev/video0")
	}
	w.between("camera.width", c.Camera.Width, 320, 7680)
	w.between("camera.height", c.Camera.Height, 240, 4320)
	w.between("camera.fps", c.Camera.FPS, 1, 60)
	c.checkDevices(&w)
	if c.Journal.Pictures < 0 {
		w.add("journal.pictures", "say how many megabytes of pictures are kept, 0 for none")
	}
	if c.Journal.Path == "" {
		w.add("journal.path", "say where the match log lies")
	}
	c.checkNetwork(&w)
	c.checkHub(&w)
	w.oneOf("log.format", c.Log.Format, "text", "json")
	w.oneOf("log.level", c.Log.Level, "debug", "info", "warn", "error")
	slices.SortFunc(w, func(a, b Problem) int { return strings.Compare(a.Key, b.Key) })
	return w
}

func (c *Config) checkDevices(w *wrongs) {
	for key, b := range map[string]Button{"buttons.light": c.Buttons.Light, "buttons.dark": c.Buttons.Dark, "buttons.pause": c.Buttons.Pause} {
		w.oneOf(key+".pull", b.Pull, "up", "down", "none")
	}
	if c.Buttons.Light.Pin == c.Buttons.Dark.Pin {
		w.add("buttons.dark.pin", "both players cannot use line %s", c.Buttons.Dark.Pin)
	}
	d := c.Displays
	taken := map[uint16]string{}
	for _, at := range []struct{ key, text string }{{"displays.light", d.Light}, {"displays.dark", d.Dark}, {"displays.between", d.Between}} {
		if at.text == "" {
			continue
		}
		address, err := DisplayAddress(at.text)
		if err != nil {
			w.add(at.key, "%q is not the address of such a display; use 0x70 to 0x77", at.text)
		} else if other, ok := taken[address]; ok {
			w.add(at.key, "%s has the address %s already", other, at.text)
		}
		taken[address] = at.key
	}
	w.between("displays.bus", d.Bus, 0, 255)
	w.between("displays.brightness", d.Brightness, 0, 15)
}

// DisplayAddress returns the address of an HT16K33 on its bus, 0x70 to 0x77, from its text.
func DisplayAddress(text string) (uint16, error) {
	address, err := strconv.ParseUint(text, 0, 16)
	if err == nil && (address < 0x70 || address > 0x77) {
		err = strconv.ErrRange
	}
	return uint16(address), err
}

func (c *Config) checkNetwork(w *wrongs) {
	for key, value := range map[string]string{"mqtt.listen": c.MQTT.Listen, "web.listen": c.Web.Listen, "metrics.listen": c.Metrics.Listen} {
		if value == "" && key == "metrics.listen" {
			continue
		}
		if _, _, err := net.SplitHostPort(value); err != nil {
			w.add(key, "%q is not an address; write it as 127.0.0.1:8080 or :8080", value)
		}
	}
	if strings.ContainsAny(c.MQTT.Discovery, "+#") {
		w.add("mqtt.discovery", "%q cannot begin an MQTT topic; use homeassistant, the prefix that Home Assistant listens to", c.MQTT.Discovery)
	}
	if c.MQTT.Broker == "embedded" || c.MQTT.Broker == "none" {
		return
	}
	if !isBroker(c.MQTT.Broker) {
		w.add("mqtt.broker", "%q is not a broker; use embedded, none or an address such as tcp://broker:1883 or ssl://broker:8883", c.MQTT.Broker)
	}
}
