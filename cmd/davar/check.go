package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"davar/rules"
	"davar/rules/record"
)

// newCheckCommand returns "davar check": match records replayed by the rules.
func newCheckCommand() *cobra.Command {
	var variant string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check FILE…",
		Short: "Replay match records by the rules and list plays that are not legal",
		Long: `Replay match records (.mat, .sgf, .json) by the rules: for each file its games and rolls, each play that is not
legal with its code, and what could not be read. The exit status is 1 when a file could not be read at all.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			var options *rules.Options
			if variant != "" {
				o, err := variantOptions(variant)
				if err != nil {
					return err
				}
				options = &o
			}
			failed := 0
			for _, file := range files {
				report := checkFile(file, options)
				if report.Error != "" {
					failed++
				}
				if err := report.print(cmd.OutOrStdout(), asJSON); err != nil {
					return err
				}
			}
			if failed > 0 {
				return fmt.Errorf("check: %d of %d files could not be read", failed, len(files))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&variant, "variant", "", "standard, iran, tavla or nackgammon (default: as the record says)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a file")
	return cmd
}

// fileReport is what davar check says of one file.
type fileReport struct {
	File  string `json:"file"`
	Error string `json:"error,omitempty"`
	record.Report
}

func checkFile(name string, options *rules.Options) fileReport {
	report := fileReport{File: name}
	data, err := os.ReadFile(name)
	if err == nil {
		var rec *record.Record
		if rec, err = record.Read(data); err == nil {
			o := rules.OptionsFor(rec.Variant)
			if options != nil {
				o = *options
			}
			report.Report = rec.Check(o)
		}
	}
	if err != nil {
		report.Error = err.Error()
	}
	return report
}

func (r *fileReport) print(out io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(out).Encode(r)
	}
	if r.Error != "" {
		fmt.Fprintf(out, "%s: cannot be read: %s\n", r.File, r.Error)
		return nil
	}
	fmt.Fprintf(out, "%s: %d games, %d rolls, %d doubles, %d plays not legal\n", r.File, r.Games, r.Rolls, r.Cube, len(r.Illegal))
	for _, f := range r.Illegal {
		play := f.Play
		if play == "" {
			play = "nothing moved"
		}
		fmt.Fprintf(out, "  game %d line %d: %s %s: %s: %s %v %s\n", f.Game, f.Line, f.Side, f.Dice, play, f.Code, f.Rules, f.Why)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(out, "  note: %s\n", n)
	}
	return nil
}
