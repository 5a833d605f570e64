// SPDX-License-Identifier: BSD-3-Clause

// Package las reads and writes LAS files record by record (LAS 1.4 R15, ASPRS). Records are
// bytes: only coordinates, return numbers and extra bytes are decoded, so that copies keep all
// else. PDAL compresses and decompresses; Restore gives what it wrote the header of the source.
package las

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"superpoint/pipelines/files/atomicfile"
)

// File is a LAS or LAZ file. The records of a LAZ file cannot be read, all else can.
type File struct {
	Path     string
	Head     []byte    // everything before the first record
	Length   int       // bytes of a record
	Count    int       // records
	Lattice            // of coordinates
	Extra    []Extra   // extra dimensions, in the order of their bytes
	variable []section // variable length records, in Head
	extended []section // extended variable length records, behind the points
	size     int64     // of the file
}

// Extra is an extra dimension, or bytes of records that no description covers.
type Extra struct {
	Name     string
	At, Size int    // bytes in a record
	text     []byte // its description, extraBytes long
	at       int64  // byte of the file where the description has the name; 0 = none
}

// section is a variable length record, with its head, in a file.
type section struct {
	user     string
	id       uint16
	at, size int64
}

func (s section) is(user string, id uint16) bool { return s.user == user && s.id == id }

// Offsets of fields of the public header block.
const (
	atEncoding, atMinor                                         = 6, 25
	atHeaderSize, atData, atVLRs, atFormat, atLength            = 94, 96, 100, 104, 105
	atLegacyCount, atLegacyReturns, atScale, atOffset, atBounds = 107, 111, 131, 155, 179
	atWaves, atEVLRStart, atEVLRs, atCount, atReturns           = 227, 235, 243, 247, 255
	header10, header14, legacyFormats, extended                 = 227, 375, 6, 4 // minor version with EVLRs
	vlrHead, evlrHead, extraBytes                               = 54, 60, 192
	packed                                                      = 0x80 // in the point format: LAZ
)

// Users and numbers of variable length records.
const (
	specUser, extraID                                = "LASF_Spec", 4
	projectionUser, wktID, firstGeoTIFF, lastGeoTIFF = "LASF_Projection", 2112, 34735, 34737
	laszipUser, laszipID                             = "laszip encoded", 22204
	copcUser, copcInfo, copcPages                    = "copc", 1, 1000
)

var le = binary.LittleEndian // read only

// recordLength returns the length of a record of a point format without extra
// bytes, or 0.
func recordLength(format byte) int {
	lengths := [...]int{20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67}
	if int(format) < len(lengths) {
		return lengths[format]
	}
	return 0
}

