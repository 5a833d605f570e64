package command

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
	"strings"

	"superpoint/embed/whole"
)

// project is a folder in which a survey is processed tile by tile:
//
//	plan.json            what `tile` planned
//	cut/K.json           source K is cut; cut/N/K.las are its points that tile N sees
//	tiles/N.json         tile N is segmented; N.las are its core points, N.seam its seam
//	stitch.json, ids/N   tiles are joined; ids of the pieces of tile N
//	out/*.laz            the result; out/.N.json tells that it is whole
//
// Every file is written under a temporary name and renamed, and what tells that
// a step is done comes last. Whatever is missing, damaged or made for another
// plan is made again.
type project struct {
	folder string
	plan   *plan
	sum    string // of plan.json
}

// openProject reads the plan of a folder.
func openProject(folder string) (*project, error) {
	path := filepath.Join(folder, "plan.json")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is not there; plan first: superpoint tile -output %s FILE…", path, folder)
	}
	if err != nil {
		return nil, err
	}
	plan, err := parsePlan(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; plan again", path, err)
	}
	return &project{folder: folder, plan: plan, sum: fmt.Sprintf("%x", sha256.Sum256(text))[:16]}, nil
}

// output is a file of the result, which is never a source.
func (u *unit) output(path string) (*whole.Output, error) {
	files := &whole.Files{Context: u.host.Context()}
	for i := range u.plan.Sources {
		files.Input(u.plan.Sources[i].Path)
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
		if slices.Contains([]string{"cut", "tiles", "ids", "out"}, part) {
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

func (p *project) path(parts ...string) string {
	return filepath.Join(append([]string{p.folder}, parts...)...)
}

// tile returns a tile of the plan.
func (p *project) tile(n int) (*planned, error) {
	if n < 0 || n >= len(p.plan.Tiles) {
		return nil, fmt.Errorf("tile %d: the plan has tiles 0 to %d", n, len(p.plan.Tiles)-1)
	}
	return &p.plan.Tiles[n], nil
}

// writeJSON writes a file that tells that something is done.
func writeJSON(path string, value any) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return whole.Write(path, indented(value))
}

// indented writes JSON.
func indented(value any) func(w io.Writer) error {
	return func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		return e.Encode(value)
	}
}

// readJSON tells whether the file is there and whole.
func readJSON(path string, value any) bool {
	text, err := os.ReadFile(path)
	return err == nil && json.Unmarshal(text, value) == nil
}
