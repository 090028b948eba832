package phrasebook

import "strings"

// Number writes a figure, such as "12", "-0.25" or "+1.5", as the language does: its digits, its decimal sign, a minus as
// wide as a plus, and the sign before the figure in both directions of writing.
func (b *Book) Number(lang, figure string) string {
	sign := ""
	switch {
	case strings.HasPrefix(figure, "-"):
		sign, figure = "−", figure[1:]
	case strings.HasPrefix(figure, "+"):
		sign, figure = "+", figure[1:]
	}
	text := digits(lang, figure)
	if lang == Persian {
		text = strings.Replace(text, ".", "٫", 1)
	}
	if sign == "" {
		return text
	}
	return leftToRightIsolate + sign + text + popDirectionalIsolate
}

const leftToRightIsolate = "\u2066"

// Day writes the day of an RFC 3339 time, the year first in both directions of writing; empty for an empty one.
func (b *Book) Day(lang, at string) string {
	day := at[:min(len(at), len("2006-01-02"))]
	if lang != Persian || day == "" {
		return day
	}
	return leftToRightIsolate + digits(lang, day) + popDirectionalIsolate
}
