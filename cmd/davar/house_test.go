package main

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"davar/device/phrasebook"
)

// forTests are packages whose functions take a test or serve one: there is nothing in them that an example could run.
var forTests = map[string]bool{"device/gpio/gpiosim": true, "device/camera/cameratest": true, "rules/record/gnubgtest": true}

// rooms returns every folder of the tree that holds Go code, relative to it.
func rooms(t *testing.T, root string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
			return nil
		case path != root && strings.HasPrefix(d.Name(), "."), d.Name() == "testdata", d.Name() == "bin":
			return filepath.SkipDir
		}
		if files, _ := filepath.Glob(filepath.Join(path, "*.go")); len(files) > 0 {
			room, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			found = append(found, filepath.ToSlash(room))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// room is what the files of one folder say.
type room struct {
	name     string // the package's
	doc      string
	exported bool // others can use something of it
	examples []*doc.Example
}

func readRoom(t *testing.T, folder string) room {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var r room
	var tests []*ast.File
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".go" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, e.Name()), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(e.Name(), "_test.go") {
			tests = append(tests, file)
			continue
		}
		r.name = file.Name.Name
		if file.Doc != nil {
			r.doc = file.Doc.Text()
		}
		r.exported = r.exported || ast.FileExports(file)
	}
	r.examples = doc.Examples(tests...)
	return r
}

func TestEveryPackageSaysWhatItIsAndShowsItByAnExampleThatRuns(t *testing.T) {
	const root = "../.."
	for _, path := range rooms(t, root) {
		r := readRoom(t, filepath.Join(root, path))
		if r.name == "" {
			continue // tests alone
		}
		begins := "Package " + r.name + " "
		if r.name == "main" {
			begins = "Command " + filepath.Base(path) + " "
		}
		if !strings.HasPrefix(r.doc, begins) {
			t.Errorf("%s: its doc does not begin with %q", path, begins)
		}
		if r.name == "main" || !r.exported || forTests[path] {
			continue
		}
		runs := false
		for _, e := range r.examples {
			runs = runs || e.Output != ""
		}
		if !runs {
			t.Errorf("%s: no example with output", path)
		}
	}
}

// sources returns all that the program and its pages are made of, tests and tools left out.
func sources(t *testing.T, root string) string {
	t.Helper()
	var all strings.Builder
	for _, pattern := range []string{"*.go", "*/*.go", "*/*/*.go", "*/*/*/*.go", "device/web/page/*.js", "device/*/*.html", "device/web/page/*.html"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(text)
		}
	}
	return all.String()
}

// named tells whether a text's key stands in the sources, whole or as a beginning to which the rest is added.
func named(key, sources string) bool {
	if strings.Contains(sources, key) {
		return true
	}
	for i := len(key) - 1; i > 0; i-- {
		if begin := key[:i]; strings.HasSuffix(begin, ".") || strings.HasSuffix(begin, "_") {
			for _, quoted := range []string{`"` + begin + `"`, "'" + begin + "'", "`" + begin + "${"} {
				if strings.Contains(sources, quoted) {
					return true
				}
			}
		}
	}
	return false
}

func TestNoTextOfTheCatalogueIsLeftOver(t *testing.T) {
	book, err := phrasebook.Open("")
	if err != nil {
		t.Fatal(err)
	}
	all := sources(t, "../..")
	for key := range book.Phrases("en") {
		if !named(key, all) {
			t.Errorf("nobody says %s", key)
		}
	}
}
