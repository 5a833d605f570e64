// SPDX-License-Identifier: BSD-3-Clause

// Package generated writes generated files, and generated sections of files between marks.
package generated

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"superpoint/pipelines/files/atomicfile"
)

// File is a generated file, or a file with generated sections or lines.
type File struct {
	Path     string // from the top of the checkout
	Whole    string
	By       string            // command that writes the sections, in their marks
	Sections map[string]string // by their names
	// a line that is generated; the file has one line that begins as it does, up to the first digit
	Line string
}

// Render returns the new content of a file for its old content.
func (f *File) Render(old []byte) ([]byte, error) {
	if f.Line != "" {
		return f.renderLine(old)
	}
	if f.Sections == nil {
		return []byte(f.Whole), nil
	}
	for name, text := range f.Sections {
		before, behind := fmt.Sprintf("<!-- %s: %s -->\n", name, f.By),
			fmt.Sprintf("<!-- end of %s -->\n", name)
		head, rest, begins := bytes.Cut(old, []byte(before))
		_, tail, ends := bytes.Cut(rest, []byte(behind))
		if !begins || !ends {
			return nil, fmt.Errorf("%s has no lines %q and %q", f.Path, before, behind)
		}
		old = bytes.Join([][]byte{head, []byte(before), []byte(text), []byte(behind), tail}, nil)
	}
	return old, nil
}

// renderLine returns the content with the generated line.
func (f *File) renderLine(old []byte) ([]byte, error) {
	start := f.Line[:strings.IndexAny(f.Line, "0123456789")]
	lines := strings.Split(string(old), "\n")
	found := 0
	for i, line := range lines {
		if strings.HasPrefix(line, start) {
			lines[i] = f.Line
			found++
		}
	}
	if found != 1 {
		return nil, fmt.Errorf("%s has %d lines that begin with %q, not one", f.Path, found, start)
	}
	return []byte(strings.Join(lines, "\n")), nil
}

// Changed returns the new content of the files below top that are old, by their paths.
func Changed(top string, files []File) (map[string][]byte, error) {
	changed := map[string][]byte{}
	for _, f := range files {
		old, err := os.ReadFile(filepath.Join(top, f.Path))
		if err != nil && f.Whole == "" {
			return nil, err
		}
		text, err := f.Render(old)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(old, text) {
			changed[f.Path] = text
		}
	}
	return changed, nil
}

// Write writes the files below top that are old.
func Write(top string, files []File) error {
	changed, err := Changed(top, files)
	if err != nil {
		return err
	}
	for path, text := range changed {
		if err := atomicfile.Write(filepath.Join(top, path), atomicfile.Bytes(text)); err != nil {
			return err
		}
	}
	return nil
}
