package phrasebook

import "strings"

// Unicode marks around a piece of text whose own direction must not disturb the sentence around it.
const (
	firstStrongIsolate    = "\u2068"
	popDirectionalIsolate = "\u2069"
)

// digits writes a number in the digits of the language.
func digits(lang, number string) string {
	if lang != Persian {
		return number
	}
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '۰' + r - '0'
		}
		return r
	}, number)
}

// embedded prepares a value for a sentence of the language: numbers take its digits, and in a sentence written
// from right to left a name or a notation keeps its own direction.
func embedded(lang, value string) string {
	if lang != Persian || value == "" {
		return value
	}
	if strings.Trim(value, "0123456789 ,:.-") == "" {
		return digits(lang, value)
	}
	return firstStrongIsolate + value + popDirectionalIsolate
}
