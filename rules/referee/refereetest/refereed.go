package refereetest

import (
	"io/fs"

	"davar/rules/referee"
	"davar/rules/referee/accuracy"
)

// RefereeFilm has a filmed game be refereed in one of its modes, seen perfectly, as match id, and returns how, what was
// said, and the truth of the folder's events.jsonl.
func RefereeFilm(dir fs.FS, mode, id string) (referee.Settings, *Played, error) {
	film, err := OpenFilm(dir)
	if err != nil {
		return referee.Settings{}, nil, err
	}
	s := film.Settings(mode)
	s.Match = id
	r, err := referee.New(s)
	if err != nil {
		return s, nil, err
	}
	played := &Played{Inputs: film.Stream(mode, Noise{}, 1)}
	for _, in := range played.Inputs {
		played.Events = append(played.Events, r.Handle(in)...)
	}
	file, err := dir.Open("events.jsonl")
	if err != nil {
		return s, nil, err
	}
	defer file.Close()
	played.Truth, err = accuracy.ReadTruth(file)
	return s, played, err
}
