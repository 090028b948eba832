package config

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

// update writes the reference anew: go test ./config -run Reference -update
var update = flag.Bool("update", false, "write REFERENCE.md anew")

// referenceFile is the reference for people, made of the types, the checks and davar.yaml.
const referenceFile = "REFERENCE.md"

func TestTheReferenceForPeopleIsWhatTypesChecksAndCommentsSay(t *testing.T) {
	made := reference(t)
	if *update {
		if err := os.WriteFile(referenceFile, made, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(referenceFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(kept, made) {
		t.Errorf("%s is out of date; run: go generate ./config", referenceFile)
	}
}

// reference writes a table for each section. Every key must have a meaning.
func reference(t *testing.T) []byte {
	meanings, spoken := comments(t)
	var out bytes.Buffer
	fmt.Fprint(&out, "# What can be set\n\n"+
		"Every key of the settings file, `davar run --config FILE`. All have defaults; a file holds only what differs, and a wrong\n"+
		"key or value is reported with its line. [davar.yaml](davar.yaml) is the same as a file to start from. Times are written as\n"+
		"`12s` or `2m30s`. The last column names the rules of the game and of tournaments that a key decides, as rulings name them.\n\n"+
		"Made by `go generate ./config` from the types, their checks and `davar.yaml`; a test keeps it true.\n")
	head := func(title, meaning string) {
		fmt.Fprintf(&out, "\n## %s\n", title)
		if meaning != "" {
			fmt.Fprintf(&out, "\n%s\n", meaning)
		}
		fmt.Fprint(&out, "\n| key | kind | default | meaning | allowed | rule |\n|---|---|---|---|---|---|\n")
	}
	head("Place and language", "")
	before := ""
	walkKeys(reflect.ValueOf(Default()), "", func(key string, value reflect.Value) {
		if !strings.Contains(key, ".") && value.Kind() == reflect.Struct {
			before = ""
			head("`"+key+"`", sentence(spoken[key]))
			return
		}
		if value.Kind() == reflect.Struct {
			before = meanings[key] // of the keys in it, where they have none of their own
			return
		}
		meaning := cmp.Or(meanings[key], spoken[key], before)
		before = meaning
		if meaning == "" {
			t.Errorf("%s: davar.yaml does not say what it is for", key)
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s | %s | %s |\n", key, kind(value), written(value), cell(meaning), cell(allowed(key)),
			strings.Join(ruleNumber.FindAllString(spoken[key], -1), ", "))
	})
	return out.Bytes()
}

// walkKeys visits every key of the settings in the order of the types, a section before its keys.
func walkKeys(section reflect.Value, path string, visit func(key string, value reflect.Value)) {
	for i := range section.NumField() {
		key := strings.TrimPrefix(path+"."+section.Type().Field(i).Tag.Get("yaml"), ".")
		visit(key, section.Field(i))
		if section.Field(i).Kind() == reflect.Struct {
			walkKeys(section.Field(i), key, visit)
		}
	}
}

// comments returns what davar.yaml says of each key, and what the types say.
func comments(t *testing.T) (meanings, spoken map[string]string) {
	var c Config
	d := decoder{lines: map[string]int{}}
	d.document(Reference, &c)
	lines := strings.Split(string(Reference), "\n")
	meanings = map[string]string{}
	for key, line := range d.lines {
		if !strings.HasPrefix(strings.TrimSpace(lines[line-1]), last(key)+":") {
			continue // one of several on a line: the remark is not its own
		}
		meanings[key] = remark(lines[line-1:])
	}
	spoken = map[string]string{}
	docs, fields := goComments(t)
	var walk func(reflect.Type, string)
	walk = func(typ reflect.Type, path string) {
		for i := range typ.NumField() {
			f := typ.Field(i)
			key := strings.TrimPrefix(path+"."+f.Tag.Get("yaml"), ".")
			spoken[key] = fields[typ.Name()+"."+f.Name]
			if f.Type.Kind() == reflect.Struct {
				spoken[key] = docs[f.Type.Name()]
				walk(f.Type, key)
			}
		}
	}
	walk(reflect.TypeFor[Config](), "")
	return meanings, spoken
}

// remark returns the comment that ends the first line, with the lines of comment that go on under it.
func remark(lines []string) string {
	_, text, ok := strings.Cut(lines[0], " #")
	if !ok {
		return ""
	}
	words := strings.Fields(text)
	for _, line := range lines[1:] {
		more, ok := strings.CutPrefix(strings.TrimSpace(line), "#")
		if !ok || !strings.HasPrefix(line, "  ") {
			break
		}
		words = append(words, strings.Fields(more)...)
	}
	return strings.Join(words, " ")
}

// goComments returns the doc comment of each type and the comment of each field, by their Go names.
func goComments(t *testing.T) (docs, fields map[string]string) {
	docs, fields = map[string]string{}, map[string]string{}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			general, ok := d.(*ast.GenDecl)
			if !ok || general.Tok != token.TYPE {
				continue
			}
			for _, s := range general.Specs {
				spec := s.(*ast.TypeSpec)
				docs[spec.Name.Name] = general.Doc.Text()
				if body, ok := spec.Type.(*ast.StructType); ok {
					for _, f := range body.Fields.List {
						for _, n := range f.Names {
							fields[spec.Name.Name+"."+n.Name] = strings.TrimSpace(f.Doc.Text() + f.Comment.Text())
						}
					}
				}
			}
		}
	}
	return docs, fields
}

// ruleNumber is how rules of the game and of tournaments are numbered.
var ruleNumber = regexp.MustCompile(`\b[A-Z]{2,}-\d+\b`)

// lawOf is how a section's doc comment names the chapter of the rule book it is made by.
var lawOf = regexp.MustCompile(`, \w+\.\* of RULES §2`)

// sentence makes a type's doc comment a section's introduction: "Match is who plays what." becomes "Who plays what."
func sentence(doc string) string {
	doc = lawOf.ReplaceAllString(strings.Join(strings.Fields(doc), " "), "")
	_, rest, ok := strings.Cut(doc, " ")
	if !ok {
		return ""
	}
	for _, verb := range []string{"is ", "are ", "says "} {
		rest = strings.TrimPrefix(rest, verb)
	}
	return strings.ToUpper(rest[:1]) + rest[1:]
}

// allowed returns what the settings' own check asks of a key: the words after "use" of what it says to an impossible value.
func allowed(key string) string {
	c := Default()
	walkKeys(reflect.ValueOf(&c).Elem(), "", func(k string, value reflect.Value) {
		switch {
		case k != key:
		case value.Kind() == reflect.String:
			value.SetString("/\x00+")
		case value.Kind() == reflect.Int:
			value.SetInt(-1 << 30)
		}
	})
	for _, p := range c.check() {
		if _, use, ok := strings.Cut(p.Why, "; use "); ok && p.Key == key {
			return use
		}
	}
	return ""
}

func kind(value reflect.Value) string {
	switch value.Interface().(type) {
	case bool:
		return "true or false"
	case int:
		return "number"
	case time.Duration:
		return "time"
	}
	return "text"
}

// written returns a default as one writes it in the file.
func written(value reflect.Value) string {
	switch v := value.Interface().(type) {
	case string:
		if v == "" {
			return "empty"
		}
	case time.Duration:
		text := v.String()
		for _, zero := range []string{"m0s", "h0m"} {
			if strings.HasSuffix(text, zero) {
				text = text[:len(text)-2]
			}
		}
		return "`" + text + "`"
	}
	return fmt.Sprintf("`%v`", value.Interface())
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

func last(key string) string { return key[strings.LastIndex(key, ".")+1:] }
