package style

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// layers lists, for a folder, the folders whose packages its product code may
// import. The longest prefix of a package's path counts. A package may always
// import those below its own row.
var layers = []struct {
	folder string
	may    []string
}{
	{"partition/gpu/probe", nil},
	{"partition/gpu", nil},
	{"partition/base", nil},
	{"partition/neighbor", []string{"partition/base", "partition/gpu"}},
	{"partition/metrics", []string{"partition/base", "partition/neighbor"}},
	{"partition/rivals", []string{"partition/base", "partition/neighbor"}},
	{"partition/problem", []string{"partition/base", "partition/neighbor"}},
	{"partition/cutpursuit", []string{"partition/base", "partition/problem"}},
	{"partition/local", []string{"partition/base", "partition/problem", "partition/cutpursuit"}},
	{"partition", nil},
	{"embed/train", []string{"embed", "partition"}},
	{"embed/cuda", []string{"embed", "partition"}},
	{"embed", []string{"partition/base", "partition/gpu", "partition/neighbor"}},
	{"filter", []string{"embed", "partition"}},
	{"pipelines/evidence", []string{"embed", "partition", "filter", "pipelines", "testdata"}},
	{"pipelines", []string{"embed", "partition", "filter"}},
	{"cexport", []string{"embed", "partition", "filter", "pipelines"}},
}

// never lists packages that only tests import, and main packages' libraries.
var never = []string{"embed/cuda/emulator", "embed/cuda/operations", "cexport"}

func below(path, folder string) bool { return strings.HasPrefix(path+"/", folder+"/") }

// TestLayers compares the imports of all product code with the table: partition imports no
// layer above it, embed no package of filter, and filter none of embed/train
// or pipelines.
func TestLayers(t *testing.T) {
	t.Parallel()
	top, read := filepath.Join("..", ".."), 0
	for _, root := range []string{"partition", "embed", "filter", "pipelines", "cexport"} {
		must.OK(t, filepath.WalkDir(filepath.Join(top, root), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
				strings.Contains(filepath.ToSlash(path), "/_") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
			if err != nil {
				return err
			}
			read++
			within, _ := filepath.Rel(top, path)
			for _, i := range file.Imports {
				name, err := strconv.Unquote(i.Path.Value)
				if err != nil {
					return err
				}
				if other, ours := strings.CutPrefix(name, "superpoint/"); ours && !allowed(filepath.ToSlash(within), other) {
					t.Errorf("%s imports %s; the layers of testdata/style do not allow it", within, other)
				}
			}
			return nil
		}))
	}
	if read < 300 {
		t.Errorf("only %d files were read", read)
	}
}

// TestLayersRefuse: the check reports imports that the table forbids.
func TestLayersRefuse(t *testing.T) {
	t.Parallel()
	for file, other := range map[string]string{
		"partition/problem/problem.go": "embed", "partition/gpu/task.go": "partition/base/arrays",
		"embed/card.go":               "partition/local",
		"partition/neighbor/cloud.go": "partition/problem", "partition/problem/target.go": "partition/cutpursuit",
		"embed/train/trainer.go": "filter", "filter/segment.go": "embed/train", "filter/new.go": "cexport",
		"embed/lpe/device.go": "embed/cuda/emulator", "filter/options.go": "testdata/las",
		"filter/tile.go": "pipelines/commands", "pipelines/commands/map.go": "cexport",
	} {
		if allowed(file, other) {
			t.Errorf("%s may import %s", file, other)
		}
	}
}

// allowed reports whether the package of a file may import another one.
func allowed(file, other string) bool {
	if slices.ContainsFunc(never, func(n string) bool { return below(other, n) && !below(file, n) }) {
		return false
	}
	for _, layer := range layers {
		if below(file, layer.folder) {
			return below(other, layer.folder) || slices.ContainsFunc(layer.may, func(m string) bool {
				return below(other, m) && (!below(other, "embed/train") || layer.folder == "cexport")
			})
		}
	}
	return false
}
