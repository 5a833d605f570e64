package style

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ours matches words as options, steps and formats of this project have them. Names
// of dimensions, stages, files and well-known text are those of others.
var ours = regexp.MustCompile(`^[a-z][a-z0-9_-]+$`)

// foreign has words that match ours but have another origin.
var foreign = map[string]string{
	"pdal": "the program", "all": "extra_dims of writers.las", "uint32": "PDAL's name of a type",
	"superpoint": "the name of stage and kernel", "batch": "a norm", "false": "Go's",
}

// retired has phrases that are not used here, and their replacements.
var retired = []struct {
	phrase  *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`(?i)\b(tell|say)s? whether`), "reports whether"},
	{regexp.MustCompile(`(?i)\bhangs? together`), "is connected, connected component"},
	{regexp.MustCompile(`(?i)\bhands on\b`), "passes on, returns"},
	{regexp.MustCompile(`(?i)\b(is|are) told (that|how|of|to|what|which|why)\b`), "receives, is called with"},
	{regexp.MustCompile(`(?i)\bwho solves`), "solver"},
	{regexp.MustCompile(`(?i)\bbeforehand`), "before"},
	{regexp.MustCompile(`(?i)\b(losses|lost) first`), "limitations first"},
	{regexp.MustCompile(`(?i)\bcells? (won|lost)`), "comparisons won"},
	{regexp.MustCompile(`(?i)\b(goes|climbs?|walks?) uphill`), "mean-shift ascent"},
	{regexp.MustCompile(`(?i)\b(is|was|were|be) mended`), "is corrected, is repaired"},
	{regexp.MustCompile(`(?i)\w anew\b`), "again"},
	{regexp.MustCompile(`(?i)\b(run|report|survey|training|command|comparison) goes on\b`), "continues"},
	{regexp.MustCompile(`(?i)\bso it is with\b`), "the same holds for"},
	{regexp.MustCompile(`(?i)\bspeaks of\b`), "describes, contains"},
}

// TestNoRetiredPhrase searches code, comments and pages.
func TestNoRetiredPhrase(t *testing.T) {
	kinds := map[string]int{}
	for _, kind := range []string{".go", ".md", ".c", ".h", ".cpp", ".hpp", ".cu", ".py", ".sh", ".yaml", ".html"} {
		kinds[kind] = 0
	}
	files(t, func(name string, text []byte) {
		if _, ok := kinds[path.Ext(name)]; !ok || name == "testdata/style/words_test.go" {
			return
		}
		kinds[path.Ext(name)]++
		lines := 0
		for line := range strings.Lines(string(text)) {
			lines++
			for _, r := range retired {
				if found := r.phrase.FindString(line); found != "" {
					t.Errorf("%s:%d: %q: write %q", name, lines, found, r.instead)
				}
			}
		}
	})
	for kind, count := range kinds {
		if count < 1 || kind != ".html" && count < 3 {
			t.Errorf("only %d files of kind %s were read", count, kind)
		}
	}
}

// TestWordsHaveNames finds strings that code in two files compares with. A misspelled string is
// never equal, which the compiler does not report; a misspelled constant does not compile.
func TestWordsHaveNames(t *testing.T) {
	places, set := map[string]map[string]bool{}, token.NewFileSet()
	compared := 0
	sources(t, func(name string, text []byte) {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "testdata/") || strings.Contains(name, "/_") {
			return
		}
		file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			return
		}
		note := func(all ...ast.Expr) {
			for _, e := range all {
				word, ok := e.(*ast.BasicLit)
				if !ok || word.Kind != token.STRING {
					continue
				}
				compared++
				if text, _ := strconv.Unquote(word.Value); ours.MatchString(text) {
					if places[text] == nil {
						places[text] = map[string]bool{}
					}
					places[text][name] = true
				}
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op == token.EQL || n.Op == token.NEQ {
					note(n.X, n.Y)
				}
			case *ast.CaseClause:
				note(n.List...)
			}
			return true
		})
	})
	if compared < 100 {
		t.Errorf("only %d comparisons were found", compared)
	}
	for _, word := range slices.Sorted(maps.Keys(places)) {
		if files := places[word]; len(files) > 1 && foreign[word] == "" {
			t.Errorf("%q is compared with in %v; define a constant", word, slices.Sorted(maps.Keys(files)))
		}
	}
}
