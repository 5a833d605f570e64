// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/filter/models"
	"superpoint/pipelines/files/atomicfile"
)

const planFile = "plan.json"

// Survey is the folder of a survey: plan.json, a folder for each step (Steps), and out/ with
// the results. Every file is written under a temporary name and renamed.
type Survey struct {
	Overrides map[string]string // options of the stage in this process that replace those of the plan

	host   host.Host
	folder string
	plan   *plan
	sum    string // of plan.json

	lock  sync.Mutex // of the map; results are written at once
	found map[string]markSet
}

// Open reads the plan of a folder.
func Open(h host.Host, folder string) (*Survey, error) {
	path := filepath.Join(folder, planFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is missing; plan first: pdal superpoint survey plan --output %s FILE…", path, folder)
	}
	if err != nil {
		return nil, err
	}
	plan, err := parsePlan(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; remove the folder and plan again", path, err)
	}
	if err := plan.checkCurrent(); err != nil {
		return nil, fmt.Errorf("%s: %w; remove the folder and plan again", path, err)
	}
	return &Survey{host: h, folder: folder, plan: plan, Overrides: map[string]string{}, sum: planSum(text),
		found: map[string]markSet{}}, nil
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

// checkNew returns the text of a folder's plan. It fails if a folder without one has files of the names that a survey
// makes.
func checkNew(folder string) (text []byte, err error) {
	if text, err = os.ReadFile(filepath.Join(folder, planFile)); !errors.Is(err, fs.ErrNotExist) {
		return text, err
	}
	names := []string{"out"}
	for _, s := range Steps() {
		names = append(names, s.Name)
	}
	for _, name := range names {
		path := filepath.Join(folder, name)
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return nil, cmp.Or(err, fmt.Errorf("%s exists, and a survey makes it; plan in another folder", path))
		}
	}
	return nil, nil
}

// Lock locks the folder of a survey: for single steps shared with other processes, else alone.
func Lock(folder string, shared bool) (release func(), err error) {
	if _, err := os.Stat(folder); err != nil {
		return func() {}, nil // Open has the error
	}
	return atomicfile.Lock(folder, shared)
}

// clean removes what killed processes left; there are no others.
func (v *Survey) clean() error {
	for _, s := range Steps() {
		atomicfile.Sweep(v.Path(s.Name))
	}
	for _, unfinished := range []string{"cut/*/.[0-9]*.las-[0-9]*", "label/.[0-9]*.las-[0-9]*"} { // by las.Writer
		names, err := fs.Glob(os.DirFS(v.folder), unfinished)
		for _, name := range names {
			err = cmp.Or(err, os.Remove(v.Path(name)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

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
