package survey

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"superpoint/embed/atomicfile"
	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/filter/models"
)

// Survey is a folder in which a survey is processed tile by tile: plan.json is what Plan
// planned, every step has a folder of its name (Steps), and out/ holds the result. Every
// file is written under a temporary name and renamed.
type Survey struct {
	Replaced map[string]string // options of the stage for this process, in place of the plan's

	host   host.Host
	folder string
	plan   *plan
	sum    string // of plan.json
	found  map[string]found
}

// Open reads the plan of a folder.
func Open(h host.Host, folder string) (*Survey, error) {
	path := filepath.Join(folder, "plan.json")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is not there; plan first: pdal superpoint survey plan --output %s FILE…", path, folder)
	}
	if err != nil {
		return nil, err
	}
	plan, err := parsePlan(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; plan again", path, err)
	}
	if err := plan.current(); err != nil {
		return nil, fmt.Errorf("%s: %w; plan again", path, err)
	}
	return &Survey{host: h, folder: folder, plan: plan, Replaced: map[string]string{}, sum: planSum(text),
		found: map[string]found{}}, nil
}

// planSum identifies a plan by its text.
func planSum(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text))[:16] }

// current checks that this program is the one that made the plan, and that the files
// that options name are those of then.
func (p *plan) current() error {
	if p.Software != filter.Version {
		return fmt.Errorf("it was made by version %s of the filter, and this is %s", p.Software, filter.Version)
	}
	_, now, err := models.Pinned(p.Options)
	if err != nil {
		return err
	}
	for option, sum := range now {
		if p.Content[option] != sum {
			return fmt.Errorf("option %s: the file %s has changed since the survey was planned", option, p.Options[option])
		}
	}
	return nil
}

// output is a file of the result, which is never a source.
func (v *Survey) output(path string) (*atomicfile.Output, error) {
	files := &atomicfile.Files{Context: v.host.Context()}
	for i := range v.plan.Sources {
		files.Input(v.plan.Sources[i].Path)
	}
	return files.Output(path)
}

// outside refuses inputs in the parts of the folder that are written to.
func outside(folder string, inputs []string) error {
	for _, path := range inputs {
		inside, err := filepath.Rel(resolved(folder), resolved(path))
		if err != nil || strings.Contains(path, "://") {
			continue
		}
		part, _, _ := strings.Cut(filepath.ToSlash(inside), "/")
		if part == "out" || slices.ContainsFunc(Steps(), func(s Step) bool { return s.Name == part }) {
			return fmt.Errorf("%s lies in %s, which is written to; plan in another folder", path, filepath.Join(folder, part))
		}
	}
	return nil
}

// resolved is the absolute path without links, as far as it is there.
func resolved(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// Path returns the path of a file in the folder.
func (v *Survey) Path(parts ...string) string {
	return filepath.Join(append([]string{v.folder}, parts...)...)
}

// writeJSON writes a mark.
func writeJSON(path string, value any) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(path, indented(value))
}

// indented writes JSON.
func indented(value any) func(w io.Writer) error {
	return func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		return e.Encode(value)
	}
}

// slice is the file with the points of source k that tile n sees.
func (v *Survey) slice(n, k int) string {
	return v.Path("cut", strconv.Itoa(n), strconv.Itoa(k)+".las")
}
