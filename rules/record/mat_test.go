package record

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"davar/rules"
)

func mustRead(t testing.TB, text string) *Record {
	t.Helper()
	rec, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// condonedMatch holds plays of several codes that were not put right, each followed by legal ones.
const condonedMatch = `
 5 point match

 Game 1
 Ann : 0                         Ben : 0
  1) 31: 8/5 6/5                 52: 13/8 13/10
  2) 63: 13/4                    41: 24/23 13/9
  3) 21: 13/11                   66: 24/18 13/7(2) 10/4
  4) 54: 13/4                     Doubles => 2
  5)  Takes                      42: 8/4 6/4
  6) 33:                         21: 9/7 8/7
  7) 63: 24/15
                                  Wins 2 points
`

func TestACondonedMatchIsCheckedAndSurvivesEveryFormat(t *testing.T) {
	rec := mustRead(t, condonedMatch)
	report := rec.Check(rules.Options{})
	var codes []string
	for _, f := range report.Illegal {
		codes = append(codes, string(f.Code))
	}
	if got := strings.Join(codes, " "); got != "M3 M1 M1 M4" {
		t.Errorf("codes %s: %+v", got, report.Illegal)
	}
	for _, format := range []Format{FormatMat, FormatSGF, FormatJSON} {
		data, losses, err := rec.Write(format)
		if err != nil {
			t.Fatal(err)
		}
		if format != FormatJSON && len(losses) != len(codes) {
			t.Errorf("%s: %d losses are told, want %d: %q", format, len(losses), len(codes), losses)
		}
		if d := sameGames(rec, mustRead(t, string(data))); d != "" {
			t.Errorf("%s: %s\n%s", format, d, data)
		}
	}
}

func TestAllSpellingsOfOneMatchReadTheSame(t *testing.T) {
	files, err := filepath.Glob("testdata/spellings/v*.mat")
	if err != nil || len(files) < 6 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	var first *Record
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		rec := mustRead(t, string(data))
		if report := rec.Check(rules.Options{}); len(report.Illegal) > 0 {
			t.Errorf("%s: %+v", file, report.Illegal)
		}
		if first == nil {
			first = rec
		} else if d := sameGames(first, rec); d != "" {
			t.Errorf("%s: %s", file, d)
		}
	}
}

