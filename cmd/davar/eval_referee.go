package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"davar/rules/referee/refereetest"
)

// simulation is what davar eval referee plays.
type simulation struct {
	games  int
	seed   uint64
	noise  string
	times  float64
	mode   string
	habits refereetest.Habits
	json   bool
}

func newEvalRefereeCommand() *cobra.Command {
	var s simulation
	cmd := &cobra.Command{
		Use:   "referee",
		Short: "Accuracy and speed of the referee's rulings in simulated games",
		Long: "Play games at a simulated table before a model camera, in which all sorts of things go wrong, and print for each\n" +
			"announcement how much of what called for it was found and how soon, what was said falsely, and how often the\n" +
			"players had to be asked, with 95 % confidence intervals (Wilson). Equal flags give equal figures.\n\n" +
			"What the camera does not report no referee can find: evident is what it does, each thing concerned read rightly in at\n" +
			"least half of the still pictures that show it.\n\n" +
			"A noise file says how badly the camera sees; davar eval noise and davar eval stills --noise-out write one.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			report, err := s.run()
			if err != nil {
				return err
			}
			if s.json {
				out := json.NewEncoder(cmd.OutOrStdout())
				out.SetIndent("", " ")
				return out.Encode(report)
			}
			return printSimulation(cmd.OutOrStdout(), report)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&s.games, "games", 100, "how many games to play")
	flags.Uint64Var(&s.seed, "seed", 1, "the first game's seed")
	flags.StringVar(&s.noise, "noise", "film", "a noise file, or \"film\": as measured on filmed games, \"stills\": on single pictures of\nboards never seen before, \"usual\": as was assumed before, \"none\": seen perfectly")
	flags.Float64Var(&s.times, "times", 1, "multiply the noise")
	flags.StringVar(&s.mode, "mode", "", "clock or pickup (default: both in turn)")
	flags.Float64Var(&s.habits.Careless, "careless", 0.1, "share of the moments at which something may go wrong in which it does")
	flags.Float64Var(&s.habits.Doubles, "doubles", 0.04, "share of the turns before which a player doubles")
	flags.StringSliceVar(&s.habits.Incidents, "incidents", nil, "codes that may happen, such as M3,D1 (default: all)")
	flags.BoolVar(&s.json, "json", false, "print one JSON object")
	return cmd
}

func (s *simulation) run() (*refereetest.Report, error) {
	switch {
	case s.mode != "" && s.mode != "clock" && s.mode != "pickup":
		return nil, usagef("--mode %q is neither clock nor pickup", s.mode)
	case s.games < 1:
		return nil, usagef("--games %d: at least one must be played", s.games)
	case !(s.times >= 0 && s.times <= 100):
		return nil, usagef("--times %v is not 0 to 100", s.times)
	}
	for _, code := range s.habits.Incidents {
		if !slices.Contains(refereetest.Incidents(), code) {
			return nil, usagef("--incidents: %q is none of %v", code, refereetest.Incidents())
		}
	}
	noise, err := s.readNoise()
	if err != nil {
		return nil, err
	}
	return refereetest.Evaluate(s.games, s.seed, noise.Times(s.times), s.habits, s.mode)
}

func (s *simulation) readNoise() (refereetest.Noise, error) {
	switch s.noise {
	case "film":
		return refereetest.FilmNoise(), nil
	case "", "stills":
		return refereetest.MeasuredNoise(), nil
	case "none":
		return refereetest.Noise{}, nil
	case "usual":
		return refereetest.UsualNoise(), nil
	}
	file, err := os.Open(s.noise)
	if err != nil {
		return refereetest.Noise{}, fmt.Errorf("read the noise file: %w", err)
	}
	defer file.Close()
	noise, err := refereetest.ReadNoise(file)
	if err != nil {
		return noise, usageError{fmt.Errorf("%s: %w", s.noise, err)}
	}
	return noise, nil
}

// printSimulation prints the report for people.
func printSimulation(w io.Writer, r *refereetest.Report) error {
	fmt.Fprintf(w, "%d games, %d turns\n", r.Games, r.Turns)
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(what string, x refereetest.Rate) {
		fmt.Fprintf(out, "%s\t%d of %d\t%s\n", what, x.Count, x.Of, percent(x))
	}
	line("rolls right", r.Rolls)
	line("plays right", r.Plays)
	line("cube actions right", r.Cube)
	line("found", r.Detected)
	line("found within 2 s", r.InTime)
	line("evident: reported by the eye", r.Evident)
	line("evident and found within 2 s", r.Shown)
	line("asked instead", r.Doubted)
	line("false rulings a turn", r.FalseRulings)
	line("questions a turn", r.Questions)
	fmt.Fprintf(out, "from evidence to announcement\tmedian %d ms\t99th percentile %d ms\n", r.Delay.MedianMS, r.Delay.P99MS)
	fmt.Fprintln(out, "\ncode\tfound\t\twithin 2 s\tevident\tof these within 2 s\tmedian\t99 %\tfalse")
	for _, code := range slices.SortedFunc(maps.Keys(r.Codes), byCode) {
		c := r.Codes[code]
		fmt.Fprintf(out, "%s\t%d of %d\t%s\t%d\t%d\t%s\t%d ms\t%d ms\t%d\n", code, c.Detected.Count, c.Detected.Of, percent(c.Detected),
			c.InTime.Count, c.Evident.Count, percent(c.Shown), c.Delay.MedianMS, c.Delay.P99MS, c.False.Count)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("print the report: %w", err)
	}
	for _, text := range r.Worst {
		fmt.Fprintln(w, text)
	}
	return nil
}

func percent(x refereetest.Rate) string {
	return fmt.Sprintf("%.2f %% (%.2f to %.2f)", 100*x.Share, 100*x.Low, 100*x.High)
}

// byCode orders announcements as the rule book lists them: M9 before M10.
func byCode(a, b string) int {
	const groups = "MDCKSPX"
	group := func(code string) int {
		for i := range groups {
			if code[0] == groups[i] {
				return i
			}
		}
		return len(groups)
	}
	if d := group(a) - group(b); d != 0 {
		return d
	}
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	if a < b {
		return -1
	}
	return 1
}
