// SPDX-License-Identifier: BSD-3-Clause

package atomicfile

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
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
		"itself": path, "relative": name, "round about": filepath.Join(folder, "folder") + "/../" +
			filepath.Base(folder) +
			"/./" + name,
		"symlink": filepath.Join(folder, "symlink"), "chain": filepath.Join(folder, "link of a link"),
		"hard link": filepath.Join(folder, "hardlink"), "linked folder": filepath.Join(folder,
			"folder", name),
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
		must.Need(t, o.Write(text("x")) != nil, `%s: no error of o.Write(text("x"))`, kind)
		must.Hold(t, o.File(func(string) error { return nil }) != nil,
			"%s: no error of o.File(func(string) error { return nil })", kind)
	}
	f := Files{Force: true}
	f.Input(path)
	o := must.Get(f.Output("new"))(t)
	must.OK(t, os.Symlink(path, "new")) // during the work
	must.Fail(0, o.Write(text("x")))(t, "of the input")
	must.Equal(t, string(must.Get(os.ReadFile(path))(t)), "points", "the input")
	f = Files{}
	f.Input("auto", path)
	_, err := f.Output("auto")
	must.Hold(t, err == nil, "a name that is no file is refused: %v", err)
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
		_, err := f.Output(other)
		must.Hold(t, err != nil, "new and %s are two outputs", other)
		must.Get(f.Output("newer"))(t)
		must.Get(f.Output("other/new"))(t)
	}
	var f Files
	o := must.Get(f.Output("dangling"))(t)
	must.OK(t, o.Write(text("x")))
	info, err := os.Lstat("dangling")
	must.Need(t, err == nil, "the link that led to nothing was replaced: %v", err)
	must.Hold(t, info.Mode()&os.ModeSymlink != 0,
		"the link that led to nothing was replaced: info.Mode()&os.ModeSymlink is 0")
	must.Equal(t, string(must.Get(os.ReadFile("new"))(t)), "x", "the new file")
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
	must.Hold(t, errors.Is(err, context.Canceled), "%v", err)
	left, _ := os.ReadDir(filepath.Dir(path))
	must.Hold(t, len(left) == 0, "%v left over", left)
}

// TestEmptyLogOfADatabase: SQLite leaves an empty log beside a file that it has open to read; changes are in
// one that is not empty.
func TestEmptyLogOfADatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.gpkg")
	o := must.Get(new(Files).Output(path))(t)
	must.OK(t, o.Write(func(w io.Writer) error { _, err := io.WriteString(w, "objects"); return err }))
	must.OK(t, os.WriteFile(path+"-wal", nil, 0o666))
	must.OK(t, Unchanged(path))
	must.OK(t, os.WriteFile(path+"-wal", []byte("x"), 0o666))
	must.Fail(Unchanged(path))(t, "another program has it open")
}

// TestOwnership has every state that a path of an output can be in, and whether it is replaced: as named by
// the user, by force, and in a folder of outputs.
func TestOwnership(t *testing.T) {
	sqlite := func(change byte) string {
		head := make([]byte, 200)
		copy(head, "SQLite format 3\x00")
		head[18], head[27], head[95], head[99] = 1+change, change, change, change
		return string(head)
	}
	for _, c := range []struct {
		name         string
		before       string            // content that superpoint wrote; "" = none
		change       func(path string) // afterwards
		words        string            // of the error; "" = replaced
		forced, held string            // the same with force, and with force in a folder
	}{
		{"none", "", func(string) {}, "", "", ""},
		{"foreign", "", put("theirs"), "no record", "", "no record"},
		{"empty foreign", "", put(""), "no record", "", "no record"},
		{"ours", "ours", func(string) {}, "", "", ""},
		{"same content", "ours", put("ours"), "", "", ""},
		{"edited", "ours", put("ours, edited"), "was changed", "", "was changed"},
		{"edited, same size", "ours", put("oars"), "was changed", "", "was changed"},
		{"record of another version", "ours", func(path string) {
			must.OK(t, os.WriteFile(recordOf(path), []byte(`{"superpoint_record":2}`), 0o666))
		}, "no record", "", "no record"},
		{"without its record", "ours", func(path string) { must.OK(t, os.Remove(recordOf(path))) },
			"no record", "",
			"no record"},
		{"moved here", "ours", func(path string) {
			must.OK(t, os.Rename(path, path+"2"))
			must.OK(t, os.WriteFile(path, []byte("theirs"), 0o666))
		}, "was changed", "", "was changed"},
		{"removed", "ours", func(path string) { must.OK(t, os.Remove(path)) }, "", "", ""},
		{"folder", "", func(path string) { must.OK(t, os.Mkdir(path, 0o777)) }, "is a folder", "is a folder",
			"is a folder"},
		{"link to foreign", "", func(path string) {
			must.OK(t, os.WriteFile(path+"2", []byte("theirs"), 0o666))
			must.OK(t, os.Symlink(path+"2", path))
		}, "no record", "", "no record"},
		{"database that was read", sqlite(0), put(sqlite(1)), "", "", ""},
		{"database that was edited", sqlite(0), put(sqlite(0) + "x"), "was changed", "", "was changed"},
		{"open database", sqlite(0), func(path string) { put("log")(path + "-wal") }, "has it open",
			"has it open",
			"has it open"},
	} {
		for kind, words := range map[string]string{"named": c.words, "forced": c.forced,
			"in a folder": c.held} {
			t.Run(c.name+" "+kind, func(t *testing.T) {
				folder := t.TempDir()
				path := filepath.Join(folder, "output.gpkg")
				if c.before != "" {
					must.OK(t, must.Get(new(Files).Output(path))(t).Write(text(c.before)))
				}
				early := Files{Force: kind != "named"}
				if kind == "in a folder" {
					defer must.Get(early.Folder(folder))(t)()
				}
				late := must.Get(early.Output(path + "3"))(t) // is checked again when it is written
				late.at.path = path
				c.change(path)
				before, _ := os.ReadFile(path)
				to, err := early.Output(path)
				if err == nil {
					err = to.Write(text("new"))
				} else if late.Write(text("new")) == nil || late.Remove() == nil {
					t.Error("it is replaced or removed if it appears during the work")
				}
				after, _ := os.ReadFile(path)
				if must.Says(t, err, words, "%s", path); words != "" {
					must.Equal(t, string(after), string(before), "the file")
					return
				}
				must.Equal(t, string(after), "new", "the file")
				must.OK(t, must.Get(new(Files).Output(path))(t).Remove()) // now ours
				if _, err = os.Stat(path); err == nil {                   // a link to it remains
					t.Error("it is not removed")
				}
			})
		}
	}
}

