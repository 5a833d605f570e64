// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"superpoint/filter"
	"superpoint/testdata/must"
	"superpoint/testdata/scan"
)

// The pages whose blocks are run. A block marked `sh` is run as it is, a block
// marked `json` that is a list is run as a pipeline; other `json` must parse;
// blocks with no mark are not run. All blocks of a page are run in order in one
// folder that looks like the checkout, with input.laz, a scanned village, and
// room.laz, a scanned room, in it. Make builds `build/pdal`, which is also the
// pdal on the PATH.
var pages = []string{
	"README.md",
	"filter/pdal/filters.superpoint.md",
	"filter/pdal/kernels.md",
	"pipelines/README.md",
	"pipelines/choosing.md",
	"pipelines/map.md",
	"pipelines/ground.md",
	"pipelines/buildings.md",
	"pipelines/trees.md",
	"pipelines/labels.md",
	"pipelines/training.md",
	"pipelines/troubleshooting.md",
	"CONTRIBUTING.md",
}

func TestDocumentedCommands(t *testing.T) {
	t.Parallel()
	points := must.Get(scanned("village", scan.Aerial, 10_000))(t) // size is not the point
	inside := must.Get(scanned("room", scan.Terrestrial, 8_000))(t)
	scan.SetTruthApart(points) // as make demo writes it
	samples := map[string]string{
		"input.laz": filepath.Join(workplace(t, points), "input.laz"),
		"room.laz":  filepath.Join(workplace(t, inside), "input.laz"),
	}
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			dir := checkout(t, samples)
			for _, b := range blocks(t, page) {
				switch b.mark {
				case "sh":
					runShell(t, dir, b)
				case "json":
					runJSON(t, dir, b)
				}
			}
		})
	}
}

// block is one fenced block of a page.
type block struct {
	place      string // page and line
	mark, text string
}

func blocks(t *testing.T, page string) []block {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join("..", "..", page)))(t)
	var all []block
	open := -1 // line of the opening fence
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		mark, fence := strings.CutPrefix(line, "```")
		switch {
		case !fence:
		case open < 0:
			open = i
			all = append(all, block{place: page + ":" + strconv.Itoa(i+1), mark: strings.TrimSpace(mark)})
		default:
			all[len(all)-1].text = strings.Join(lines[open+1:i], "\n") + "\n"
			open = -1
		}
	}
	if open >= 0 {
		t.Errorf("%s:%d: the block has no end", page, open+1)
	}
	return all
}

// checkout makes a folder with the checkout's own folders and the samples.
func checkout(t *testing.T, samples map[string]string) string {
	t.Helper()
	dir, root := t.TempDir(), filepath.Join("..", "..")
	entries := must.Get(os.ReadDir(root))(t)
	link := func(from, name string) {
		from, err := filepath.Abs(from)
		if err == nil {
			err = os.Symlink(from, filepath.Join(dir, name))
		}
		must.OK(t, err)
	}
	for _, e := range entries {
		if !slices.Contains([]string{"build", "out", "report", ".git"}, e.Name()) && !strings.HasSuffix(e.Name(), ".laz") {
			link(filepath.Join(root, e.Name()), e.Name())
		}
	}
	link(filepath.Dir(launcher(t)), "build")
	for name, from := range samples {
		text, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o666)
		}
		must.OK(t, err)
	}
	return dir
}

func runShell(t *testing.T, dir string, b block) {
	t.Helper()
	c := exec.Command("sh", "-euc", b.text)
	c.Dir = dir
	c.Env = append(os.Environ(), "PATH="+filepath.Dir(launcher(t))+":"+os.Getenv("PATH"), "PWD="+dir)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Run(); err != nil {
		t.Errorf("%s: %v\n%s\n%s", b.place, err, b.text, out.String())
	}
}

func runJSON(t *testing.T, dir string, b block) {
	t.Helper()
	var document any
	if err := json.Unmarshal([]byte(b.text), &document); err != nil {
		t.Errorf("%s: %v", b.place, err)
		return
	}
	if _, list := document.([]any); !list {
		return
	}
	must.OK(t, os.WriteFile(filepath.Join(dir, "pipeline.json"), []byte(b.text), 0o666))
	if o := in(t, dir, launcher(t), "pipeline", "pipeline.json"); o.code != 0 {
		t.Errorf("%s: exit code %d\n%s", b.place, o.code, o.stderr)
	}
}

