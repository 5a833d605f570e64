// SPDX-License-Identifier: BSD-3-Clause

package job

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"superpoint/pipelines/files/filestate"
	"superpoint/testdata/must"
)

// write writes a file of a folder, and returns its path.
func write(t *testing.T, folder, name, content string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	must.OK(t, os.MkdirAll(filepath.Dir(path), 0o777))
	must.OK(t, os.WriteFile(path, []byte(content), 0o666))
	return path
}

func read(t *testing.T, path string) string {
	t.Helper()
	return string(must.Get(os.ReadFile(path))(t))
}

// TestContent: the content of a file does not depend on its name and times, and every byte counts.
func TestContent(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	content := make([]byte, 1<<20)
	write := func(name string, change int) string {
		t.Helper()
		changed := append([]byte(nil), content...)
		if change >= 0 {
			changed[change]++
		}
		must.OK(t, os.WriteFile(at(name), changed, 0o666))
		return must.Get(Content(at(name)))(t)
	}
	a := write("a", -1)
	must.Equal(t, write("b", -1), a, "content of a copy")
	for _, change := range []int{0, 1000, len(content) / 2, len(content) - 1} {
		must.Hold(t, write("b", change) != a, "a change of byte %d is not seen", change)
	}
	must.OK(t, os.Symlink(at("a"), at("link")))
	must.Equal(t, must.Get(Content(at("link")))(t), a, "content of a link")
}

// swaps are ways in which another content takes the place of a file for a while. back undoes one.
var swaps = map[string]func(t *testing.T, path string) (back func()){
	"renamed": func(t *testing.T, path string) func() {
		t.Helper()
		must.OK(t, os.Rename(path, path+".away"))
		write(t, filepath.Dir(path), filepath.Base(path), "other")
		return func() { must.OK(t, os.Rename(path+".away", path)) }
	},
	"replaced by a copy": func(t *testing.T, path string) func() {
		t.Helper()
		before := read(t, path)
		replace := func(content string) {
			must.OK(t, os.Rename(write(t, filepath.Dir(path), "new", content), path))
		}
		replace("other")
		return func() { replace(before) }
	},
	"written in place": func(t *testing.T, path string) func() {
		t.Helper()
		before := read(t, path)
		modified := must.Get(os.Stat(path))(t).ModTime()
		must.OK(t, os.WriteFile(path, []byte("other"), 0o666))
		return func() {
			must.OK(t, os.WriteFile(path, []byte(before), 0o666))
			must.OK(t, os.Chtimes(path, time.Time{}, modified))
		}
	},
	"folder renamed":       folderSwap(filepath.Dir),
	"folder above renamed": folderSwap(func(path string) string { return filepath.Dir(filepath.Dir(path)) }),
	"removed": func(t *testing.T, path string) func() {
		t.Helper()
		before := read(t, path)
		must.OK(t, os.Remove(path))
		return func() { write(t, filepath.Dir(path), filepath.Base(path), before) }
	},
}

// folderSwap returns the swap of a folder above the file.
func folderSwap(above func(path string) string) func(t *testing.T, path string) (back func()) {
	return func(t *testing.T, path string) func() {
		t.Helper()
		folder := above(path)
		away := folder + ".away"
		must.OK(t, os.Rename(folder, away))
		write(t, filepath.Dir(path), filepath.Base(path), "other")
		return func() {
			must.OK(t, os.RemoveAll(folder))
			must.OK(t, os.Rename(away, folder))
		}
	}
}

// linkSwaps are the swaps of a link to the file.
var linkSwaps = map[string]func(t *testing.T, path string) (back func()){
	"link to another file": func(t *testing.T, path string) func() {
		t.Helper()
		to := must.Get(os.Readlink(path))(t)
		relink := func(to string) {
			must.OK(t, os.Symlink(to, path+".new"))
			must.OK(t, os.Rename(path+".new", path))
		}
		relink(write(t, filepath.Dir(path), "elsewhere", "other"))
		return func() { relink(to) }
	},
	"link to another folder": func(t *testing.T, path string) func() {
		t.Helper()
		folder := filepath.Dir(filepath.Dir(path)) + "/linked"
		to := must.Get(os.Readlink(folder))(t)
		must.OK(t, os.Remove(folder))
		must.OK(t, os.Symlink(t.TempDir(), folder))
		return func() {
			must.OK(t, os.Remove(folder))
			must.OK(t, os.Symlink(to, folder))
		}
	},
}

