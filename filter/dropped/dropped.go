// Package dropped tells when a pdal command is about to lose the results of the
// stage: writers.las and writers.copc leave out dimensions that they are not
// asked for, and pdal ends with exit code 0 all the same. PDAL shows a stage what
// comes before it, never what comes after, nor its pipeline or arguments; so this
// reads the command that pdal was started with (/proc/self/cmdline, the one place in
// the project that does; elsewhere there is no warning). It says nothing
// where it is not certain: pipelines from standard input, other programs than
// pdal, and results that a later stage takes up.
package dropped

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// CommandLine returns what this process was started with, or nil (Linux).
func CommandLine() []string {
	text, err := os.ReadFile("/proc/self/cmdline")
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
}

// Warning returns what will be lost of the stage's dimensions, the ids first, or
// "".
func Warning(command, dimensions []string) string {
	if len(command) < 2 || filepath.Base(command[0]) != "pdal" || len(dimensions) == 0 {
		return ""
	}
	var to *writer
	a := parse(command[2:])
	switch strings.ToLower(command[1]) {
	case "translate":
		to = translated(a)
	case "pipeline":
		to = piped(a)
	}
	if to == nil || to.keeps(dimensions[0]) {
		return ""
	}
	what := dimensions[0]
	if len(dimensions) > 1 {
		what += ", " + dimensions[1] + ", …"
	}
	return fmt.Sprintf("%s will not be in %s: %s keeps only what it is asked for; give it extra_dims=all%s, or use "+
		"pdal superpoint segment",
		what, to.file, to.driver, map[string]string{"writers.las": " and minor_version=4"}[to.driver])
}

// translated returns the writer of `pdal translate IN OUT … superpoint`.
func translated(a *arguments) *writer {
	in, out, filters := a.first("input", "i"), a.first("output", "o"), a.all("filter", "f")
	rest := a.files
	for _, name := range []*string{&in, &out} {
		if *name == "" && len(rest) > 0 {
			*name, rest = rest[0], rest[1:]
		}
	}
	filters = append(filters, rest...)
	if len(filters) == 0 || a.first("json", "j") != "" ||
		strings.TrimPrefix(filters[len(filters)-1], "filters.") != "superpoint" {
		return nil
	}
	w := &writer{driver: a.first("writer", "w"), file: out}
	if w.driver == "" {
		w.driver = driverOf(out)
	}
	return a.override(w)
}
