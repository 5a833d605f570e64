// SPDX-License-Identifier: BSD-3-Clause

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
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/filter/models"
	"superpoint/pipelines/files/atomicfile"
)

// Survey is the folder of a survey: plan.json, a folder for each step (Steps), and out/ with
// the results. Every file is written under a temporary name and renamed.
type Survey struct {
	Overrides map[string]string // options of the stage in this process that replace those of the plan

	host   host.Host
	folder string
	plan   *plan
	sum    string // of plan.json

	lock       sync.Mutex // of the maps; results are written at once
	found      map[string]markSet
	identities map[int]string // of the sources
}

// Open reads the plan of a folder.
func Open(h host.Host, folder string) (*Survey, error) {
	path := filepath.Join(folder, "plan.json")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is missing; plan first: pdal superpoint survey plan --output %s FILE…", path, folder)
	}
	if err != nil {
		return nil, err
	}
	plan, err := parsePlan(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; plan again", path, err)
	}
	if err := plan.checkCurrent(); err != nil {
		return nil, fmt.Errorf("%s: %w; plan again", path, err)
	}
	return &Survey{host: h, folder: folder, plan: plan, Overrides: map[string]string{}, sum: planSum(text),
		found: map[string]markSet{}, identities: map[int]string{}}, nil
}

// planSum identifies a plan by its text.
func planSum(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text))[:16] }

// checkCurrent fails if another version of the program made the plan, or if a file that an
// option names has changed.
func (p *plan) checkCurrent() error {
	if now := filter.Software(); p.Software != now {
		return fmt.Errorf("it was made by version %s of the filter, this is version %s", p.Software, now)
	}
	_, now, err := models.Pinned(p.Options)
	if err != nil {
		return err
	}
	for option, sum := range now {
		if p.Content[option] != sum {
			return fmt.Errorf("option %s: %s has changed since the survey was planned", option, p.Options[option])
		}
	}
	return nil
}

// output returns an output file; it fails if path is a source.
func (v *Survey) output(path string) (*atomicfile.Output, error) {
	files := &atomicfile.Files{Context: v.host.Context()}
	files.Inside(v.Path("out"))
	for i := range v.plan.Sources {
		files.Input(v.plan.Sources[i].Path)
	}
	return files.Output(path)
}

// checkInputs fails if an input lies in a part of the folder that is written to.
func checkInputs(folder string, inputs []string) error {
	for _, path := range inputs {
		inside, err := filepath.Rel(resolvePath(folder), resolvePath(path))
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

// resolvePath returns the absolute path, without symbolic links if it exists.
func resolvePath(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// checkFolders fails if the folder of a step has files and was not made by a survey.
func checkFolders(folder string) error {
	for _, s := range Steps() {
		path := filepath.Join(folder, s.Name)
		files, err := os.ReadDir(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && len(files) == 0 || atomicfile.IsOurs(path) {
			continue
		}
		return fmt.Errorf("%s exists, and no survey made it; plan in another folder", path)
	}
	return nil
}

// Lock locks the folder of a survey: for single steps shared with other processes, else alone. It removes what killed
// processes left in it.
func Lock(folder string, shared bool) (release func(), err error) {
	if _, err := os.Stat(folder); err != nil {
		return func() {}, nil // Open has the error
	}
	if release, err = atomicfile.Lock(folder, shared); err != nil {
		return nil, err
	}
	for _, s := range Steps() {
		path := filepath.Join(folder, s.Name)
		if !atomicfile.IsOurs(path) {
			continue
		}
		if atomicfile.Sweep(path); !shared {
			if err := atomicfile.RemoveFiles(path, isUnfinished); err != nil {
				release()
				return nil, err
			}
		}
	}
	return release, nil
}

// isUnfinished reports whether a name in the folder of a step is that of a file which las.Writer has not finished.
func isUnfinished(name string) bool { return unfinished.MatchString(name) }

// isOfStep reports whether a name in the folder of a step is one that steps make.
func isOfStep(name string) bool { return ofStep.MatchString(name) || isUnfinished(name) }

// The names are those of Step.Makes, of marks, and of the folders of cut.
var (
	ofStep = regexp.MustCompile(`^(\d+/)?\d+(\.(json|las|outputs|points|long|atoms|state|pieces|ids))?$|` +
		`^(atoms|components)$`)
	unfinished = regexp.MustCompile(`^(\d+/)?\.\d+\.las-\d+$`)
)

// Path returns the path of a file in the folder.
func (v *Survey) Path(parts ...string) string {
	return filepath.Join(append([]string{v.folder}, parts...)...)
}

// file returns the path of the file of a kind that a step makes for source or tile n.
func (v *Survey) file(step string, n int, kind string) string {
	return v.Path(step, strconv.Itoa(n)+"."+kind)
}

// writeJSON writes a value as JSON.
func writeJSON(path string, value any) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(path, jsonWriter(value))
}

// jsonWriter returns a function that writes value as JSON.
func jsonWriter(value any) func(w io.Writer) error {
	return func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		return e.Encode(value)
	}
}

// slice returns the path of the points of source k in tile n.
func (v *Survey) slice(n, k int) string {
	return v.Path("cut", strconv.Itoa(n), strconv.Itoa(k)+".las")
}
