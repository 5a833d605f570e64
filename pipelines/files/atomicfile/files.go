// SPDX-License-Identifier: BSD-3-Clause

package atomicfile

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// Files are the inputs and outputs of one command. No output is the same file as one
// of the inputs, whatever the names, or as another output, and none replaces a file that
// superpoint did not write or that was changed since. The zero value has none.
type Files struct {
	Context context.Context // writing returns its error once it is cancelled; nil = never
	Force   bool            // outputs that are not in a folder of Folder replace any file
	folders []location
	inputs  []string
	known   []location // of inputs, when the first output after them was registered
	outputs []*Output
}

// Input registers inputs. Names that are not files, such as URLs and names of
// built-in models, are ignored.
func (f *Files) Input(paths ...string) {
	f.inputs = append(f.inputs, paths...)
}

// Output is a file that a command may write.
type Output struct {
	files *Files
	at    location
	named bool // not in a folder of Folder
	done  bool // written
}

// Written returns the outputs that were written, except those in folders of Folder.
func (f *Files) Written() (paths []string) {
	for _, o := range f.outputs {
		if o.done && o.named {
			paths = append(paths, o.at.path)
		}
	}
	return paths
}

// Output registers an output. It returns an error if the output is the same file as an
// input or another output, or a file that superpoint did not write or that was changed since. Call it after Input and
// before any work; inputs that are registered later are checked when the file is written.
func (f *Files) Output(path string) (*Output, error) {
	for _, in := range f.inputs[len(f.known):] { // once for each, as there may be thousands of both
		f.known = append(f.known, locate(in))
	}
	o := &Output{files: f, at: locate(path), named: !slices.ContainsFunc(f.folders, locate(filepath.Dir(path)).same)}
	if err := o.checkInputs(f.known); err != nil {
		return nil, err
	}
	if err := checkParent(path); err != nil {
		return nil, err
	}
	for _, other := range f.outputs {
		if other.at.same(o.at) {
			return nil, fmt.Errorf("%s and %s are one file, and both would be written to it; name another output", other.at.path,
				path)
		}
	}
	if err := o.checkOwner(); err != nil {
		return nil, err
	}
	f.outputs = append(f.outputs, o)
	return o, nil
}

// check repeats the check of the output with the present state of all files.
func (o *Output) check() error {
	o.at = locate(o.at.path)
	var now []location
	for _, path := range o.files.inputs {
		now = append(now, locate(path))
	}
	if err := o.checkInputs(now); err != nil {
		return err
	}
	return o.checkOwner()
}

// checkInputs returns an error if the output is one of the inputs.
func (o *Output) checkInputs(inputs []location) error {
	for _, in := range inputs {
		switch {
		case in.name != "" || !in.same(o.at): // a name that is no file
		case in.path == o.at.path:
			return fmt.Errorf("the output %s is an input, too, and would be lost; name another output", in.path)
		default:
			return fmt.Errorf("the output %s is the file of the input %s, which would be lost; name another output", o.at.path,
				in.path)
		}
	}
	return nil
}

// Path returns the path that was passed to Files.Output.
func (o *Output) Path() string { return o.at.path }

// Write checks the output again and writes it as the function Write does.
func (o *Output) Write(body func(w io.Writer) error) error {
	return o.File(create(cmp.Or(o.files.Context, context.Background()), body))
}

// File checks the output again and writes it as the function file does.
func (o *Output) File(body func(temporary string) error) error {
	if err := o.check(); err != nil {
		return err
	}
	return file(o.at.path, body, o)
}

// location identifies the file of a path, or the folder and name of one that does not exist yet.
type location struct {
	path string
	file os.FileInfo // of the file, or of its folder; nil if there is none
	name string      // in the folder; "" if the file exists
}

// locate follows links; errors leave fields empty.
func locate(path string) (p location) {
	p.path = path
	p.file, _ = os.Stat(path)
	if real, err := target(path); p.file == nil && err == nil {
		p.file, _ = os.Stat(filepath.Dir(real))
		p.name = filepath.Base(real)
	}
	return p
}

// same reports whether two paths are the same file.
func (p location) same(q location) bool {
	return p.file != nil && q.file != nil && p.name == q.name && os.SameFile(p.file, q.file)
}
