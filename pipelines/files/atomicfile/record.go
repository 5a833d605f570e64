// SPDX-License-Identifier: BSD-3-Clause

package atomicfile

import (
	"bytes"
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

// A record proves that superpoint wrote an output and that nobody changed it since. It is the file
// .NAME.superpoint beside the output NAME, of any format, and has the SHA-256 of the output as written. An output
// without a record, or with another content, may be the work of somebody, and is not replaced. A record is written
// before its output is renamed, and lists the previous content, too, so that one of them is there at any moment at
// which the process may be killed.
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
	errOpen    = errors.New("another program has it open, with changes that are not in it yet; close it there")
)

// Unchanged returns nil if superpoint wrote the regular file and its content is as written, or if there is no file.
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
	if log, err := os.Stat(path + "-wal"); err == nil && log.Size() > 0 { // SQLite would add it to the new file
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

// contentSum returns the SHA-256 of a file. In SQLite files (GeoPackage) it leaves out the fields of the header that
// QGIS changes when it only reads: versions for reading and writing, change counter, version-valid-for and version of
// SQLite (https://www.sqlite.org/fileformat.html, section 1.3).
func contentSum(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	head := make([]byte, 100)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return "", err
	}
	if n == len(head) && bytes.HasPrefix(head, []byte("SQLite format 3\x00")) {
		clear(head[18:20])
		clear(head[24:28])
		clear(head[92:100])
	}
	sum := sha256.New()
	sum.Write(head[:n])
	if _, err := io.Copy(sum, f); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// checkOwner returns an error if the output exists and must not be replaced.
func (o *Output) checkOwner() error {
	path, err := target(o.at.path)
	if err != nil {
		return err
	}
	err = Unchanged(path)
	switch theirs := err == errForeign || err == errEdited; {
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
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	written := recordOf(temporary)
	if err := os.WriteFile(written, append(text, '\n'), 0o666); err != nil {
		return err
	}
	if err := sync(written, os.O_RDWR); err != nil {
		return err
	}
	return os.Rename(written, recordOf(path))
}