// linked returns the path of a file by a link to its folder, and a link to it.
func linked(t *testing.T) (path, link string) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "data")
	write(t, folder, "real/a.las", "content")
	must.OK(t, os.Symlink("real", filepath.Join(folder, "linked")))
	must.OK(t, os.Symlink("../linked/a.las", filepath.Join(folder, "real", "link.las")))
	return filepath.Join(folder, "real", "a.las"), filepath.Join(folder, "real", "link.las")
}

// TestPinOfSwappedInput: a file that is another one for a while is read again, and its record names what was
// read; one that is another one each time is an error.
func TestPinOfSwappedInput(t *testing.T) {
	all := map[string]func(t *testing.T, path string) (back func()){}
	for name, swap := range swaps {
		all[name] = swap
	}
	for name, swap := range linkSwaps {
		all[name] = swap
	}
	for name, swap := range all {
		for _, changeTimes := range []bool{filestate.ChangeTimes, false} {
			for _, always := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, times of changes %v, always %v", name, changeTimes, always),
					func(t *testing.T) {
						path, link := linked(t)
						if linkSwaps[name] != nil {
							path = link
						}
						tries := 0
						seen := ""
						err := pin(t.TempDir(), []string{path}, changeTimes, func(all []Pinned) error {
							tries++
							back := func() {}
							if tries == 1 || always {
								back = swap(t, path)
							}
							text, err := os.ReadFile(all[0].Read)
							seen = string(text)
							back()
							return err
						})
						switch {
						case !changeTimes:
							must.OK(t, err)
							must.Equal(t, tries, 1, "tries")
							must.Equal(t, seen, "content", "seen")
						case always:
							must.Hold(t, errors.Is(err, ErrChanged), "error %v, want ErrChanged", err)
							must.Equal(t, tries, 2, "tries")
							must.Say(t, err.Error(), path)
						default:
							must.OK(t, err)
							must.Equal(t, tries, 2, "tries")
							must.Equal(t, seen, "content", "seen")
						}
					})
			}
		}
	}
}

// TestPinOfUnchangedInputs: inputs that do not change are read once, whatever is written beside them, and the
// error of reading is the reader's.
func TestPinOfUnchangedInputs(t *testing.T) {
	folder := t.TempDir()
	paths := []string{write(t, folder, "a", "1"), write(t, folder, "b", "2")}
	must.OK(t, os.Chmod(folder, 0o700)) // its times differ
	broken := errors.New("broken")
	for _, want := range []error{nil, broken} {
		tries := 0
		err := Pin(folder, paths, func(all []Pinned) error {
			tries++
			write(t, folder, "c", fmt.Sprint(tries))
			must.OK(t, os.MkdirAll(filepath.Join(folder, "results"), 0o777))
			for k, p := range all {
				must.Equal(t, p.Path, paths[k], "path")
				must.Equal(t, p.Content, must.Get(Content(paths[k]))(t), "content")
			}
			return want
		})
		must.Hold(t, errors.Is(err, want), "error %v, want %v", err, want)
		must.Equal(t, tries, 1, "tries")
	}
	must.Fail(0, Pin(folder, []string{filepath.Join(folder, "none")}, nil))(t, "none")
}

// TestInputs: a file that is read several times is the same each time.
func TestInputs(t *testing.T) {
	var in Inputs
	path := write(t, t.TempDir(), "a", "content")
	must.OK(t, in.Read(path, func() error { return nil }))
	must.OK(t, in.Check())
	back := swaps["renamed"](t, path)
	must.Fail(0, in.Check())(t, path, "changed while it was read")
	must.Fail(0, in.Read(path, func() error { return nil }))(t, "changed while it was read")
	back()
	must.Fail(0, in.Check())(t, "changed while it was read")
	other := write(t, t.TempDir(), "b", "content")
	tries := 0
	must.OK(t, in.Read(other, func() error {
		if tries++; tries == 1 {
			swaps["written in place"](t, other)()
		}
		return nil
	}))
	must.Equal(t, tries, 2, "tries to read a file that changed once")
}

