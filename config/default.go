package config

import "time"

// Default returns the configuration of a table about which nothing was said: a seven-point match with clock in
// front of the first camera, everything reachable from this machine alone.
func Default() Config {
	return Config{
		Club: "club", Table: "1", Language: "en",
		Match: Match{Light: "Light", Dark: "Dark", Length: 7, Bottom: "light", Home: "right"},
		Rules: defaultRules(),
		Cube:  Cube{Enabled: true, Max: 64, Crawford: true, MatchEndByDrop: "forced_take", ClosedOutMayDouble: true},
		End:   End{Concession: "only_if_certain", TimeLoss: "match"},
		Dice: Dice{OpeningInvalid: "reroll_one", CockedHold: time.Second, CockedNear: 800 * time.Millisecond,
			FastRoll: "opponent_choice", FastRollWaiver: true},
		Turn:    Turn{End: "clock"},
		Moves:   Moves{Regime: "enforce", CorrectUntil: "throw", Who: "both_and_officials"},
		Setup:   Setup{CorrectUntil: "second_play_complete"},
		Break:   Break{Count: 1, Max: 10 * time.Minute},
		Publish: Publish{Delay: 2 * time.Minute, Pips: "public_only", Chances: true},
		Clock:   Clock{Condition: "agreement", Preset: "usbgf-singles", ClosedOutPress: true},
		Monitor: Monitor{Mode: "announce"},
		Camera:  Camera{Source: "/dev/video0", Width: 1280, Height: 720, FPS: 10},
		Buttons: Buttons{
			Light: Button{Pin: "GPIO17", ActiveLow: true, Pull: "up"},
			Dark:  Button{Pin: "GPIO27", ActiveLow: true, Pull: "up"},
			Pause: Button{Pin: "GPIO22", ActiveLow: true, Pull: "up"},
		},
		Displays: Displays{Bus: 1, Brightness: 8},
		Journal:  Journal{Path: "davar.db", Pictures: 2000},
		MQTT:     MQTT{Broker: "embedded", Listen: "127.0.0.1:1883", User: "director"},
		Web:      Web{Listen: "127.0.0.1:8080"},
		Hub:      Hub{Listen: "127.0.0.1:8090", Broker: "tcp://127.0.0.1:1883", Viewers: 20_000},
		Log:      Log{Format: "text", Level: "info"},
	}
}
