package whole

import (
	"os"
	"path/filepath"
)

// place is what a path leads to: a file, or a name in a folder that may become
// one.
type place struct {
	path   string
	file   os.FileInfo // nil if there is none yet
	folder os.FileInfo // that has the name; nil if there is none
	name   string
}

func where(path string) place {
	p := place{path: path}
	if info, err := os.Stat(path); err == nil {
		p.file = info
		return p
	}
	real, err := target(path)
	if err != nil {
		return p
	}
	p.name = filepath.Base(real)
	if info, err := os.Stat(filepath.Dir(real)); err == nil {
		p.folder = info
	}
	return p
}

// same tells whether two paths lead to one file. Devices and pipes are no files:
// reading and writing one of them is no loss.
func (p place) same(q place) bool {
	if p.file != nil && q.file != nil {
		return p.file.Mode().IsRegular() && os.SameFile(p.file, q.file)
	}
	return p.file == nil && q.file == nil && p.folder != nil && q.folder != nil &&
		p.name == q.name && os.SameFile(p.folder, q.folder)
}
