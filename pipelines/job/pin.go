// SPDX-License-Identifier: BSD-3-Clause

package job

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/filestate"
)

// ErrChanged is the error about an input that changed while it was read.
var ErrChanged = errors.New("it changed while it was read; run again when no program writes it")

// Inputs are files that must not change from the first look at them to the last. The zero value has none.
type Inputs struct {
	lock   sync.Mutex
	states map[string]filestate.State // by path
}

// Add adds a file before it is read. It fails if the file was added before and has changed since.
func (in *Inputs) Add(path string) error {
	now, err := filestate.Of(path)
	if err != nil {
		return err
	}
	in.lock.Lock()
	defer in.lock.Unlock()
	if in.states == nil {
		in.states = map[string]filestate.State{}
	}
	if before, again := in.states[path]; again && !before.Same(now) {
		return fmt.Errorf("%s: %w", path, ErrChanged)
	}
	in.states[path] = now
	return nil
}

// forget removes a file.
func (in *Inputs) forget(path string) {
	in.lock.Lock()
	defer in.lock.Unlock()
	delete(in.states, path)
}

// Check fails if a file has changed since it was added.
func (in *Inputs) Check() error {
	in.lock.Lock()
	defer in.lock.Unlock()
	for path, before := range in.states {
		if !before.Holds(path) {
			return fmt.Errorf("%s: %w", path, ErrChanged)
		}
	}
	return nil
}

// Read adds a file and calls read, which reads it in this process, a second time if the file changed
// meanwhile. It adds no name that is no file.
func (in *Inputs) Read(path string, read func() error) error {
	isKnown := in.has(path)
	for tries := 1; ; tries++ {
		before := in.Add(path)
		if errors.Is(before, fs.ErrNotExist) {
			return read()
		}
		if before != nil {
			return before
		}
		err := read()
		if in.Add(path) == nil {
			return err
		}
		if isKnown || tries == mostTries {
			return fmt.Errorf("%s: %w", path, ErrChanged)
		}
		in.forget(path)
	}
}

// Content adds a file and returns its SHA-256.
func (in *Inputs) Content(path string) (content string, err error) {
	err = in.Read(path, func() (err error) {
		content, err = Content(path)
		return err
	})
	return content, err
}

func (in *Inputs) has(path string) bool {
	in.lock.Lock()
	defer in.lock.Unlock()
	_, is := in.states[path]
	return is
}

const mostTries = 2 // of reading an input that changed

// Pinned is an input whose content is known and does not change while it is read.
type Pinned struct {
	Path     string // for messages
	Identity        // of what is read
	Read     string // path to read: the file itself, or a copy of the same name
}

// Pin calls read with inputs, and fails if their content may not have been the same all the time. read leaves
// its results in a folder for temporary files: they may get their places when Pin has returned nil. It is
// called a second time if an input changed. folder is for copies, on systems where a change may pass
// unnoticed.
func Pin(folder string, paths []string, read func(all []Pinned) error) error {
	return pin(folder, paths, filestate.ChangeTimes, read)
}

func pin(folder string, paths []string, changeTimes bool, read func(all []Pinned) error) error {
	for tries := 1; ; tries++ {
		err := once(folder, paths, changeTimes, read)
		if !errors.Is(err, ErrChanged) || tries == mostTries {
			return err
		}
	}
}

// once is one try of Pin. Its error is ErrChanged if an input changed, whatever read returns: a file that is
// being replaced may be damaged for a moment.
func once(folder string, paths []string, changeTimes bool, read func(all []Pinned) error) error {
	if !changeTimes {
		copies, err := atomicfile.Within(folder, "inputs-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(copies)
		all, err := copyAll(copies, paths)
		if err != nil {
			return err
		}
		return read(all)
	}
	var in Inputs
	all := make([]Pinned, len(paths))
	for k, path := range paths {
		if err := in.Add(path); err != nil {
			return err
		}
		all[k] = Pinned{Path: path, Read: path}
		if err := all[k].identify(path); err != nil {
			return err
		}
	}
	err := read(all)
	if errors.Is(err, context.Canceled) {
		return err
	}
	if failed := in.Check(); failed != nil {
		return failed
	}
	return err
}

func copyAll(folder string, paths []string) (all []Pinned, err error) {
	for _, path := range paths {
		p, err := Copy(folder, path)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// Copy copies a file into a new folder in folder, under its own name and with its companions, while it is
// hashed. The content of a file with companions is the SHA-256 of theirs, with their endings.
func Copy(folder, path string) (p Pinned, err error) {
	to, err := atomicfile.Within(folder, "input-")
	if err != nil {
		return p, err
	}
	p = Pinned{Path: path, Read: filepath.Join(to, filepath.Base(path))}
	if p.Stamp, err = filestate.Stamp(path); err != nil {
		return p, err
	}
	if p.Content, err = copyFile(path, p.Read); err != nil {
		return p, err
	}
	others, err := companions(path)
	if err != nil || len(others) == 0 {
		return p, err
	}
	all := sha256.New()
	fmt.Fprintln(all, p.Content)
	for _, other := range others {
		content, err := copyFile(other, filepath.Join(to, filepath.Base(other)))
		if err != nil {
			return p, err
		}
		fmt.Fprintln(all, strings.ToLower(filepath.Ext(other)), content)
	}
	p.Content = fmt.Sprintf("%x", all.Sum(nil))
	return p, nil
}

// copyFile copies a file and returns its SHA-256.
func copyFile(from, to string) (content string, err error) {
	source, err := os.Open(from)
	if err != nil {
		return "", err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	_, err = io.Copy(io.MultiWriter(target, sum), source)
	return fmt.Sprintf("%x", sum.Sum(nil)), errors.Join(err, target.Close())
}

// companionEndings has, by the ending of a vector file or table, the endings of files beside it that belong
// to it.
var companionEndings = map[string][]string{
	".shp": {".shx", ".dbf", ".prj", ".cpg"},
	".tab": {".dat", ".map", ".id", ".ind"},
	".mif": {".mid"},
	".gml": {".gfs", ".xsd"},
	".csv": {".csvt", ".prj"},
}

// logEnding is the ending of the file with changes to an SQLite file (GeoPackage) that are not in it yet.
const logEnding = "-wal"

// companions returns the files beside a file that belong to it, in the order of their names.
func companions(path string) (all []string, err error) {
	name := filepath.Base(path)
	entries, err := os.ReadDir(filepath.Dir(path))
	if errors.Is(err, fs.ErrPermission) {
		return nil, nil // a folder whose files may be opened, and not listed
	}
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if isPart(name, e.Name()) || isLog(name, e) {
			all = append(all, filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	return all, nil
}

// isPart reports whether a file is one of those that a vector file or table consists of.
func isPart(name, other string) bool {
	ending, otherEnding := filepath.Ext(name), filepath.Ext(other)
	if strings.TrimSuffix(name, ending) != strings.TrimSuffix(other, otherEnding) {
		return false
	}
	known := companionEndings[strings.ToLower(ending)]
	return slices.Contains(known, strings.ToLower(otherEnding))
}

// isLog reports whether a file is a log of SQLite with changes to another.
func isLog(name string, log fs.DirEntry) bool {
	if log.Name() != name+logEnding {
		return false
	}
	info, err := log.Info()
	return err == nil && info.Size() > 0
}
