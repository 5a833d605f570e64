package style

import (
	"bytes"
	"go/format"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"superpoint/testdata/must"
)

// longest is the number of characters that a line may have; a tab is one.
const longest = 120

var (
	suffixes = []string{".go", ".c", ".h", ".cu", ".cpp", ".hpp", ".sh", ".py", ".cmake", ".in"}
	programs = []string{"Makefile", "CMakeLists.txt", "Dockerfile", "run"}
)

// TestLinesAreShort reads all source files that are written by hand.
func TestLinesAreShort(t *testing.T) {
	kinds := map[string]int{}
	files(t, func(name string, text []byte) {
		kind := path.Ext(name)
		if slices.Contains(programs, path.Base(name)) {
			kind = path.Base(name)
		} else if !slices.Contains(suffixes, kind) {
			return
		}
		kinds[kind]++
		for i, line := range bytes.Split(text, []byte("\n")) {
			if n := utf8.RuneCount(line); n > longest {
				t.Errorf("%s:%d: %d characters; at most %d", name, i+1, n, longest)
			}
		}
	})
	for _, kind := range append(suffixes, programs...) {
		if kinds[kind] == 0 {
			t.Errorf("no %s was read", kind)
		}
	}
}

// Names of files of the repository: as shell, make, cmake and Docker write them, as
// Python's pathlib does, and as os.path does from the folder of the script.
var (
	slashed = regexp.MustCompile(`(^|[^\w/.$}-])((?:cexport|embed|filter|partition|pipelines|testdata)/[\w./-]*\w)`)
	joined  = regexp.MustCompile(`CHECKOUT((?: / "\w[^"]*")+)`)
	beside  = regexp.MustCompile(`os\.path\.join\(HERE((?:, "[^"]+")+)\)`)
)

var (
	declared = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)[A-Z]\w*)\(`)
	cited    = regexp.MustCompile(`\b(?:Test|Fuzz|Benchmark)[A-Z]\w*(?:…)?`)
)

// TestCitedTestsExist: tests that pages name exist; a name before … is a prefix.
func TestCitedTestsExist(t *testing.T) {
	var names []string
	pages := map[string][]string{}
	files(t, func(name string, text []byte) {
		switch path.Ext(name) {
		case ".go":
			for _, m := range declared.FindAllSubmatch(text, -1) {
				names = append(names, string(m[1]))
			}
		case ".md":
			pages[name] = cited.FindAllString(string(text), -1)
		}
	})
	if len(pages["TRUST.md"]) < 50 {
		t.Errorf("TRUST.md names %d tests", len(pages["TRUST.md"]))
	}
	for page, tests := range pages {
		for _, test := range tests {
			prefix, open := strings.CutSuffix(test, "…")
			if !slices.ContainsFunc(names, func(name string) bool {
				return name == test || open && strings.HasPrefix(name, prefix)
			}) {
				t.Errorf("%s: %s does not exist", page, test)
			}
		}
	}
}

// TestPathsExist: files that scripts name exist. Scripts that need a network or another system
// are not run in every test, so a moved file would remain unnoticed.
func TestPathsExist(t *testing.T) {
	seen := map[string]int{}
	files(t, func(name string, text []byte) {
		var paths []string
		switch kind := path.Ext(name); {
		case kind == ".sh" || kind == ".cmake" || slices.Contains(programs, path.Base(name)):
			for line := range strings.Lines(string(text)) {
				code, _, _ := strings.Cut(line, "#")
				for _, m := range slashed.FindAllStringSubmatch(code, -1) {
					paths = append(paths, m[2])
				}
			}
		case kind == ".py":
			for _, m := range joined.FindAllStringSubmatch(string(text), -1) {
				if p := strings.ReplaceAll(strings.Trim(m[1], ` /"`), `" / "`, "/"); !strings.HasPrefix(p, "build/") {
					paths = append(paths, p)
				}
			}
			for _, m := range beside.FindAllStringSubmatch(string(text), -1) {
				paths = append(paths, path.Join(path.Dir(name), strings.ReplaceAll(strings.Trim(m[1], `, "`), `", "`, "/")))
			}
		}
		for _, p := range paths {
			seen[path.Ext(name)]++
			if _, err := os.Stat(filepath.Join("..", "..", p)); err != nil {
				t.Errorf("%s names %s, which does not exist", name, p)
			}
		}
	})
	if seen[".sh"] < 30 || seen[".py"] < 3 || seen[".txt"] < 3 {
		t.Errorf("only so many paths were found: %v", seen)
	}
}

// files calls see with every file of the checkout except built and fetched ones.
func files(t *testing.T, see func(name string, text []byte)) {
	t.Helper()
	root := filepath.Join("..", "..")
	must.OK(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		if e.IsDir() && (strings.HasPrefix(e.Name(), ".") && !slices.Contains([]string{"..", ".ci"}, e.Name()) ||
			slices.Contains([]string{"build", "out", "report"}, name)) {
			return filepath.SkipDir
		}
		if !e.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		see(filepath.ToSlash(name), text)
		return nil
	}))
}

// sources calls see with every Go file of the checkout.
func sources(t *testing.T, see func(name string, text []byte)) {
	t.Helper()
	read := 0
	files(t, func(name string, text []byte) {
		if strings.HasSuffix(name, ".go") {
			read++
			see(name, text)
		}
	})
	if read < 400 {
		t.Errorf("only %d files were read", read)
	}
}

func TestGoIsFormatted(t *testing.T) {
	sources(t, func(name string, text []byte) {
		formatted, err := format.Source(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !bytes.Equal(formatted, text) {
			t.Errorf("%s: run gofmt -w on it", name)
		}
	})
}
