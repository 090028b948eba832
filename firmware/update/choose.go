package update

import (
	"slices"

	"golang.org/x/mod/semver"
)

// MaxTries is how often a new version is started to prove itself.
const MaxTries = 3

// Choice is which program is to be started.
type Choice struct {
	Path    string
	Version string // empty: the package's own
	Why     string // why not the one that was to be tried; empty when nothing went wrong
}

// Choose says which program is to be started now, and counts the try of one that is to prove itself. Own is the
// package's own program and its version, which wins over older ones: a package that was upgraded by hand.
func (s Store) Choose(own, ownVersion string) Choice {
	state := s.State()
	good := s.good(state, own, ownVersion)
	if state.Trying == "" {
		return good
	}
	if state.Tries >= MaxTries {
		good.Why = "version " + state.Trying + " did not prove itself; going back"
		s.giveUp(state)
		return good
	}
	path, err := s.Program(state.Trying)
	if err != nil {
		good.Why = err.Error()
		s.giveUp(state)
		return good
	}
	state.Tries++
	if err := s.remember(state); err != nil { // a try that is not counted might be tried for ever
		good.Why = err.Error()
		return good
	}
	return Choice{Path: path, Version: state.Trying}
}

// good returns the newest program that has proved itself.
func (s Store) good(state State, own, ownVersion string) Choice {
	choice := Choice{Path: own}
	if state.Good == "" || ownVersion != "" && semver.Compare("v"+ownVersion, "v"+state.Good) >= 0 {
		return choice
	}
	path, err := s.Program(state.Good)
	if err != nil {
		choice.Why = err.Error()
		return choice
	}
	return Choice{Path: path, Version: state.Good}
}

// giveUp remembers that the version being tried is no good. Where that cannot be remembered it is found out again.
func (s Store) giveUp(state State) {
	if !slices.Contains(state.Bad, state.Trying) {
		state.Bad = append(state.Bad, state.Trying)
	}
	state.Trying, state.Tries = "", 0
	_ = s.remember(state)
}
