package mqtt

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestATableDescribesItselfToHomeAssistantWhereThatIsAskedFor(t *testing.T) {
	b, err := StartBroker(BrokerOptions{Listen: "127.0.0.1:0", Users: []User{director}, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	startPublisher(t, Options{Server: b.Server(), Discovery: DefaultDiscovery})
	house := subscribe(t, "tcp://"+b.Addr(), director, DefaultDiscovery+"/#")
	topic := "homeassistant/device/" + discoveryID(place) + "/config"
	house.until("the description", func(all []heard) bool {
		return slices.ContainsFunc(all, func(m heard) bool { return m.topic == topic })
	})
}

func TestTheDescriptionNamesFiguresOfThePublicStateAlone(t *testing.T) {
	text, err := json.Marshal(describe(place))
	if err != nil {
		t.Fatal(err)
	}
	for _, never := range []string{PrivateLevel, "pips", "nearest"} {
		if strings.Contains(string(text), never) {
			t.Errorf("%s is in %s", never, text)
		}
	}
	ids := map[string]bool{}
	for _, e := range describe(place).Components {
		if ids[e.UniqueID] {
			t.Errorf("%s names two entities", e.UniqueID)
		}
		ids[e.UniqueID] = true
	}
}

func TestIdentifiersHoldNothingThatHomeAssistantRefusesAndKeepTablesApart(t *testing.T) {
	if got := discoveryID(Place{"club", "1"}); got != "davar_club_1" {
		t.Errorf("%q", got)
	}
	ids := map[string]bool{}
	for _, place := range []Place{{"club", "1"}, {"Club of the North", "2"}, {"باشگاه", "۱"}, {"باشگاه", "۲"}, {"club 1", ""}} {
		id := discoveryID(place)
		if unfit.MatchString(id) || ids[id] {
			t.Errorf("%v is called %q", place, id)
		}
		ids[id] = true
	}
}
