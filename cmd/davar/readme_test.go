package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"davar/config"
)

// guides are the texts whose commands a stranger types.
var guides = []string{"../../README.md", "guide/start.fa.md"}

// notRun are commands of the guides that are not run here, and why. All others are.
var notRun = map[string]string{
	"make demo":                      "installs packages; TestKilledInMidGame… starts what it starts",
	"make demo SPEED=4":              "the same",
	"make test":                      "this is it",
	"make test-gpio":                 "takes a virtual machine; .ci/run runs it",
	"make lint":                      "a part of make test",
	"make bench":                     "takes half an hour",
	"make bench BASE=old.json":       "the same",
	"make bench ONLY=clock":          "the same",
	"make soak HOURS=1":              "takes an hour",
	"make screenshots":               "looks at every page; the tests of device/web do",
	"apt-get install gnubg":          "changes the machine",
	"go doc ./rules/referee":         "Go's own",
	"mosquitto_sub -t 'davar/#' -v":  "needs a demo; TestMosquitto… subscribes",
	"bin/davar run --config my.yaml": "needs a camera",
	"davar run --new":                "the same",
	"davar calibrate":                "the same",
	"davar read --overlay":           "one flag of a command run elsewhere",
	"davar doctor --press":           "needs somebody to press",
	"davar matches rename":           "one of the commands that davar matches has",
	"davar help COMMAND":             "stands for any command",
}

// untilStopped are commands that go on until they are stopped, and the port that each needs.
var untilStopped = map[string]string{
	"davar clock":            "127.0.0.1:8080",
	"davar clock --length 7": "127.0.0.1:8080",
	"davar hub":              "127.0.0.1:8090",
}

// statuses are exit statuses that tell something else than failure.
var statuses = map[string][]int{
	"bin/davar doctor":           {exitFailed}, // a machine without a camera has a fault, and says so
	"davar doctor":               {exitFailed},
	"bin/davar doctor --lang fa": {exitFailed},
}

var (
	codeSpan    = regexp.MustCompile("`([^`\n]+)`")
	program     = regexp.MustCompile(`^(bin/davar|davar|make|go|mosquitto_sub|apt-get) \S`)
	placeholder = regexp.MustCompile(`[\[…]|\b[A-Z]{2,}\b`)
)

// commands returns the commands of a text in Markdown: lines of code blocks and code within lines, each once.
func commands(text string) []string {
	var found []string
	seen := map[string]bool{}
	add := func(c string) {
		if c = strings.ReplaceAll(strings.TrimSpace(c), `\|`, "|"); program.MatchString(c) && !seen[c] {
			seen[c] = true
			found = append(found, c)
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "    ") {
			add(line)
			continue
		}
		for _, span := range codeSpan.FindAllStringSubmatch(line, -1) {
			add(span[1])
		}
	}
	return found
}

