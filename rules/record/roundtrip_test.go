package record

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"davar/rules"
	"davar/rules/match"
)

// randomMatch plays a match with random dice, plays, cube actions, resignations and now and then a play that is
// not legal but stands.
func randomMatch(t *testing.T, random *rand.Rand) *Record {
	t.Helper()
	variants := []rules.Variant{rules.Standard, rules.Nackgammon}
	o := match.OptionsFor(variants[random.IntN(len(variants))])
	length := random.IntN(6)
	o.Jacoby, o.Beavers, o.Concession = length == 0, length == 0, match.SingleCube
	o.MatchEndByDrop = match.AllowDrop
	m, err := match.New(length, o)
	if err != nil {
		t.Fatal(err)
	}
	rec := &Record{
		Header:  []Field{{"Event", "Open [final] \"A\""}, {"EventDate", "2026.11.29"}, {"Stage", "1"}},
		Players: [2]string{"Ann Lee", "Ben"}, Length: length, Variant: o.Rules.Variant, Crawford: true,
		Jacoby: m.Options.Jacoby, Beavers: m.Options.Beavers, Comments: []string{"a friendly match"},
	}
	for range 4 {
		rec.Games = append(rec.Games, randomGame(t, &m, random))
		if m.Next() != nil {
			break
		}
	}
	return rec
}

func randomGame(t *testing.T, m *match.Match, random *rand.Rand) Game {
	t.Helper()
	g := Game{Number: m.Game.Number, Score: m.Score, Crawford: m.Game.Crawford, Start: m.Game.Position}
	for m.Game.Phase < match.GameOver {
		a := randomAction(t, m, random)
		if a != nil {
			g.Actions = append(g.Actions, *a)
		}
	}
	g.Result = &Result{Winner: m.Result.Winner, Points: m.Result.Points, Match: m.Result.Match, Resigned: m.Result.How == match.Resigned}
	return g
}

// randomAction does the next thing in the game and returns it; nil when a closed-out player passes.
func randomAction(t *testing.T, m *match.Match, random *rand.Rand) *Action {
	t.Helper()
	g := &m.Game
	side := g.Turn
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	switch {
	case g.Phase == match.AwaitOpening:
		_, err := m.Open(uint8(1+random.IntN(6)), uint8(1+random.IntN(6)))
		must(err)
		return nil
	case g.Phase == match.AwaitAnswer:
		side = g.Offer.By.Other()
		switch k := random.IntN(6); {
		case k == 0 && !g.Offer.Beaver: // a dropped beaver is another test's
			_, err := m.Drop(side)
			must(err)
			return &Action{Kind: Drop, Side: side}
		case k == 1 && m.Beaver(side) == nil:
			return &Action{Kind: Beaver, Side: side, Cube: g.Offer.Value}
		}
		must(m.Take(side))
		return &Action{Kind: Take, Side: side}
	case g.Phase == match.AwaitRoll && random.IntN(30) == 0 && m.Double(side) == nil:
		return &Action{Kind: Double, Side: side, Cube: g.Offer.Value}
	case g.Phase == match.AwaitRoll && random.IntN(150) == 0:
		must(m.Award(side.Other(), rules.Single, match.Resigned))
		return nil
	case g.Phase == match.AwaitRoll && g.Position.ClosedOut(side):
		must(m.Forfeit())
		return nil
	case g.Phase == match.AwaitRoll:
		must(m.Roll(side, rules.Dice{uint8(1 + random.IntN(6)), uint8(1 + random.IntN(6))}))
	}
	a := randomPlay(m, random)
	final := g.Position
	if a.Position != nil {
		final = *a.Position
	} else if len(a.Steps) > 0 {
		var err error
		final, err = rules.Apply(&g.Position, side, a.Steps)
		must(err)
	}
	must(m.Play(final))
	return a
}

// randomPlay returns a legal play of the roll, or rarely another position.
func randomPlay(m *match.Match, random *rand.Rand) *Action {
	g := &m.Game
	a := &Action{Kind: Roll, Side: g.Turn, Dice: g.Dice}
	plays := rules.NewGenerator(m.Options.Rules).Plays(&g.Position, g.Turn, g.Dice)
	if random.IntN(25) == 0 {
		other := rules.Plays(&g.Position, g.Turn, rules.Dice{uint8(1 + random.IntN(6)), uint8(1 + random.IntN(6))})
		if len(other) > 0 {
			final := other[random.IntN(len(other))].Final
			if _, over := final.Winner(); !over {
				a.Position = &final
				return a
			}
		}
	}
	if len(plays) > 0 {
		steps, err := rules.ParseNotation(plays[random.IntN(len(plays))].String())
		if err == nil {
			a.Steps = steps
		}
	}
	return a
}

func TestRandomMatchesAreReadBackFromEveryFormat(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for i := range 20 {
		rec := randomMatch(t, random)
		for _, format := range []Format{FormatMat, FormatSGF, FormatJSON} {
			data, _, err := rec.Write(format)
			if err != nil {
				t.Fatal(err)
			}
			again, err := Read(data)
			if err != nil {
				t.Fatalf("match %d, %s: %v", i, format, err)
			}
			if d := sameGames(rec, again); d != "" {
				t.Fatalf("match %d, %s: %s\n%s", i, format, d, data)
			}
			if format == FormatJSON && !reflect.DeepEqual(rec, again) {
				t.Errorf("match %d: JSON\n%+v became\n%+v", i, rec, again)
			}
			if len(again.Notes) > 0 {
				t.Errorf("match %d, %s: notes %v", i, format, again.Notes)
			}
			second, _, err := again.Write(format)
			if err != nil || string(second) != string(data) {
				t.Errorf("match %d, %s: written again it differs (%v)", i, format, err)
			}
		}
	}
}