func TestOddSpellingsAreUnderstoodOrNoted(t *testing.T) {
	const opening = " 3 point match\n\n Game 1\n Ann : 0                         Ben : 0\n"
	for _, c := range []struct {
		name  string
		text  string
		rolls int
		check func(*Record) bool
		note  string // part of a note that must be there; "" = no notes at all
	}{
		{"the second player opens", opening + "  1)                             31: 8/5 6/5\n  2) 21: 13/11 6/5\n", 2,
			func(r *Record) bool { return r.Games[0].Actions[0].Side == rules.Dark }, ""},
		{"a roll that dances is empty or said", opening + "  1) 66:                         66: Cannot Move\n", 2, nil, ""},
		{"a play that is not known", opening + "  1) 31: ????                    21: ???\n", 2,
			func(r *Record) bool { return r.Games[0].Actions[0].Unseen && r.Games[0].Actions[1].Unseen }, ""},
		{"a roll that cannot be", opening + "  1) 00: ????\n", 1, nil, "00 is no roll"},
		{"the loser concedes after his roll", opening + "  1) 31: 8/5 6/5                 62: Concedes\n  2)  Wins 1 point\n", 2,
			func(r *Record) bool {
				g := r.Games[0]
				return g.Result.Winner == rules.Light && g.Result.Resigned && g.Actions[2].Kind == Resign
			}, ""},
		{"the loser resigns in a cell of his own", opening + "  1) 31: 8/5 6/5                 Resigns\n      Wins 1 point\n", 1,
			func(r *Record) bool { return r.Games[0].Actions[1].Side == rules.Dark }, ""},
		{"the result on a row of its own", opening + "  1)  Doubles => 2                Drops\n  2)      Wins 1 point and the match\n", 0,
			func(r *Record) bool { return r.Games[0].Result.Match && r.Games[0].Result.Winner == rules.Light }, ""},
		{"the result in the loser's column", opening + "  1)  Doubles => 2                Drops\n                                  Wins 1 point\n", 0,
			func(r *Record) bool { return r.Games[0].Result.Winner == rules.Light }, "loser's column"},
		{"losses are told", opening + "  1) 31: 8/5 6/5                  Losses 1 point\n", 1,
			func(r *Record) bool { return r.Games[0].Result.Winner == rules.Light }, ""},
		{"a long left cell pushes the right one", opening +
			"  1) 11: Illegal play (3;0;0;0;0;Ben;Ann;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;4;1;) 41: 13/9 24/23\n", 2,
			func(r *Record) bool {
				return r.Games[0].Actions[0].Position != nil && r.Games[0].Actions[1].Side == rules.Dark
			}, ""},
		{"several dice in one word, a number in brackets", opening + "  1) 22: 13/9(2)                 66: 24/18(2) 13/7(2)\n", 2, nil, ""},
		{"bar and off in words", opening + "  1) 31: Bar/22 6/Off\n", 1, nil, ""},
		{"a star in the row's number", opening + "  *) 31: 8/5 6/5\n 1*) 21: 13/11 6/5\n", 2, nil, ""},
		{"text that means nothing", opening + "  1) hello there                 31: 8/5 6/5\n", 1, nil, "not understood"},
		{"ratings behind the names", strings.Replace(opening, "Ann : 0", "Ann,1512 : 0", 1) + "  1) 31: 8/5 6/5\n", 1,
			func(r *Record) bool { return r.Players[0] == "Ann" }, ""},
		{"games and players at the first column", "3 Point Match\nGame 1\nAnn: 0    Ben : 0\n1) 31: 8/5 6/5             21: 13/11 6/5\n", 2,
			func(r *Record) bool { return r.Players == [2]string{"Ann", "Ben"} }, ""},
		{"no newline at the end, lines ended by CR LF", "\uFEFF" + strings.ReplaceAll(opening, "\n", "\r\n") + "  1) 31: 8/5 6/5", 1, nil, "byte order mark"},
		{"Windows-1252", strings.Replace(opening, "Ann", "Ren\xe9\x96", 1) + "  1) 31: 8/5 6/5\n", 1,
			func(r *Record) bool { return r.Players[0] == "René–" }, "Windows-1252"},
		{"a Snowie header", ";[matchtitle A Big One]\n" + opening, 0,
			func(r *Record) bool { return r.Field("matchtitle") == "A Big One" }, ""},
		{"a game is missing", opening + "      Wins 1 point\n\n Game 3\n Ann : 2                         Ben : 0\n  1) 31: 8/5 6/5\n", 1, nil, "game 3 follows game 1"},
		{"the names change", opening + "      Wins 1 point\n\n Game 2\n Amy : 1                         Ben : 0\n", 0, nil, "names change"},
		{"a beaver", strings.Replace(opening, "3 point", "0 point", 1) + "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Beavers => 4                Takes\n", 1,
			func(r *Record) bool { return r.Games[0].Actions[2].Kind == Beaver && r.Games[0].cubeAt(4) == 4 }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			rec := mustRead(t, c.text)
			if got := rec.Check(rules.Options{}).Rolls; got != c.rolls {
				t.Errorf("%d rolls, want %d", got, c.rolls)
			}
			if c.check != nil && !c.check(rec) {
				t.Errorf("read as %+v", rec)
			}
			noted := c.note == "" && len(rec.Notes) == 0
			for _, n := range rec.Notes {
				noted = noted || c.note != "" && strings.Contains(n.String(), c.note)
			}
			if !noted {
				t.Errorf("notes %v, want %q", rec.Notes, c.note)
			}
		})
	}
}

