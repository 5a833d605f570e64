package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/testdata/must"
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

// TestNewCommandsHaveASection takes a section off the page of commands.
func TestNewCommandsHaveASection(t *testing.T) {
	page := must.Get(os.ReadFile(filepath.Join("..", "pdal", "kernels.md")))(t)
	head, rest, found := bytes.Cut(page, []byte("\n## mesh\n"))
	_, tail, ends := bytes.Cut(rest, []byte("<!-- end of mesh options -->\n"))
	if !found || !ends {
		t.Fatal("the page has no section mesh")
	}
	got := must.Get(withSections(slices.Concat(head, tail)))(t)
	before, behind := marks("mesh options")
	for _, want := range []string{"\n## mesh\n\nWrites planar superpoints", "\n```sh\npdal superpoint mesh segmented.laz",
		before + behind + lastSection} {
		if !bytes.Contains(got, []byte(want)) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if again, err := withSections(got); err != nil || !bytes.Equal(again, got) {
		t.Errorf("a second time changes the page: %v", err)
	}
}

func TestWrapped(t *testing.T) {
	text := wrapped(strings.Repeat("word ", 100), "  ")
	for _, line := range strings.Split(text, "\n") {
		if n := len(line); n > width {
			t.Errorf("%d columns", n)
		}
	}
	if strings.Join(strings.Fields(text), " ") != strings.TrimSpace(strings.Repeat("word ", 100)) {
		t.Error("words are lost")
	}
}
