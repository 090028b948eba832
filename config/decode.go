package config

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// decoder fills a struct from a YAML document and goes on after an error, so that all errors of a file are found
// in one pass; the library's own decoder stops at the first.
type decoder struct {
	file     string
	lines    map[string]int // line of each key that the file sets
	problems Problems
}

func (d *decoder) document(text []byte, target any) {
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		d.syntax(err)
		return
	}
	for _, doc := range file.Docs {
		if doc.Body != nil {
			d.mapping(doc.Body, reflect.ValueOf(target).Elem(), "")
		}
	}
}

// syntax reports a document that is not YAML; the parser's error begins with [line:column].
func (d *decoder) syntax(err error) {
	first, _, _ := strings.Cut(err.Error(), "\n")
	line := 0
	if at, rest, ok := strings.Cut(strings.TrimPrefix(first, "["), "] "); ok {
		number, _, _ := strings.Cut(at, ":")
		if n, err := strconv.Atoi(number); err == nil {
			line, first = n, rest
		}
	}
	d.problems = append(d.problems, Problem{File: d.file, Line: line, Why: "this is not YAML: " + first})
}

func (d *decoder) report(node ast.Node, key, format string, args ...any) {
	d.problems = append(d.problems, Problem{d.file, node.GetToken().Position.Line, key, fmt.Sprintf(format, args...)})
}

func (d *decoder) mapping(node ast.Node, target reflect.Value, path string) {
	var values []*ast.MappingValueNode
	switch n := node.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	case *ast.NullNode, *ast.CommentGroupNode:
		return
	default:
		d.report(node, path, "keys and values are expected here, such as \"%s: ...\"", firstKey(target.Type()))
		return
	}
	for _, pair := range values {
		name := pair.Key.GetToken().Value
		key := strings.TrimPrefix(path+"."+name, ".")
		field, ok := fieldNamed(target, name)
		switch {
		case !ok:
			d.report(pair.Key, key, "there is no such key; here one may set %s", strings.Join(keys(target.Type()), ", "))
			continue
		case d.lines[key] != 0:
			d.report(pair.Key, key, "it is set twice, first on line %d", d.lines[key])
			continue
		}
		d.lines[key] = pair.Key.GetToken().Position.Line
		if field.Kind() == reflect.Struct {
			d.mapping(pair.Value, field, key)
			continue
		}
		d.scalar(pair.Value, field, key)
	}
}

func (d *decoder) scalar(node ast.Node, target reflect.Value, key string) {
	if _, ok := node.(ast.ScalarNode); !ok {
		d.report(node, key, "a single value is expected here")
		return
	}
	if why := set(target, node.GetToken().Value); why != "" {
		d.report(node, key, "%s", why)
	}
}

// set writes a value as a file or a person writes it; it returns what is wrong with it, empty when nothing is.
func set(target reflect.Value, text string) (why string) {
	switch target.Interface().(type) {
	case string:
		target.SetString(text)
	case bool:
		value, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Sprintf("%q is neither true nor false", text)
		}
		target.SetBool(value)
	case int:
		value, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Sprintf("%q is not a whole number", text)
		}
		target.SetInt(int64(value))
	case time.Duration:
		value, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Sprintf("%q is not a time; write it as 12s or 2m30s", text)
		}
		target.SetInt(int64(value))
	default:
		panic("config: no reader for a " + target.Type().String())
	}
	return ""
}

func fieldNamed(target reflect.Value, name string) (reflect.Value, bool) {
	for i := range target.NumField() {
		if target.Type().Field(i).Tag.Get("yaml") == name {
			return target.Field(i), true
		}
	}
	return reflect.Value{}, false
}

func keys(t reflect.Type) []string {
	names := make([]string, t.NumField())
	for i := range names {
		names[i] = t.Field(i).Tag.Get("yaml")
	}
	return names
}

func firstKey(t reflect.Type) string { return keys(t)[0] }
