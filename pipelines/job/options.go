// SPDX-License-Identifier: BSD-3-Clause

package job

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"superpoint/filter/models"
	"superpoint/pipelines/files/atomicfile"
)

// Options are options of the stage with the content of the models that they name.
type Options struct {
	Given   map[string]string // with absolute paths: children run in other folders
	Reading map[string]string // with the paths of copies, which no other program changes
	Content map[string]string // by option: SHA-256 of a file, or the checksum of built-in models
	Files   map[string]Pinned // by option
}

// PinOptions copies the files that options name into a temporary folder in parent, which done removes. more
// are files of other options.
func PinOptions(parent string, given, more map[string]string) (o *Options, done func(), err error) {
	done = func() {}
	content, options, err := models.Identify(given)
	if err != nil {
		return nil, done, err
	}
	o = &Options{Given: map[string]string{}, Content: content, Files: map[string]Pinned{}}
	maps.Copy(o.Given, given)
	o.Reading = maps.Clone(o.Given)
	files := maps.Clone(more)
	for _, option := range options {
		if files == nil {
			files = map[string]string{}
		}
		files[option] = given[option]
	}
	if len(files) == 0 {
		return o, done, nil
	}
	if parent, err = filepath.Abs(parent); err != nil {
		return nil, done, err
	}
	folder, done, err := atomicfile.Workspace(parent)
	if err != nil {
		return nil, func() {}, err
	}
	for option, path := range files {
		if o.Files[option], err = Copy(folder, path); err != nil {
			done()
			return nil, func() {}, fmt.Errorf("option %s: %w", option, err)
		}
		o.Content[option] = o.Files[option].Content
	}
	for _, option := range options {
		o.Reading[option] = o.Files[option].Read
		if o.Given[option], err = filepath.Abs(given[option]); err != nil {
			done()
			return nil, func() {}, err
		}
	}
	return o, done, nil
}

// Named returns an error in whose text the copies have the names of their files.
func (o *Options) Named(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	for _, file := range o.Files {
		text = strings.ReplaceAll(text, file.Read, file.Path)
	}
	return namedError{text, err}
}

// namedError is an error with another text.
type namedError struct {
	text string
	err  error
}

func (e namedError) Error() string { return e.text }

func (e namedError) Unwrap() error { return e.err }
