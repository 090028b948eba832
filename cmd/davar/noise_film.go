package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"davar/device/recording"
	"davar/rules/referee/refereetest"
	"davar/rules/sighting"
)

func newEvalNoiseCommand() *cobra.Command {
	var prior, out string
	cmd := &cobra.Command{
		Use:   "noise FILM... --prior NOISE --out NOISE",
		Short: "Fit the simulator's noise to filmed games",
		Long: "Watch filmed games as davar eval sequence does, compare what is seen of still, unhidden boards with the truth, and\n" +
			"write a noise file for davar eval referee: how a board is read that has been calibrated and is watched.\n\n" +
			"Few films hold few errors. What single pictures of many boards were read like is the prior (a noise file of\n" +
			"davar eval stills --noise-out): errors keep its kinds, and the films tell by how much rarer they are.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return usagef("the file to be written is wanted: --out FILE")
			}
			like, err := (&simulation{noise: prior}).readNoise()
			if err != nil {
				return err
			}
			fit := filmFit{prior: like}
			for _, dir := range args {
				if err := fit.watch(cmd.Context(), dir); err != nil {
					return err
				}
			}
			return writeNoise(out, fit.noise(args))
		},
	}
	cmd.Flags().StringVar(&prior, "prior", "stills", "what single pictures were read like, as --noise of davar eval referee ")
	cmd.Flags().StringVar(&out, "out", "", "the noise file to be written")
	return cmd
}

// filmFit gathers how filmed tables are misread. A stack or a die counts once, for as long as it lies as it does: as it
// is read in the middle of that time.
type filmFit struct {
	noiseFit
	prior   refereetest.Noise
	stacks  [25]*stack
	lie     map[refereetest.Die]*lying
	counted [2]int // stacks and dice
}

// stack is what was read of a point as long as it stayed as it was.
type stack struct {
	truth int
	read  []*sighting.Counts
}

// lying is what was read of a die as long as it lay.
type lying struct {
	seen int // pictures in which it could have been read
	read []*sighting.Die
}

// watch takes a filmed game.
func (f *filmFit) watch(ctx context.Context, dir string) error {
	film, err := recording.Open(dir)
	if err != nil {
		return err
	}
	truth, err := refereetest.OpenFilm(os.DirFS(dir))
	if err != nil {
		return err
	}
	seen, costs, err := watchFilm(ctx, film, view{})
	if err != nil {
		return err
	}
	f.took = append(f.took, costs...)
	f.points.table()
	f.dice.table()
	f.lie = map[refereetest.Die]*lying{}
	boards := truth.Boards()
	for _, in := range seen {
		s := in.Sighting
		if s == nil || s.Scene != sighting.SceneClear || !s.Still || s.Frame >= len(boards) {
			continue
		}
		if b := &boards[s.Frame]; !b.Hand && !b.Air {
			f.pictures++
			f.seePoints(b, s)
			f.seeDice(b, s)
		}
	}
	for p := range f.stacks {
		f.closeStack(p)
	}
	f.closeDice(nil)
	return nil
}

func (f *filmFit) seePoints(b *refereetest.Board, s *sighting.Sighting) {
	for p := 1; p <= 24; p++ {
		now, mixed := b.On(p)
		if at := f.stacks[p]; at != nil && (at.truth != now || mixed) {
			f.closeStack(p)
		}
		if mixed || s.Points[p-1].Hidden {
			continue
		}
		if f.stacks[p] == nil {
			f.stacks[p] = &stack{truth: now}
		}
		f.stacks[p].read = append(f.stacks[p].read, &s.Points[p-1].Counts)
	}
}

func (f *filmFit) closeStack(p int) {
	x := f.stacks[p]
	if f.stacks[p] = nil; x == nil {
		return
	}
	f.counted[0]++
	f.points.add(x.truth, x.read[len(x.read)/2])
}

