// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"superpoint/pipelines/files/atomicfile"
)

// PDAL 2.2 reads no file with an extra dimension whose name is not one of its own; newer versions change the
// name.

var (
	plainName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)
	noLetter  = regexp.MustCompile(`[^A-Za-z0-9_]`)
)

// plainNames returns the names of described extra dimensions by which PDAL can read them, nil if they are
// their own.
func (l *File) plainNames() (names []string) {
	changed := false
	for _, x := range l.Extra {
		name := x.Name
		if x.at > 0 && !plainName.MatchString(name) {
			if name = noLetter.ReplaceAllString(name, "_"); !plainName.MatchString(name) {
				name = "D" + name
			}
			own := func(o Extra) bool { return o.Name == name }
			stem := name[:min(len(name), longestName-2)]
			for n := 2; slices.Contains(names, name) || slices.ContainsFunc(l.Extra, own) ||
				len(name) > longestName; n++ {
				name = fmt.Sprint(stem, n)
			}
			changed = true
		}
		names = append(names, name)
	}
	if !changed {
		return nil
	}
	return names
}

const longestName = 32

// Refused reports whether PDAL refuses a file for names of extra dimensions.
func Refused(path string) bool {
	l, err := Read(path)
	return err == nil && l.plainNames() != nil
}

// Rename writes a copy of a file that PDAL refuses, with names of extra dimensions that it can read.
func Rename(path, to string) error {
	l, err := Read(path)
	if err != nil {
		return err
	}
	in, err := atomicfile.OpenRegular(path)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	for k, name := range l.plainNames() {
		if at := l.Extra[k].at; at > 0 && err == nil {
			_, err = out.WriteAt([]byte(name+strings.Repeat("\x00", longestName-len(name))), at)
		}
	}
	return errors.Join(err, out.Close())
}
