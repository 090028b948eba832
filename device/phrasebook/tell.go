package phrasebook

import (
	"fmt"
	"maps"

	"davar/clock"
	"davar/rules"
	"davar/rules/referee"
)

// Tell returns the sentence that tells an event to people, with the players' names indexed by rules.Side; a
// player without a name is called after his checkers. It is empty for events nobody needs to be told, such as
// the end of a turn.
func (b *Book) Tell(lang string, event referee.Event, players [2]string) string {
	t := teller{b, lang, event, players}
	text := t.tell()
	if text != "" && event.Why == corrected {
		return b.Text(lang, "say.corrected", nil) + text
	}
	return text
}

// corrected is the Why of a roll or play that takes the place of the one told before.
const corrected = "corrected"

func (t teller) tell() string {
	b, lang, event := t.book, t.lang, t.event
	switch event.Type {
	case referee.MatchStarted:
		return t.say("match_started", nil)
	case referee.GameStarted:
		if event.Side == nil {
			return t.say("game_begins", nil)
		}
		return t.say("game_started", nil)
	case referee.Roll:
		return t.roll()
	case referee.RollInvalid:
		return b.Text(lang, "invalid."+event.Why, nil)
	case referee.PlayMade:
		if event.Notation == "" { // an illegal play that stands may have none
			return t.say("played", nil)
		}
		return t.say("play", nil)
	case referee.Dance:
		return t.say("dance", nil)
	case referee.CubeOffered:
		return t.say("double", nil)
	case referee.CubeTaken:
		return t.say("take", nil)
	case referee.CubeDropped:
		return t.say("drop", nil)
	case referee.RulingMade, referee.RulingWithdrawn:
		return t.ruling()
	case referee.GameEnded, referee.MatchEnded:
		return t.won()
	case referee.MatchReopened:
		return t.reopened()
	case referee.Attention:
		return b.Attention(lang, event.Why)
	case referee.DecisionMade:
		return t.say("decision", map[string]string{"what": b.decision(lang, event.What)})
	}
	return t.clock()
}

// decision returns the name of a director's decision; one the catalogue does not know comes back as it is.
func (b *Book) decision(lang, what string) string {
	if _, ok := b.Phrases(lang)["decision."+what]; !ok {
		return what
	}
	return b.Text(lang, "decision."+what, nil)
}

type teller struct {
	book    *Book
	lang    string
	event   referee.Event
	players [2]string
}

func (t teller) name(side rules.Side) string {
	if name := t.players[side&1]; name != "" {
		return name
	}
	return (side & 1).String()
}

// params gives a sentence all it may name about the event; extra ones win.
func (t teller) params(extra map[string]string) map[string]string {
	p := map[string]string{
		"light": t.name(rules.Light), "dark": t.name(rules.Dark),
		"game": fmt.Sprint(t.event.Game), "notation": t.event.Notation, "value": fmt.Sprint(t.event.Cube),
	}
	if t.event.Side != nil {
		p["player"] = t.name(*t.event.Side)
	}
	if len(t.event.Dice) == 2 {
		p["a"], p["b"] = fmt.Sprint(t.event.Dice[0]), fmt.Sprint(t.event.Dice[1])
	}
	for name, value := range extra {
		p[name] = value
	}
	return p
}

func (t teller) say(key string, extra map[string]string) string {
	return t.book.Text(t.lang, "say."+key, t.params(extra))
}

func (t teller) roll() string {
	if t.event.Opening {
		return t.say("opening_roll", nil)
	}
	return t.say("roll", nil)
}

func (t teller) ruling() string {
	if t.event.Ruling == nil {
		return ""
	}
	text := t.book.Announce(t.lang, t.event.Ruling.Code, t.named(t.event.Ruling.Params))
	if t.event.Type == referee.RulingWithdrawn {
		// The text is a finished sentence of the language, not a value to be isolated in one.
		return t.book.Text(t.lang, "say.withdrawn", nil) + text
	}
	return text
}

// named puts the players' names in place of their sides where an announcement speaks of a person; a colour stays
// one.
func (t teller) named(params map[string]string) map[string]string {
	named := maps.Clone(params)
	for _, person := range []string{"player", "other"} {
		var side rules.Side
		if side.UnmarshalText([]byte(params[person])) == nil {
			named[person] = t.name(side)
		}
	}
	return named
}

func (t teller) won() string {
	if t.event.Side == nil {
		return ""
	}
	if t.event.Type == referee.GameEnded {
		return t.book.Count(t.lang, "say.game_won", t.event.Points, t.params(map[string]string{"how": t.book.Result(t.lang, t.event.How)}))
	}
	if t.event.Score == nil {
		return t.book.Text(t.lang, "page.wins_match", t.params(nil))
	}
	x, y := t.event.Score.Light, t.event.Score.Dark
	if *t.event.Side == rules.Dark {
		x, y = y, x
	}
	return t.say("match_won", map[string]string{"x": fmt.Sprint(x), "y": fmt.Sprint(y)})
}

// reopened tells that the match goes on, light's points first.
func (t teller) reopened() string {
	if t.event.Score == nil {
		return ""
	}
	return t.say("match_reopened", map[string]string{"x": fmt.Sprint(t.event.Score.Light), "y": fmt.Sprint(t.event.Score.Dark)})
}

func (t teller) clock() string {
	switch t.event.Type {
	case referee.ClockPaused:
		return t.paused()
	case referee.ClockResumed:
		return t.say("resumed", nil)
	case referee.ClockFlagged:
		return t.say("flagged", nil)
	case referee.ClockAdjusted:
		if t.event.Side != nil {
			return t.say("adjusted", nil)
		}
	}
	return ""
}

// paused tells why the clocks stand. The stops that belong to every game, as for the opening roll, are not news.
func (t teller) paused() string {
	switch clock.Reason(t.event.Why) {
	case clock.Opening, clock.BetweenGames, clock.MatchOver:
		return ""
	}
	if _, ok := t.book.Phrases(t.lang)["pause."+t.event.Why]; ok {
		return t.book.Text(t.lang, "pause."+t.event.Why, nil)
	}
	return t.say("paused", nil)
}
