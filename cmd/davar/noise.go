package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"davar/rules/referee/refereetest"
	"davar/rules/sighting"
	"davar/vision"
	"davar/vision/accuracy"
)

// What single pictures cannot tell of a table watched for hours; see refereetest.Noise.
const (
	// In films the log-odds of what one die shows differ 14 times as much from die to die as between pictures of one: an
	// intraclass correlation of 0.93. Of stacks hardly one is ever read otherwise that nothing has touched.
	assumedPersist = 0.95
	assumedHidden  = 0.2  // points that a hand over the board hides
	assumedDrop    = 0.01 // pictures lost
)

// few is how many looks what all things of a kind are like weighs against looks at one of them.
const few = 10

// noiseFit gathers how pictures are misread, for a noise file that davar eval referee plays games by.
type noiseFit struct {
	file     string
	pictures int
	points   pointsFit
	dice     diceFit
	took     []time.Duration
}

// tally counts looks at things of one kind, and those misread.
type tally struct{ seen, wrong int }

func (t *tally) add(wrong bool) {
	t.seen++
	if wrong {
		t.wrong++
	}
}

// share returns the share misread; what is seen too rarely leans on other.
func (t tally) share(other float64) float64 {
	return (float64(t.wrong) + few*other) / float64(t.seen+few)
}

func share(count, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(count) / float64(of)
}

// claims are probabilities that readings of one kind gave themselves.
type claims []float64

func (c *claims) add(p float32) { *c = append(*c, float64(p)) }

func (c claims) mean() float64 {
	sum := 0.0
	for _, p := range c {
		sum += p
	}
	if len(c) == 0 {
		return 0
	}
	return sum / float64(len(c))
}

// claimsKept is how many figures of a kind a noise file holds.
const claimsKept = 25

// quantiles returns the claims or, of many, as many that are spread as they are.
func (c claims) quantiles() []float64 {
	sorted := slices.Sorted(slices.Values(c))
	if len(sorted) <= claimsKept {
		return sorted
	}
	kept := make([]float64, claimsKept)
	for i := range kept {
		kept[i] = sorted[(2*i+1)*len(sorted)/(2*claimsKept)]
	}
	return kept
}

// tables gathers how unlike tables are: each picture of a set shows another.
type tables []tally

// spread returns the variance of how hard tables are to read, their mean being 1: by how much more the numbers misread
// differ from table to table than they would by chance, by moments.
func (t tables) spread() float64 {
	var all tally
	for _, table := range t {
		all.seen, all.wrong = all.seen+table.seen, all.wrong+table.wrong
	}
	p := share(all.wrong, all.seen)
	beyond, scale := 0.0, 0.0
	for _, table := range t {
		n, k := float64(table.seen), float64(table.wrong)
		beyond += (k-n*p)*(k-n*p) - n*p*(1-p)
		scale += n * (n - 1) * p * p
	}
	if scale == 0 {
		return 0
	}
	return min(max(beyond/scale, 0), refereetest.MostSpread)
}

// doubtful is how probable a right reading must be not to count as in doubt.
const doubtful = 0.9

// readings gathers what is claimed of numbers, of checkers or of pips.
type readings struct {
	sure    claims // of those misread
	truth   claims // which share of the rest they leave to the truth
	unsure  claims // of those read right, but doubtful
	certain claims // of those read right and beyond doubt
	tables  tables
}

// table begins with the next table.
func (r *readings) table() { r.tables = append(r.tables, tally{}) }

// add takes a reading to which the probability p was given, and ofTruth to the truth.
func (r *readings) add(wrong bool, p, ofTruth float32) {
	r.tables[len(r.tables)-1].add(wrong)
	switch {
	case wrong:
		r.sure.add(p)
		r.truth.add(ofTruth / max(1-p, 1e-6))
	case p < doubtful:
		r.unsure.add(p)
	default:
		r.certain.add(p)
	}
}

// doubted returns the share of right readings that were in doubt.
func (r *readings) doubted() float64 { return share(len(r.unsure), len(r.unsure)+len(r.certain)) }

// pointsFit gathers how points are misread.
type pointsFit struct {
	readings
	counts   [2*sighting.MaxCount + 1]tally // by the true number, light positive
	colour   int                            // misread in nothing but the colour
	far      int                            // the number off by more than one
	occupied int                            // misread points with checkers
}

