package mqtt

import (
	"fmt"
	"hash/fnv"
	"regexp"
	"strings"
)

// DefaultDiscovery is the prefix under which Home Assistant looks for devices unless it is told otherwise.
const DefaultDiscovery = "homeassistant"

// discovery is a table's description for Home Assistant: one device with all its entities, as its MQTT integration
// takes it since 2024.11. The long names are used; the short ones save nothing here.
type discovery struct {
	Device            discoveryDevice            `json:"device"`
	Origin            discoveryOrigin            `json:"origin"`
	Components        map[string]discoveryEntity `json:"components"`
	StateTopic        string                     `json:"state_topic"`
	AvailabilityTopic string                     `json:"availability_topic"`
	QoS               int                        `json:"qos"`
}

type discoveryDevice struct {
	Identifiers  string `json:"identifiers"`
	Name         string `json:"name"`
	Manufacturer string `json:"manufacturer"`
	Model        string `json:"model"`
}

type discoveryOrigin struct {
	Name string `json:"name"`
}

// discoveryEntity is one figure of the table, taken from its public state.
type discoveryEntity struct {
	Platform      string `json:"platform"`
	UniqueID      string `json:"unique_id"`
	Name          string `json:"name"`
	Icon          string `json:"icon"`
	ValueTemplate string `json:"value_template"`
	DeviceClass   string `json:"device_class,omitempty"`
	Unit          string `json:"unit_of_measurement,omitempty"`
	PayloadOn     string `json:"payload_on,omitempty"`
	PayloadOff    string `json:"payload_off,omitempty"`
}

// unfit is what Home Assistant does not take in an identifier.
var unfit = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// discoveryTopic returns where the description is published, retained.
func discoveryTopic(prefix string, p Place) string {
	return prefix + "/device/" + discoveryID(p) + "/config"
}

// discoveryID names a table to Home Assistant. Where letters had to go, a sum of the true names keeps tables apart.
func discoveryID(p Place) string {
	name := p.Club + "_" + p.Table
	id := unfit.ReplaceAllString(name, "-")
	if id != name {
		sum := fnv.New32a()
		sum.Write([]byte(name))
		id = fmt.Sprintf("%s_%08x", id, sum.Sum32())
	}
	return "davar_" + id
}

// isDiscovery reports whether topic is where a table describes itself, under whatever prefix.
func isDiscovery(topic string) bool {
	levels := strings.Split(topic, "/")
	return len(levels) == 4 && levels[1] == "device" && strings.HasPrefix(levels[2], "davar_") && levels[3] == "config"
}

// describe returns the table's description. It holds public figures alone: a house's screens are in the players' view
// (PUB-5), so there is no pip count among them (PUB-3).
func describe(p Place) discovery {
	id := discoveryID(p)
	entity := func(key, name, icon, template string) discoveryEntity {
		return discoveryEntity{Platform: "sensor", UniqueID: id + "_" + key, Name: name, Icon: "mdi:" + icon, ValueTemplate: template}
	}
	left := func(key, name, side string) discoveryEntity {
		e := entity(key, name, "timer-outline", "{{ (value_json.clock.remaining_ms["+side+"] / 1000) | round(0) if value_json.clock is defined else none }}")
		e.DeviceClass, e.Unit = "duration", "s"
		return e
	}
	running := entity("running", "Clock running", "timer-play-outline", "{{ 'ON' if value_json.clock is defined and value_json.clock.running else 'OFF' }}")
	running.Platform, running.PayloadOn, running.PayloadOff = "binary_sensor", "ON", "OFF"
	return discovery{
		Device: discoveryDevice{Identifiers: id, Name: "Backgammon table " + p.Table + ", " + p.Club, Manufacturer: "Davar", Model: "Table"},
		Origin: discoveryOrigin{Name: "Davar"}, StateTopic: p.Topic(StateLeaf), AvailabilityTopic: p.Topic(AvailableLeaf), QoS: qos,
		Components: map[string]discoveryEntity{
			"players":     entity("players", "Players", "account-multiple", "{{ value_json.players[0] }} – {{ value_json.players[1] }}"),
			"score":       entity("score", "Score", "scoreboard", "{{ value_json.score.light }}–{{ value_json.score.dark }}"),
			"length":      entity("length", "Match length", "counter", "{{ value_json.length }}"),
			"phase":       entity("phase", "Phase", "progress-clock", "{{ value_json.phase }}"),
			"turn":        entity("turn", "Turn", "account-arrow-right", "{{ value_json.turn or none }}"),
			"cube":        entity("cube", "Cube", "dice-multiple", "{{ value_json.cube.value if value_json.cube.enabled else none }}"),
			"winner":      entity("winner", "Winner", "trophy", "{{ value_json.winner if value_json.winner is defined else none }}"),
			"light_clock": left("light_clock", "Light's time", "0"),
			"dark_clock":  left("dark_clock", "Dark's time", "1"),
			"running":     running,
		},
	}
}
