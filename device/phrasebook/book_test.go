package phrasebook

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func open(t *testing.T) *Book {
	t.Helper()
	book, err := Open("")
	if err != nil {
		t.Fatal(err)
	}
	return book
}

// placeholders lists the names in braces of a text, sorted, each once.
func placeholders(text string) []string {
	names := placeholder.FindAllString(text, -1)
	slices.Sort(names)
	return slices.Compact(names)
}

func TestEveryLanguageHasEveryKeyWithTheSamePlaceholders(t *testing.T) {
	book := open(t)
	english := book.Phrases(English)
	for _, lang := range book.Languages() {
		phrases := book.Phrases(lang)
		for key := range phrases {
			if _, ok := english[key]; !ok {
				t.Errorf("%s has %s and English has not", lang, key)
			}
		}
		for key, want := range english {
			got, ok := phrases[key]
			if !ok || got.Other == "" {
				t.Errorf("%s lacks %s", lang, key)
				continue
			}
			if !slices.Equal(placeholders(got.Other), placeholders(want.Other)) {
				t.Errorf("%s %s has %v, English has %v", lang, key, placeholders(got.Other), placeholders(want.Other))
			}
			if (got.One == "") != (want.One == "") {
				t.Errorf("%s %s: the form for one thing exists in one language only", lang, key)
			}
			if got.One != "" && !slices.Equal(placeholders(got.One), placeholders(got.Other)) {
				t.Errorf("%s %s: its two forms have different placeholders", lang, key)
			}
		}
	}
}

func TestBracesAreAlwaysPlaceholders(t *testing.T) {
	book := open(t)
	for _, lang := range book.Languages() {
		for key, phrase := range book.Phrases(lang) {
			if rest := placeholder.ReplaceAllString(phrase.One+phrase.Other, ""); strings.ContainsAny(rest, "{}") {
				t.Errorf("%s %s has a brace that is no placeholder: %q", lang, key, phrase.Other)
			}
		}
	}
}

// announcements reads the table of cases: code, English, Persian.
func announcements(t *testing.T) [][3]string {
	t.Helper()
	source, err := os.ReadFile("testdata/announcements.txt")
	if err != nil {
		t.Fatal(err)
	}
	var rows [][3]string
	for line := range strings.Lines(string(source)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		row := strings.Split(line, "|")
		if len(row) != 3 {
			t.Fatalf("announcements.txt: %q has not three columns", line)
		}
		rows = append(rows, [3]string(row))
	}
	return rows
}

func TestEveryAnnouncementHasItsFinalWording(t *testing.T) {
	book := open(t)
	rows := announcements(t)
	if len(rows) != 47 {
		t.Fatalf("%d announcements in the table, want the 47 of RULES §3", len(rows))
	}
	for _, row := range rows {
		for i, lang := range []string{English, Persian} {
			if got := book.Phrases(lang)["ruling."+row[0]].Other; got != row[i+1] {
				t.Errorf("%s in %s is %q, want %q", row[0], lang, got, row[i+1])
			}
		}
	}
	for key := range book.Phrases(English) {
		code, ok := strings.CutPrefix(key, "ruling.")
		if ok && !slices.ContainsFunc(rows, func(row [3]string) bool { return row[0] == code }) {
			t.Errorf("announcement %s is not one of RULES §3", code)
		}
	}
}

func TestTheTableOfAnnouncementsIsThatOfTheRuleBook(t *testing.T) {
	book, err := os.ReadFile("../../../shared/RULES.md")
	if err != nil {
		t.Skip("the rule book does not lie beside this checkout; testdata/announcements.txt is taken as it is")
	}
	_, section, _ := strings.Cut(string(book), "\n## 3. ")
	section, _, _ = strings.Cut(section, "\n## 4. ")
	lines := regexp.MustCompile(`(?m)^\| ([A-Z]\d+)†? \|(.*)$`).FindAllStringSubmatch(section, -1)
	rows := announcements(t)
	if len(lines) != len(rows) {
		t.Fatalf("the rule book has %d announcements, the table %d", len(lines), len(rows))
	}
	for i, line := range lines {
		message := strings.TrimPrefix(strings.TrimSpace(strings.Split(line[2], "|")[3]), "(director only) ")
		if want := rows[i][1] + " / " + rows[i][2]; line[1] != rows[i][0] || message != want {
			t.Errorf("the rule book has %s %q, the table %s %q", line[1], message, rows[i][0], want)
		}
	}
}

