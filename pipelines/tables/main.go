// SPDX-License-Identifier: BSD-3-Clause

// Command tables generates files from the tables of packages filter and command: the options of the
// C++ stage, the fields of filter.Options, the tables of the pages, and the fields of the QGIS plugin.
// `go generate ./filter` runs it; its test fails if a generated file is old.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// file is a generated file, or a file with generated sections between marks.
type file struct {
	path     string // from the top of the checkout
	whole    func() string
	sections map[string]func() string
}

func files() []file {
	return []file{
		{path: "filter/fields.go", whole: optionFields},
		{path: "filter/pdal/options.inc", whole: cplusplus},
		{path: "filter/pdal/commands.inc", whole: commandNames},
		{path: "filter/pdal/kernels.md", sections: commandOptions()},
		{path: "pipelines/qgis/superpoint/options.json", whole: fields},
		{path: "filter/pdal/filters.superpoint.md", sections: map[string]func() string{
			"options": optionList, "outputs": outputTable,
		}},
	}
}

// render returns the new content of a file for its old content.
func (f *file) render(old []byte) ([]byte, error) {
	if f.whole != nil {
		return []byte(f.whole()), nil
	}
	for name, text := range f.sections {
		before, behind := marks(name)
		head, rest, begins := bytes.Cut(old, []byte(before))
		_, tail, ends := bytes.Cut(rest, []byte(behind))
		if !begins || !ends {
			return nil, fmt.Errorf("%s has no lines %q and %q", f.path, before, behind)
		}
		old = bytes.Join([][]byte{head, []byte(before), []byte(text()), []byte(behind), tail}, nil)
	}
	return old, nil
}

// write writes all generated files below top.
func write(top string) error {
	for _, f := range files() {
		path := filepath.Join(top, f.path)
		old, err := os.ReadFile(path)
		if err != nil && f.whole == nil {
			return err
		}
		text, err := f.render(old)
		if err != nil {
			return err
		}
		if bytes.Equal(old, text) {
			continue
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	if err := write(".."); err != nil { // go generate runs in filter/
		fmt.Fprintln(os.Stderr, "tables:", err)
		os.Exit(1)
	}
}
