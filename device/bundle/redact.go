package bundle

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Redactor takes people's names and secrets out of texts.
type Redactor struct {
	names   []string // longest first
	secrets []string
}

// addressWithUser finds name and password in an address.
var addressWithUser = regexp.MustCompile(`([a-zA-Z][a-zA-Z0-9+.-]*://)[^/\s"'@]+@`)

// NewRedactor returns one for these names and secrets. Each word of a name of several words is a name too; what is no
// name, such as the default names Light and Dark, is to be left out by the caller.
func NewRedactor(names, secrets []string) *Redactor {
	r := &Redactor{}
	add := func(list *[]string, text string) {
		if text = strings.TrimSpace(text); text != "" && !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
	for _, name := range names {
		add(&r.names, name)
		if words := strings.FieldsFunc(name, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsMark(c) && c != '\u200c' }); len(words) > 1 {
			for _, word := range words {
				if utf8.RuneCountInString(word) > 1 {
					add(&r.names, word)
				}
			}
		}
	}
	for _, secret := range secrets {
		add(&r.secrets, secret)
		if escaped := url.QueryEscape(secret); escaped != secret {
			add(&r.secrets, escaped)
		}
	}
	longest := func(a, b string) int { return cmp.Compare(len(b), len(a)) }
	slices.SortStableFunc(r.names, longest)
	slices.SortStableFunc(r.secrets, longest)
	return r
}

// Text returns the text with "(secret)" and "(name)" in place of what must not be told. Names count only as whole words,
// capitals or not.
func (r *Redactor) Text(text string) string {
	text = addressWithUser.ReplaceAllString(text, "$1(secret)@")
	for _, secret := range r.secrets {
		text = strings.ReplaceAll(text, secret, "(secret)")
	}
	for _, name := range r.names {
		text = replaceWord(text, name, "(name)")
	}
	return text
}

// replaceWord replaces each place at which the word stands alone.
func replaceWord(text, word, by string) string {
	find := regexp.MustCompile(`(?i)` + regexp.QuoteMeta(word))
	var out strings.Builder
	rest := 0
	for _, at := range find.FindAllStringIndex(text, -1) {
		before, _ := utf8.DecodeLastRuneInString(text[:at[0]])
		after, _ := utf8.DecodeRuneInString(text[at[1]:])
		if inWord(before) || inWord(after) {
			continue
		}
		out.WriteString(text[rest:at[0]])
		out.WriteString(by)
		rest = at[1]
	}
	out.WriteString(text[rest:])
	return out.String()
}

func inWord(c rune) bool {
	return c != utf8.RuneError && (unicode.IsLetter(c) || unicode.IsMark(c) || unicode.IsDigit(c) || c == '\u200c')
}
