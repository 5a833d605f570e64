// SPDX-License-Identifier: BSD-3-Clause

package pdalprocess

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/filestate"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/sources"
)

// info runs pdal info, which reads no points: once for all LAS files of a kind, as a process takes a tenth of
// a second and tiles are alike, and for others once for each state of a file. Its warnings are not about the
// result ("only 0 points were found"): what is true of the file, the process that reads the points says, too.
func (c Process) info(ctx context.Context, path string, options ...string) (text []byte, err error) {
	whole := c.path(path)
	kind := func() (string, error) { return las.Kind(whole) }
	key := fmt.Sprint(options, sources.Ending(path))
	return described.OfKind(whole, key, kind, func() (text []byte, err error) {
		err = Readable(whole, func(now string) error {
			if now != whole {
				path = now
			}
			args := append(append([]string{"info"}, options...), path)
			text, err = Process{Folder: c.Folder}.run(ctx, nil, args...)
			return err
		})
		return text, err
	})
}

var described filestate.Memo[[]byte] // what pdal info printed; of LAS only what the kind determines is used

// Refused reports whether PDAL refuses a file: for names of its extra dimensions, or its ending.
func Refused(path string) bool {
	return las.Refused(path) || sources.Refused(path)
}

// Readable calls read with the path of a file, or of a temporary copy if PDAL refuses it.
func Readable(path string, read func(path string) error) error {
	if !Refused(path) {
		return read(path)
	}
	folder, done, err := atomicfile.Temporary()
	if err != nil {
		return err
	}
	defer done()
	renamed := filepath.Join(folder, "renamed"+sources.Ending(path))
	if err := Alias(path, renamed); err != nil {
		return err
	}
	if err = read(renamed); err != nil && !errors.Is(err, context.Canceled) {
		err = errors.New(strings.ReplaceAll(err.Error(), renamed, path))
	}
	return err
}

// Alias makes a file available to PDAL under another name: as a link, or as a copy if PDAL refuses its
// dimensions.
func Alias(path, to string) error {
	if las.Refused(path) {
		return las.Rename(path, to)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	return atomicfile.Alias(path, to)
}

// PlainName returns a name of an input without characters that pdal expands or cannot read; it may name
// a link in the folder, stem with its ending, or of a copy whose dimensions pdal can read.
func (c Process) PlainName(input, stem string) (string, error) {
	if utf8.ValidString(input) && !strings.ContainsAny(input, "*?[]{}\\") && !Refused(input) {
		return input, nil
	}
	name := stem + sources.Ending(input)
	return name, Alias(input, c.path(name))
}

// path returns the path of a file that is named relative to the working folder.
func (c Process) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(c.Folder, name)
}
