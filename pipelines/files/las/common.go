// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"bytes"
	"errors"
	"math"
	"slices"

	"superpoint/filter/lasformat"
)

// Places of fields of the public header block that files of one cloud may have different values of.
const atSource, atGUID, atSystem, atSoftware, atDay, atYear = 4, 8, 26, 58, 90, 92

// common returns a file with the header that all files have in common, and the variable length records that are the
// same in all. Its scale is the finest, its offset that of the first, its date the newest.
func common(files []*File) (*File, error) {
	if len(files) == 1 {
		return files[0], nil
	}
	if len(files) == 0 {
		return nil, errors.New("no files")
	}
	l := *files[0]
	l.Head = bytes.Clone(l.Head)
	for _, f := range files[1:] {
		for _, field := range []struct {
			from, to int
			other    string
		}{{atSource, atEncoding, ""}, {atGUID, 24, ""}, {atSystem, atSoftware, "MERGE"}, {atSoftware, atDay, "superpoint"}} {
			if own := l.Head[field.from:field.to]; !bytes.Equal(own, f.Head[field.from:field.to]) {
				clear(own)
				copy(own, field.other)
			}
		}
		date := func(h []byte) int { return int(le.Uint16(h[atYear:]))<<16 | int(le.Uint16(h[atDay:])) }
		if date(f.Head) > date(l.Head) {
			copy(l.Head[atDay:atYear+2], f.Head[atDay:])
		}
		for k := range l.Scale {
			l.Scale[k] = min(l.Scale[k], f.Scale[k])
		}
		var failed error
		for _, lists := range [2][2]*[]section{{&l.variable, &f.variable}, {&l.extended, &f.extended}} {
			*lists[0] = slices.DeleteFunc(slices.Clone(*lists[0]), func(s section) bool {
				return !slices.ContainsFunc(*lists[1], func(o section) bool {
					if !s.is(o.user, o.id) || s.size != o.size {
						return false
					}
					a, err := l.content(s)
					b, also := f.content(o)
					failed = errors.Join(failed, err, also)
					return bytes.Equal(a, b)
				})
			})
		}
		if failed != nil {
			return nil, failed
		}
	}
	l.putLattice(Lattice{l.Scale, l.Offset})
	return &l, nil
}

// putLattice sets scale and offset in the header.
func (l *File) putLattice(on Lattice) {
	l.Scale, l.Offset = on.Scale, on.Offset
	for k := range 3 {
		le.PutUint64(l.Head[atScale+8*k:], math.Float64bits(on.Scale[k]))
		le.PutUint64(l.Head[atOffset+8*k:], math.Float64bits(on.Offset[k]))
	}
}

// unite makes the description of an extra dimension that of another file, too, and reports whether it can: types,
// scales and values for no data must be equal; bounds are left out if they differ.
func (x *Extra) unite(o *Extra) bool {
	const atKind, options, atBounds, atScale, hasBounds = 2, 3, 64, 112, 2 | 4
	a, b := bytes.Clone(x.text[:160]), bytes.Clone(o.text[:160])
	for _, text := range [][]byte{a, b} {
		if text[atKind] != 0 { // else it is the number of bytes
			text[options] &^= hasBounds
		}
		clear(text[atBounds:atScale])
	}
	if !bytes.Equal(a[atKind:4], b[atKind:4]) || !bytes.Equal(a[40:], b[40:]) {
		return false
	}
	if !bytes.Equal(x.text[atBounds:atScale], o.text[atBounds:atScale]) {
		x.text = append(a, x.text[160:]...)
	}
	return true
}

// format returns the point format of a copy: that of the files or, if they differ, one with the fields of all.
func (e Edit) format(files []*File) byte {
	format, same := files[0].Format(), true
	modern := func(f *File) int {
		if f.Format() >= legacyFormats {
			return f.Format()
		}
		return legacyFormats + map[bool]int{true: 1}[lasformat.Holds(f.Format(), "Red")]
	}
	most := 0
	for _, f := range files {
		same, most = same && f.Format() == format, max(most, modern(f))
	}
	if same && (format >= legacyFormats || !e.Modern) {
		return byte(format)
	}
	return byte(most)
}
