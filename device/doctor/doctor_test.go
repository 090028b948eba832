package doctor

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"davar/device/camera"
	"davar/device/display"
	"davar/device/gpio"
	"davar/device/phrasebook"
)

func openBook(t *testing.T) *phrasebook.Book {
	t.Helper()
	book, err := phrasebook.Open("")
	if err != nil {
		t.Fatal(err)
	}
	return book
}

// keys returns "KEY STATE" of the findings.
func keys(found []Finding) string {
	var all []string
	for _, f := range found {
		all = append(all, f.Key+" "+string(f.State))
	}
	return strings.Join(all, ", ")
}

// told fails the test when a finding has a gap in its words, in either language.
func told(t *testing.T, found []Finding) {
	t.Helper()
	book := openBook(t)
	for _, f := range found {
		for _, lang := range book.Languages() {
			what, do := f.Tell(book, lang)
			if strings.ContainsAny(what+do, "{}") || strings.Contains(what+do, "doctor.") || what == "" {
				t.Errorf("%s is told in %s as %q, %q", f.Key, lang, what, do)
			}
			if wrong := f.State == Warning || f.State == Fault; wrong != (do != "") {
				t.Errorf("%s (%s) says in %s to do %q", f.Key, f.State, lang, do)
			}
		}
	}
}

func expect(t *testing.T, found []Finding, want string) {
	t.Helper()
	told(t, found)
	if got := keys(found); got != want {
		t.Errorf("found %s; want %s", got, want)
	}
}

// TestEveryKeyInTheCodeHasItsTexts reads the package's own source: whatever a Finding's Key or a state can be.
func TestEveryKeyInTheCodeHasItsTexts(t *testing.T) {
	phrases := openBook(t).Phrases("en")
	files, _ := filepath.Glob("*.go")
	seen := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			pair, ok := n.(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			key, isKey := pair.Key.(*ast.Ident)
			value, isText := pair.Value.(*ast.BasicLit)
			if !isKey || key.Name != "Key" || !isText {
				return true
			}
			text, _ := strconv.Unquote(value.Value)
			seen++
			if _, ok := phrases["doctor."+text]; !ok {
				t.Errorf("%s: the phrasebook has no doctor.%s", file, text)
			}
			return true
		})
	}
	if seen < 20 {
		t.Errorf("only %d keys were found in the source", seen)
	}
}

func TestAReportIsAsIllAsItsWorstFinding(t *testing.T) {
	for _, c := range []struct {
		states []State
		want   State
	}{
		{nil, Skipped}, {[]State{Good, Skipped}, Good}, {[]State{Warning, Good}, Warning}, {[]State{Fault, Warning}, Fault},
	} {
		var found []Finding
		for _, s := range c.states {
			found = append(found, Finding{State: s})
		}
		if got := Sum(found).State; got != c.want {
			t.Errorf("%v sum to %s, want %s", c.states, got, c.want)
		}
	}
}

func TestACheckThatHangsOrFailsIsAFindingAndHoldsUpNobody(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	r := Examine(context.Background(), []Check{
		{Name: "camera", Wait: 20 * time.Millisecond, Look: func(context.Context) []Finding { <-release; return nil }},
		{Name: "heat", Look: func(context.Context) []Finding { panic("no such chip") }},
		{Name: "time", Look: func(context.Context) []Finding { return []Finding{{Check: "time", State: Good, Key: "time_set"}} }},
	})
	if got := keys(r.Findings); got != "hangs fault, failed fault, time_set ok" || r.State != Fault {
		t.Errorf("found %s, state %s", got, r.State)
	}
	told(t, r.Findings[:2])
}