func TestAnAnnouncementIsFilledInTheLanguageOfTheReader(t *testing.T) {
	book := open(t)
	tests := []struct {
		lang, code string
		params     map[string]string
		want       string
	}{
		{"en", "M3", map[string]string{"a": "3", "b": "1"}, "Moves do not match the roll 3-1."},
		{"fa", "M3", map[string]string{"a": "3", "b": "1"}, "حرکت\u200cها با تاس ۳ و ۱ نمی\u200cخواند."},
		{"en", "S2", map[string]string{"colour": "light", "n": "14"}, "Light has 14 checkers."},
		{"fa", "S2", map[string]string{"colour": "dark", "n": "14"}, "تیره ۱۴ مهره دارد."},
		{"en", "K2", map[string]string{"player": "Ann"}, "Time: Ann."},
		{"fa", "K2", map[string]string{"player": "Ann"}, "وقت \u2068Ann\u2069 تمام شد."},
		{"en", "M3", nil, "Moves do not match the roll {a}-{b}."},
		{"xx", "D11", nil, "Tie: both again."},
		{"en", "Z9", nil, "ruling.Z9"},
	}
	for _, test := range tests {
		if got := book.Announce(test.lang, test.code, test.params); got != test.want {
			t.Errorf("Announce(%s, %s) = %q, want %q", test.lang, test.code, got, test.want)
		}
	}
}

func TestAttentionFallsBackToShowTheBoard(t *testing.T) {
	book := open(t)
	for why, want := range map[string]string{
		"no board": "No board in the picture.", "X2": "Referee paused.", "setup": "Please put the checkers in the starting position.",
		"never heard of": "Attention: please show the board.", "": "Attention: please show the board.",
	} {
		if got := book.Attention("en", why); got != want {
			t.Errorf("Attention(%q) = %q, want %q", why, got, want)
		}
	}
}

func TestTheTripleIsCalledAsTheOptionSays(t *testing.T) {
	for names, want := range map[string]string{"": "بک\u200cگمون", "000": "بک\u200cگمون", "001": "مارس ترکی", "003": "مارس اکبر"} {
		book, err := Open(names)
		if err != nil {
			t.Fatal(err)
		}
		if got := book.Result("fa", "backgammon"); got != want {
			t.Errorf("rules.names %q: %q, want %q (VAR-8)", names, got, want)
		}
		if got := book.Result("fa", "gammon"); got != "مارس" {
			t.Errorf("rules.names %q: a gammon is %q", names, got)
		}
		if got := book.Result("en", "backgammon"); got != "backgammon" {
			t.Errorf("rules.names %q: in English %q", names, got)
		}
		if got := book.Result("en", "by miracle"); got != "by miracle" {
			t.Errorf("an unknown way to win is told as %q", got)
		}
		for key, phrase := range book.Phrases("fa") {
			if strings.Contains(phrase.Other, "سگ") {
				t.Errorf("%s shows the name that is never shown (VAR-8)", key)
			}
		}
	}
	if _, err := Open("004"); err == nil {
		t.Error("rules.names 004 is accepted")
	}
}

func TestTheReadersWishChoosesTheLanguage(t *testing.T) {
	book := open(t)
	tests := []struct {
		wishes []string
		want   string
	}{
		{[]string{"fa"}, "fa"}, {[]string{"fa-IR"}, "fa"}, {[]string{"", "fa-IR,fa;q=0.9,en;q=0.5"}, "fa"}, {[]string{"en", "fa"}, "en"},
		{[]string{"de-DE,de;q=0.9"}, "en"}, {[]string{"\x00;;;"}, "en"}, {nil, "en"},
	}
	for _, test := range tests {
		if got := book.Match(test.wishes...); got != test.want {
			t.Errorf("Match(%q) = %s, want %s", test.wishes, got, test.want)
		}
	}
	if book.Direction("fa") != "rtl" || book.Direction("en") != "ltr" {
		t.Error("Persian is written from right to left, English from left to right")
	}
}
