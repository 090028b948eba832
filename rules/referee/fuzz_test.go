package referee_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"davar/rules"
	"davar/rules/match"
	"davar/rules/referee"
	"davar/rules/referee/refereetest"
	"davar/rules/sighting"
)

// FuzzHandle feeds a referee what cannot be: random boards, dice and cubes, presses and decisions out of any order, and
// restarts in between. Whatever comes, he must not fail, everything he publishes must be possible, and the same inputs
// must lead to the same events and the same state, byte for byte.
func FuzzHandle(f *testing.F) {
	for seed := uint64(0); seed < 8; seed++ {
		f.Add(seed, []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13})
		f.Add(seed, []byte{9, 9, 0, 0, 2, 2, 11, 11, 5, 12, 13, 1, 1, 1, 200, 201, 77})
	}
	f.Fuzz(func(t *testing.T, seed uint64, acts []byte) {
		w := wild{t: t, settings: referee.DefaultSettings()}
		w.settings.Match = "wild"
		if seed%2 == 0 {
			w.settings.TurnEnd = "pickup"
		}
		if seed%3 == 0 {
			w.settings.OpeningSeen = false
		}
		if seed%5 == 0 {
			w.settings.ConfirmScore, w.settings.Length = true, 1+int(seed%7)
		}
		w.invent(seed, acts[:min(len(acts), 200)])
		events, state := w.play(true)
		again, stateAgain := w.play(false)
		if !bytes.Equal(events, again) || !bytes.Equal(state, stateAgain) {
			t.Fatal("the same inputs gave something else the second time")
		}
	})
}

// wild is a match in which anything may come.
type wild struct {
	t        *testing.T
	settings referee.Settings
	inputs   []referee.Input
	restarts map[int]bool // before these inputs
}

// invent makes the inputs up.
func (w *wild) invent(seed uint64, acts []byte) {
	rng := rand.New(rand.NewPCG(seed, 1))
	eye := refereetest.NewEye(refereetest.UsualNoise().Times(1+float64(seed%5)), seed)
	board := refereetest.Board{Position: rules.Start(rules.Standard)}
	w.restarts = map[int]bool{}
	now := time.Duration(0)
	for n, act := range acts {
		for range 1 + rng.IntN(8) {
			now += time.Duration(rng.IntN(400)) * time.Millisecond
			w.inputs = append(w.inputs, randomInput(rng, act, now, n, eye, &board))
		}
		if act%16 == 15 {
			w.restarts[len(w.inputs)] = true
		}
	}
}

// play has a referee handle the inputs and returns his journal and his state in the end.
func (w *wild) play(check bool) (events, state []byte) {
	r, err := referee.New(w.settings)
	if err != nil {
		w.t.Fatal(err)
	}
	last := int64(0)
	for i, in := range w.inputs {
		if w.restarts[i] {
			r = w.restart(r)
		}
		said := r.Handle(in)
		events = append(events, journal(w.t, said)...)
		if !check {
			continue
		}
		for k := range said {
			if last++; said[k].Seq != last {
				w.t.Fatalf("event %d follows %d", said[k].Seq, last-1)
			}
			mustConserve(w.t, &said[k])
		}
		mustBePossible(w.t, r)
	}
	state, err = r.Checkpoint()
	if err != nil {
		w.t.Fatal(err)
	}
	return events, state
}

func (w *wild) restart(r *referee.Referee) *referee.Referee {
	text, err := r.Checkpoint()
	if err != nil {
		w.t.Fatal(err)
	}
	if r, err = referee.Restore(text); err != nil {
		w.t.Fatal(err)
	}
	return r
}

// mustConserve fails when an event publishes a position with more checkers than there are, or a score or cube that
// cannot be.
func mustConserve(t *testing.T, e *referee.Event) {
	t.Helper()
	if e.Position != "" && e.Side != nil && e.Type != referee.DecisionRefused {
		pos, err := rules.ParseBoardID(e.Position, *e.Side)
		if err != nil || pos.InPlay(rules.Light) > rules.Checkers || pos.InPlay(rules.Dark) > rules.Checkers {
			t.Fatalf("%s publishes %+v (%v)", e.Type, pos, err)
		}
	}
	if e.Type == referee.GameEnded && (e.Points < 1 || e.Points > 3*64) {
		t.Fatalf("a game won with %d points", e.Points)
	}
}

func mustBePossible(t *testing.T, r *referee.Referee) {
	t.Helper()
	s := r.State()
	total := [2]int{s.Bar[0] + s.Off[0], s.Bar[1] + s.Off[1]}
	for _, n := range s.Points {
		if n > 0 {
			total[0] += n
		} else {
			total[1] -= n
		}
	}
	// A point on which both colours stand shows one of them only.
	if total[0] > rules.Checkers || total[1] > rules.Checkers || s.Phase != "ended" && s.Phase != "setup" && total != [2]int{rules.Checkers, rules.Checkers} && total != active(t, r) {
		t.Fatalf("checkers %v in phase %s: %+v", total, s.Phase, s)
	}
	if s.Length > 0 && s.Phase != "match_over" && max(s.Score.Light, s.Score.Dark) >= s.Length {
		t.Fatalf("score %v in a match to %d that goes on", s.Score, s.Length)
	}
	if c := s.Cube.Value; c < 1 || c > 64 || c&(c-1) != 0 {
		t.Fatalf("cube %d", c)
	}
	for _, d := range s.Dice {
		if d < 1 || d > 6 {
			t.Fatalf("dice %v", s.Dice)
		}
	}
}

