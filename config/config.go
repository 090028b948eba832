package config

import (
	_ "embed"
	"time"
)

// Reference is a configuration file that holds every key with its default value and says what it is for.
//
//go:embed davar.yaml
var Reference []byte

// Config is everything a table can be told. See davar.yaml for each key's meaning, unit and range.
type Config struct {
	Club     string   `yaml:"club"`
	Table    string   `yaml:"table"`
	Language string   `yaml:"language"` // en or fa
	Match    Match    `yaml:"match"`
	Rules    Rules    `yaml:"rules"`
	Cube     Cube     `yaml:"cube"`
	End      End      `yaml:"end"`
	Dice     Dice     `yaml:"dice"`
	Turn     Turn     `yaml:"turn"`
	Moves    Moves    `yaml:"moves"`
	Setup    Setup    `yaml:"setup"`
	Break    Break    `yaml:"break"`
	Publish  Publish  `yaml:"publish"`
	Clock    Clock    `yaml:"clock"`
	Monitor  Monitor  `yaml:"monitor"`
	Camera   Camera   `yaml:"camera"`
	Buttons  Buttons  `yaml:"buttons"`
	Displays Displays `yaml:"displays"`
	Journal  Journal  `yaml:"journal"`
	MQTT     MQTT     `yaml:"mqtt"`
	Web      Web      `yaml:"web"`
	Hub      Hub      `yaml:"hub"`
	Metrics  Metrics  `yaml:"metrics"`
	Log      Log      `yaml:"log"`
}

// Match is who plays what.
type Match struct {
	Light  string `yaml:"light"`  // names shown
	Dark   string `yaml:"dark"`   //
	Length int    `yaml:"length"` // points to win, 0 = money session
	Bottom string `yaml:"bottom"` // side that sits at the bottom of the picture: light or dark (SETUP-3)
	Home   string `yaml:"home"`   // side of the picture with the home boards: left or right (SETUP-3)
	Event  string `yaml:"event"`  // name of the tournament, for the match log; may be empty
}

// Clock is the tournament clock.
type Clock struct {
	Condition      string        `yaml:"condition"`        // required, request, agreement (CLOCK-1)
	Preset         string        `yaml:"preset"`           // usbgf-singles, usbgf-doubles, ukbgf, club-15, no-delay
	System         string        `yaml:"system"`           // simple, bronstein, fischer, plain, hourglass; "" = the preset's
	Reserve        time.Duration `yaml:"reserve"`          // per player; 0 = as the preset says for this length
	Bonus          time.Duration `yaml:"bonus"`            // added once to what the preset gives
	Delay          time.Duration `yaml:"delay"`            // per turn; 0 = as the preset says
	Overtime       time.Duration `yaml:"overtime"`         // given once after the first flag; 0: that flag is final (CLOCK-4)
	ClosedOutPress bool          `yaml:"closed_out_press"` // a closed-out player presses to pass (CLOCK-10)
}

// Monitor is the role the referee plays at the table.
type Monitor struct {
	Mode string `yaml:"mode"` // announce, director_only, off (MON-1)
}

// Camera is the eye.
type Camera struct {
	Source      string `yaml:"source"` // /dev/video0, a video file, a folder of pictures, an http or rtsp address
	Width       int    `yaml:"width"`
	Height      int    `yaml:"height"`
	FPS         int    `yaml:"fps"`
	Calibration string `yaml:"calibration"` // file written by davar calibrate; empty = find the board at the start
}

// Buttons are the players' clock buttons on GPIO lines.
type Buttons struct {
	Enabled bool   `yaml:"enabled"`
	Light   Button `yaml:"light"`
	Dark    Button `yaml:"dark"`
	Pause   Button `yaml:"pause"`
	LEDs    LEDs   `yaml:"leds"`
	Buzzer  string `yaml:"buzzer"` // line name, empty = none
}

// Button is one button's wiring.
type Button struct {
	Pin       string `yaml:"pin"`        // line name such as GPIO17
	ActiveLow bool   `yaml:"active_low"` // pressed connects to ground
	Pull      string `yaml:"pull"`       // up, down or none
}

// LEDs are the lamps of the running side; an empty line name means none.
type LEDs struct {
	Light string `yaml:"light"`
	Dark  string `yaml:"dark"`
}

// Displays are the seven-segment displays of the clock on an I²C bus.
type Displays struct {
	Bus        int    `yaml:"bus"`        // number of the bus: 1 on the header of a Raspberry Pi
	Light      string `yaml:"light"`      // address of the display before each player, such as 0x70; "" = none
	Dark       string `yaml:"dark"`       //
	Between    string `yaml:"between"`    // of the one that shows the delay
	Brightness int    `yaml:"brightness"` // 0 to 15
}

// Journal is where the match is written down.
type Journal struct {
	Path     string `yaml:"path"`
	Pictures int    `yaml:"pictures"` // megabytes of evidence pictures that are kept; 0 = none are taken
}

// MQTT is the stream.
type MQTT struct {
	Broker       string `yaml:"broker"` // embedded, none, or a URL such as ssl://host:8883
	Listen       string `yaml:"listen"` // address of the embedded broker
	User         string `yaml:"user"`   // director's and devices' account
	PasswordFile string `yaml:"password_file"`
	CAFile       string `yaml:"ca_file"`
	CertFile     string `yaml:"cert_file"` // own certificate, with key_file
	KeyFile      string `yaml:"key_file"`
	Discovery    string `yaml:"discovery"` // prefix for Home Assistant's discovery, empty = none
}

// Web is the page.
type Web struct {
	Listen       string `yaml:"listen"`
	PasswordFile string `yaml:"password_file"` // director's; empty = nothing can be changed from the page
	Accounts     string `yaml:"accounts"`      // file of further accounts, written by davar account; empty = none
	Embed        string `yaml:"embed"`         // whose pages may show /embed in a frame; empty = anybody's
}

// Metrics is what tells how the program does.
type Metrics struct {
	Listen string `yaml:"listen"` // where /metrics, /healthz and /doctor.json are served; empty = nowhere
}

// Log is what the program tells those who run it.
type Log struct {
	Format string `yaml:"format"` // text or json
	Level  string `yaml:"level"`  // debug, info, warn or error
}
