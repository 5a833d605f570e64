// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"

	"superpoint/pipelines/files/atomicfile"
)

// The provenance of a file is in an extended variable length record of LAS 1.4 at its end, so a
// truncated file has none. PDAL ignores the record.
const (
	madeUser, madeID = "superpoint", 1
	madeHelp         = "what made this file, as JSON"
	mostMade         = 1 << 20 // bytes
)

// SetMade appends the provenance, as JSON, to a LAS 1.4 file, compressed or not.
func SetMade(path string, made any) error {
	text, err := json.Marshal(made)
	if err != nil {
		return err
	}
	l, err := Read(path)
	if err != nil {
		return err
	}
	if l.Head[atMinor] < extended {
		return fmt.Errorf("%s: not a LAS 1.4 file", path)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if len(l.extended) == 0 {
		le.PutUint64(l.Head[atEVLRStart:], uint64(l.size))
	}
	le.PutUint32(l.Head[atEVLRs:], uint32(len(l.extended)+1))
	// The record first: a header that counts it without it would be no LAS file.
	_, err = f.WriteAt(madeRecord(text), l.size)
	if err == nil {
		_, err = f.WriteAt(l.Head[atEVLRStart:atEVLRs+4], atEVLRStart)
	}
	return errors.Join(err, f.Close())
}

// madeRecord returns the extended variable length record of a provenance.
func madeRecord(text []byte) []byte {
	record := make([]byte, evlrHead, evlrHead+len(text))
	copy(record[2:18], madeUser)
	le.PutUint16(record[18:], madeID)
	le.PutUint64(record[20:], uint64(len(text)))
	copy(record[28:], madeHelp)
	return append(record, text...)
}

// Made reads the last that SetMade wrote, and reports whether the file exists and has it.
func Made(path string, made any) bool {
	l, err := Read(path)
	if err != nil {
		return false
	}
	for _, s := range slices.Backward(l.extended) {
		if s.is(madeUser, madeID) && s.size <= mostMade {
			text, err := l.content(s)
			return err == nil && json.Unmarshal(text[evlrHead:], made) == nil
		}
	}
	return false
}

// content returns a variable length record with its head.
func (l *File) content(s section) ([]byte, error) {
	f, err := atomicfile.OpenRegular(l.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text := make([]byte, s.size)
	_, err = f.ReadAt(text, s.at)
	return text, err
}

// Kind returns what determines the dimensions and the spatial reference that PDAL reports of a file, and
// whether it can read the header: the version, the point format and the records about them. It is equal for
// the tiles of one program.
func Kind(path string) (string, error) {
	l, err := Read(path)
	if err != nil {
		return "", err
	}
	kind := fmt.Appendf(nil, "%x %x %x %x", l.Head[atEncoding:atEncoding+2], l.Head[24:atMinor+1],
		l.Head[atFormat:atLength+2], l.Head[atHeaderSize:atHeaderSize+2])
	for _, s := range slices.Concat(l.variable, l.extended) {
		kind = fmt.Appendf(kind, "\n%q %d ", s.user, s.id)
		if s.user == projectionUser || s.user == laszipUser {
			text, err := l.content(s)
			if err != nil {
				return "", err
			}
			kind = fmt.Appendf(kind, "%x", text)
		}
	}
	for _, x := range l.Extra { // without the extrema of the values
		kind = fmt.Appendf(kind, "\n%x %x", x.text[:64], x.text[112:])
	}
	return string(kind), nil
}

// Bounds returns the bounds of X, Y and Z in the header.
func (l *File) Bounds() (least, most [3]float64) {
	for k := range 3 {
		most[k] = math.Float64frombits(le.Uint64(l.Head[atBounds+16*k:]))
		least[k] = math.Float64frombits(le.Uint64(l.Head[atBounds+16*k+8:]))
	}
	return least, most
}