func (f *filmFit) seeDice(b *refereetest.Board, s *sighting.Sighting) {
	f.closeDice(b.Dice)
	f.dice.looks++
	paired := make([]bool, len(s.Dice))
	for _, die := range b.Dice {
		if die.Covered {
			continue
		}
		x := f.lie[die]
		if x == nil {
			x = &lying{}
			f.lie[die] = x
		}
		x.seen++
		if k := nearestDie(&die, s.Dice, paired); k >= 0 {
			paired[k] = true
			x.read = append(x.read, &s.Dice[k])
		}
	}
	for k := range s.Dice {
		if !paired[k] {
			f.dice.falsely.add(s.Dice[k].Real)
		}
	}
}

// nearestDie returns the die read that lies where one truly lies, -1 when there is none.
func nearestDie(die *refereetest.Die, read []sighting.Die, taken []bool) int {
	const near = 0.04 // of the board
	at, least := -1, near
	for k := range read {
		if far := math.Hypot(float64(read[k].U-die.U), float64(read[k].V-die.V)); !taken[k] && far < least {
			at, least = k, far
		}
	}
	return at
}

// closeDice counts the dice that lie no more, all but these; one that was missed in most pictures was missed.
func (f *filmFit) closeDice(stay []refereetest.Die) {
	d := &f.dice
	gone := slices.DeleteFunc(slices.Collect(maps.Keys(f.lie)), func(die refereetest.Die) bool { return slices.Contains(stay, die) })
	slices.SortFunc(gone, func(a, b refereetest.Die) int { return cmp.Compare(a.U, b.U) })
	for _, die := range gone {
		x := f.lie[die]
		delete(f.lie, die)
		f.counted[1]++
		d.missed.add(2*len(x.read) < x.seen)
		if len(x.read) == 0 {
			continue
		}
		d.add(die.Value, die.Cocked, x.read[len(x.read)/2])
	}
}

// noise returns the noise file. Shares of what the films hold few of lean on the prior's, which is worth few looks; how
// sure misreadings are of themselves is taken from there too where there are none.
func (f *filmFit) noise(dirs []string) refereetest.Noise {
	n, was := f.noiseFit.noise(""), &f.prior
	p, d := &n.Points, &n.Dice
	p.Empty = f.points.counts[sighting.MaxCount].share(was.Points.Empty)
	for i := range p.Light {
		p.Light[i] = f.points.counts[sighting.MaxCount+i+1].share(was.Points.Of(i + 1))
		p.Dark[i] = f.points.counts[sighting.MaxCount-i-1].share(was.Points.Of(-i - 1))
	}
	p.UnsureP = orElse(p.UnsureP, was.Points.UnsureP)
	if len(p.Sure) == 0 {
		p.Sure, p.Truth, p.Colour, p.Far = was.Points.Sure, was.Points.Truth, was.Points.Colour, was.Points.Far
	}
	fit := &f.dice
	d.Missed, d.Value = fit.missed.share(was.Dice.Missed), fit.numbers.share(was.Dice.Value)
	d.False = tally{fit.looks, len(fit.falsely)}.share(was.Dice.False)
	d.FalseReal, d.UnsureP = orElse(d.FalseReal, was.Dice.FalseReal), orElse(d.UnsureP, was.Dice.UnsureP)
	if len(d.ValueSure) == 0 {
		d.ValueSure, d.Truth, d.Confused = was.Dice.ValueSure, was.Dice.Truth, was.Dice.Confused
	}
	d.LeaningFlat, d.FlatLeans = fit.leaning.share(was.Dice.LeaningFlat), fit.flat.share(was.Dice.FlatLeans)
	d.FlatTilt, d.LeaningTilt = orElse(d.FlatTilt, was.Dice.FlatTilt), orElse(d.LeaningTilt, was.Dice.LeaningTilt)
	d.Leaning = orElse(d.Leaning, was.Dice.Leaning)
	p.Spread, d.Spread = was.Points.Spread, was.Dice.Spread
	for i := range dirs {
		dirs[i] = filepath.Base(dirs[i])
	}
	n.Source = fmt.Sprintf("davar eval noise %s: %d still pictures of %d stacks (%d misread) and %d dice (%d misread, %d missed); prior: %s",
		strings.Join(dirs, " "), f.pictures, f.counted[0], len(f.points.sure), f.counted[1], fit.numbers.wrong, fit.missed.wrong, was.Source)
	return n
}

func orElse(list, other []float64) []float64 {
	if len(list) == 0 {
		return other
	}
	return list
}