// TestLinksOfPages checks that every link of any page to a file leads to one, and
// that no line but a table's is too long to read.
func TestLinksOfPages(t *testing.T) {
	t.Parallel()
	root, read := filepath.Join("..", ".."), 0
	must.OK(t, filepath.WalkDir(root, func(page string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() && page != root && (e.Name()[0] == '.' || e.Name() == "build" || e.Name() == "out") {
			return filepath.SkipDir
		}
		if err != nil || filepath.Ext(page) != ".md" {
			return err
		}
		read++
		text := must.Get(os.ReadFile(page))(t)
		for _, link := range regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`).FindAllSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), string(link[1]))); err != nil {
				t.Errorf("%s links to %s: %v", page, link[1], err)
			}
		}
		for i, line := range strings.Split(string(text), "\n") {
			if n := len([]rune(line)); n > 130 && !strings.HasPrefix(line, "|") {
				t.Errorf("%s:%d has %d columns", page, i+1, n)
			}
		}
		return nil
	}))
	if read < 2*len(pages) {
		t.Errorf("%d pages", read)
	}
}

// TestCommandPage compares the commands of the page with those of `pdal
// superpoint help`, and their options with those of `--help`.
func TestCommandPage(t *testing.T) {
	t.Parallel()
	text := must.Get(os.ReadFile(filepath.Join("..", "pdal", "kernels.md")))(t)
	var listed, documented []string
	for _, line := range regexp.MustCompile(`(?m)^  ([a-z]+)(?: [a-z]+)?  `).FindAllStringSubmatch(
		do(t, "help").stdout, -1) {
		listed = append(listed, line[1])
	}
	listed = slices.Compact(listed) // the steps of a survey share a section
	for _, section := range strings.Split(string(text), "\n## ")[1:] {
		name, body, _ := strings.Cut(section, "\n")
		documented = append(documented, name)
		if name != "train" {
			continue // package tables writes its options
		}
		help := do(t, name, "--help").stdout
		for _, option := range regexp.MustCompile("(?m)^\\| `(--[a-z_-]+)` \\|").FindAllStringSubmatch(body, -1) {
			if !strings.Contains(help, option[1]+" ") {
				t.Errorf("kernels.md: %s has no option %s", name, option[1])
			}
		}
	}
	if !slices.Equal(listed, documented) {
		t.Errorf("kernels.md has the commands %v, pdal superpoint has %v", documented, listed)
	}
}

// TestVersions compares the version everywhere with filter.Version.
func TestVersions(t *testing.T) {
	t.Parallel()
	module := must.Get(os.ReadFile(filepath.Join("..", "..", "go.mod")))(t)
	language := regexp.MustCompile(`(?m)^go (.*)$`).FindSubmatch(module)
	if language == nil {
		t.Fatal("go.mod names no version of Go")
	}
	for page, words := range map[string]string{
		"README.md": "Go %s,", "pipelines/qgis/README.md": "Go %s,", "filter/pdal/packages/Dockerfile": "golang:%s ",
		"filter/pdal/packages/conda/recipe/recipe.yaml": "go-cgo >=%s\n",
	} {
		text := must.Get(os.ReadFile(filepath.Join("..", "..", page)))(t)
		if words = fmt.Sprintf(words, language[1]); !strings.Contains(string(text), words) {
			t.Errorf("%s does not say %q, as go.mod does", page, words)
		}
	}
	for page, pattern := range map[string]string{
		"CHANGELOG.md":                                  `(?m)^## (\d+\.\d+\.\d+)$`,
		"pipelines/qgis/superpoint/metadata.txt":        `(?m)^version=(.*)$`,
		"filter/pdal/packages/conda/recipe/recipe.yaml": `(?m)^  version: "(.*)"$`,
	} {
		text := must.Get(os.ReadFile(filepath.Join("..", "..", page)))(t)
		found := regexp.MustCompile(pattern).FindSubmatch(text)
		if found == nil || string(found[1]) != filter.Version {
			t.Errorf("%s: the first version is %q, filter.Version is %s", page, found, filter.Version)
		}
	}
	cache := must.Get(os.ReadFile(filepath.Join(filepath.Dir(launcher(t)), "CMakeCache.txt")))(t)
	if !strings.Contains(string(cache), "CMAKE_PROJECT_VERSION:STATIC="+filter.Version+"\n") {
		t.Errorf("CMake has another version than %s", filter.Version)
	}
	// pdal keeps --version for itself
	for _, args := range [][]string{{"superpoint", "version"}, {"superpoint"}, {"superpoint", "help"}} {
		if o := pdal(t, nil, args...).ok(t); !strings.HasPrefix(o.stdout, "superpoint "+filter.Version+"\n") {
			t.Errorf("pdal %v says %q", args, o.stdout)
		}
	}
}
