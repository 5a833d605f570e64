package realdata

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// TestProvenance compares PROVENANCE.md with the classifier's card, which names its clouds, and with the clouds
// themselves where they are: every cloud of training has a row with its hash, and a source.
func TestProvenance(t *testing.T) {
	root := must.Get(Root())(t)
	page := string(must.Get(os.ReadFile(filepath.Join(root, "testdata", "PROVENANCE.md")))(t))
	sources, _, _ := strings.Cut(page, "## Models")
	patterns := regexp.MustCompile("`([a-z][a-z0-9_*]+)`").FindAllStringSubmatch(sources, -1)
	models, sums := map[string]string{}, map[string]string{}
	row := regexp.MustCompile("(?m)^\\| (train2?/\\S+) \\| \\d+ \\| ([a-z, ]+) \\| `([0-9a-f]{16})` \\|$")
	for _, m := range row.FindAllStringSubmatch(page, -1) {
		file := m[1]
		models[file], sums[file] = m[2], m[3]
		name := strings.TrimSuffix(path.Base(file), path.Ext(file))
		known := false
		for _, p := range patterns {
			known = known || must.Get(path.Match(p[1], name))(t)
		}
		if !known {
			t.Errorf("%s has no row in the table of sources", file)
		}
	}
	card := must.Get(os.ReadFile(filepath.Join(root, "embed", "classes", "models", "aerial.safetensors")))(t)
	named := map[string]bool{}
	for _, m := range regexp.MustCompile(`shared/data/(train2?/\S+?\.la[sz])`).FindAllSubmatch(card, -1) {
		named[string(m[1])] = true
	}
	for file, list := range models {
		if strings.Contains(list, "classes") != named[file] {
			t.Errorf("%s: the page says %q; that the classifier's card names it is %v", file, list, named[file])
		}
	}
	if len(models) == 0 || len(named) == 0 {
		t.Fatalf("%d rows, %d clouds in the card", len(models), len(named))
	}
	dir, err := Folder()
	if err != nil {
		t.Skip(err)
	}
	for _, folder := range []string{"train", "train2"} {
		for _, file := range must.Get(filepath.Glob(filepath.Join(dir, folder, "*.la[sz]")))(t) {
			name := path.Join(folder, filepath.Base(file))
			sum := sha256.Sum256(must.Get(os.ReadFile(file))(t))
			if got := hex.EncodeToString(sum[:8]); got != sums[name] {
				t.Errorf("%s has the hash %s, the page says %q", name, got, sums[name])
			}
		}
	}
}
