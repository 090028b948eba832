package phrasebook

import (
	"fmt"
	"regexp"

	"github.com/nicksnyder/go-i18n/v2/i18n/template"
)

// placeholder is one {name} in a text, as RULES §3 writes them.
var placeholder = regexp.MustCompile(`\{([a-z_]+)\}`)

// braces is the template language of the catalogue: {name} stands for a parameter and nothing else is special.
// A name without a parameter stays as it is written, so that a gap is seen and not silently closed.
type braces struct{}

var _ template.Parser = braces{}

// Cacheable says that a parsed text never changes.
func (braces) Cacheable() bool { return true }

// Parse takes a text of the catalogue; the delimiters of other template languages are of no interest.
func (braces) Parse(src, _, _ string) (template.ParsedTemplate, error) { return bracesText(src), nil }

type bracesText string

// Execute fills the text from data, a map[string]string.
func (t bracesText) Execute(data any) (string, error) {
	params, ok := data.(map[string]string)
	if !ok && data != nil {
		return "", fmt.Errorf("phrasebook: fill %q: parameters are %T, not a map of strings", string(t), data)
	}
	return placeholder.ReplaceAllStringFunc(string(t), func(match string) string {
		if value, ok := params[match[1:len(match)-1]]; ok {
			return value
		}
		return match
	}), nil
}