func TestACameraIsToldByWhatItShows(t *testing.T) {
	yes, no := true, false
	good := camera.Observation{Size: [2]int{1280, 720}, Pictures: 30, Rate: 9.9, Quality: camera.Quality{Light: 0.5, Sharpness: 0.3}}
	for _, c := range []struct {
		name  string
		spoil func(p *Picture)
		want  string
	}{
		{"all well", func(p *Picture) {}, "camera_works ok, camera_board ok"},
		{"calibrated", func(p *Picture) { p.Board, p.Calibrated = nil, true }, "camera_works ok, camera_calibrated ok"},
		{"no board", func(p *Picture) { p.Board = &no }, "camera_works ok, camera_no_board warning"},
		{"slow and dark", func(p *Picture) { p.Rate, p.Light = 4, 0.05 }, "camera_works ok, camera_slow warning, camera_dark fault, camera_board ok"},
		{"glaring", func(p *Picture) { p.Glare = 0.2 }, "camera_works ok, camera_glare warning, camera_board ok"},
		{"bright", func(p *Picture) { p.Light = 0.95 }, "camera_works ok, camera_bright fault, camera_board ok"},
		{"another size", func(p *Picture) { p.AskedSize = [2]int{1920, 1080} }, "camera_works ok, camera_size warning, camera_board ok"},
		{"the size asked for", func(p *Picture) { p.AskedSize = p.Size }, "camera_works ok, camera_board ok"},
		{"blurred and frozen", func(p *Picture) { p.Sharpness, p.Frozen = 0.05, true }, "camera_works ok, camera_frozen fault, camera_blurred warning, camera_board ok"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := Picture{Observation: good, Asked: 10, Board: &yes}
			c.spoil(&p)
			check := Camera(func(context.Context) (Picture, error) { return p, nil })
			expect(t, check.Look(context.Background()), c.want)
		})
	}
	gone := Camera(func(context.Context) (Picture, error) { return Picture{}, camera.ErrLost })
	expect(t, gone.Look(context.Background()), "camera_none fault")
}

// hand is a person who does as the test says when asked.
func hand(sim *gpio.Sim, do func(sim *gpio.Sim, b string)) func(string, map[string]string) {
	return func(_ string, p map[string]string) { do(sim, p["button"]) }
}

func TestButtonsAndLampsAreTriedByPressing(t *testing.T) {
	tap := func(b gpio.Button, times int) func(*gpio.Sim, string) {
		return func(sim *gpio.Sim, _ string) {
			for i := range times {
				sim.Tap(b, time.Now().Add(time.Duration(i)*200*time.Millisecond))
			}
		}
	}
	for _, c := range []struct {
		name  string
		lamps []gpio.Button
		do    func(*gpio.Sim, string)
		want  string
	}{
		{"pressed", nil, tap(gpio.LightButton, 1), "button_works ok"},
		{"pressed with its lamp lit", []gpio.Button{gpio.LightButton}, tap(gpio.LightButton, 1), "button_works ok, lamp_works ok"},
		{"pressed twice: the lamp is dark", []gpio.Button{gpio.LightButton}, tap(gpio.LightButton, 2), "button_works ok, lamp_dark fault"},
		{"the other one came", nil, tap(gpio.DarkButton, 1), "button_swapped fault"},
		{"nothing came", nil, func(*gpio.Sim, string) {}, "button_silent fault"},
		{"the lines vanish", nil, func(s *gpio.Sim, _ string) { s.Break(true) }, "buttons_closed fault"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sim := gpio.NewSim()
			h := Handset{
				Open:  func() (gpio.Buttons, gpio.Panel, func(), error) { return sim, sim, func() {}, nil },
				Wired: []gpio.Button{gpio.LightButton}, Lamps: c.lamps, Wait: 2 * time.Second, Ask: hand(sim, c.do),
			}
			expect(t, h.Check().Look(context.Background()), c.want)
			if sim.Break(false); c.name != "the lines vanish" && sim.Shown() != (gpio.Indication{}) {
				t.Error("a lamp was left shining")
			}
		})
	}
	none := Handset{}
	expect(t, none.Check().Look(context.Background()), "buttons_none skipped")
	busy := Handset{Wired: []gpio.Button{0}, Open: func() (gpio.Buttons, gpio.Panel, func(), error) { return nil, nil, nil, errors.New("gpio: busy") }}
	expect(t, busy.Check().Look(context.Background()), "buttons_closed fault")
	sim := gpio.NewSim()
	alone := Handset{Wired: []gpio.Button{0, 1}, Open: func() (gpio.Buttons, gpio.Panel, func(), error) { return sim, sim, func() {}, nil }}
	expect(t, alone.Check().Look(context.Background()), "buttons_open ok")
}

// screen is a display that works or not.
type screen struct{ err error }

func (s screen) Show(display.Face) error { return s.err }
func (s screen) Off() error              { return s.err }