// TestCopy: a copy has the name and the companions of a file; its content is of all of them.
func TestCopy(t *testing.T) {
	t.Parallel()
	folder, to := t.TempDir(), t.TempDir()
	single := write(t, folder, "mine.safetensors", "model")
	write(t, folder, "mine.laz", "a cloud of the same name")
	p := must.Get(Copy(to, single))(t)
	must.Equal(t, filepath.Base(p.Read), "mine.safetensors", "name")
	must.Equal(t, read(t, p.Read), "model", "copy")
	must.Equal(t, p.Content, must.Get(Content(single))(t), "content")
	must.Equal(t, len(must.Get(os.ReadDir(filepath.Dir(p.Read)))(t)), 1, "files beside the copy")

	shape := write(t, folder, "area.shp", "shapes")
	for _, name := range []string{"area.dbf", "area.SHX", "area.prj"} {
		write(t, folder, name, name)
	}
	write(t, folder, "area.laz", "a cloud of the same name")
	first := must.Get(Copy(to, shape))(t)
	must.Equal(t, len(must.Get(os.ReadDir(filepath.Dir(first.Read)))(t)), 4, "files of the shape")
	again := must.Get(Copy(to, shape))(t)
	must.Equal(t, again.Content, first.Content, "content of another copy")
	write(t, folder, "area.prj", "another reference")
	changed := must.Get(Copy(to, shape))(t)
	must.Hold(t, changed.Content != first.Content, "a companion that changed leaves the content")

	packageFile := write(t, folder, "area.gpkg", "tables")
	without := must.Get(Copy(to, packageFile))(t)
	write(t, folder, "area.gpkg-wal", "changes that are not in the file yet")
	with := must.Get(Copy(to, packageFile))(t)
	must.Hold(t, with.Content != without.Content, "changes in the log leave the content")
}

// TestRecords: equal results have equal records; each field that changes makes another one.
func TestRecords(t *testing.T) {
	t.Parallel()
	given := func() *Record {
		return &Record{
			Software: "1",
			Source:   "2",
			Options:  map[string]string{"model": "mine"},
			Content:  map[string]string{"model": "3"},
			Where:    "Z > 1",
			Default:  "EPSG:2056",
			Override: "EPSG:32632",
		}
	}
	must.Hold(t, given().Same(given()), "equal records are not the same")
	for name, change := range map[string]func(r *Record){
		"software": func(r *Record) { r.Software += "1" },
		"source":   func(r *Record) { r.Source += "1" },
		"options":  func(r *Record) { r.Options["knn"] = "9" },
		"content":  func(r *Record) { r.Content["model"] = "4" },
		"where":    func(r *Record) { r.Where = "" },
		"default":  func(r *Record) { r.Default = "" },
		"override": func(r *Record) { r.Override = "" },
	} {
		changed := given()
		change(changed)
		must.Hold(t, !changed.Same(given()), "a record with another %s is the same", name)
	}
	names := NamesOf(map[string]string{"model": "/a/mine", "where": "/a/b"}, map[string]string{"model": "3"})
	must.Equal(t, names, map[string]string{"model": "mine", "where": "/a/b"}, "names of files")
}

// TestOptionsKeepTheirPaths: what is recorded is the path that was given, and what is read is the copy.
func TestOptionsKeepTheirPaths(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.safetensors")
	must.OK(t, os.WriteFile(path, []byte("a model"), 0o644))
	o, done, err := PinOptions(t.TempDir(), map[string]string{"model": path, "knn": "7"}, nil)
	must.OK(t, err)
	defer done()
	must.Equal(t, o.Given, map[string]string{"model": path, "knn": "7"}, "options that are recorded")
	must.Equal(t, o.Reading["knn"], "7", "option without a file")
	must.Hold(t, o.Reading["model"] != path, "the model itself is read, and not its copy: %s", path)
	copied := must.Get(os.ReadFile(o.Reading["model"]))(t)
	must.Equal(t, string(copied), "a model", "content of the copy")
}
