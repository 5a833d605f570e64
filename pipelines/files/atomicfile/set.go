// SPDX-License-Identifier: BSD-3-Clause

package atomicfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Set has outputs of one folder that belong together, and appear together: whatever ends the program, all of
// them are of this run, or all are of a former one.
//
// Their files are made in Work, under the names of the outputs; an output without one there is removed.
// Commit then
//
//  1. checks the outputs, writes the records of the new files, flushes all, and writes the list of the
//     outputs;
//  2. moves the former files aside, and checks that they are still the files of step 1;
//  3. renames the list: from here on the new files get their places;
//  4. moves the new files to their places;
//  5. renames the list again.
//
// All steps after the first are renames on one disk, so they need no space. If one fails, Commit undoes them.
// If the process is killed, the next run on the folder ends the work (see Sweep): it puts the former files
// back before step 3, and completes the steps after it. Between the steps 2 and 4, for milliseconds, a reader
// may find a file missing, or files of both runs.
type Set struct {
	Work    string // folder in which the files are made
	done    func()
	outputs []*Output
	former  []os.FileInfo // of the files whose owner and content were checked; nil = there is none
}

// NewSet returns a set of outputs in a folder. Close ends it. It fails if an output is a link to another
// disk, to which its file cannot be renamed.
func NewSet(folder string, outputs ...*Output) (*Set, error) {
	work, done, err := Workspace(folder)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, cause(err))
	}
	s := &Set{Work: work, done: done, outputs: outputs, former: make([]os.FileInfo, len(outputs))}
	for _, o := range outputs {
		if err := s.checkLink(o.at.path); err != nil {
			s.Close()
			return nil, err
		}
	}
	return s, nil
}

// Close removes the work folder, unless former files are in it that could not be put back.
func (s *Set) Close() { s.done() }

// checkLink fails if an output is a link to a file to which nothing can be renamed from the work folder.
func (s *Set) checkLink(path string) error {
	to, err := target(path)
	if err != nil || filepath.Dir(to) == filepath.Dir(path) {
		return err
	}
	from, probe := filepath.Join(s.Work, "probe"), filepath.Join(filepath.Dir(to),
		filepath.Base(s.Work)+"-probe")
	if err := os.WriteFile(from, nil, 0o600); err != nil {
		return err
	}
	defer os.Remove(from)
	if err := rename(from, probe); err != nil {
		return fmt.Errorf(
			"%s is a link to %s, and no file can be renamed to that folder (%w): files that appear together "+
				"are on one disk; remove the link", path, to, cause(err))
	}
	return os.Remove(probe)
}

// Path returns the path at which the file of an output is made.
func (s *Set) Path(o *Output) string { return filepath.Join(s.Work, filepath.Base(o.at.path)) }

// Commit gives the files in Work their places, and removes the outputs that have none, or changes nothing.
func (s *Set) Commit() error {
	l, err := s.prepare()
	if err != nil {
		return err
	}
	if err := s.exchange(l); err != nil {
		if failed := l.undo(); failed != nil {
			err = fmt.Errorf("%w; and %w", err, failed)
		}
		return err
	}
	for _, o := range s.outputs {
		o.done = true
	}
	return nil
}

// prepare is step 1. It returns the list of the outputs.
func (s *Set) prepare() (*list, error) {
	l := &list{work: s.Work}
	if err := os.MkdirAll(l.path(formerFolder), 0o777); err != nil {
		return nil, err
	}
	for k, o := range s.outputs {
		path, err := target(o.at.path)
		if err != nil {
			return nil, err
		}
		s.former[k], _ = os.Stat(path)
		if err := o.check(); err != nil {
			return nil, err
		}
		if err := o.ready(); err != nil {
			return nil, err
		}
		l.Names = append(l.Names, []byte(filepath.Base(o.at.path)))
		if err := o.seal(l.made(k), path); err != nil {
			return nil, err
		}
	}
	if err := Room(s.Work); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Dir(s.Work), cause(err))
	}
	return l, l.write()
}

// seal writes the record of a complete file beside it, gives it the permissions of the file that it will
// replace, and flushes both. Without a file there is no record.
func (o *Output) seal(made, path string) error {
	if _, err := os.Lstat(made); errors.Is(err, fs.ErrNotExist) {
		_ = os.Remove(recordOf(made))
		return nil
	}
	if err := complete(made, path); err != nil {
		return err
	}
	sum, err := contentSum(made)
	if err != nil {
		return err
	}
	return record{recordVersion, []string{sum}}.write(recordOf(made))
}

// exchange has the steps from 2 on.
func (s *Set) exchange(l *list) error {
	for k, o := range s.outputs {
		if err := l.setAside(k); err != nil {
			return err
		}
		now, _ := os.Stat(l.former(k))
		if sameState(s.former[k], now) {
			continue
		}
		if err := o.owned(l.former(k)); err != nil {
			return err
		}
	}
	if err := l.become(listCommitted); err != nil {
		return err
	}
	if err := l.place(); err != nil {
		return err
	}
	return l.become(listEnded)
}

// sameState reports whether a file has not changed between two looks, or is missing at both.
func sameState(before, after os.FileInfo) bool {
	if before == nil || after == nil {
		return before == nil && after == nil
	}
	sameTime := before.ModTime().Equal(after.ModTime())
	return os.SameFile(before, after) && before.Size() == after.Size() && sameTime
}

// list has the names of the outputs of a set. It is in the work folder, under a name that says how far Commit
// came.
type list struct {
	Names [][]byte `json:"names"` // bytes: names of files may be no UTF-8

	work  string // folder
	moved []move // to their places
}

