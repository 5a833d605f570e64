// SPDX-License-Identifier: BSD-3-Clause

package job

import (
	"crypto/sha256"
	"fmt"
	"io"

	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/filestate"
)

// Identity says which content a file has, and by which stamp it is recognised later without reading it.
type Identity struct {
	Content string `json:"content"` // see Content
	Stamp   string `json:"stamp"`   // see filestate.Stamp, before the file was read
}

// Now returns the present content of a file that had an identity before. It reads the file only if its stamp
// has changed.
func (i Identity) Now(path string) (content string, err error) {
	if stamp, err := filestate.Stamp(path); err == nil && stamp == i.Stamp {
		return i.Content, nil
	}
	return Content(path)
}

// identify sets the identity from a file.
func (i *Identity) identify(path string) (err error) {
	if i.Stamp, err = filestate.Stamp(path); err != nil {
		return err
	}
	i.Content, err = Content(path)
	return err
}

// Content returns the SHA-256 of a file. It does not depend on name and times, so links and copies have the
// same content. A file whose state is unchanged is read once in a process.
func Content(path string) (string, error) {
	return contents.Of(path, "", func() (string, error) { return hash(path) })
}

var contents filestate.Memo[string] // SHA-256

// hash returns the SHA-256 of a file, which it reads.
func hash(path string) (string, error) {
	f, err := atomicfile.OpenRegular(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), nil
}