func TestDisplaysAreToldOneByOne(t *testing.T) {
	check := Displays(func() ([]Display, func(), error) {
		return []Display{{"0x70", screen{}}, {"0x71", screen{errors.New("no acknowledge")}}}, func() {}, nil
	})
	expect(t, check.Look(context.Background()), "display_works ok, display_silent fault")
	check = Displays(func() ([]Display, func(), error) { return nil, nil, errors.New("no bus") })
	expect(t, check.Look(context.Background()), "displays_closed fault")
	check = Displays(func() ([]Display, func(), error) { return nil, func() {}, nil })
	expect(t, check.Look(context.Background()), "displays_none skipped")
}

func TestTheBrokerIsTriedAndItsPasswordNeverTold(t *testing.T) {
	ctx := context.Background()
	expect(t, Broker("", false, nil).Look(ctx), "broker_none skipped")
	expect(t, Broker("127.0.0.1:0", true, nil).Look(ctx), "broker_own ok")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	expect(t, Broker(l.Addr().String(), true, nil).Look(ctx), "broker_port warning")
	secret := "tcp://anna:hunter2@broker:1883"
	expect(t, Broker(secret, false, func(context.Context) error { return nil }).Look(ctx), "broker_works ok")
	found := Broker(secret, false, func(context.Context) error { return errors.New("refused") }).Look(ctx)
	expect(t, found, "broker_silent fault")
	if strings.Contains(found[0].Params["address"], "hunter2") {
		t.Error("the finding tells the password")
	}
}

// tree makes files of a pretended /sys.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestADiskIsToldByRoomWritingAndWear(t *testing.T) {
	told(t, Disk(t.TempDir(), t.TempDir()).Look(context.Background()))
	for free, want := range map[int64]string{50 << 20: "disk_full fault", 500 << 20: "disk_low warning", 5 << 30: "disk_room ok"} {
		expect(t, []Finding{space("/d", free, 8<<30)}, want)
	}
	expect(t, []Finding{writing(t.TempDir(), true)}, "disk_read_only fault")
	expect(t, []Finding{writing("/nowhere", false)}, "disk_closed fault")
	expect(t, Disk("/nowhere", "/sys").Look(context.Background()), "disk_closed fault")
	inMemory := Disk("/dev/shm", t.TempDir()).Look(context.Background())
	told(t, inMemory)
	if got := keys(inMemory); !strings.Contains(got, "disk_memory fault") {
		t.Errorf("of memory it says %s", got)
	}
	sys := tree(t, map[string]string{"block/mmcblk0/device/life_time": "0x01 0x03\n", "fs/ext4/mmcblk0p2/errors_count": "0\n"})
	expect(t, wear(sys), "disk_wear ok")
	sys = tree(t, map[string]string{"block/mmcblk0/device/life_time": "0x0a 0x01\n", "fs/ext4/mmcblk0p2/errors_count": "4\n"})
	expect(t, wear(sys), "disk_worn warning, disk_errors fault")
}

func TestTimeIsALabelThatMayBeUnset(t *testing.T) {
	ctx := context.Background()
	yes, no := func() bool { return true }, func() bool { return false }
	expect(t, Clock(t.TempDir(), yes).Look(ctx), "time_set ok")
	expect(t, Clock(t.TempDir(), no).Look(ctx), "time_unset warning")
	expect(t, Clock(tree(t, map[string]string{"class/rtc/rtc0/name": "ds3231"}), no).Look(ctx), "time_kept ok")
}

func TestHeatAndSupplyAreReadAsThePiTellsThem(t *testing.T) {
	const zone, throttled = "class/thermal/thermal_zone0/temp", "devices/platform/soc/soc:firmware/get_throttled"
	for _, c := range []struct{ milli, bits, want string }{
		{"48312\n", "", "heat_good ok"},
		{"48312", "0\n", "heat_good ok, supply_good ok"},
		{"76000", "50000", "heat_warm warning, supply_was_low warning, was_throttled warning"},
		{"84000", "50005", "heat_hot fault, supply_low fault, throttled warning"},
		{"", "", "heat_unknown skipped"},
	} {
		files := map[string]string{zone: c.milli}
		if c.bits != "" {
			files[throttled] = c.bits
		}
		expect(t, Heat(tree(t, files)).Look(context.Background()), c.want)
	}
}

func TestVersionsAreNamed(t *testing.T) {
	found := Versions("1.2.3", camera.Versions()).Look(context.Background())
	expect(t, found, "versions ok")
	if what, _ := found[0].Tell(openBook(t), "en"); !strings.Contains(what, "1.2.3") || !strings.Contains(what, "OpenCV 4") {
		t.Errorf("versions are told as %q", what)
	}
}
