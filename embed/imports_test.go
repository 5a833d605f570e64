package embed

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestArrowsGoOneWay reads what the packages import, as the page for developers
// says it: partition nothing of embed; embed neighbours, loops, arrays and devices of partition,
// its training and what tries the kernels of both also what is solved, clustered, thinned and
// measured with; neither the filter. Devices know nothing of what runs on them.
func TestArrowsGoOneWay(t *testing.T) {
	always := []string{"superpoint/partition/arithmetic", "superpoint/partition/arrays", "superpoint/partition/device",
		"superpoint/partition/neighbor", "superpoint/partition/parallel"}
	training := []string{"superpoint/partition", "superpoint/partition/local", "superpoint/partition/merge",
		"superpoint/partition/metrics", "superpoint/partition/reduced",
		"superpoint/partition/softcluster", "superpoint/partition/thin"}
	read := 0
	for _, top := range []string{"embed", "partition"} {
		root := filepath.Join("..", top)
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if e.IsDir() && strings.HasPrefix(e.Name(), "_") {
				return filepath.SkipDir
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			read++
			allowed := slices.Clone(always)
			within, _ := filepath.Rel("..", path)
			within = filepath.ToSlash(within)
			if strings.HasPrefix(within, "embed/train/") || strings.HasPrefix(within, "embed/cuda/") {
				allowed = append(allowed, training...)
			}
			for _, i := range file.Imports {
				name, err := strconv.Unquote(i.Path.Value)
				if err != nil {
					return err
				}
				other := strings.HasPrefix(name, "superpoint/filter") || strings.HasPrefix(name, "superpoint/cexport") ||
					top == "partition" && strings.HasPrefix(name, "superpoint/embed") ||
					top == "embed" && strings.HasPrefix(name+"/", "superpoint/partition/") && !slices.Contains(allowed, name) ||
					strings.HasPrefix(within, "partition/device/") && strings.HasPrefix(name, "superpoint/") &&
						name != "superpoint/partition/device/probe" ||
					name == "superpoint/embed/cuda/emulator" || name == "superpoint/embed/cuda/operations" // for tests
				if other {
					t.Errorf("%s imports %s", within, name)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if read < 50 {
		t.Errorf("only %d files were read", read)
	}
}
