// SPDX-License-Identifier: BSD-3-Clause

package filestate

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// State is what is known about a file that is read by its path. Equal states prove that the file had one
// content between them.
type State struct {
	file    string        // stamp and inode, also of all links to it: one may lead elsewhere for a while
	folders []folderState // above the file and its links: another one may have the name of one for a while
}

// folderState has the times of a folder. A file that is made, removed or renamed in a folder sets both times
// to the same value. A rename of the folder itself sets only the time when the inode changed.
type folderState struct {
	inode             uint64
	changed, modified time.Time
}

// Of returns the present state of a file.
func Of(path string) (s State, err error) {
	stamp, err := Stamp(path)
	if err != nil {
		return s, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return s, err
	}
	s.file = fmt.Sprintf("%s-%d", stamp, inode(info))
	absolute, err := filepath.Abs(path)
	if err != nil {
		return s, err
	}
	const mostLinks = 40 // as many as Linux follows
	for range mostLinks {
		link, rest := s.walk(absolute)
		if link == "" {
			return s, nil
		}
		info, err := os.Lstat(link)
		if err != nil {
			return s, err
		}
		to, err := os.Readlink(link)
		if err != nil {
			return s, err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(link), to)
		}
		s.file += fmt.Sprintf(" %s-%d", stampOf(info), inode(info))
		absolute = filepath.Join(to, rest)
	}
	return s, fmt.Errorf("%s: too many links", path)
}

// walk adds the folders on an absolute path up to its first link. It returns that link, and what follows it;
// "" if there is none.
func (s *State) walk(path string) (link, rest string) {
	separator := string(filepath.Separator)
	for at := len(filepath.VolumeName(path)) + 1; at <= len(path); {
		end := len(path)
		if k := strings.Index(path[at:], separator); k >= 0 {
			end = at + k
		}
		info, err := os.Lstat(path[:end])
		switch {
		case err != nil: // the state of the file has the error
		case info.Mode()&fs.ModeSymlink != 0:
			return path[:end], strings.TrimPrefix(path[end:], separator)
		case info.IsDir():
			s.addFolder(info)
		}
		at = end + 1
	}
	return "", ""
}

// addFolder adds a folder, where its times are known.
func (s *State) addFolder(info fs.FileInfo) {
	if at, known := changed(info); known {
		s.folders = append(s.folders, folderState{inode(info), at, info.ModTime()})
	}
}

// Holds reports whether a file still has a state.
func (s State) Holds(path string) bool {
	now, err := Of(path)
	return err == nil && s.Same(now)
}

// Same reports whether a file has not changed between two states. A folder that was renamed between them, or
// has other permissions, is a change, unless a file was made in it afterwards.
func (s State) Same(later State) bool {
	return s.file == later.file && slices.EqualFunc(s.folders, later.folders, folderState.same)
}

func (s folderState) same(later folderState) bool {
	isUntouched := s.changed.Equal(later.changed)
	hasOtherFiles := later.changed.Equal(later.modified)
	return s.inode == later.inode && (isUntouched || hasOtherFiles)
}