func TestABeaverIsTakenByPlayingOnAndCannotBeDroppedInMat(t *testing.T) {
	const opening = " 0 point match\n\n Game 1\n Ann : 0                         Ben : 0\n  1) 31: 8/5 6/5                  Doubles => 2\n"
	silent := mustRead(t, opening+"  2)  Beavers => 4               63: 24/18 13/10\n")
	said := mustRead(t, opening+"  2)  Beavers => 4                Takes\n  3)                             63: 24/18 13/10\n")
	if d := sameGames(silent, said); d != "" {
		t.Error(d)
	}
	dropped := mustRead(t, opening+"  2)  Beavers => 4                Drops\n      Wins 2 points\n")
	data, losses := dropped.Mat()
	again := mustRead(t, string(data))
	if len(losses) != 1 || again.Games[0].Result.Points != 2 || again.Games[0].Result.Winner != rules.Light || len(again.Notes) > 0 {
		t.Errorf("%v %v\n%s", losses, again.Notes, data)
	}
	sgf, losses := dropped.SGF()
	if d := sameGames(dropped, mustRead(t, string(sgf))); d != "" || len(losses) > 0 {
		t.Errorf("%s %v\n%s", d, losses, sgf)
	}
}

func TestTheVariantIsKeptInMatAndJSON(t *testing.T) {
	for _, v := range []rules.Variant{rules.Standard, rules.Iran, rules.Tavla, rules.Nackgammon} {
		for _, format := range []Format{FormatMat, FormatJSON} {
			rec := &Record{Players: [2]string{"Ann", "Ben"}, Length: 3, Variant: v, Crawford: true,
				Games: []Game{{Number: 1, Start: rules.Start(v), Result: &Result{Points: 1, Resigned: true}}}}
			data, _, err := rec.Write(format)
			if err != nil {
				t.Fatal(err)
			}
			if again := mustRead(t, string(data)); again.Variant != v || len(again.Notes) > 0 {
				t.Errorf("%v in %s: read as %v, %v", v, format, again.Variant, again.Notes)
			}
		}
	}
}

func TestALossOnTimeIsWrittenAsAResignationWhereNoClockIsKnown(t *testing.T) {
	rec := mustRead(t, condonedMatch)
	rec.Games[0].Result = &Result{Winner: rules.Light, Match: true, OnTime: true}
	for _, format := range []Format{FormatMat, FormatSGF, FormatJSON} {
		data, losses, err := rec.Write(format)
		if err != nil {
			t.Fatal(err)
		}
		want := Result{Winner: rules.Light, Points: 2, Resigned: true}
		if format == FormatJSON {
			want = *rec.Games[0].Result
		} else if !strings.Contains(losses[len(losses)-1]+losses[0], "on time") {
			t.Errorf("%s: said %q", format, losses)
		}
		got := *mustRead(t, string(data)).Games[0].Result
		if got.Match = want.Match; got != want {
			t.Errorf("%s: %+v, want %+v", format, got, want)
		}
	}
}

func TestCrawfordIsFoundFromTheScores(t *testing.T) {
	text := "3 point match\n"
	for i, score := range [][2]string{{"0", "0"}, {"2", "0"}, {"2", "1"}, {"2", "2"}} {
		text += "\n Game " + string(rune('1'+i)) + "\n Ann : " + score[0] + "                         Ben : " + score[1] + "\n"
	}
	rec := mustRead(t, text)
	for i, want := range []bool{false, true, false, false} {
		if rec.Games[i].Crawford != want {
			t.Errorf("game %d: Crawford %t", i+1, rec.Games[i].Crawford)
		}
	}
}

func TestNamesCannotBreakTheColumns(t *testing.T) {
	rec := mustRead(t, condonedMatch)
	rec.Players = [2]string{"A: very, long name; that \n goes on and on", "(Ben) ]\\"}
	for _, format := range []Format{FormatMat, FormatSGF, FormatJSON} {
		data, _, err := rec.Write(format)
		if err != nil {
			t.Fatal(err)
		}
		if d := sameGames(rec, mustRead(t, string(data))); d != "" {
			t.Errorf("%s: %s\n%s", format, d, data)
		}
	}
}

