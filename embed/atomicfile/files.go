package atomicfile

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Files are what one command reads and writes. No output of it is one of its
// inputs, under whatever name, or another of its outputs. The zero value is
// ready.
type Files struct {
	Context context.Context // ends writing when it is cancelled; nil = never
	inputs  []string
	known   []place // of inputs, as they were when the first output was noted after them
	outputs []place
}

// Input notes inputs. Those that are no files, such as addresses and names of
// built-in models, do no harm.
func (f *Files) Input(paths ...string) {
	f.inputs = append(f.inputs, paths...)
}

// Output is a place that a command may write to.
type Output struct {
	files *Files
	at    place
}

// Output notes an output, or refuses it. Call it when the inputs are known and
// before any work; what is noted later is checked when the file is written.
func (f *Files) Output(path string) (*Output, error) {
	for _, in := range f.inputs[len(f.known):] { // once, for there may be thousands of both
		f.known = append(f.known, where(in))
	}
	o := &Output{f, where(path)}
	if err := o.apart(f.known); err != nil {
		return nil, err
	}
	for _, other := range f.outputs {
		if other.same(o.at) {
			return nil, fmt.Errorf("%s and %s are one file, and both would be written to it; name another output", other.path,
				path)
		}
	}
	f.outputs = append(f.outputs, o.at)
	return o, nil
}

// check looks at inputs and output as they are now.
func (o *Output) check() error {
	o.at = where(o.at.path)
	var now []place
	for _, path := range o.files.inputs {
		now = append(now, where(path))
	}
	return o.apart(now)
}

func (o *Output) apart(inputs []place) error {
	if o.at.file == nil {
		return nil
	}
	for _, in := range inputs {
		switch {
		case in.file == nil || !in.same(o.at):
		case in.path == o.at.path:
			return fmt.Errorf("the output %s is an input, too, and would be lost; name another output", in.path)
		default:
			return fmt.Errorf("the output %s is the file of the input %s, which would be lost; name another output", o.at.path,
				in.path)
		}
	}
	return nil
}

// Path is the output's name as it was given.
func (o *Output) Path() string { return o.at.path }

// Write is the function Write for a checked output.
func (o *Output) Write(body func(w io.Writer) error) error {
	if err := o.check(); err != nil {
		return err
	}
	ctx := o.files.Context
	if ctx == nil {
		ctx = context.Background()
	}
	return write(ctx, o.at.path, body)
}

// File is the function File for a checked output.
func (o *Output) File(body func(temporary string) error) error {
	if err := o.check(); err != nil {
		return err
	}
	return File(o.at.path, body)
}

// Set is File for formats of several files, such as shapefiles: what else body
// leaves in its folder is moved beside the output, before the output itself.
func (o *Output) Set(body func(temporary string) error) error {
	return o.File(func(temporary string) error {
		if err := body(temporary); err != nil {
			return err
		}
		return o.further(temporary)
	})
}

// further moves all files beside a temporary one.
func (o *Output) further(temporary string) error {
	path, err := target(o.at.path)
	if err != nil {
		return err
	}
	folder := filepath.Dir(temporary)
	all, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	stem := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	for _, f := range all {
		if name := f.Name(); name != filepath.Base(temporary) && strings.HasPrefix(name, stem+".") {
			beside := Output{o.files, where(filepath.Join(filepath.Dir(path), name))}
			err := beside.File(func(at string) error { return os.Rename(filepath.Join(folder, name), at) })
			if err != nil {
				return err
			}
		}
	}
	return nil
}

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

// same reports whether two paths lead to one file. Devices and pipes are no files:
// reading and writing one of them is no loss.
func (p place) same(q place) bool {
	if p.file != nil && q.file != nil {
		return p.file.Mode().IsRegular() && os.SameFile(p.file, q.file)
	}
	return p.file == nil && q.file == nil && p.folder != nil && q.folder != nil &&
		p.name == q.name && os.SameFile(p.folder, q.folder)
}
