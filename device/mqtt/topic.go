package mqtt

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Root is the first level of every topic.
const Root = "davar"

// Leaves of a table's topics. StateLeaf, EventLeaf and the like exist a second time below PrivateLevel.
const (
	AvailableLeaf = "available"
	StateLeaf     = "state"
	EventLeaf     = "event"
	RulingLeaf    = "ruling"
	MatchesLeaf   = "matches"
	PrivateLevel  = "private"
	CommandLevel  = "command"
	ResponseLevel = "response"
	PictureLeaf   = "picture" // below PrivateLevel; under it one level for each who asks
)

// What the topic available holds, as plain text.
const (
	Online  = "online"
	Stopped = "stopped" // ended in order
	Offline = "offline" // the broker lost the table: its last will
)

// Place is a table's place in the tree of topics.
type Place struct {
	Club  string
	Table string
}

// Topic returns the full topic of a leaf: levels are joined below davar/<club>/<table>.
func (p Place) Topic(levels ...string) string {
	return Root + "/" + p.Club + "/" + p.Table + "/" + strings.Join(levels, "/")
}

// Check says what is wrong with the names, if anything: each is one level of a topic.
func (p Place) Check() error {
	for what, name := range map[string]string{"club": p.Club, "table": p.Table} {
		if name == "" || len(name) > 128 || !utf8.ValidString(name) || strings.ContainsAny(name, "/+#") ||
			strings.ContainsFunc(name, unicode.IsControl) {
			return fmt.Errorf("the name %q of the %s: give 1 to 128 characters without / + #", name, what)
		}
	}
	return nil
}

// publicLeaf reports whether anyone may read the topic level of this name below a table.
func publicLeaf(leaf string) bool {
	switch leaf {
	case AvailableLeaf, StateLeaf, EventLeaf, RulingLeaf, MatchesLeaf:
		return true
	}
	return false
}

// matchesPublic reports whether a subscription to filter can match a public topic; for a topic, which has no
// wildcards, whether it is one.
func matchesPublic(filter string) bool {
	for level := 0; ; level++ {
		name, rest, more := strings.Cut(filter, "/")
		switch {
		case name == "#":
			return level <= 4 // a/b/c/d/# matches a/b/c/d too
		case level == 0 && name != Root && name != "+",
			level == 3 && !publicLeaf(name) && name != "+",
			level == 4:
			return false
		}
		if !more {
			return level == 3
		}
		filter = rest
	}
}

// isCommand reports whether topic is davar/<club>/<table>/command/<name>.
func isCommand(topic string) bool {
	levels := strings.SplitN(topic, "/", 6)
	return len(levels) == 5 && levels[0] == Root && levels[3] == CommandLevel && levels[4] != ""
}
