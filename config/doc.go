// Package config reads the one YAML file that fixes how a table runs.
//
// Load starts from Default, so a file holds only what differs from it. Reading is strict: an unknown key or a bad value is an
// error that names file, line and key, and all errors of a file are reported at once. The file davar.yaml beside
// this package lists every key with its default; REFERENCE.md, made of the types, the checks and that file, is the same
// for people.
package config

//go:generate go test . -run TheReferenceForPeople -update
