package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Value returns what a key such as match.length is set to, as a file would say it; false when there is no such key.
func (c *Config) Value(key string) (string, bool) {
	field, ok := valueAt(reflect.ValueOf(c).Elem(), key)
	if !ok {
		return "", false
	}
	return fmt.Sprint(field.Interface()), true
}

// With returns the configuration with other values for some keys, as a person wrote them. The error is a Problems that
// names every value that is wrong, in the order of the keys; then the configuration is as it was.
func (c Config) With(values map[string]string) (Config, error) {
	changed := c
	var problems Problems
	for key, text := range values {
		field, ok := valueAt(reflect.ValueOf(&changed).Elem(), key)
		why := "there is no such key"
		if ok {
			why = set(field, text)
		}
		if why != "" {
			problems = append(problems, Problem{Key: key, Why: why})
		}
	}
	if len(problems) == 0 {
		problems = changed.check()
	}
	if len(problems) > 0 {
		slices.SortFunc(problems, func(a, b Problem) int { return strings.Compare(a.Key, b.Key) })
		return c, problems
	}
	return changed, nil
}

// valueAt returns the single value that a key names.
func valueAt(at reflect.Value, key string) (reflect.Value, bool) {
	for _, name := range strings.Split(key, ".") {
		if at.Kind() != reflect.Struct {
			return at, false
		}
		field, ok := fieldNamed(at, name)
		if !ok {
			return at, false
		}
		at = field
	}
	return at, at.Kind() != reflect.Struct
}
