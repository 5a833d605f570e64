// SPDX-License-Identifier: BSD-3-Clause

package atomicfile

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	Ready   func() error    // its error keeps outputs from their places; nil = none
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

// Output registers an output. It returns an error if the output is the same file as an input or another
// output, or a file that superpoint did not write or that was changed since. Call it after Input and before
// any work; inputs that are registered later are checked when the file is written.
func (f *Files) Output(path string) (*Output, error) {
	for _, in := range f.inputs[len(f.known):] { // once for each, as there may be thousands of both
		f.known = append(f.known, locate(in))
	}
	o := &Output{files: f, at: locate(path), named: !slices.ContainsFunc(f.folders,
		locate(filepath.Dir(path)).same)}
	if err := o.checkInputs(f.known); err != nil {
		return nil, err
	}
	if err := checkParent(path); err != nil {
		return nil, err
	}
	for _, other := range f.outputs {
		if other.at.same(o.at) {
			return nil, fmt.Errorf(
				"%s and %s are one file, and both would be written to it; name another output", other.at.path,
				path)
		}
	}
	if err := o.checkOwner(); err != nil {
		return nil, err
	}
	f.outputs = append(f.outputs, o)
	return o, nil
}

// ready returns the error of Files.Ready.
func (o *Output) ready() error {
	if o.files.Ready == nil {
		return nil
	}
	return o.files.Ready()
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
			return fmt.Errorf("the output %s is an input, too, and would be lost; name another output",
				in.path)
		default:
			return fmt.Errorf(
				"the output %s is the file of the input %s, which would be lost; name another output",
				o.at.path,
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

// Remove checks the output again and removes what superpoint wrote to it, if anything.
func (o *Output) Remove() error {
	if err := o.check(); err != nil {
		return err
	}
	path, err := target(o.at.path)
	for _, name := range [2]string{path, recordOf(path)} {
		if err == nil {
			if err = os.Remove(name); errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
		}
	}
	return err
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
	if p.file, _ = os.Stat(path); p.file != nil {
		return p
	}
	if real, err := target(path); err == nil {
		p.file, _ = os.Stat(filepath.Dir(real))
		p.name = filepath.Base(real)
	}
	return p
}

// same reports whether two paths are the same file.
func (p location) same(q location) bool {
	return p.file != nil && q.file != nil && p.name == q.name && os.SameFile(p.file, q.file)
}

// A record proves that superpoint wrote an output and that nobody changed it since. It is the file
// .NAME.superpoint beside the output NAME, of any format, and has the SHA-256 of the output as written. An
// output without a record, or with another content, may be the work of somebody, and is not replaced. A
// record is written before its output is renamed, and lists the previous content, too, so that one of them is
// there at any moment at which the process may be killed.
type record struct {
	Version int      `json:"superpoint_record"`
	SHA256  []string `json:"sha256"`
}

const (
	recordVersion = 1
	recordSuffix  = ".superpoint"
	longestName   = 255 // bytes of a file name
)

// recordOf returns the path of the record of an output.
func recordOf(path string) string {
	folder, name := filepath.Split(path)
	if hidden := "." + name + recordSuffix; len(hidden) <= longestName {
		return filepath.Join(folder, hidden)
	}
	sum := sha256.Sum256([]byte(name))
	return filepath.Join(folder, "."+hex.EncodeToString(sum[:])+recordSuffix)
}

// The reasons for which an output is not replaced.
var (
	errForeign = errors.New("it exists, and has no record that superpoint wrote it")
	errEdited  = errors.New("it was changed after superpoint wrote it")
	errOpen    = errors.New(
		"another program has it open, with changes that are not in it yet; close it there")
)

// Unchanged returns nil if superpoint wrote the regular file and its content is as written, or if there is no
// file.
func Unchanged(path string) error {
	_, err := unchanged(path)
	return err
}

// unchanged is Unchanged, and returns the SHA-256 of the file; "" = there is no file.
func unchanged(path string) (sum string, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", errForeign
	}
	// SQLite would add it to the new file
	if log, err := os.Stat(path + "-wal"); err == nil && log.Size() > 0 {
		return "", errOpen
	}
	text, err := os.ReadFile(recordOf(path))
	var r record
	if err != nil || json.Unmarshal(text, &r) != nil || r.Version != recordVersion {
		return "", errForeign
	}
	if sum, err = contentSum(path); err == nil && !slices.Contains(r.SHA256, sum) {
		err = errEdited
	}
	return sum, err
}

// contentSum returns the SHA-256 of a file, without the fields that clearCounters clears.
func contentSum(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	head := make([]byte, sqliteHeader)
	n, err := io.ReadFull(f, head)
	isShort := err == io.EOF || err == io.ErrUnexpectedEOF
	if err != nil && !isShort {
		return "", err
	}
	head = head[:n]
	clearCounters(head)
	sum := sha256.New()
	sum.Write(head)
	if _, err := io.Copy(sum, f); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

const sqliteHeader = 100 // bytes

// clearCounters sets to zero what QGIS changes in the header of an SQLite file (GeoPackage) that it only
// reads (https://www.sqlite.org/fileformat.html, section 1.3). Other files stay as they are.
func clearCounters(head []byte) {
	isSQLite := bytes.HasPrefix(head, []byte("SQLite format 3\x00"))
	if !isSQLite || len(head) < sqliteHeader {
		return
	}
	clear(head[18:20])  // versions for writing and reading
	clear(head[24:28])  // change counter
	clear(head[92:100]) // version-valid-for and version of SQLite
}

// checkOwner returns an error if the output exists and must not be replaced.
func (o *Output) checkOwner() error {
	path, err := target(o.at.path)
	if err != nil {
		return err
	}
	return o.owned(path)
}

// owned returns an error if a file, which is the output or was, must not be replaced.
func (o *Output) owned(path string) error {
	err := Unchanged(path)
	theirs := err == errForeign || err == errEdited
	switch {
	case err == nil || theirs && o.named && o.files.Force:
		return nil
	case theirs && o.named:
		err = fmt.Errorf("%w; name another output, or add --force", err)
	case theirs:
		err = fmt.Errorf("%w; move it away, or name another folder", err)
	case err != errOpen:
		return err
	}
	return fmt.Errorf("%s is not replaced: %w", o.at.path, err)
}

// record writes the record of the complete file temporary, which will be renamed to path.
func (o *Output) record(temporary, path string) error {
	sum, err := contentSum(temporary)
	if err != nil {
		return err
	}
	r := record{recordVersion, []string{sum}}
	if old, err := unchanged(path); err == nil && old != "" && old != sum {
		r.SHA256 = append(r.SHA256, old)
	}
	written := recordOf(temporary)
	if err := r.write(written); err != nil {
		return err
	}
	return os.Rename(written, recordOf(path))
}

// write writes a record, and flushes it.
func (r record) write(path string) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, append(text, '\n'), 0o666); err != nil {
		return err
	}
	return sync(path, os.O_RDWR)
}
