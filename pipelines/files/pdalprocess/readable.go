// SPDX-License-Identifier: BSD-3-Clause

package pdalprocess

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode/utf8"

	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/sources"
)

// Refused reports whether PDAL refuses a file: for names of its extra dimensions, or its ending.
func Refused(path string) bool {
	return las.Refused(path) || sources.Refused(path)
}

// Readable calls read with the path of a file, or of a temporary copy if PDAL refuses it.
func Readable(path string, read func(path string) error) error {
	if !Refused(path) {
		return read(path)
	}
	folder, done, err := atomicfile.Workspace(os.TempDir())
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

// Alias makes a file available to PDAL under another name: as a link, or as a copy if PDAL refuses its dimensions.
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

// PlainName returns a name of an input without characters that pdal expands or cannot read; it may be that of a link in
// the folder, or of a copy whose dimensions pdal can read.
func (c Process) PlainName(input string) (string, error) {
	if utf8.ValidString(input) && !strings.ContainsAny(input, "*?[]{}\\") && !Refused(input) {
		return input, nil
	}
	name := "input" + sources.Ending(input)
	return name, Alias(input, c.path(name))
}

// info runs pdal info, which reads no points, once for each state of a file: a process takes a tenth of a second, and
// tiles are checked before any of them is processed.
func (c Process) info(ctx context.Context, path string, options ...string) (text []byte, err error) {
	whole := c.path(path)
	stamp, err := sources.Stamp(whole)
	key := fmt.Sprint(options, whole, stamp)
	if known, ok := described.Load(key); ok && err == nil {
		return known.([]byte), nil
	}
	err = Readable(whole, func(now string) error {
		if now != whole {
			path = now
		}
		text, err = c.run(ctx, nil, append(append([]string{"info"}, options...), path)...)
		return err
	})
	if err == nil {
		described.Store(key, text)
	}
	return text, err
}

var described sync.Map // what pdal info printed
