package referee_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"davar/rules"
	"davar/rules/referee"
	"davar/rules/referee/refereetest"
	"davar/rules/sighting"
)

// FuzzHandle feeds a referee what cannot be: random boards, dice and cubes, presses and decisions out of any order.
// Whatever comes, he must not fail, and everything he publishes must be possible.
func FuzzHandle(f *testing.F) {
	for seed := uint64(0); seed < 8; seed++ {
		f.Add(seed, []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13})
		f.Add(seed, []byte{9, 9, 0, 0, 2, 2, 11, 11, 5, 12, 13, 1, 1, 1, 200, 201, 77})
	}
	f.Fuzz(func(t *testing.T, seed uint64, acts []byte) {
		rng := rand.New(rand.NewPCG(seed, 1))
		s := referee.DefaultSettings()
		if seed%2 == 0 {
			s.TurnEnd = "pickup"
		}
		if seed%3 == 0 {
			s.OpeningSeen = false
		}
		r, err := referee.New(s)
		if err != nil {
			t.Fatal(err)
		}
		eye := refereetest.NewEye(refereetest.MeasuredNoise().Times(1+float64(seed%5)), seed)
		board := refereetest.Board{Position: rules.Start(rules.Standard)}
		now, last := time.Duration(0), int64(0)
		for n, act := range acts[:min(len(acts), 200)] {
			for range 1 + rng.IntN(8) {
				now += time.Duration(rng.IntN(400)) * time.Millisecond
				events := r.Handle(randomInput(rng, act, now, n, eye, &board))
				for i := range events {
					if last++; events[i].Seq != last {
						t.Fatalf("event %d follows %d", events[i].Seq, last-1)
					}
					if _, err := json.Marshal(&events[i]); err != nil {
						t.Fatal(err)
					}
				}
				mustBePossible(t, r.State())
			}
			if act%16 == 15 {
				text, err := r.Checkpoint()
				if err != nil {
					t.Fatal(err)
				}
				if r, err = referee.Restore(text); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

func mustBePossible(t *testing.T, s referee.State) {
	t.Helper()
	total := [2]int{s.Bar[0] + s.Off[0], s.Bar[1] + s.Off[1]}
	for _, n := range s.Points {
		if n > 0 {
			total[0] += n
		} else {
			total[1] -= n
		}
	}
	// A point on which both colours stand shows one of them only.
	if total[0] > rules.Checkers || total[1] > rules.Checkers || s.Phase != "ended" && s.Phase != "setup" && total != [2]int{rules.Checkers, rules.Checkers} {
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
		referee.DecideStart, referee.DecideReplay, referee.DecideRethrow, referee.DecideStand, referee.DecidePause,
		referee.DecideResume, referee.DecideTake, referee.DecideDrop, referee.DecideDouble, referee.DecideNext,
		referee.DecideScore, referee.DecideSet, referee.DecideResign, referee.DecideAdjust, "nonsense", referee.DecideStart,
		referee.DecideUndo, referee.DecideRoll, referee.DecideCube,
	}
	d := &referee.Decision{
		What: all[rng.IntN(len(all))], Side: side, Points: rng.IntN(5), RemainingMS: rng.Int64N(1e6) - 1000,
		Score: &referee.Score{Light: rng.IntN(9) - 1, Dark: rng.IntN(9)},
		Dice:  []int{rng.IntN(8), rng.IntN(8)}, Cube: rng.IntN(70), Seq: rng.Int64N(30),
	}
	if rng.IntN(2) == 0 {
		p := rules.Start(rules.Standard)
		disturb(rng, &p)
		d.Position = &p
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
