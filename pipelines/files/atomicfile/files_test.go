// SPDX-License-Identifier: BSD-3-Clause

package atomicfile

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"superpoint/testdata/must"
)

// aliases returns other paths of a file in folder, the working folder.
func aliases(t *testing.T, folder, name string) map[string]string {
	t.Helper()
	must := func(err error) {
		t.Helper()
		must.OK(t, err)
	}
	path := filepath.Join(folder, name)
	must(os.Symlink(name, filepath.Join(folder, "symlink")))
	must(os.Symlink("symlink", filepath.Join(folder, "link of a link")))
	must(os.Link(path, filepath.Join(folder, "hardlink")))
	must(os.Symlink(folder, filepath.Join(folder, "folder")))
	return map[string]string{
		"itself": path, "relative": name, "round about": filepath.Join(folder, "folder") + "/../" + filepath.Base(folder) +
			"/./" + name,
		"symlink": filepath.Join(folder, "symlink"), "chain": filepath.Join(folder, "link of a link"),
		"hard link": filepath.Join(folder, "hardlink"), "linked folder": filepath.Join(folder, "folder", name),
	}
}

func TestOutputIsNoInput(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	path := filepath.Join(folder, "points.laz")
	must.OK(t, os.WriteFile(path, []byte("points"), 0o666))
	for kind, name := range aliases(t, folder, "points.laz") {
		for _, in := range []string{path, "points.laz"} {
			var f Files
			f.Input("https://example.org/ept.json", in, "")
			must.Fail(f.Output(name))(t, name, "name another output")
		}
		f := Files{Force: true} // the input is known later
		o := must.Get(f.Output(name))(t)
		f.Input(path)
		if o.Write(text("x")) == nil || o.File(func(string) error { return nil }) == nil {
			t.Errorf("%s: written over an input", kind)
		}
	}
	f := Files{Force: true}
	f.Input(path)
	o := must.Get(f.Output("new"))(t)
	must.OK(t, os.Symlink(path, "new")) // during the work
	must.Fail(0, o.Write(text("x")))(t, "of the input")
	if got, _ := os.ReadFile(path); string(got) != "points" {
		t.Errorf("the input has become %q", got)
	}
	f = Files{}
	f.Input("auto", path)
	if _, err := f.Output("auto"); err != nil {
		t.Errorf("a name that is no file is refused: %v", err)
	}
}

func TestOutputsDiffer(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	must.OK(t, os.Mkdir("other", 0o777))
	must.OK(t, os.Symlink(folder, "folder"))
	must.OK(t, os.Symlink("new", "dangling"))
	for _, other := range []string{"new", "./new", "folder/new", filepath.Join(folder, "new"), "dangling"} {
		var f Files
		must.Get(f.Output("new"))(t)
		if _, err := f.Output(other); err == nil {
			t.Errorf("new and %s are two outputs", other)
		}
		must.Get(f.Output("newer"))(t)
		must.Get(f.Output("other/new"))(t)
	}
	var f Files
	o := must.Get(f.Output("dangling"))(t)
	must.OK(t, o.Write(text("x")))
	if info, err := os.Lstat("dangling"); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link that led to nothing was replaced: %v, %v", info, err)
	}
	if got, _ := os.ReadFile("new"); string(got) != "x" {
		t.Errorf("%q", got)
	}
	must.Fail(f.Output("/dev/null"))(t, "name a file")
}

func TestWritingEndsWhenCancelled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	ctx, cancel := context.WithCancel(t.Context())
	o, err := (&Files{Context: ctx}).Output(path)
	must.OK(t, err)
	err = o.Write(func(w io.Writer) error {
		must.Get(io.WriteString(w, "first"))(t)
		cancel()
		_, err := io.WriteString(w, "second")
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) > 0 {
		t.Errorf("%v left over", left)
	}
}

// TestEmptyLogOfADatabase: SQLite leaves an empty log beside a file that it has open to read; changes are in one that
// is not empty.
func TestEmptyLogOfADatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.gpkg")
	o := must.Get(new(Files).Output(path))(t)
	must.OK(t, o.Write(func(w io.Writer) error { _, err := io.WriteString(w, "objects"); return err }))
	must.OK(t, os.WriteFile(path+"-wal", nil, 0o666))
	must.OK(t, Unchanged(path))
	must.OK(t, os.WriteFile(path+"-wal", []byte("x"), 0o666))
	must.Fail(Unchanged(path))(t, "another program has it open")
}
