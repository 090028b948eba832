package phrasebook

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

//go:embed texts/*.toml
var texts embed.FS

// Languages of the catalogue, as BCP 47 tags.
const (
	English = "en"
	Persian = "fa"
)

var (
	languages = []string{English, Persian}
	// The first tag is what an unknown wish falls back to.
	matcher = language.NewMatcher([]language.Tag{language.English, language.Persian})
)

// Phrase is one text of the catalogue with its {placeholders} unfilled. One is empty where the text has a single
// form; otherwise it is the form for one thing and Other that for every other number.
type Phrase struct {
	One   string `json:"one,omitempty"`
	Other string `json:"other"`
}

// Book is the opened catalogue. It is safe for concurrent use.
type Book struct {
	names      string
	localizers map[string]*i18n.Localizer
	phrases    map[string]map[string]Phrase
}

// Open reads the catalogue. Names is the option rules.names (VAR-8), which says what the triple win is called in
// Persian: "000" (or empty), "001" or "003".
func Open(names string) (*Book, error) {
	switch names {
	case "":
		names = "000"
	case "000", "001", "003":
	default:
		return nil, fmt.Errorf("phrasebook: open: rules.names is %q; it may be 000, 001 or 003", names)
	}
	book := &Book{names: names, localizers: map[string]*i18n.Localizer{}, phrases: map[string]map[string]Phrase{}}
	bundle := i18n.NewBundle(language.English)
	bundle.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	for _, lang := range languages {
		if err := book.load(bundle, lang); err != nil {
			return nil, err
		}
	}
	return book, nil
}

// load reads the files of a language; several may share the catalogue, each key stands in one of them.
func (b *Book) load(bundle *i18n.Bundle, lang string) error {
	paths, err := fs.Glob(texts, "texts/*."+lang+".toml")
	if err != nil {
		return fmt.Errorf("phrasebook: open: %w", err)
	}
	b.phrases[lang] = map[string]Phrase{}
	for _, path := range paths {
		source, err := fs.ReadFile(texts, path)
		if err != nil {
			return fmt.Errorf("phrasebook: open: %w", err)
		}
		file, err := bundle.ParseMessageFileBytes(source, path)
		if err != nil {
			return fmt.Errorf("phrasebook: read %s: %w", path, err)
		}
		for _, m := range file.Messages {
			if _, twice := b.phrases[lang][m.ID]; twice {
				return fmt.Errorf("phrasebook: read %s: %s is there already", path, m.ID)
			}
			b.phrases[lang][m.ID] = Phrase{One: m.One, Other: m.Other}
		}
	}
	b.localizers[lang] = i18n.NewLocalizer(bundle, lang)
	return nil
}

// Languages returns the languages of the catalogue, English first.
func (b *Book) Languages() []string { return append([]string(nil), languages...) }

// Match returns the language of the catalogue that fits best what is asked for: tags such as "fa" or whole
// Accept-Language headers, the most binding first. English when none fits.
func (b *Book) Match(wishes ...string) string {
	_, index := language.MatchStrings(matcher, wishes...)
	return languages[index]
}

// Direction returns "rtl" for languages written from right to left and "ltr" for others.
func (b *Book) Direction(lang string) string {
	if lang == Persian {
		return "rtl"
	}
	return "ltr"
}

// Phrases returns the whole catalogue of one language by key, for a page that fills in texts by itself. The
// caller must not change it. Unknown languages give English.
func (b *Book) Phrases(lang string) map[string]Phrase { return b.phrases[b.known(lang)] }

// Text returns the text of a key in a language with its {placeholders} filled from params; names of sides
// ("light", "dark") among them are translated, numbers are written in the language's digits. A key that the
// catalogue does not have comes back as it is.
func (b *Book) Text(lang, key string, params map[string]string) string {
	return b.localize(lang, &i18n.LocalizeConfig{MessageID: key, TemplateData: b.fill(lang, params)})
}

// Count is Text for a key with a form for one thing and a form for several; n chooses and fills {n}.
func (b *Book) Count(lang, key string, n int, params map[string]string) string {
	filled := b.fill(lang, params)
	filled["n"] = digits(b.known(lang), fmt.Sprint(n))
	return b.localize(lang, &i18n.LocalizeConfig{MessageID: key, TemplateData: filled, PluralCount: n})
}

// Announce returns the announcement with a code of RULES §3, such as M1 or X2.
func (b *Book) Announce(lang, code string, params map[string]string) string {
	return b.Text(lang, "ruling."+code, params)
}

// Attention returns what the referee asks for. Why is the key of an attention event, the name of a
// sighting.Scene or a code of RULES §3; anything else is told as "please show the board".
func (b *Book) Attention(lang, why string) string {
	name := strings.ReplaceAll(why, " ", "_")
	for _, key := range []string{"attention." + name, "ruling." + name} {
		if _, ok := b.Phrases(lang)[key]; ok {
			return b.Text(lang, key, nil)
		}
	}
	return b.Text(lang, "attention.show_board", nil)
}

// Result returns the name of the way a game was won: single, gammon, backgammon (after rules.names), drop, time
// or resign. An unknown way comes back as it is.
func (b *Book) Result(lang, how string) string {
	key := "result." + how
	if how == "backgammon" {
		key += "_" + b.names
	}
	if _, ok := b.Phrases(lang)[key]; !ok {
		return how
	}
	return b.Text(lang, key, nil)
}

func (b *Book) localize(lang string, config *i18n.LocalizeConfig) string {
	config.TemplateParser = braces{}
	text, err := b.localizers[b.known(lang)].Localize(config)
	if err != nil {
		return config.MessageID
	}
	return text
}

func (b *Book) known(lang string) string {
	if _, ok := b.localizers[lang]; ok {
		return lang
	}
	return English
}

// fill prepares parameters for a sentence of the language.
func (b *Book) fill(lang string, params map[string]string) map[string]string {
	lang = b.known(lang)
	filled := make(map[string]string, len(params)+1)
	for name, value := range params {
		if value == "light" || value == "dark" {
			filled[name] = b.phrases[lang]["side."+value].Other
			continue
		}
		filled[name] = embedded(lang, value)
	}
	return filled
}
