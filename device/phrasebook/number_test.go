package phrasebook

import "testing"

func TestAFigureIsWrittenAsTheLanguageDoes(t *testing.T) {
	book, err := Open("")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ lang, figure, want string }{
		{English, "12", "12"}, {English, "-0.25", "\u2066−0.25\u2069"}, {English, "+1.50", "\u2066+1.50\u2069"},
		{Persian, "12", "۱۲"}, {Persian, "12.5", "۱۲٫۵"}, {Persian, "-0.25", "\u2066−۰٫۲۵\u2069"}, {Persian, "", ""},
	} {
		if got := book.Number(c.lang, c.figure); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.lang, c.figure, got, c.want)
		}
	}
}

func TestADayBeginsWithTheYear(t *testing.T) {
	book, err := Open("")
	if err != nil {
		t.Fatal(err)
	}
	for lang, want := range map[string]string{English: "2026-11-29", Persian: "\u2066۲۰۲۶-۱۱-۲۹\u2069"} {
		if got := book.Day(lang, "2026-11-29T18:00:00Z"); got != want || book.Day(lang, "") != "" {
			t.Errorf("%s: %q", lang, got)
		}
	}
}
