package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"gocv.io/x/gocv"

	"davar/config"
	"davar/device/camera"
	"davar/device/display"
	"davar/device/doctor"
	"davar/device/gpio"
	"davar/device/mqtt"
	"davar/device/phrasebook"
	"davar/vision"
)

// doctorOptions are the flags of davar doctor.
type doctorOptions struct {
	config      string
	lang        string
	json, press bool
}

func newDoctorCommand() *cobra.Command {
	var o doctorOptions
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check camera, buttons, displays, broker, disk, time and temperature, and say how to mend what fails",
		Long: "Check camera, buttons, lamps, displays, broker, disk, time, temperature and versions, and say how to mend what\n" +
			"fails. With --press each button is asked for and its lamp shines. While davar runs on this machine, and\n" +
			"metrics.listen is set, it is asked how it does instead. Status 1 says that something does not work.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), cmd.OutOrStdout()) },
	}
	f := cmd.Flags()
	f.StringVar(&o.config, "config", "", "settings file (default: what config/davar.yaml lists)")
	f.StringVar(&o.lang, "lang", "", "language of what is printed: en or fa (default: language)")
	f.BoolVar(&o.json, "json", false, "print the findings as one JSON object")
	f.BoolVar(&o.press, "press", false, "have each button pressed and its lamp looked at")
	return cmd
}

func (o *doctorOptions) run(ctx context.Context, out io.Writer) error {
	c, err := loadConfig(o.config)
	if err != nil {
		return err
	}
	if o.lang == "" {
		o.lang = c.Language
	}
	book, err := phrasebook.Open(c.Rules.Names)
	if err != nil {
		return err
	}
	report, running := askRunning(ctx, c.Metrics.Listen)
	if !running {
		report = doctor.Examine(ctx, o.checks(&c, book, out))
	}
	if o.json {
		err = json.NewEncoder(out).Encode(report)
	} else {
		if running {
			say(out, book.Text(o.lang, "doctor.running", nil))
		}
		printReport(out, report, book, o.lang)
	}
	if err == nil && report.State == doctor.Fault {
		err = errFaulty
	}
	return err
}

// errFaulty makes the command end with status 1; the findings have been printed already.
var errFaulty = errors.New("")

// checks returns what is examined while davar does not run.
func (o *doctorOptions) checks(c *config.Config, book *phrasebook.Book, out io.Writer) []doctor.Check {
	set := handset(c)
	if o.press {
		set.Ask = func(key string, params map[string]string) {
			shown := doctor.Finding{Key: key, Params: params}
			what, _ := shown.Tell(book, o.lang)
			fmt.Fprintln(out, what)
		}
	}
	checks := []doctor.Check{
		doctor.Camera(func(ctx context.Context) (doctor.Picture, error) { return lookThrough(ctx, c) }),
		set.Check(),
		doctor.Displays(func() ([]doctor.Display, func(), error) { return examinedDisplays(c.Displays) }),
		brokerCheck(c),
	}
	return append(checks, machineChecks(c)...)
}

// machineChecks are those that disturb nothing, so that a running table can do them too.
func machineChecks(c *config.Config) []doctor.Check {
	return []doctor.Check{
		doctor.Disk(filepath.Dir(c.Journal.Path), "/sys"),
		doctor.Clock("/sys", doctor.Synchronised),
		doctor.Heat("/sys"),
		doctor.Versions(programVersion(), camera.Versions()),
	}
}

// How long the doctor watches a camera, after it has set its exposure.
const doctorWatch = 3 * time.Second

// lookThrough watches the configured camera and looks for a board in what it shows.
func lookThrough(ctx context.Context, c *config.Config) (doctor.Picture, error) {
	p := doctor.Picture{Asked: float64(c.Camera.FPS)}
	warm := warmUp
	if isFile(c.Camera.Source) {
		warm, p.Asked = 0, 0
	}
	reader, err := vision.NewReader()
	if err != nil {
		return p, err
	}
	defer reader.Close()
	if camera.IsAsked(c.Camera.Source) {
		p.AskedSize = [2]int{c.Camera.Width, c.Camera.Height}
	}
	settings := camera.Settings{Width: c.Camera.Width, Height: c.Camera.Height, FPS: c.Camera.FPS}
	p.Observation, err = camera.Probe(ctx, c.Camera.Source, settings, warm, doctorWatch, func(img gocv.Mat) {
		_, err := reader.Read(img)
		found := err == nil
		p.Board = &found
	})
	return p, err
}