func TestTextThatIsNoMatchIsRefused(t *testing.T) {
	for _, text := range []string{"", "hello", "{}", `{"format":"other"}`, `{"format":"davar.match","version":9}`, "(;GM[1])", "(;FF[4]GM[6]PW[a"} {
		if _, err := Read([]byte(text)); err == nil {
			t.Errorf("%q was read without complaint", text)
		}
	}
}

func fuzzRead(f *testing.F, read func([]byte) (*Record, error)) {
	f.Fuzz(func(t *testing.T, data []byte) {
		rec, err := read(data)
		if err != nil {
			return
		}
		rec.Check(rules.OptionsFor(rec.Variant))
		for _, format := range []Format{FormatMat, FormatSGF, FormatJSON} {
			out, _, err := rec.Write(format)
			if err != nil {
				t.Fatalf("%s: %v", format, err)
			}
			if len(out) > 4096+200*len(data) {
				t.Fatalf("%s: %d bytes become %d", format, len(data), len(out))
			}
			if _, err := Read(out); err != nil && len(rec.Games) > 0 {
				t.Fatalf("%s: what we wrote cannot be read: %v\n%s", format, err, out)
			}
		}
	})
}

func FuzzReadMat(f *testing.F) {
	f.Add([]byte(condonedMatch))
	f.Add([]byte(" 0 point match\n Game 1\n a : 0  b : 0\n 1) 31: ???? Doubles => 2\n 2) Beavers => 4  Concedes\n Wins 2 points\n"))
	f.Add([]byte(" 0 point match\n Game 0\n0A : 0: 0\n 00DouBle =>00\n BeAver =>1A00000000 Wins 0 point"))
	fuzzRead(f, ReadMat)
}

func FuzzReadSGF(f *testing.F) {
	f.Add([]byte("(;FF[4]GM[6]MI[length:5][game:0][ws:0][bs:0]PW[a]PB[b]RU[Crawford]RE[W+2R];W[31hefe];B[double];W[take];PL[B]DI[55];PL[W]AE[a:y]AW[a][y]AB[b])"))
	f.Add([]byte("(;GM[6]PW[a]PB[b];W[31zaaa]"))
	fuzzRead(f, ReadSGF)
}

func FuzzReadJSON(f *testing.F) {
	data, err := mustRead(f, condonedMatch).JSON()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	fuzzRead(f, ReadJSON)
}

func FuzzParseSnowie(f *testing.F) {
	f.Add("9;0;0;0;1;root;gnubg;0;3;5;2;1;-1;2;0;0;2;2;2;0;0;0;0;0;-4;5;0;0;0;-4;0;-3;0;-3;0;0;1;0;5;2;")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseSnowie(text)
		if err != nil {
			return
		}
		back, err := ParseSnowie(m.Snowie([2]string{"a", "b"}))
		if err != nil || back != m {
			t.Errorf("%q is read back as %+v, not %+v (%v)", text, back, m, err)
		}
	})
}

func BenchmarkRecords(b *testing.B) {
	files, err := filepath.Glob("testdata/selfplay/*.mat")
	if err != nil || len(files) == 0 {
		b.Fatal("no matches")
	}
	var texts [][]byte
	total := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		texts = append(texts, data)
		total += len(data)
	}
	run := func(name string, step func(i int) error) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(total / len(texts)))
			i := 0
			for b.Loop() {
				if err := step(i % len(texts)); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
	records := make([]*Record, len(texts))
	run("read mat", func(i int) (err error) { records[i], err = ReadMat(texts[i]); return err })
	for i := range texts {
		if records[i], err = ReadMat(texts[i]); err != nil {
			b.Fatal(err)
		}
	}
	run("check", func(i int) error { records[i].Check(rules.Options{}); return nil })
	for _, format := range []Format{FormatMat, FormatSGF, FormatJSON} {
		run("write "+string(format), func(i int) error { _, _, err := records[i].Write(format); return err })
	}
}
