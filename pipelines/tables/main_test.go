// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFilesAreUpToDate renders every file again.
func TestFilesAreUpToDate(t *testing.T) {
	for _, f := range files() {
		old, err := os.ReadFile(filepath.Join("..", "..", f.path))
		if err != nil {
			t.Error(err)
			continue
		}
		text, err := f.render(old)
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(old, text) {
			t.Errorf("%s differs from the tables of package filter: run go generate ./filter", f.path)
		}
	}
}

// TestStaleFilesAreFound changes a word of each section.
func TestStaleFilesAreFound(t *testing.T) {
	for _, f := range files() {
		for name, text := range f.sections {
			before, behind := marks(name)
			changed := []byte("head\n" + before + strings.Replace(text(), "e", "x", 1) + behind + "tail\n")
			one := file{path: f.path, sections: map[string]func() string{name: text}}
			got, err := one.render(changed)
			if want := "head\n" + before + text() + behind + "tail\n"; err != nil || string(got) != want {
				t.Errorf("%s, %s: %v\n%s", f.path, name, err, got)
			}
			if _, err := one.render([]byte("head\n" + before)); err == nil {
				t.Errorf("%s, %s: a section without an end is taken", f.path, name)
			}
		}
	}
}
