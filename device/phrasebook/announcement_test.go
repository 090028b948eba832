package phrasebook

import (
	"encoding/json"
	"os"
	"testing"

	"davar/rules"
	"davar/rules/referee"
)

// The scenes in which the referee makes each announcement (rules/referee) fill its text with these parameters.
func TestEachAnnouncementIsSaidInBothLanguagesAsTheRuleBookHasIt(t *testing.T) {
	source, err := os.ReadFile("../../rules/referee/testdata/announcements.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Code   string
		Params map[string]string
		EN, FA string
	}
	if err := json.Unmarshal(source, &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(announcements(t)) {
		t.Fatalf("%d announcements, want those of RULES §3", len(rows))
	}
	book := open(t)
	for _, row := range rows {
		t.Run(row.Code, func(t *testing.T) {
			for lang, want := range map[string]string{English: row.EN, Persian: row.FA} {
				if got := book.Announce(lang, row.Code, row.Params); got != want {
					t.Errorf("%s: %q, want %q", lang, got, want)
				}
				light := rules.Light
				event := referee.Event{Type: referee.RulingMade, Side: &light, Ruling: &referee.RulingBody{Code: row.Code, Params: row.Params}}
				if got := book.Tell(lang, event, [2]string{}); got != want {
					t.Errorf("%s: told as %q, want %q", lang, got, want)
				}
			}
		})
	}
}

func TestEveryDecisionThatMayBeAskedForHasAName(t *testing.T) {
	book := open(t)
	for _, code := range announcements(t) {
		for _, what := range referee.Answers(code[0]) {
			for _, lang := range book.Languages() {
				if _, ok := book.Phrases(lang)["decision."+what]; !ok {
					t.Errorf("%s: %s may be answered by %q, which has no name", lang, code[0], what)
				}
			}
		}
	}
}
