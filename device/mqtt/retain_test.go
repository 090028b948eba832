package mqtt

import (
	"fmt"
	"testing"
)

func TestAFilterMatchesAsTheProtocolSays(t *testing.T) {
	for _, c := range []struct {
		filter, topic string
		want          bool
	}{
		{"davar/c/1/state", "davar/c/1/state", true},
		{"davar/c/+/state", "davar/c/1/state", true},
		{"davar/#", "davar/c/1/state", true},
		{"#", "davar/c/1/state", true},
		{"davar/c/1/state/#", "davar/c/1/state", true},
		{"+/+/+/+", "davar/c/1/state", true},
		{"+/+/+", "davar/c/1/state", false},
		{"+/+/+/+/+", "davar/c/1/state", false},
		{"davar/c/1", "davar/c/1/state", false},
		{"davar/c/1/state/+", "davar/c/1/state", false},
		{"davar/c/2/state", "davar/c/1/state", false},
		{"davar//1/state", "davar/c/1/state", false},
		{"davar/+/1/state", "davar//1/state", true},
	} {
		if got := filterMatches(c.filter, c.topic); got != c.want {
			t.Errorf("%s gets %s: %v, want %v", c.filter, c.topic, got, c.want)
		}
	}
}

func TestRetainedMessagesAreReplacedErasedAndGivenToEachNewSubscriber(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	table := connect(t, b.Server().URL, device)
	publish := func(topic, body string) { table.must(table.client.Publish(topic, 1, true, body)) }
	publish(place.Topic(StateLeaf), "old")
	publish(place.Topic(StateLeaf), "new")
	publish(place.Topic(AvailableLeaf), Online)
	publish(place.Topic(RulingLeaf), "to be erased")
	publish(place.Topic(RulingLeaf), "")
	publish(place.Topic(PrivateLevel, StateLeaf), "secret")
	end := Place{Club: "z", Table: "z"}.Topic(StateLeaf) // given last
	publish(end, "end")

	for filter, want := range map[string]string{
		"davar/#":                       "[{davar/club/1/available online true} {davar/club/1/state new true}]",
		"davar/+/+/state":               "[{davar/club/1/state new true}]",
		place.Topic(StateLeaf):          "[{davar/club/1/state new true}]",
		"davar/club/2/#":                "[]",
		place.Topic(PrivateLevel, "#"):  "[]",
		place.Topic(RulingLeaf):         "[]",
		"davar/club/1/private/state/#":  "[]",
		"davar/club/1/+/#":              "[{davar/club/1/available online true} {davar/club/1/state new true}]",
		"+/" + place.Club + "/+/+":      "[{davar/club/1/available online true} {davar/club/1/state new true}]",
		"davar/club/1/available/+/more": "[]",
	} {
		s := connect(t, b.Server().URL, User{})
		s.client.Subscribe(filter, 1, nil).WaitTimeout(patience)
		s.must(s.client.Subscribe(end, 1, nil))
		var got []heard
		s.until("the end", func(all []heard) bool {
			ends := 0
			got = nil
			for _, h := range all {
				if h.topic == end {
					ends++
				} else {
					got = append(got, h)
				}
			}
			return ends == 2 || ends == 1 && !filterMatches(filter, end)
		})
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %v, want %s", filter, got, want)
		}
	}
}