// add takes what was read of a point on which so many checkers stand.
func (f *pointsFit) add(want int, read *sighting.Counts) {
	got, p := read.Best()
	f.readings.add(got != want, p, read.P(want))
	f.counts[sighting.MaxCount+want].add(got != want)
	if want == 0 || got == want {
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

// byCount returns the shares misread of the stacks of one colour, 1 light and -1 dark. Stacks of which few were seen lean
// on all of their height.
func (f *pointsFit) byCount(colour int) []float64 {
	var all tally
	for n, at := range f.counts {
		if n != sighting.MaxCount {
			all.seen, all.wrong = all.seen+at.seen, all.wrong+at.wrong
		}
	}
	shares := make([]float64, 0, sighting.MaxCount)
	for n := 1; n <= sighting.MaxCount; n++ {
		mine, other := f.counts[sighting.MaxCount+colour*n], f.counts[sighting.MaxCount-colour*n]
		shares = append(shares, mine.share(other.share(share(all.wrong, all.seen))))
	}
	return shares
}

// diceFit gathers how dice are misread.
type diceFit struct {
	readings
	missed, numbers tally
	leaning, flat   tally // taken for the other
	confused        [6][6]int
	leans, lies     [2]claims // probability of leaning of dice that lean and that lie flat: 0 taken for that, 1 not
	real, falsely   claims    // of being a die, of dice and of what is none
	looks           int       // in which a die that is none may have been seen
}

// add takes what was read of a die; value 0: nobody can tell, or it has no pips.
func (d *diceFit) add(value int, cocked bool, read *sighting.Die) {
	d.real.add(read.Real)
	if value != 0 {
		got, p := read.Best()
		d.readings.add(got != value, p, read.Values[value])
		d.numbers.add(got != value)
		if got != value && got != 0 {
			d.confused[value-1][got-1]++
		}
	}
	leans := read.Cocked > 0.5
	if cocked {
		d.leaning.add(!leans)
		d.leans[index(!leans)].add(read.Cocked)
		return
	}
	d.flat.add(leans)
	d.lies[index(leans)].add(read.Cocked)
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// confusion returns how likely each number is to be taken for each other when it is misread: as counted, any other
// number having been counted a little too.
func (d *diceFit) confusion() [][]float64 {
	const little = 0.25
	table := make([][]float64, 6)
	for n, row := range d.confused {
		sum := 0.0
		table[n] = make([]float64, 6)
		for m, count := range row {
			if m != n {
				table[n][m] = float64(count) + little
				sum += table[n][m]
			}
		}
		for m := range table[n] {
			table[n][m] /= sum
		}
	}
	return table
}

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
	f.points.table()
	f.dice.table()
	if t.Corners != nil {
		f.addRow(t, "top", t.Top, &r.Top)
		f.addRow(t, "bottom", t.Bottom, &r.Bottom)
	}
	f.addDice(t, r.Dice)
}

func (f *noiseFit) addRow(t *accuracy.Truth, row string, truth []int, read *[12]sighting.Point) {
	for i, want := range truth {
		if !read[i].Hidden && !t.MixedAt(row, i) {
			f.points.add(want, &read[i].Counts)
		}
	}
}

func (f *noiseFit) addDice(t *accuracy.Truth, read []vision.Die) {
	d := &f.dice
	d.looks++
	paired := make([]bool, len(read))
	for i, k := range t.Pair(read) {
		die := &t.Dice[i]
		if k >= 0 {
			paired[k] = true
		}
		if die.Visible != nil && !*die.Visible {
			continue
		}
		d.missed.add(k < 0)
		if k < 0 || die.Ambiguous {
			continue
		}
		value := 0
		if die.Value != nil && t.Faces != "numerals" {
			value = *die.Value
		}
		d.add(value, die.Cocked, &read[k].Die)
	}
	for k := range read {
		if !paired[k] {
			d.falsely.add(read[k].Real)
		}
	}
}

// noise returns the noise file.
func (f *noiseFit) noise(source string) refereetest.Noise {
	p, d := &f.points, &f.dice
	return refereetest.Noise{
		Source: source,
		Points: refereetest.PointNoise{
			Empty: p.counts[sighting.MaxCount].share(0), Light: p.byCount(1), Dark: p.byCount(-1),
			Colour: share(p.colour, p.occupied), Far: share(p.far, p.occupied),
			Sure: p.sure.quantiles(), Truth: p.truth.mean(), Unsure: p.doubted(), UnsureP: p.unsure.quantiles(),
			Certain: p.certain.quantiles(), Persist: assumedPersist, Spread: p.tables.spread(),
		},
		Dice: refereetest.DiceNoise{
			Missed: share(d.missed.wrong, d.missed.seen), False: share(len(d.falsely), d.looks),
			FalseReal: d.falsely.quantiles(), Real: d.real.quantiles(),
			Value: share(d.numbers.wrong, d.numbers.seen), ValueSure: d.sure.quantiles(), Truth: d.truth.mean(), Confused: d.confusion(),
			Unsure: d.doubted(), UnsureP: d.unsure.quantiles(), Certain: d.certain.quantiles(),
			FlatLeans: share(d.flat.wrong, d.flat.seen), FlatTilt: d.lies[1].quantiles(), Flat: d.lies[0].quantiles(),
			LeaningFlat: share(d.leaning.wrong, d.leaning.seen), LeaningTilt: d.leans[1].quantiles(), Leaning: d.leans[0].quantiles(),
			Persist: assumedPersist, Spread: d.tables.spread(),
		},
		Hidden: assumedHidden, Drop: assumedDrop, DelayMS: min(int(quantile(f.took, 0.5)), refereetest.LongestDelayMS),
	}
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
	return writeNoise(f.file, f.noise(fmt.Sprintf("davar eval stills %s: %d pictures", source, f.pictures)))
}

func writeNoise(name string, n refereetest.Noise) error {
	file, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("write the noise file: %w", err)
	}
	if err := n.Write(file); err != nil {
		file.Close()
		return err
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("write the noise file: %w", err)
	}
	return nil
}
