package web

import (
	"net/http"
	"strings"
	"testing"

	"davar/device/analysis"
	"davar/rules"
)

func TestTheSeasonAddsUpTheMatchesThatAreOpen(t *testing.T) {
	log, address := archived(t)
	known := analysis.New("old", 2, 1)
	known.Done = 1
	known.Plays = append(known.Plays, analysis.Play{Seq: 3, Side: rules.Light, Error: 0.0123, Luck: -0.5})
	if err := known.Save(analysis.Folder(log.Path())); err != nil {
		t.Fatal(err)
	}
	_, body := get(t, address+"/season?lang=en")
	for _, want := range []string{"Ann Lee", "داریوش", "1 match · ", "12.3", "−0.50", `href="/matches?player=Ann&#43;Lee"`} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is not said", want)
		}
	}
	for _, secret := range []string{"Cy", "Eve"} { // just over, and in play
		if strings.Contains(body, ">"+secret+"<") {
			t.Errorf("spectators learn of %s's match before it is open (PUB-1)", secret)
		}
	}
	if _, body := get(t, address+"/season?lang=fa&by=rate"); !strings.Contains(body, `dir="rtl"`) || !strings.Contains(body, "۱۲٫۳") || !strings.Contains(body, "aria-sort") {
		t.Errorf("the season is not told in Persian: %s", body)
	}
	if _, body := get(t, address+"/season?player=nobody"); !strings.Contains(body, "No match is found.") {
		t.Error("it is not said that nothing is found")
	}
	if answer, body := get(t, address+"/matches"); answer.StatusCode != http.StatusOK || !strings.Contains(body, `href="/season"`) {
		t.Error("the match log does not lead to the season")
	}
}
