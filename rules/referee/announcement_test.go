package referee_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"davar/rules"
	"davar/rules/match"
	"davar/rules/referee"
	"davar/rules/sighting"
)

// announcementRow is one row of RULES §3 with what fills its texts in the scene that provokes it here. The texts are
// checked beside the catalogue.
type announcementRow struct {
	Code     string            `json:"code"`
	Severity string            `json:"severity"`
	Remedy   string            `json:"remedy"`
	Until    string            `json:"until"`
	Actors   []string          `json:"actors"`
	Params   map[string]string `json:"params"`
	Silent   bool              `json:"silent"`   // to the players under the opponent's-option regime
	Director bool              `json:"director"` // for the director only in any case
}

func announcementRows(t *testing.T) []announcementRow {
	t.Helper()
	text, err := os.ReadFile("testdata/announcements.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []announcementRow
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

// heard returns the first announcement of that code, with its event; nil when there was none.
func (s scene) heard(code string) *referee.Event {
	for i := range s.Events {
		if e := &s.Events[i]; e.Type != referee.RulingWithdrawn && e.Ruling != nil && e.Ruling.Code == code {
			return e
		}
	}
	return nil
}

// withdrawn tells whether an announcement of that code was taken back.
func (s scene) withdrawn(code string) bool {
	return slices.ContainsFunc(s.Events, func(e referee.Event) bool {
		return e.Type == referee.RulingWithdrawn && e.Ruling.Code == code
	})
}

// position returns the position of rows such as "bar/1 24/2 6/5 | 13/5", each player in his own numbering, light first;
// whatever is missing to fifteen is borne off.
func position(t *testing.T, light, dark string) (p rules.Position) {
	t.Helper()
	for side, row := range []string{light, dark} {
		left := rules.Checkers
		for _, item := range strings.Fields(row) {
			var point, n int
			if _, err := fmt.Sscanf(strings.Replace(item, "bar", "25", 1), "%d/%d", &point, &n); err != nil {
				t.Fatalf("%s: %v", item, err)
			}
			p.Checkers[side][point] = uint8(n)
			left -= n
		}
		p.Checkers[side][rules.Off] = uint8(left)
	}
	return p
}

// from puts the position on the board with side on roll.
func (s scene) from(p rules.Position, side rules.Side) scene {
	s.t.Helper()
	s.Put(p)
	s.Decide(referee.Decision{What: referee.DecideSet, Side: side, Position: &p})
	return s
}

// played has light throw the dice, leave that position and press.
func (s scene) played(a, b int, notation string) scene {
	s.t.Helper()
	s.Throw(s.Flat(rules.Light, a, b)...)
	s.move(rules.Light, notation)
	s.Press(rules.Light)
	s.Wait(2 * time.Second)
	return s
}

// left is played with the checkers just put as given.
func (s scene) left(a, b int, change func(*rules.Position)) scene {
	s.Throw(s.Flat(rules.Light, a, b)...)
	p := s.Board.Position
	change(&p)
	s.Put(p)
	s.Press(rules.Light)
	s.Wait(2 * time.Second)
	return s
}

type change = func(*referee.Settings)

// with is a change of settings on top of others.
func with(more ...change) change {
	return func(x *referee.Settings) {
		for _, c := range more {
			if c != nil {
				c(x)
			}
		}
	}
}

func filmedOpening(x *referee.Settings) { x.OpeningSeen = true }

// provoke has each announcement made at a table that is seen perfectly.
var provoke = map[string]func(t *testing.T, c change) scene{
	"M1": func(t *testing.T, c change) scene { return newScene(t, c).played(3, 1, "8/5") },
	"M2": func(t *testing.T, c change) scene {
		return newScene(t, c).from(position(t, "24/1", "11/6 3/5 2/4"), rules.Light).played(6, 4, "24/20")
	},
	"M3": func(t *testing.T, c change) scene { return newScene(t, c).played(3, 1, illegal31) },
	"M4": func(t *testing.T, c change) scene { return newScene(t, c).played(6, 5, "24/19 13/7") },
	"M5": func(t *testing.T, c change) scene {
		p := position(t, "bar/1 13/5 8/4 6/5", "13/6 8/3 6/3 4/3")
		return newScene(t, c).from(p, rules.Light).played(5, 3, "13/8 6/3")
	},
	"M6": func(t *testing.T, c change) scene {
		return newScene(t, c).from(position(t, "6/3 4/3 3/2 2/2", "13/8 8/7"), rules.Light).played(5, 1, "4/off 4/3")
	},
	"M7": func(t *testing.T, c change) scene {
		return newScene(t, c).left(3, 1, func(p *rules.Position) {
			light := &p.Checkers[rules.Light]
			light[8]--
			light[5]++
			light[13]--
			light[14]++
		})
	},
	"M8": func(t *testing.T, c change) scene {
		p := position(t, "13/2 6/5 5/4 4/4", "24/2 17/1 13/5 6/7")
		return newScene(t, c).from(p, rules.Light).left(5, 4, func(p *rules.Position) {
			light := &p.Checkers[rules.Light]
			light[13] -= 2
			light[8]++
			light[9]++
		})
	},
	"M9": func(t *testing.T, c change) scene {
		return newScene(t, c).left(3, 1, func(p *rules.Position) {
			light := &p.Checkers[rules.Light]
			light[8]--
			light[6]--
			light[5] += 2
			p.Checkers[rules.Dark][13]--
		})
	},
	"M10": func(t *testing.T, c change) scene {
		iran := func(x *referee.Settings) { x.Options = match.OptionsFor(rules.Iran) }
		p := position(t, "24/2 13/4 8/2 6/3 4/4", "24/1 20/1 13/5 8/3 6/5")
		return newScene(t, with(iran, c)).from(p, rules.Light).played(3, 1, "8/5*/4")
	},
	"M11": func(t *testing.T, c change) scene {
		p := position(t, "24/2", "13/3 7/2 6/2 5/2 4/2 3/2 2/2")
		return newScene(t, c).from(p, rules.Light).played(6, 5, "24/17")
	},
	"M12": func(t *testing.T, c change) scene { return newScene(t, c).played(3, 2, "24/23 6/5") },
	"M13": func(t *testing.T, c change) scene {
		s := newScene(t, with(c, func(x *referee.Settings) { x.Mode = "director_only" })).played(3, 1, illegal31)
		s.Lift(rules.Light)
		s.Throw(s.Flat(rules.Dark, 6, 5)...)
		return s
	},
	"D1": func(t *testing.T, c change) scene {
		s := newScene(t, c)
		leaning(s, 1500*time.Millisecond)
		return s
	},
	"D2": func(t *testing.T, c change) scene {
		s := newScene(t, c)
		lost := s.Flat(rules.Dark, 4)[0]
		lost.Owner = rules.Light
		s.Throw(s.Flat(rules.Light, 6)[0], lost)
		return s
	},
	"D3": func(t *testing.T, c change) scene {
		s := newScene(t, c)
		onChecker(s)
		return s
	},
	"D4": func(t *testing.T, c change) scene {
		s := newScene(t, c)
		s.oneByOne(rules.Light, 900*time.Millisecond, 6, 4)
		return s
	},
	"D5": func(t *testing.T, c change) scene { return newScene(t, c).liftedAsCocked() },
	"D6": func(t *testing.T, c change) scene {
		s := newScene(t, c)
		s.Throw(s.Flat(rules.Light, 6, 4)...)
		s.move(rules.Light, "24/14")
		s.Throw(s.Flat(rules.Dark, 5, 5)...)
		return s
	},
	"D7": func(t *testing.T, c change) scene {
		s := newScene(t, c)
		s.Throw(s.Flat(rules.Light, 6, 4)...)
		s.jolt(1, 2)
		return s
	},
	"D8": func(t *testing.T, c change) scene {
		s := newScene(t, with(pickup, c))
		s.Throw(s.Flat(rules.Light, 6, 4)...)
		s.move(rules.Light, "24/14")
		s.jolt(1, 4)
		return s
	},
	"D9": func(t *testing.T, c change) scene {
		s := newScene(t, c)
		s.Throw(s.Flat(rules.Light, 6, 4)...)
		s.Wait(time.Second)
		s.Lift(rules.Light)
		s.Throw(s.Flat(rules.Light, 6, 6)...)
		return s
	},
	"D10": func(t *testing.T, c change) scene { return newScene(t, c).closedOutNow() },
	"D11": func(t *testing.T, c change) scene {
		s := newScene(t, with(filmedOpening, c))
		s.Throw(append(s.Flat(rules.Light, 4), s.Flat(rules.Dark, 4)...)...)
		return s
	},
	"D12": func(t *testing.T, c change) scene {
		s := newScene(t, with(filmedOpening, c))
		light, dark := s.Flat(rules.Light, 4)[0], s.Flat(rules.Dark, 6)[0]
		dark.Cocked = true
		s.Throw(light, dark)
		return s
	},
	"D13": func(t *testing.T, c change) scene {
		s := newScene(t, c)
		s.Throw(s.Flat(rules.Dark, 4, 2)...)
		return s
	},
	"C1": func(t *testing.T, c change) scene {
		s := closed(t, c)
		s.Throw(s.Flat(rules.Dark, 6, 5)...)
		s.MoveCube(sighting.CubeOfferedLeft, 2)
		return s
	},
	"C2": func(t *testing.T, c change) scene {
		s := closed(t, c)
		s.MoveCube(sighting.CubeOfferedLeft, 2)
		s.MoveCube(sighting.CubeLight, 2)
		s.Decide(referee.Decision{What: referee.DecideDouble, Side: rules.Dark})
		return s
	},
	"C3": func(t *testing.T, c change) scene {
		s := closed(t, with(c, func(x *referee.Settings) { x.Score = referee.Score{Light: 6, Dark: 3} }))
		s.MoveCube(sighting.CubeOfferedLeft, 2)
		return s
	},
	"C4": func(t *testing.T, c change) scene {
		s := closed(t, c)
		s.MoveCube(sighting.CubeOfferedLeft, 2)
		s.MoveCube(sighting.CubeLight, 2)
		s.Board.Cube.Value = 8
		s.Wait(10 * time.Second)
		return s
	},
	"C5": func(t *testing.T, c change) scene {
		s := closed(t, with(c, func(x *referee.Settings) { x.Score, x.CrawfordDone = referee.Score{Light: 3, Dark: 6}, true }))
		s.MoveCube(sighting.CubeOfferedLeft, 2)
		s.Decide(referee.Decision{What: referee.DecideDrop, Side: rules.Light})
		return s
	},
	"C6": func(t *testing.T, c change) scene {
		s := closed(t, c)
		s.MoveCube(sighting.CubeLight, 64)
		s.Wait(2 * time.Second)
		return s
	},
	"K1": func(t *testing.T, c change) scene {
		s := newScene(t, with(filmedOpening, c))
		s.Throw(append(s.Flat(rules.Light, 6), s.Flat(rules.Dark, 1)...)...)
		s.Wait(5 * time.Second)
		return s
	},
	"K2": func(t *testing.T, c change) scene {
		s := newScene(t, c)
		s.Wait(16 * time.Minute)
		return s
	},
	"K3": func(t *testing.T, c change) scene {
		s := newScene(t, c)
		s.Throw(s.Flat(rules.Light, 3, 1)...)
		s.Press(rules.Light)
		s.Wait(2 * time.Second)
		return s
	},
	"K4": func(t *testing.T, c change) scene {
		s := newScene(t, c)
		s.Press(rules.Dark)
		return s
	},
	"S1": func(t *testing.T, c change) scene { return newSceneWith(t, wrongStart(), c) },
	"S2": func(t *testing.T, c change) scene {
		s := closed(t, c)
		p := s.Board.Position
		p.Checkers[rules.Dark][13]--
		s.Put(p)
		s.Wait(2 * time.Second)
		return s
	},
	"S3": func(t *testing.T, c change) scene {
		s := dropped(t, with(confirmedScore, c))
		s.Decide(referee.Decision{What: referee.DecideNext, Score: &referee.Score{Dark: 2}})
		return s
	},
	"S4": func(t *testing.T, c change) scene {
		s := dropped(t, with(confirmedScore, c))
		s.Put(rules.Start(rules.Standard))
		s.Throw(append(s.Flat(rules.Light, 2), s.Flat(rules.Dark, 5)...)...)
		return s
	},
	"S5": func(t *testing.T, c change) scene {
		s := newScene(t, c)
		s.Decide(referee.Decision{What: referee.DecideResign, Side: rules.Light, Points: 1})
		return s
	},
	"P1": func(t *testing.T, c change) scene {
		s := dropped(t, c)
		s.Decide(referee.Decision{What: referee.DecideConfirm})
		s.Decide(referee.Decision{What: referee.DecidePause, Why: "break"})
		s.Wait(14 * time.Minute)
		s.Press(rules.Dark) // he is back, and waits
		s.Wait(90 * time.Second)
		return s
	},
	"P2": func(t *testing.T, c change) scene {
		s := newScene(t, c)
		s.Decide(referee.Decision{What: referee.DecidePause, Why: "break"})
		return s
	},
	"P3": func(t *testing.T, c change) scene {
		s := dropped(t, c)
		s.Decide(referee.Decision{What: referee.DecidePause, Why: "break"})
		return s
	},
	"P4": func(t *testing.T, c change) scene {
		s := newScene(t, c)
		s.Throw(s.Flat(rules.Light, 6, 4)...)
		s.reachBy(rules.Dark, time.Second)
		s.Idle(time.Second)
		s.Wait(time.Second) // it is told of when it is gone
		return s
	},
	"X1": func(t *testing.T, c change) scene {
		s := newScene(t, c)
		s.Throw(s.Flat(rules.Light, 6)...)
		s.Wait(1700 * time.Millisecond) // two seconds have passed in Throw
		return s
	},
	"X2": func(t *testing.T, c change) scene {
		s := newScene(t, c)
		s.blind(4 * time.Second)
		return s
	},
}

func TestEachAnnouncementIsMadeAsTheRuleBookHasIt(t *testing.T) {
	rows := announcementRows(t)
	if len(rows) != 47 || len(provoke) != 47 {
		t.Fatalf("%d rows and %d scenes, RULES §3 has 47", len(rows), len(provoke))
	}
	for _, row := range rows {
		t.Run(row.Code, func(t *testing.T) {
			t.Parallel()
			s := provoke[row.Code](t, nil)
			e := s.heard(row.Code)
			if e == nil {
				t.Fatal("it was not announced")
			}
			got := e.Ruling
			if got.Severity != row.Severity || got.Remedy != row.Remedy || got.Until != row.Until || !slices.Equal(got.Actors, row.Actors) {
				t.Errorf("severity %s, remedy %s until %s by %v; the rule book has %+v", got.Severity, got.Remedy, got.Until, got.Actors, row)
			}
			if !maps.Equal(got.Params, row.Params) {
				t.Errorf("filled in with %v, want %v", got.Params, row.Params)
			}
			if got.ID != e.Seq || len(got.Rules) == 0 || got.Offence == "" || got.After < got.Before {
				t.Errorf("its number, rules, evidence: %+v", got)
			}
			if to := map[bool]string{false: "table", true: "director"}[row.Director || row.Code == "M13"]; got.Audience != to {
				t.Errorf("said to the %s, want %s", got.Audience, to)
			}
			s.onlyRuled(row.Code)
		})
	}
}

// onlyRuled checks that nothing else was held against anybody: what M13 closes was announced before.
func (s scene) onlyRuled(code string) {
	s.t.Helper()
	for i := range s.Events {
		e := &s.Events[i]
		if e.Type != referee.RulingMade || e.Ruling.Code == code || e.Ruling.Severity == "I" || code == "M13" && e.Ruling.Code == "M3" {
			continue
		}
		s.t.Errorf("%s was announced too", e.Ruling.Code)
	}
}

func TestWhoHearsAnAnnouncementIsAsTheMonitorModeSays(t *testing.T) {
	for mode, want := range map[string]string{"director_only": "director", "off": "log"} {
		for _, row := range announcementRows(t) {
			t.Run(mode+"/"+row.Code, func(t *testing.T) {
				t.Parallel()
				if row.Code == "M13" && mode == "off" {
					t.Skip("its scene sets the mode")
				}
				s := provoke[row.Code](t, func(x *referee.Settings) { x.Mode = mode })
				for i := range s.Events {
					if e := &s.Events[i]; e.Ruling != nil && e.Ruling.Audience != want {
						t.Errorf("%s was said to the %s", e.Ruling.Code, e.Ruling.Audience)
					}
				}
				if s.heard(row.Code) == nil {
					t.Error("it was not noticed")
				}
			})
		}
	}
}

func TestUnderTheOpponentsOptionPlayersAreNeverToldOfAnIllegalPlay(t *testing.T) {
	for _, row := range announcementRows(t) {
		if !row.Silent {
			continue
		}
		t.Run(row.Code, func(t *testing.T) {
			t.Parallel()
			option := func(x *referee.Settings) { x.Options.Regime = match.OpponentOption }
			s := provoke[row.Code](t, option)
			if e := s.heard(row.Code); e == nil || e.Ruling.Audience != "director" {
				t.Errorf("it is for the director alone: %+v", e)
			}
		})
	}
}

func TestNoAnnouncementShowsABetterPlayToThePlayers(t *testing.T) {
	s := provoke["M1"](t, nil)
	body := *s.heard("M1").Ruling
	if len(body.Nearest) == 0 {
		t.Fatal("the director sees what could be played")
	}
	body.Nearest = nil // consumers leave it out for everybody but the director
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	for _, play := range []string{"8/5", "6/5", "24/"} {
		if strings.Contains(string(text), play) {
			t.Errorf("%s is shown in %s (EQUIP-9)", play, text)
		}
	}
}
