// SPDX-License-Identifier: BSD-3-Clause

package realdata

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"superpoint/embed"
	"superpoint/testdata/must"
)

// TestAttribution: every source whose clouds may be shipped is named by the text that libraries and packages
// carry, with its year, and the text has the licence of each that asks for it.
func TestAttribution(t *testing.T) {
	root := must.Get(Root())(t)
	page := string(must.Get(os.ReadFile(filepath.Join(root, "testdata", "PROVENANCE.md")))(t))
	sources, _, _ := strings.Cut(page, "## Models")
	rows := 0
	for line := range strings.Lines(sources) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if len(cells) < 4 || cells[len(cells)-2] != "yes" {
			continue
		}
		rows++
		licence, attribution := cells[len(cells)-3], cells[len(cells)-1]
		if attribution == "none required" || licence == "BSD-3-Clause" {
			continue
		}
		t.Run(cells[0], func(t *testing.T) {
			name, year, _ := strings.Cut(attribution, ", ")
			must.Say(t, embed.Data, name, year)
			for _, asks := range []string{"MIT", "CC BY 4.0", "Open Government Licence", "Etalab"} {
				if strings.Contains(licence, asks) {
					must.Say(t, embed.Data, asks)
				}
			}
		})
	}
	must.Need(t, rows >= 14, "%d sources may be shipped: the table is read wrong", rows)
}

// TestProvenance compares clouds.csv with the sources of PROVENANCE.md, with the classifier's card, which
// names its clouds, and with the clouds themselves where they are: every cloud of training has a row with its
// hash, and a source.
func TestProvenance(t *testing.T) {
	root := must.Get(Root())(t)
	page := string(must.Get(os.ReadFile(filepath.Join(root, "testdata", "PROVENANCE.md")))(t))
	sources, _, _ := strings.Cut(page, "## Models")
	patterns := regexp.MustCompile("`([a-z][a-z0-9_*]+)`").FindAllStringSubmatch(sources, -1)
	models, sums := map[string]string{}, map[string]string{}
	table := must.Get(os.Open(filepath.Join(root, "testdata", "clouds.csv")))(t)
	defer table.Close()
	for _, row := range must.Get(csv.NewReader(table).ReadAll())(t)[1:] {
		file := row[0]
		models[file], sums[file] = row[2], row[3]
		name := strings.TrimSuffix(path.Base(file), path.Ext(file))
		known := false
		for _, p := range patterns {
			known = known || must.Get(path.Match(p[1], name))(t)
		}
		must.Hold(t, known, "%s has no row in the table of sources", file)
	}
	card := must.Get(os.ReadFile(filepath.Join(root, "embed", "classes", "models", "aerial.safetensors")))(t)
	named := map[string]bool{}
	for _, m := range regexp.MustCompile(`shared/data/((?:train[23]?|test)/\S+?\.la[sz])`).FindAllSubmatch(
		card, -1) {
		named[string(m[1])] = true
	}
	for file, list := range models {
		must.Hold(t, strings.Contains(list, "classes") == named[file],
			"%s: clouds.csv says %q; that the classifier's card names it is %v", file, list, named[file])
	}
	must.Need(t, len(models) != 0, "len(models) is 0")
	must.Need(t, len(named) != 0, "len(named) is 0")
	for file := range named {
		must.Hold(t, models[file] != "", "clouds.csv has no row for %s, which the classifier's card names",
			file)
	}
	dir, err := Folder()
	if err != nil {
		t.Skip(err)
	}
	for _, folder := range []string{"train", "train2", "train3"} {
		for _, file := range must.Get(filepath.Glob(filepath.Join(dir, folder, "*.la[sz]")))(t) {
			name := path.Join(folder, filepath.Base(file))
			sum := sha256.Sum256(must.Get(os.ReadFile(file))(t))
			must.Equal(t, hex.EncodeToString(sum[:8]), sums[name], "hash of %s", name)
		}
	}
}