// setFolder is the folder of the list, and of former files, in the work folder.
const setFolder = ".superpoint-set"

// Names in it.
const (
	formerFolder  = "former"
	listPrepared  = "prepared.json"  // former files may be aside, and go back
	listCommitted = "committed.json" // new files go to their places
	listEnded     = "ended.json"
)

func (l *list) path(name string) string { return filepath.Join(l.work, setFolder, name) }

func (l *list) made(k int) string { return filepath.Join(l.work, string(l.Names[k])) }

func (l *list) former(k int) string { return filepath.Join(l.path(formerFolder), string(l.Names[k])) }

// target returns the path of output k, also if it is a link.
func (l *list) target(k int) (string, error) {
	return target(filepath.Join(filepath.Dir(l.work), string(l.Names[k])))
}

// write writes the list of a set whose files are complete.
func (l *list) write() error {
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	const unnamed = "list"
	if err = os.WriteFile(l.path(unnamed), text, 0o666); err == nil {
		err = sync(l.path(unnamed), os.O_RDWR)
	}
	if err == nil {
		err = rename(l.path(unnamed), l.path(listPrepared))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Dir(l.work), cause(err))
	}
	l.flushFolders()
	return nil
}

// flushFolders flushes the entries of folders; not possible on all systems.
func (l *list) flushFolders() {
	for _, folder := range []string{l.work, l.path(""), l.path(formerFolder), filepath.Dir(l.work)} {
		_ = sync(folder, os.O_RDONLY)
	}
}

// become renames the list.
func (l *list) become(name string) error {
	l.flushFolders() // the renames before are on the disk first
	for _, old := range []string{listPrepared, listCommitted} {
		err := rename(l.path(old), l.path(name))
		if !errors.Is(err, fs.ErrNotExist) {
			_ = sync(l.path(""), os.O_RDONLY)
			return err
		}
	}
	return fmt.Errorf("%s: its list is missing", l.work)
}

// move is a rename of a file or of its record.
type move struct{ from, to string }

// moves returns the renames of a file and, before it, of its record.
func moves(from, to string) [2]move {
	return [2]move{{recordOf(from), recordOf(to)}, {from, to}}
}

// setAside moves the former file of output k, and its record.
func (l *list) setAside(k int) error {
	path, err := l.target(k)
	if err != nil {
		return err
	}
	for _, m := range moves(path, l.former(k)) {
		if err := rename(m.from, m.to); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s cannot be replaced: %w", path, cause(err))
		}
	}
	return nil
}

// putBack moves all former files, and their records, back to their places. It tries all, also if some fail.
func (l *list) putBack() error {
	var failed []error
	for k := range l.Names {
		failed = append(failed, l.restore(k, l.former(k)))
	}
	return errors.Join(failed...)
}

// place moves all new files, and their records, to their places.
func (l *list) place() error {
	for k := range l.Names {
		if err := l.restore(k, l.made(k)); err != nil {
			return err
		}
	}
	return nil
}

// restore moves a file to the place of output k, with its record. What is there already stays: a run that was
// killed may have moved it.
func (l *list) restore(k int, from string) error {
	path, err := l.target(k)
	if err != nil {
		return err
	}
	for _, m := range moves(from, path) {
		if _, err := os.Lstat(m.from); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if _, err := os.Lstat(m.to); err == nil {
			return fmt.Errorf("%s is in the way of a result that is in %s; move it away, and run again",
				m.to, l.work)
		}
		if err := rename(m.from, m.to); err != nil {
			return fmt.Errorf("%s cannot be written: %w", path, cause(err))
		}
		l.moved = append(l.moved, m)
	}
	return nil
}

// undo takes new files back from their places, and puts the former ones back. What it cannot undo stays in
// the work folder, and the next run ends it.
func (l *list) undo() error {
	for _, m := range slices.Backward(l.moved) {
		if err := rename(m.to, m.from); err != nil {
			return fmt.Errorf("%s cannot be put back: %w; run again", m.to, cause(err))
		}
	}
	l.moved = nil
	if err := l.become(listPrepared); err != nil {
		return err
	}
	if err := l.putBack(); err != nil {
		return err
	}
	return l.become(listEnded)
}

// unfinished returns the list of a work folder whose set is neither complete nor undone; nil if there is
// none.
func unfinished(work string) (l *list, committed bool, err error) {
	l = &list{work: work}
	for _, name := range []string{listCommitted, listPrepared} {
		text, err := os.ReadFile(l.path(name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = json.Unmarshal(text, l)
		}
		if err == nil {
			err = l.check()
		}
		return l, name == listCommitted, err
	}
	return nil, false, nil
}

// check fails for a list that this user did not write, or with names outside the folder: it would rename
// other files.
func (l *list) check() error {
	for _, name := range l.Names {
		if text := string(name); text != filepath.Base(text) || text == ".." || text == "." {
			return fmt.Errorf("%s has the list of files of another folder; remove it", l.work)
		}
	}
	info, err := os.Stat(l.path(""))
	if err == nil && !ownFile(info) {
		err = fmt.Errorf(
			"%s has results of a run of another user that was ended; let that user run it again, or remove "+
				"it",
			l.work)
	}
	return err
}

// finishSet ends the work of a process that was killed in Commit.
func finishSet(work string) error {
	l, committed, err := unfinished(work)
	switch {
	case err != nil:
		return err
	case l == nil:
		return nil
	case committed:
		err = l.place()
	default:
		err = l.putBack()
	}
	if err != nil {
		return err
	}
	return l.become(listEnded)
}
