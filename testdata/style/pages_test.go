// SPDX-License-Identifier: BSD-3-Clause

package style

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// section returns the text of a page from a heading to the next one of its level.
func section(t *testing.T, page, heading string) string {
	t.Helper()
	_, text, found := strings.Cut(string(must.Get(os.ReadFile(filepath.Join(top, page)))(t)),
		"\n"+heading+"\n")
	must.Need(t, found, "%s has no heading %q", page, heading)
	level, _, _ := strings.Cut(heading, " ")
	text, _, _ = strings.Cut(text, "\n"+level+" ")
	return text
}

// top is the folder of the repository.
const top = "../.."

var quoted = regexp.MustCompile("`([^`]+)`")

// TestModulesOfContributing: the table of modules has each module that go.mod requires directly, and no
// other.
func TestModulesOfContributing(t *testing.T) {
	var mod struct {
		Require []struct {
			Path     string
			Indirect bool
		}
		Tool []struct{ Path string }
	}
	edit := exec.Command("go", "mod", "edit", "-json")
	edit.Dir = top
	must.OK(t, json.Unmarshal(must.Get(edit.Output())(t), &mod))
	tools, required := map[string]bool{}, map[string]bool{}
	for _, tool := range mod.Tool {
		tools[tool.Path] = true
	}
	var listed []string
	for line := range strings.Lines(section(t, "CONTRIBUTING.md", "## Dependencies")) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.Contains(cells[1], ".") || !strings.Contains(cells[1], "`") {
			continue
		}
		for _, m := range quoted.FindAllStringSubmatch(cells[1], -1) {
			listed = append(listed, m[1])
		}
	}
	for _, m := range mod.Require {
		required[m.Path] = true
		if !m.Indirect || tools[m.Path] {
			must.Hold(t, slices.Contains(listed, m.Path), "go.mod requires %s, which the table does not have",
				m.Path)
		}
	}
	for _, path := range listed {
		must.Hold(t, required[path], "the table has %s, which go.mod does not require", path)
	}
}

// TestFoldersOfContributing: the folders of the table of folders exist. In a row, the first folder is named
// from the top, further ones of the first cell beside it, those of the second cell within it.
func TestFoldersOfContributing(t *testing.T) {
	rows := 0
	for line := range strings.Lines(section(t, "CONTRIBUTING.md", "## How data flows")) {
		cells := strings.Split(line, "|")
		if len(cells) != 4 || !strings.Contains(cells[1], "/`") {
			continue
		}
		rows++
		first := ""
		for i, m := range quoted.FindAllStringSubmatch(line, -1) {
			name := m[1]
			if !strings.HasSuffix(name, "/") {
				continue
			}
			if i == 0 {
				first = name
			}
			places := []string{name, filepath.Join(filepath.Dir(filepath.Clean(first)), name),
				filepath.Join(first, name)}
			exists := slices.ContainsFunc(places, func(place string) bool {
				info, err := os.Stat(filepath.Join(top, place))
				return err == nil && info.IsDir()
			})
			must.Hold(t, exists, "no folder %s, of the row of %s", name, first)
		}
	}
	must.Need(t, rows >= 8, "%d rows: the table is read wrong", rows)
}
