package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// run runs the benchmarks with go test.
func (b goBench) run(ctx context.Context, budget string) ([]Figure, error) {
	if _, err := os.Stat(b.folder); err != nil {
		return nil, fmt.Errorf("%w: there is no %s", errAbsent, b.folder)
	}
	args := []string{"test", "-run", "^$", "-bench", b.pattern, "-benchmem", "-benchtime", budget, "-timeout", "30m", "./" + b.folder}
	run := command(ctx, "go", args...)
	out, err := run.Output()
	figures := parseBenchmarks(strings.NewReader(string(out)))
	for i := range figures {
		figures[i].Command = fmt.Sprintf("go test -run ^$ -bench '%s' -benchmem ./%s", b.pattern, b.folder)
	}
	if err != nil {
		return figures, fmt.Errorf("%s: go test: %w: %s", b.folder, err, lastLine(string(out)))
	}
	if len(figures) == 0 {
		return nil, fmt.Errorf("%w: %s has no benchmark like %s", errAbsent, b.folder, b.pattern)
	}
	return figures, nil
}

// processors is what go test puts after a benchmark's name: on how many it ran.
var processors = regexp.MustCompile(`-\d+$`)

// parseBenchmarks reads what go test -bench prints (golang.org/design/14313-benchmark-format): a name, how often it ran,
// and pairs of value and unit. Other lines are passed over.
func parseBenchmarks(r io.Reader) []Figure {
	var figures []Figure
	for lines := bufio.NewScanner(r); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) < 4 || !strings.HasPrefix(words[0], "Benchmark") {
			continue
		}
		name := processors.ReplaceAllString(strings.TrimPrefix(words[0], "Benchmark"), "")
		for i := 2; i+1 < len(words); i += 2 {
			value, err := strconv.ParseFloat(words[i], 64)
			if err != nil {
				break
			}
			figures = append(figures, Figure{Name: name, Value: value, Unit: words[i+1], Higher: strings.HasSuffix(words[i+1], "/s")})
		}
	}
	return figures
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