// clone returns a folder that looks like a fresh clone in which make build was run, with a match log in it.
func clone(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	links := map[string]string{"bin/davar": self}
	for _, name := range []string{"cmd", "vision", "device", "rules", "clock", "firmware", "config", "Makefile", ".ci"} {
		links[name] = filepath.Join(root, name)
	}
	log := filepath.Dir(filledLog(t))
	entries, err := os.ReadDir(log)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		links[e.Name()] = filepath.Join(log, e.Name())
	}
	if err := os.Mkdir(filepath.Join(folder, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, target := range links {
		if err := os.Symlink(target, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// typed is the command as a shell in the folder would run it.
func typed(ctx context.Context, folder, line string) *exec.Cmd {
	c := exec.CommandContext(ctx, "bash", "-c", "exec "+line)
	c.Dir = folder
	c.Env = append(os.Environ(), "DAVAR_TEST_PROGRAM=1", "PATH="+filepath.Join(folder, "bin")+":"+os.Getenv("PATH"),
		"HOME="+folder, "XDG_CACHE_HOME="+folder)
	return c
}

func TestEveryCommandOfTheReadmeRunsAsPrinted(t *testing.T) {
	folder, left := clone(t), map[string]bool{}
	for line := range notRun {
		left[line] = true
	}
	for _, guide := range guides {
		text, err := os.ReadFile(guide)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range commands(string(text)) {
			delete(left, line)
			t.Run(line, func(t *testing.T) { runGuided(t, folder, line) })
		}
	}
	for line := range left {
		t.Errorf("no guide says %q any more", line)
	}
}

// runGuided runs one command of a guide, or finds out that there is such a command.
func runGuided(t *testing.T, folder, line string) {
	name, rest, _ := strings.Cut(line, " ")
	switch why := notRun[line]; {
	case name == "make":
		checkTarget(t, folder, rest)
	case why != "" && !strings.HasSuffix(name, "davar"):
	case why != "" || placeholder.MatchString(line):
		checkUsage(t, rest)
	case untilStopped[line] != "":
		runUntilStopped(t, folder, line)
	default:
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		c := typed(ctx, folder, line)
		out, err := c.CombinedOutput()
		for _, status := range statuses[line] {
			if c.ProcessState.ExitCode() == status {
				return
			}
		}
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

// checkTarget has make say what it would do.
func checkTarget(t *testing.T, folder, args string) {
	if out, err := typed(t.Context(), folder, "make -n "+args).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// checkUsage finds the command and the flags that a line with placeholders names.
func checkUsage(t *testing.T, line string) {
	words := strings.Fields(strings.NewReplacer("[", " ", "]", " ", "…", " ", "|", " ").Replace(line))
	cmd, _, err := newRootCommand().Find(words)
	if err != nil || cmd.Name() == "davar" && words[0] != "help" {
		t.Fatalf("there is no such command (%v)", err)
	}
	cmd.InitDefaultHelpFlag()
	for _, w := range words {
		flag, ok := strings.CutPrefix(w, "--")
		if ok && cmd.Flags().Lookup(strings.TrimRight(flag, ",")) == nil {
			t.Errorf("davar %s has no flag --%s", cmd.Name(), flag)
		}
	}
}

// runUntilStopped starts the command, waits until it says something, and stops it as Ctrl-C does.
func runUntilStopped(t *testing.T, folder, line string) {
	l, err := net.Listen("tcp", untilStopped[line])
	if err != nil {
		t.Skipf("SKIPPED: %s is taken here", untilStopped[line])
	}
	l.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := typed(ctx, folder, line)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs strings.Builder
	c.Stderr = &errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Errorf("it says nothing")
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Error(err)
	}
	for lines.Scan() {
	}
	if err := c.Wait(); err != nil {
		t.Errorf("%v\n%s", err, errs.String())
	}
}

// settingLine is a line of a code block that belongs to a settings file.
var settingLine = regexp.MustCompile(`^ {4,}([a-z_]+: .+)$`)

func TestTheSettingsInTheGuidesAreSettings(t *testing.T) {
	for _, guide := range guides {
		text, err := os.ReadFile(guide)
		if err != nil {
			t.Fatal(err)
		}
		var file strings.Builder
		for line := range strings.Lines(string(text)) {
			if setting := settingLine.FindStringSubmatch(strings.TrimSuffix(line, "\n")); setting != nil {
				fmt.Fprintln(&file, setting[1])
			}
		}
		if file.Len() == 0 {
			t.Errorf("%s shows no settings", guide)
		}
		if _, err := config.Parse(guide, []byte(file.String())); err != nil {
			t.Errorf("%s: %v\n%s", guide, err, &file)
		}
	}
}

func TestTheReadmeNamesEveryCommand(t *testing.T) {
	text, err := os.ReadFile(guides[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range newRootCommand().Commands() {
		if !strings.Contains(string(text), "`davar "+c.Name()) && !strings.Contains(string(text), "bin/davar "+c.Name()) {
			t.Errorf("the README does not name davar %s", c.Name())
		}
	}
}

// localLink is a link or picture of Markdown that leads to a file.
var localLink = regexp.MustCompile(`\]\(([^):#]+)\)`)

func TestEveryLinkOfTheGuidesLeadsToAFile(t *testing.T) {
	for _, guide := range append([]string{"../../firmware/README.md", "../../vision/train/README.md"}, guides...) {
		text, err := os.ReadFile(guide)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range localLink.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(guide), link[1])); err != nil {
				t.Errorf("%s links to %s: %v", guide, link[1], err)
			}
		}
	}
}
