// Package phrasebook holds every text a user of Davar sees, in English and in Persian: the announcements of a
// referee (RULES §3, final wording), the labels of the pages, what the command line says and what is read aloud.
//
// There is one file a language, texts/active.<language>.toml, with the same keys and the same {placeholders} in
// each. A text is asked for by its key; nobody else composes sentences.
package phrasebook