// handset returns the buttons and lamps that the settings name.
func handset(c *config.Config) doctor.Handset {
	set := doctor.Handset{Wait: 15 * time.Second}
	b := c.Buttons
	if !b.Enabled {
		return set
	}
	wiring := boardWiring(b)
	for _, line := range []struct {
		pin    string
		button gpio.Button
		list   *[]gpio.Button
	}{
		{b.Light.Pin, gpio.LightButton, &set.Wired}, {b.Dark.Pin, gpio.DarkButton, &set.Wired}, {b.Pause.Pin, gpio.PauseButton, &set.Wired},
		{b.LEDs.Light, gpio.LightButton, &set.Lamps}, {b.LEDs.Dark, gpio.DarkButton, &set.Lamps},
	} {
		if line.pin != "" {
			*line.list = append(*line.list, line.button)
		}
	}
	set.Open = func() (gpio.Buttons, gpio.Panel, func(), error) {
		board, err := gpio.Open(wiring)
		if err != nil {
			return nil, nil, nil, err
		}
		return board, board, func() { _ = board.Close() }, nil // the lines end with the program anyhow
	}
	return set
}

// examinedDisplays opens the displays that the settings name.
func examinedDisplays(d config.Displays) ([]doctor.Display, func(), error) {
	if !anyDisplay(d) {
		return nil, func() {}, nil
	}
	bus, err := display.OpenBus(d.Bus)
	if err != nil {
		return nil, nil, err
	}
	closeBus := func() { _ = bus.Close() } // the bus ends with the program anyhow
	displays, err := displaysOn(bus, d)
	if err != nil {
		closeBus()
		return nil, nil, err
	}
	var found []doctor.Display
	for _, one := range []doctor.Display{{Address: d.Light, Screen: displays.Light}, {Address: d.Dark, Screen: displays.Dark}, {Address: d.Between, Screen: displays.Between}} {
		if one.Screen != nil {
			found = append(found, one)
		}
	}
	return found, closeBus, nil
}

// brokerCheck returns the check of the broker that the settings name.
func brokerCheck(c *config.Config) doctor.Check {
	m := c.MQTT
	switch m.Broker {
	case "none":
		return doctor.Broker("", false, nil)
	case "embedded":
		return doctor.Broker(m.Listen, true, nil)
	}
	return doctor.Broker(m.Broker, false, func(ctx context.Context) error {
		server := mqtt.Server{URL: m.Broker, CAFile: m.CAFile}
		if m.PasswordFile != "" {
			password, err := readPassword("mqtt.password_file", m.PasswordFile)
			if err != nil {
				return err
			}
			server.User, server.Password = m.User, password
		}
		return mqtt.Probe(ctx, server)
	})
}

// askRunning asks the davar that runs on this machine how it does; false when none answers.
func askRunning(ctx context.Context, listen string) (doctor.Report, bool) {
	var report doctor.Report
	if listen == "" {
		return report, false
	}
	ctx, stop := context.WithTimeout(ctx, 15*time.Second)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+reachable(listen)+"/doctor.json", nil)
	if err != nil {
		return report, false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return report, false
	}
	defer response.Body.Close()
	err = json.NewDecoder(response.Body).Decode(&report)
	return report, err == nil && response.StatusCode == http.StatusOK
}

// reachable returns an address at which this machine reaches what listens at listen.
func reachable(listen string) string {
	host, port, err := net.SplitHostPort(listen)
	if ip := net.ParseIP(host); err == nil && (host == "" || ip != nil && ip.IsUnspecified()) {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return listen
}

// printReport writes the findings for people, and what to do.
func printReport(out io.Writer, r doctor.Report, book *phrasebook.Book, lang string) {
	count := map[doctor.State]int{}
	for _, f := range r.Findings {
		count[f.State]++
		what, do := f.Tell(book, lang)
		state := book.Text(lang, "doctor.state_"+string(f.State), nil)
		fmt.Fprintf(out, "%-8s %-12s %s\n", state, book.Text(lang, "doctor.name_"+f.Check, nil), what)
		if do != "" {
			fmt.Fprintf(out, "%21s → %s\n", "", do)
		}
	}
	if n := count[doctor.Fault]; n > 0 {
		say(out, book.Count(lang, "doctor.some_faults", n, nil))
	}
	if n := count[doctor.Warning]; n > 0 {
		say(out, book.Count(lang, "doctor.some_warnings", n, nil))
	}
	if count[doctor.Fault]+count[doctor.Warning] == 0 {
		say(out, book.Text(lang, "doctor.all_well", nil))
	}
}