// Read reads everything of a file but its records, and fails if records are missing.
func Read(path string) (*File, error) {
	f, err := atomicfile.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	l := &File{Path: path}
	if l.size, err = f.Seek(0, io.SeekEnd); err == nil {
		err = l.read(f)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return l, nil
}

func (l *File) read(f io.ReaderAt) error {
	head := make([]byte, min(l.size, header14))
	if _, err := f.ReadAt(head, 0); err != nil {
		return err
	}
	if err := l.parseHeader(head, l.size); err != nil {
		return err
	}
	if _, err := f.ReadAt(l.Head, 0); err != nil {
		return err
	}
	if err := l.sections(f); err != nil {
		return err
	}
	return l.parseExtra(f)
}

// Packed reports whether the file is LAZ.
func (l *File) Packed() bool { return l.Head[atFormat]&packed != 0 }

// Format returns the point format.
func (l *File) Format() int { return int(l.Head[atFormat] & 0x3f) }

// parseHeader reads the public header block. A header of versions before 1.4 is filled up with zeros.
func (l *File) parseHeader(head []byte, size int64) error {
	if !isVersion1(head) {
		return errors.New("its header is not that of a LAS file of version 1; " + getAgain)
	}
	l.Length = int(le.Uint16(head[atLength:]))
	data := int64(le.Uint32(head[atData:]))
	base := recordLength(head[atFormat] & 0x3f)
	hasFormat := base > 0 && l.Length >= base
	hasData := data >= leastData(head) && data <= size
	if !hasFormat || !hasData {
		return fmt.Errorf(
			"point format %d with records of %d bytes from byte %d: its header is damaged (is the disk "+
				"full?); %s", head[atFormat], l.Length, data, getAgain)
	}
	count := countOf(head)
	if err := checkRoom(head, data, size, l.Length, count); err != nil {
		return err
	}
	l.Head = make([]byte, data)
	l.Count = int(count)
	for k := range 3 {
		l.Scale[k] = math.Float64frombits(le.Uint64(head[atScale+8*k:]))
		l.Offset[k] = math.Float64frombits(le.Uint64(head[atOffset+8*k:]))
	}
	return nil
}

// isVersion1 reports whether bytes are the header of a LAS file of version 1.
func isVersion1(head []byte) bool {
	if len(head) < header10 || !bytes.HasPrefix(head, []byte("LASF")) {
		return false
	}
	return head[24] == 1 && le.Uint16(head[atHeaderSize:]) >= header10
}

// leastData returns the first byte at which the points of a file with a header may begin.
func leastData(head []byte) int64 {
	least := int64(le.Uint16(head[atHeaderSize:]))
	if head[atMinor] >= extended {
		least = max(least, header14)
	}
	return least
}

// countOf returns the number of points that a header states.
func countOf(head []byte) uint64 {
	if head[atMinor] >= extended && len(head) == header14 {
		return le.Uint64(head[atCount:])
	}
	return uint64(le.Uint32(head[atLegacyCount:]))
}

// sections finds the variable length records.
func (l *File) sections(f io.ReaderAt) error {
	var err error
	at, data := int64(le.Uint16(l.Head[atHeaderSize:])), int64(len(l.Head))
	l.variable, err = findSections(f, at, data, le.Uint32(l.Head[atVLRs:]), vlrHead)
	if err == nil && l.Head[atMinor] >= extended {
		l.extended, err = findSections(
			f,
			int64(le.Uint64(l.Head[atEVLRStart:])),
			l.size,
			le.Uint32(l.Head[atEVLRs:]),
			evlrHead,
		)
	}
	return err
}

// findSections finds count records with heads of a length, which end before end.
func findSections(f io.ReaderAt, at, end int64, count uint32, length int64) (all []section, err error) {
	if err := checkSections(at, end, count, length); err != nil {
		return nil, err
	}
	head := make([]byte, evlrHead)
	for k := range count {
		if at+length > end {
			return nil, errSection(k, count, end)
		}
		if _, err := f.ReadAt(head[:length], at); err != nil {
			return nil, err
		}
		size := uint64(le.Uint16(head[20:]))
		if length == evlrHead {
			size = le.Uint64(head[20:])
		}
		if size > uint64(end-at-length) {
			return nil, errSection(k, count, end)
		}
		all = append(all, section{string(bytes.TrimRight(head[2:18], "\x00")), le.Uint16(head[18:]), at,
			length + int64(size)})
		at += length + int64(size)
	}
	return all, nil
}

// extraSize returns the size in bytes of a data type of an extra bytes record.
func extraSize(kind, options byte) int {
	sizes := [...]int{int(options), 1, 1, 2, 2, 4, 4, 8, 8, 4, 8}
	if int(kind) < len(sizes) {
		return sizes[kind]
	}
	if kind > 30 {
		return 0
	}
	return sizes[(kind-1)%10+1] * (int(kind-1)/10 + 1) // deprecated arrays of 2 and 3
}

// parseExtra finds the extra dimensions. Bytes without a description are extra dimensions without a type.
func (l *File) parseExtra(f io.ReaderAt) error {
	end := recordLength(byte(l.Format()))
	for k, s := range append(slices.Clip(l.variable), l.extended...) {
		if !s.is(specUser, extraID) {
			continue
		}
		skip := int64(vlrHead)
		if k >= len(l.variable) {
			skip = evlrHead
		}
		text := make([]byte, min(s.size-skip, math.MaxUint16))
		if _, err := f.ReadAt(text, s.at+skip); err != nil {
			return err
		}
		for at := s.at + skip + 4; len(text) >= extraBytes; text, at = text[extraBytes:], at+extraBytes {
			size := extraSize(text[2], text[3])
			name := string(bytes.TrimRight(text[4:36], "\x00"))
			l.Extra = append(l.Extra, Extra{name, end, size, text[:extraBytes], at})
			end += size
		}
	}
	if end > l.Length {
		return fmt.Errorf(
			"extra dimensions end at byte %d of records of %d bytes; correct or remove their description",
			end,
			l.Length)
	}
	for n := 1; end < l.Length; n++ {
		size := min(l.Length-end, math.MaxUint8)
		e := Extra{fmt.Sprintf("undescribed%d", n), end, size, make([]byte, extraBytes), 0}
		e.text[3] = byte(size)
		copy(e.text[4:], e.Name)
		l.Extra, end = append(l.Extra, e), end+size
	}
	return nil
}

// Find returns the extra dimension of a name, or nil.
func (l *File) Find(name string) *Extra {
	for k := range l.Extra {
		if l.Extra[k].Name == name {
			return &l.Extra[k]
		}
	}
	return nil
}

// field returns the byte of a record that has Classification or UserData, and its bits there: formats
// below 6 have five bits for Classification, and flags in the other three.
func (l *File) field(name string) (at int, mask byte, ok bool) {
	switch {
	case name == "UserData":
		return 17, math.MaxUint8, true
	case name == "Classification" && l.Format() < legacyFormats:
		return 15, 31, true
	case name == "Classification":
		return 16, math.MaxUint8, true
	}
	return 0, 0, false
}

// Field returns a function that writes a value of 8 bits to Classification or UserData; nil for
// other fields. Flags are kept.
func (l *File) Field(name string) func(record []byte, v float64) {
	at, mask, ok := l.field(name)
	if !ok {
		return nil
	}
	return func(record []byte, v float64) { record[at] = record[at]&^mask | byte(v)&mask }
}

// XYZ returns a record's raw coordinates.
func XYZ(record []byte) (p [3]int32) {
	for k := range p {
		p[k] = int32(le.Uint32(record[4*k:]))
	}
	return p
}

// Position returns x and y of raw coordinates, rounded as in other LAS readers.
func (l *File) Position(p [3]int32) (x, y float64) {
	return float64(p[0])*l.Scale[0] + l.Offset[0], float64(p[1])*l.Scale[1] + l.Offset[1]
}

// Each calls see with every record in order; the slice is valid during the call.
func (l *File) Each(see func(i int, record []byte) error) error {
	r, err := l.From(0)
	if err != nil {
		return err
	}
	defer r.Close()
	for i := range l.Count {
		record, err := r.Next()
		if err == nil {
			err = see(i, record)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Reader reads the records of a file in order.
type Reader struct {
	File   *File
	file   *os.File
	from   *bufio.Reader
	record []byte
}

// From returns a reader that starts at record i.
func (l *File) From(i int) (*Reader, error) {
	f, err := atomicfile.OpenRegular(l.Path)
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(int64(len(l.Head))+int64(i)*int64(l.Length), io.SeekStart); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Reader{l, f, bufio.NewReaderSize(f, 1<<18), make([]byte, l.Length)}, nil
}

// Next returns the next record, which is valid until the next call.
func (r *Reader) Next() ([]byte, error) {
	if _, err := io.ReadFull(r.from, r.record); err != nil {
		return nil, fmt.Errorf("%s: %w", r.File.Path, err)
	}
	return r.record, nil
}

// Close closes the file.
func (r *Reader) Close() error { return r.file.Close() }
