package display

import (
	"testing"
	"time"

	"davar/clock"
)

const whole = 12 * time.Second

func running(light, dark, delay time.Duration) clock.View {
	return clock.View{Remaining: [2]time.Duration{light, dark}, Delay: delay, OnMove: clock.Light, Running: clock.Light,
		Flagged: clock.Nobody}
}

func TestADisplayShows(t *testing.T) {
	paused := running(9*time.Minute, time.Minute, 7*time.Second)
	paused.Running, paused.Paused = clock.Nobody, clock.Ruling
	opening := clock.View{Remaining: [2]time.Duration{14 * time.Minute, 14 * time.Minute}, OnMove: clock.Nobody,
		Running: clock.Nobody, Flagged: clock.Nobody, Paused: clock.Opening}
	flagged := running(0, time.Minute, 0)
	flagged.Running, flagged.Fallen, flagged.Flagged = clock.Nobody, [2]bool{true, false}, clock.Light
	for _, c := range []struct {
		sentence    string
		view        clock.View
		light, dark string
		blink       [2]Blink
		between     string
	}{
		{"minutes and seconds, and a full delay as four points and its seconds", running(14*time.Minute, 9*time.Minute+5*time.Second, whole),
			"1.4.:0.0.", " 9:05", [2]Blink{}, "  12"},
		{"three points when less than nine seconds of twelve are left", running(14*time.Minute, time.Minute, 9*time.Second-1),
			"1.4.:0.0", " 1:00", [2]Blink{}, "   9"},
		{"one point until the delay is gone", running(14*time.Minute, time.Minute, 1), "1.4:00", " 1:00", [2]Blink{}, "   1"},
		{"no point once the reserve runs", running(839*time.Second, time.Minute, 0), "13:59", " 1:00", [2]Blink{}, "    "},
		{"0:01 up to the flag", running(1, time.Minute, 0), " 0:01", " 1:00", [2]Blink{}, "    "},
		{"0:00 at the flag, blinking fast", flagged, " 0:00", " 1:00", [2]Blink{Twice, Steady}, "    "},
		{"an interrupted turn blinking", paused, " .9.:0.0", " 1:00", [2]Blink{Once, Steady}, "   7"},
		{"both steady before the opening roll", opening, "14:00", "14:00", [2]Blink{}, "    "},
		{"minutes up to 99:59", running(6000*time.Second-time.Second, 3600*time.Second, 0), "99:59", "60:00", [2]Blink{}, "    "},
		{"hours from then on", running(100*time.Minute, 25*time.Hour, 0), "1h40", "9h00", [2]Blink{}, "    "},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			light, dark, between := Reserve(c.view, clock.Light, whole), Reserve(c.view, clock.Dark, whole), Delay(c.view)
			if light.String() != c.light || dark.String() != c.dark || between.String() != c.between {
				t.Errorf("light %q dark %q between %q; want %q %q %q", light, dark, between, c.light, c.dark, c.between)
			}
			if light.Blink != c.blink[0] || dark.Blink != c.blink[1] {
				t.Errorf("blinking %d %d, want %v", light.Blink, dark.Blink, c.blink)
			}
		})
	}
	if Delay(paused).Blink != Once {
		t.Error("the delay of an interrupted turn must blink")
	}
}
