package config

import "time"

// Default returns the configuration of a table about which nothing was said: a seven-point match with clock in
// front of the first camera, everything reachable from this machine alone.
func Default() Config {
	return Config{
		Club: "club", Table: "1", Language: "en",
		Match: Match{Light: "Light", Dark: "Dark", Length: 7, Bottom: "light", Home: "right",
			TurnEnd: "clock", Cube: true, Crawford: true},
		Clock:   Clock{Preset: "usbgf-singles"},
		Monitor: Monitor{Mode: "announce"},
		Camera:  Camera{Source: "/dev/video0", Width: 1280, Height: 720, FPS: 10},
		Buttons: Buttons{
			Light: Button{Pin: "GPIO17", ActiveLow: true, Pull: "up"},
			Dark:  Button{Pin: "GPIO27", ActiveLow: true, Pull: "up"},
			Pause: Button{Pin: "GPIO22", ActiveLow: true, Pull: "up"},
		},
		Journal: Journal{Path: "davar.db"},
		MQTT:    MQTT{Broker: "embedded", Listen: "127.0.0.1:1883", User: "director", PublicDelay: 120 * time.Second},
		Web:     Web{Listen: "127.0.0.1:8080"},
	}
}