// active returns how many checkers each side has in this game: some may have been excluded (IRREG-9).
func active(t *testing.T, r *referee.Referee) (n [2]int) {
	t.Helper()
	text, err := r.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		Table struct {
			Match match.Match `json:"match"`
		} `json:"table"`
	}
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	for side, out := range c.Table.Match.Game.Excluded {
		n[side] = rules.Checkers - out
	}
	return n
}

func randomInput(rng *rand.Rand, act byte, now time.Duration, n int, eye *refereetest.Eye, b *refereetest.Board) referee.Input {
	side := rules.Side(rng.IntN(2))
	in := referee.Input{T: now}
	switch act % 8 {
	case 0:
		in.Press = &referee.Press{Side: side}
		return in
	case 1:
		in.Decision = randomDecision(rng, side)
		return in
	case 2:
		return in
	case 3:
		disturb(rng, &b.Position)
	case 4:
		b.Dice = nil
		for range rng.IntN(5) {
			half := sighting.Place(rng.IntN(2))
			b.Dice = append(b.Dice, refereetest.Die{
				Value: 1 + rng.IntN(6), Place: sighting.Place(rng.IntN(5)), Half: half, Cocked: rng.IntN(5) == 0,
				Owner: rules.Side(rng.IntN(2)), U: 0.05 + 0.4*rng.Float32() + 0.5*float32(half), V: rng.Float32(),
			})
		}
	case 5:
		b.Hand = !b.Hand
	case 6:
		b.Cube = &sighting.Cube{Value: 1 << rng.IntN(8), PValue: rng.Float32(), Place: sighting.CubePlace(rng.IntN(5)), PPlace: rng.Float32()}
	}
	s, ok := eye.Look(b, now, n)
	if !ok || rng.IntN(40) == 0 {
		s = sighting.Sighting{T: now, Scene: sighting.Scene(rng.IntN(8))}
	}
	if rng.IntN(30) == 0 {
		s.T -= time.Duration(rng.IntN(1000)) * time.Millisecond
	}
	in.Sighting = &s
	return in
}

func randomDecision(rng *rand.Rand, side rules.Side) *referee.Decision {
	all := []string{
		referee.DecideStart, referee.DecideStart, referee.DecideReplay, referee.DecideRethrow, referee.DecideStand,
		referee.DecideOverrule, referee.DecidePause, referee.DecideResume, referee.DecideTake, referee.DecideDrop,
		referee.DecideDouble, referee.DecideNext, referee.DecideScore, referee.DecideSet, referee.DecideResign,
		referee.DecideAdjust, referee.DecideUndo, referee.DecideRoll, referee.DecideCube, referee.DecideExclude,
		referee.DecideConfirm, referee.DecideOvertime, referee.DecideForfeit, referee.DecideAgain, referee.DecideCrawford,
		"nonsense",
	}
	d := &referee.Decision{
		What: all[rng.IntN(len(all))], Side: side, Points: rng.IntN(5), RemainingMS: rng.Int64N(1e6) - 1000,
		Ruling: []string{"", "C3", "D9"}[rng.IntN(3)],
		By:     []string{"director", "players", "light", "dark"}[rng.IntN(4)], Why: []string{"", "break", "appeal"}[rng.IntN(3)],
		Dice: []int{rng.IntN(8), 1 + rng.IntN(6)}, Cube: 1 << rng.IntN(8),
	}
	if rng.IntN(3) == 0 {
		d.Seq = rng.Int64N(60) // perhaps of a play
	}
	if rng.IntN(3) > 0 {
		d.Score = &referee.Score{Light: rng.IntN(9) - 1, Dark: rng.IntN(9) - 1}
	}
	if rng.IntN(2) == 0 {
		d.Owner = &side
	}
	if rng.IntN(3) > 0 {
		p := rules.Start(rules.Standard)
		disturb(rng, &p)
		if rng.IntN(3) == 0 {
			p.Checkers[side][rng.IntN(26)] = uint8(rng.IntN(17))
		}
		d.Position = &p
	}
	if rng.IntN(50) == 0 {
		d.Side = 9
	}
	return d
}

// disturb plays a few random moves, mostly possible ones.
func disturb(rng *rand.Rand, p *rules.Position) {
	for range 1 + rng.IntN(3) {
		side := rules.Side(rng.IntN(2))
		from, to := rng.IntN(26), rng.IntN(26)
		if p.Checkers[side][from] > 0 {
			p.Checkers[side][from]--
			p.Checkers[side][to]++
		}
	}
}
