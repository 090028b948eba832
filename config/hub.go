package config

import (
	"net"
	"net/url"
	"slices"
	"strings"
)

// Hub is davar hub: the pages over many tables, fed by a broker.
type Hub struct {
	Listen       string `yaml:"listen"`
	Broker       string `yaml:"broker"` // a URL such as ssl://host:8883
	Club         string `yaml:"club"`   // empty = the tables of all clubs
	User         string `yaml:"user"`   // empty = no account: the public topics need none
	PasswordFile string `yaml:"password_file"`
	CAFile       string `yaml:"ca_file"`
	CertFile     string `yaml:"cert_file"` // own certificate, with key_file
	KeyFile      string `yaml:"key_file"`
	Accounts     string `yaml:"accounts"`         // file of the directors who may sign in, as web.accounts; empty = no console
	SessionKey   string `yaml:"session_key_file"` // file with the key that hubs behind one load balancer share
	Embed        string `yaml:"embed"`            // as web.embed
	Viewers      int    `yaml:"viewers"`
}

func (c *Config) checkHub(w *wrongs) {
	h := c.Hub
	if _, _, err := net.SplitHostPort(h.Listen); err != nil {
		w.add("hub.listen", "%q is not an address; write it as 127.0.0.1:8090 or :8090", h.Listen)
	}
	if !isBroker(h.Broker) {
		w.add("hub.broker", "%q is not a broker; use an address such as tcp://broker:1883 or ssl://broker:8883", h.Broker)
	}
	if strings.ContainsAny(h.Club, "/+#") {
		w.add("hub.club", "%q cannot be part of an MQTT topic; use a name without / + #, or none for all clubs", h.Club)
	}
	if h.Accounts != "" && h.User == "" {
		w.add("hub.accounts", "the console needs a director's account at the broker; set hub.user and hub.password_file too")
	}
	w.between("hub.viewers", h.Viewers, 1, 1_000_000)
	for key, m := range map[string][2]string{"hub.cert_file": {h.CertFile, h.KeyFile}, "mqtt.cert_file": {c.MQTT.CertFile, c.MQTT.KeyFile}} {
		if (m[0] == "") != (m[1] == "") {
			w.add(key, "a certificate needs its key and a key its certificate: set cert_file and key_file")
		}
	}
}

// isBroker tells whether a text is the address of a broker, or those of a cluster's nodes with commas between.
func isBroker(text string) bool {
	for address := range strings.SplitSeq(text, ",") {
		u, err := url.Parse(strings.TrimSpace(address))
		if err != nil || u.Host == "" || !slices.Contains([]string{"tcp", "ssl", "ws", "wss", "mqtt", "mqtts"}, u.Scheme) {
			return false
		}
	}
	return true
}