func put(content string) func(path string) {
	return func(path string) {
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			panic(err)
		}
	}
}

// TestCloudsStayClouds: a table does not replace a cloud of ours, as when two names were exchanged.
func TestCloudsStayClouds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.laz")
	for _, c := range []struct{ content, words string }{{"LASF 1", ""}, {"LASF 2", ""},
		{"a,b", "is a point cloud"}} {
		err := must.Get(new(Files).Output(path))(t).Write(text(c.content))
		must.Says(t, err, c.words, "%s", c.content)
	}
	must.Equal(t, string(must.Get(os.ReadFile(path))(t)), "LASF 2", "the file")
}

// TestOpenRegular: only regular files, and links to them, are opened; nothing waits for a pipe.
func TestOpenRegular(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	must.OK(t, os.WriteFile(at("file"), []byte("content"), 0o666))
	must.OK(t, os.Symlink("file", at("link")))
	for _, name := range []string{"file", "link"} {
		f := must.Get(OpenRegular(at(name)))(t)
		must.Equal(t, string(must.Get(io.ReadAll(f))(t)), "content", "what %s has", name)
		must.OK(t, f.Close())
	}
	must.OK(t, syscall.Mkfifo(at("pipe"), 0o666))
	must.OK(t, os.Symlink("pipe", at("link to a pipe")))
	for _, path := range []string{at("pipe"), at("link to a pipe"), folder, "/dev/null"} {
		must.Fail(OpenRegular(path))(t, path, "a pipe, a device or a folder")
	}
	must.Fail(OpenRegular(at("none")))(t, "no such file")
}

func TestLongNames(t *testing.T) {
	folder := t.TempDir()
	for _, n := range []int{longestName, longestName - len(recordSuffix),
		longestName - len(recordSuffix) - 1} {
		path := filepath.Join(folder, strings.Repeat("n", n))
		for range 2 {
			must.OK(t, must.Get(new(Files).Output(path))(t).Write(text("x")))
		}
		put("y")(path)
		must.Fail(new(Files).Output(path))(t, "was changed")
	}
}

// TestFolders: at most one level is made, no name of a file, and an unused folder is removed.
func TestFolders(t *testing.T) {
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, name) }
	put("")(at("file"))
	must.OK(t, os.MkdirAll(at("there.gpkg/"+workPrefix+"0123456789abcdef"), 0o777)) // of a killed run
	for name, words := range map[string]string{"new": "", "new.v2": "", "there.gpkg": "",
		"no/new":   "there is no folder",
		"map.gpkg": "suffix of a file", "MAP.LAZ": "suffix of a file", "file": "is a file", "file/new": ""} {
		release, err := new(Files).Folder(at(name))
		if name == "file/new" {
			words = "not a directory"
		}
		if must.Says(t, err, words, "%s", name); err != nil {
			continue
		}
		must.Fail(new(Files).Folder(at(name)))(t, "in use")
		must.Equal(t, len(must.Get(os.ReadDir(at(name)))(t)), 1, "files of %s, with the lock", name)
		release()
	}
	must.Equal(t, len(must.Get(os.ReadDir(root))(t)), 2, "files left")
	must.Fail(new(Files).Output(at("no/file.laz")))(t, "there is no folder")
	const unwritable = "/proc/self/superpoint"
	must.Fail(new(Files).Folder(unwritable))(t, "the folder "+unwritable+" cannot be made: ",
		"name one where you may write")
}

// TestFilesThatCannotBeInspected are not taken for files that are not there: they would be replaced.
func TestFilesThatCannotBeInspected(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("a", 300))
	err := Unchanged(path)
	must.Need(t, err != nil, "a file whose name the system refuses is free to be written")
	must.Hold(t, !errors.Is(err, fs.ErrNotExist), "error %v", err)
}
