package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"davar/device/analysis"
	"davar/device/journal"
	"davar/device/phrasebook"
	"davar/device/scoresheet"
	"davar/rules/record"
	"davar/rules/transcript"
)

// What a match of the log can be written as, beside the formats of records.
const (
	formatHTML   = "html"   // a score sheet to print
	formatSigned = "signed" // one signed file, which davar verify proves anywhere
)

// exportOptions are the flags of "davar export".
type exportOptions struct {
	journal, format, lang, output string
	private                       bool
}

// newExportCommand returns "davar export": a match of the log as a file.
func newExportCommand() *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:   "export MATCH",
		Short: "Write a match of the log as .mat, .sgf, XGIDs, JSON, a score sheet or one signed file",
		Long: `Write a match of the log for other programs or for paper. MATCH is its name in davar matches, "last" for the newest, or a
signed file. What the format cannot carry is said on standard error.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	o.journal = "davar.db"
	f := cmd.Flags()
	f.StringVar(&o.journal, "journal", o.journal, "the match log (journal.path of the table's settings)")
	f.StringVar(&o.format, "format", string(record.FormatMat), "mat, sgf, xgid, json, html or signed")
	f.StringVar(&o.lang, "lang", phrasebook.English, "language of the score sheet, en or fa")
	f.StringVarP(&o.output, "output", "o", "-", `file to write, "-" for standard output`)
	f.BoolVar(&o.private, "private", false, "score sheet with what only the director may know")
	return cmd
}

func (o *exportOptions) run(cmd *cobra.Command, match string) error {
	switch o.format {
	case formatHTML, formatSigned, string(record.FormatMat), string(record.FormatSGF), string(record.FormatXGID), string(record.FormatJSON):
	default:
		return usagef("--format %q: use mat, sgf, xgid, json, html or signed", o.format)
	}
	if o.lang != phrasebook.English && o.lang != phrasebook.Persian {
		return usagef("--lang %q: use en or fa", o.lang)
	}
	data, losses, err := o.write(cmd.Context(), match)
	if err != nil {
		return err
	}
	for _, l := range losses {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s cannot carry: %s\n", o.format, l)
	}
	if o.output == "-" {
		_, err = cmd.OutOrStdout().Write(data)
	} else {
		err = os.WriteFile(o.output, data, 0o644)
	}
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// write returns the match in the format asked for, and what that cannot carry.
func (o *exportOptions) write(ctx context.Context, match string) (data []byte, losses []string, err error) {
	if o.format == formatSigned {
		log, err := journal.OpenReader(ctx, o.journal)
		if err != nil {
			return nil, nil, err
		}
		defer log.Close()
		id, err := findMatch(ctx, log, match)
		if err != nil {
			return nil, nil, err
		}
		var out bytes.Buffer
		err = log.Export(ctx, &out, id, time.Now().UTC().Format(time.RFC3339))
		return out.Bytes(), nil, err
	}
	t, err := o.transcript(ctx, match)
	if err != nil {
		return nil, nil, err
	}
	if o.format != formatHTML {
		return t.Record().Write(record.Format(o.format))
	}
	book, err := phrasebook.Open(names(t))
	if err != nil {
		return nil, nil, err
	}
	judged, err := analysis.Load(analysis.Folder(o.journal), t.ID)
	if err != nil {
		losses = append(losses, err.Error())
	}
	data, err = scoresheet.Of(t, book, scoresheet.Options{Lang: o.lang, Private: o.private, Analysis: judged}).HTML()
	return data, losses, err
}

// names returns how the triple win is called in the match (rules.names).
func names(t *transcript.Transcript) string {
	if t.Settings == nil {
		return ""
	}
	return t.Settings.Options.Rules.Names.String()
}

// transcript reads the match from a signed file or from the log.
func (o *exportOptions) transcript(ctx context.Context, match string) (*transcript.Transcript, error) {
	if file, err := os.Open(match); err == nil {
		defer file.Close()
		signed, err := journal.VerifyExport(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", match, err)
		}
		return transcript.Of(signed.Header.Facts(), signed.Events), nil
	}
	log, err := journal.OpenReader(ctx, o.journal)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	id, err := findMatch(ctx, log, match)
	if err != nil {
		return nil, err
	}
	return log.Transcript(ctx, id)
}

// findMatch returns the name of the match meant: "last" is the newest.
func findMatch(ctx context.Context, log *journal.Reader, match string) (string, error) {
	if match != "last" {
		_, err := log.Match(ctx, match)
		return match, err
	}
	newest, err := log.Find(ctx, journal.Query{Limit: 1})
	if err != nil {
		return "", err
	}
	if len(newest) == 0 {
		return "", errors.New("the log holds no match yet")
	}
	return newest[0].ID, nil
}

// verifyFile proves a signed file.
func verifyFile(out io.Writer, path, key string) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	defer file.Close()
	signed, err := journal.VerifyExport(file)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	h := &signed.Header
	fmt.Fprintf(out, "%s is whole: match %s, %s against %s, %d events, %d pictures, written %s\nsigned by the log with key %s\n", path, h.Match,
		h.Players[0], h.Players[1], len(signed.Events), len(signed.Pictures), signed.Written, signed.Key)
	if key != "" && key != signed.Key {
		return fmt.Errorf("%s: it was signed by another log than that with key %s", path, key)
	}
	return nil
}
