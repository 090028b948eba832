package web

import (
	"strings"
	"testing"

	"davar/rules/referee"
)

func TestAHallListsTheMatchesThatAreOverTheNewestFirst(t *testing.T) {
	h, url := openHall(t, Settings{})
	if _, body := get(t, url+"/matches?lang=en"); !strings.Contains(body, "No match is over yet.") {
		t.Errorf("of none it tells %s", body)
	}
	h.SetMatches(Place{"north", "1"}, []FinishedMatch{
		{Match: "b", Players: [2]string{"Ada Berg", "Cyrus Dara"}, Score: referee.Score{Light: 7, Dark: 3}, Event: "Spring <Open>", Ended: "2026-06-01T14:00:00Z"},
		{Match: "a", Players: [2]string{"Elif Fikri", "مینا"}, Score: referee.Score{Light: 2, Dark: 5}, Ended: "2026-06-01T12:00:00Z"},
	})
	h.SetMatches(Place{"south", "9"}, []FinishedMatch{{Match: "c", Players: [2]string{"Ivo Jansen", "Gita"}, Ended: "2026-06-01T13:00:00Z"}})
	_, body := get(t, url+"/matches?lang=en")
	ada, ivo, elif := strings.Index(body, "Ada Berg"), strings.Index(body, "Ivo Jansen"), strings.Index(body, "Elif Fikri")
	if ada < 0 || ivo < ada || elif < ivo {
		t.Errorf("they stand at %d, %d, %d", ada, ivo, elif)
	}
	for _, want := range []string{"7–3", "Spring &lt;Open&gt;", `href="/t/south/9/"`} {
		if !strings.Contains(body, want) {
			t.Errorf("it does not tell %s", want)
		}
	}
	if _, body := get(t, url+"/matches?player=FIKRI"); !strings.Contains(body, "Elif") || strings.Contains(body, "Ada") {
		t.Error("who looks for a player finds others")
	}
	if _, body := get(t, url+"/matches?lang=fa"); !strings.Contains(body, "۷–۳") || !strings.Contains(body, `dir="rtl"`) {
		t.Error("in Persian it is not Persian")
	}
	h.Remove(Place{"north", "1"})
	if _, body := get(t, url+"/matches"); strings.Contains(body, "Ada") {
		t.Error("a table that is gone is listed")
	}
}
