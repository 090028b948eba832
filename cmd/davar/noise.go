package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"davar/rules/referee/refereetest"
	"davar/rules/sighting"
	"davar/vision"
	"davar/vision/accuracy"
)

// What single pictures cannot tell of a table watched for hours; see refereetest.Noise.
const (
	assumedPersist = 0.8  // most of what is misread is misread again as long as nothing changes
	assumedHidden  = 0.2  // points that a hand over the board hides
	assumedDrop    = 0.01 // pictures lost
)

// noiseFit gathers how pictures are misread, for a noise file that davar eval referee plays games by.
type noiseFit struct {
	file     string
	pictures int
	points   [2*sighting.MaxCount + 1]struct{ seen, wrong int } // by the true number, light positive
	colour   int                                                // misread in nothing but the colour
	far      int                                                // the number off by more than one
	occupied int                                                // misread points with checkers
	sure     mean                                               // probability of what was misread
	unsure   mean                                               // of what was read right, but doubtful
	certain  mean                                               // of what was read right and beyond doubt
	dice     diceFit
	took     []time.Duration
}

type diceFit struct {
	visible, missed    int
	numbers, wrong     int
	wrongSure          mean
	flat, flatLeans    int
	leaning, liesFlat  int
	flatTilt, leanTilt mean // probability of leaning that the errors claim
	falsely            mean // of being a die, where there is none
}

// mean is a running mean.
type mean struct {
	n   int
	sum float64
}

func (m *mean) add(x float64) { m.n, m.sum = m.n+1, m.sum+x }

func (m *mean) value() float64 { return share(m.sum, m.n) }

func share(x float64, of int) float64 {
	if of == 0 {
		return 0
	}
	return x / float64(of)
}

// doubtful is how probable a right reading must be not to count as in doubt.
const doubtful = 0.9

// flag lets the command name the file to be written.
func (f *noiseFit) flag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.file, "noise-out", "", "write how the pictures were misread, for davar eval referee --noise")
}

// add takes what was read of one picture, nil when nothing could be.
func (f *noiseFit) add(t *accuracy.Truth, r *vision.Reading, took time.Duration) {
	if r == nil || t.Occluded {
		return
	}
	f.pictures++
	f.took = append(f.took, took)
	if t.Corners != nil {
		f.addRow(t, "top", t.Top, &r.Top)
		f.addRow(t, "bottom", t.Bottom, &r.Bottom)
	}
	f.dice.add(t, r.Dice)
}

func (f *noiseFit) addRow(t *accuracy.Truth, row string, truth []int, read *[12]sighting.Point) {
	for i, want := range truth {
		if read[i].Hidden || t.MixedAt(row, i) {
			continue
		}
		got, p := read[i].Counts.Best()
		at := &f.points[sighting.MaxCount+want]
		at.seen++
		switch {
		case got != want:
			at.wrong++
			f.sure.add(float64(p))
			f.misread(want, got)
		case p < doubtful:
			f.unsure.add(float64(p))
		default:
			f.certain.add(float64(p))
		}
	}
}

// misread notes in what way a point was misread.
func (f *noiseFit) misread(want, got int) {
	if want == 0 {
		return
	}
	f.occupied++
	switch {
	case got == -want:
		f.colour++
	case got-want > 1 || want-got > 1:
		f.far++
	}
}

func (d *diceFit) add(t *accuracy.Truth, read []vision.Die) {
	pairs := t.Pair(read)
	paired := make([]bool, len(read))
	for i, k := range pairs {
		die := &t.Dice[i]
		if k >= 0 {
			paired[k] = true
		}
		if die.Visible != nil && !*die.Visible {
			continue
		}
		d.visible++
		if k < 0 {
			d.missed++
			continue
		}
		if !die.Ambiguous {
			d.addDie(die, &read[k], t.Faces != "numerals")
		}
	}
	for k := range read {
		if !paired[k] {
			d.falsely.add(float64(read[k].Real))
		}
	}
}

func (d *diceFit) addDie(die *accuracy.Die, read *vision.Die, pips bool) {
	if die.Value != nil && pips {
		d.numbers++
		if value, p := read.Best(); value != *die.Value {
			d.wrong++
			d.wrongSure.add(float64(p))
		}
	}
	leans := read.Cocked > 0.5
	if die.Cocked {
		d.leaning++
		if !leans {
			d.liesFlat++
			d.leanTilt.add(float64(read.Cocked))
		}
		return
	}
	d.flat++
	if leans {
		d.flatLeans++
		d.flatTilt.add(float64(read.Cocked))
	}
}

// noise returns the noise file.
func (f *noiseFit) noise(source string) refereetest.Noise {
	d := &f.dice
	right := f.unsure.n + f.certain.n
	return refereetest.Noise{
		Source: fmt.Sprintf("davar eval stills %s: %d pictures", source, f.pictures),
		Points: refereetest.PointNoise{
			Empty: share(float64(f.points[sighting.MaxCount].wrong), f.points[sighting.MaxCount].seen),
			Light: f.byCount(1), Dark: f.byCount(-1),
			Colour: share(float64(f.colour), f.occupied), Far: share(float64(f.far), f.occupied), Sure: f.sure.value(),
			Persist: assumedPersist, Unsure: share(float64(f.unsure.n), right), UnsureP: f.unsure.value(),
			Doubt: 1 - f.certain.value(),
		},
		Dice: refereetest.DiceNoise{
			Missed: share(float64(d.missed), d.visible), False: share(float64(d.falsely.n), f.pictures),
			FalseReal: d.falsely.value(), Value: share(float64(d.wrong), d.numbers), ValueSure: d.wrongSure.value(),
			FlatLeans: share(float64(d.flatLeans), d.flat), FlatTilt: d.flatTilt.value(),
			LeaningFlat: share(float64(d.liesFlat), d.leaning), LeaningTilt: d.leanTilt.value(), Persist: assumedPersist,
		},
		Hidden: assumedHidden, Drop: assumedDrop, DelayMS: min(int(quantile(f.took, 0.5)), refereetest.LongestDelayMS),
	}
}

// byCount returns the shares misread of the stacks of one colour, 1 light and -1 dark. Stacks of which few were seen lean
// on all of their colour.
func (f *noiseFit) byCount(colour int) []float64 {
	seen, wrong := 0, 0
	for n := 1; n <= sighting.MaxCount; n++ {
		at := &f.points[sighting.MaxCount+colour*n]
		seen, wrong = seen+at.seen, wrong+at.wrong
	}
	const few = 10
	shares := make([]float64, 0, sighting.MaxCount)
	for n := 1; n <= sighting.MaxCount; n++ {
		at := &f.points[sighting.MaxCount+colour*n]
		shares = append(shares, (float64(at.wrong)+few*share(float64(wrong), seen))/float64(at.seen+few))
	}
	return shares
}

// save writes the noise file, if one is wanted.
func (f *noiseFit) save(truthFile string, given bool) error {
	if f.file == "" {
		return nil
	}
	source := filepath.Base(truthFile)
	if path, err := filepath.Abs(truthFile); err == nil {
		source = filepath.Base(filepath.Dir(path)) + "/" + source
	}
	if given {
		source += " --given-corners"
	}
	file, err := os.Create(f.file)
	if err != nil {
		return fmt.Errorf("write the noise file: %w", err)
	}
	if err := f.noise(source).Write(file); err != nil {
		file.Close()
		return err
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("write the noise file: %w", err)
	}
	return nil
}
