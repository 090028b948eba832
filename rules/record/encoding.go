package record

import (
	"strings"
	"unicode/utf8"
)

// windows1252 are the characters of bytes 0x80 to 0x9F in Windows-1252; 0 is unused.
var windows1252 = [32]rune{
	'€', 0, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0, 'Ž', 0,
	0, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0, 'ž', 'Ÿ',
}

// decodeText returns the text of a file: UTF-8 with or without a byte order mark, else Windows-1252. Lines end
// with \n alone.
func decodeText(data []byte) (text, encoding string) {
	text, encoding = string(data), "UTF-8"
	if rest, ok := strings.CutPrefix(text, "\uFEFF"); ok {
		text, encoding = rest, "UTF-8 with byte order mark"
	}
	if !utf8.ValidString(text) {
		text, encoding = fromWindows1252(text), "Windows-1252"
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), encoding
}

func fromWindows1252(text string) string {
	var b strings.Builder
	for i := range len(text) {
		c := rune(text[i])
		if c >= 0x80 && c < 0xA0 && windows1252[c-0x80] != 0 {
			c = windows1252[c-0x80]
		}
		b.WriteRune(c)
	}
	return b.String()
}

// cleanName makes a name safe for one line of any format: no control characters, no colon or comma (they separate
// in .mat), at most 24 characters.
func cleanName(name string) string {
	cleaned := strings.Map(func(r rune) rune {
		switch {
		case r < ' ' || r == 0x7F || r == '\u2028' || r == '\u2029':
			return -1
		case r == ':' || r == ',' || r == ';':
			return ' '
		}
		return r
	}, name)
	runes := []rune(strings.Join(strings.Fields(cleaned), " "))
	if len(runes) > 24 {
		runes = runes[:24]
	}
	return strings.TrimSpace(string(runes))
}
