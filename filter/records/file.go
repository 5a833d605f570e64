// Package records copies and patches records of uncompressed LAS files and checks that files are
// complete. It reads only coordinates and extra bytes (LAS 1.4 R15, ASPRS); PDAL reads and writes
// all else.
package records

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
)

// File is an uncompressed LAS file.
type File struct {
	Path   string
	Head   []byte // everything before the first record
	Length int    // bytes of a record
	Count  int    // records
	Scale  [3]float64
	Offset [3]float64
	Extra  map[string]int // byte offset of an extra dimension in a record
}

// Offsets of fields of the public header block.
const (
	atVLRs, atHeaderSize, atData, atFormat, atLength, atLegacyCount = 100, 94, 96, 104, 105, 107
	atScale, atOffset, atEVLRStart, atEVLRs, atCount                = 131, 155, 235, 243, 247
	header14, legacyFormats                                         = 375, 6
	vlrHead, extraBytes                                             = 54, 192
)

// recordLength returns the length of a record of a point format without extra
// bytes, or 0.
func recordLength(format byte) int {
	lengths := [...]int{20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67}
	if int(format) < len(lengths) {
		return lengths[format]
	}
	return 0
}

// Read reads the header of a LAS 1.4 file and fails if records are missing.
func Read(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	head := make([]byte, min(size, header14))
	if _, err := f.ReadAt(head, 0); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	l, err := parseHeader(path, head, size)
	if err != nil {
		return nil, err
	}
	if _, err := f.ReadAt(l.Head, 0); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return l, l.parseExtra()
}

func parseHeader(path string, head []byte, size int64) (*File, error) {
	le := binary.LittleEndian
	if len(head) < header14 || !bytes.HasPrefix(head, []byte("LASF")) || head[24] != 1 || head[25] != 4 {
		return nil, fmt.Errorf("%s: not a complete LAS 1.4 file", path)
	}
	l := &File{Path: path, Length: int(le.Uint16(head[atLength:]))}
	data, count, base := int64(le.Uint32(head[atData:])), le.Uint64(head[atCount:]), recordLength(head[atFormat])
	if base == 0 || l.Length < base || data < header14 {
		return nil, fmt.Errorf("%s: point format %d with records of %d bytes from byte %d: not a complete uncompressed LAS "+
			"file (is the disk full?)", path, head[atFormat], l.Length, data)
	}
	if count > uint64(size) || data+int64(count)*int64(l.Length) > size {
		return nil, fmt.Errorf("%s: %d bytes are too few for %d records of %d; the file was cut short (is the disk full?)",
			path, size, count, l.Length)
	}
	l.Head, l.Count = make([]byte, data), int(count)
	for k := range 3 {
		l.Scale[k] = math.Float64frombits(le.Uint64(head[atScale+8*k:]))
		l.Offset[k] = math.Float64frombits(le.Uint64(head[atOffset+8*k:]))
	}
	return l, nil
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

func (l *File) parseExtra() error {
	le := binary.LittleEndian
	l.Extra = map[string]int{}
	at, end := int(le.Uint16(l.Head[atHeaderSize:])), recordLength(l.Head[atFormat])
	for range le.Uint32(l.Head[atVLRs:]) {
		if at+vlrHead > len(l.Head) {
			return fmt.Errorf("%s: a variable length record ends beyond byte %d", l.Path, len(l.Head))
		}
		body := at + vlrHead + int(le.Uint16(l.Head[at+20:]))
		user := string(bytes.TrimRight(l.Head[at+2:at+18], "\x00"))
		if user == "LASF_Spec" && le.Uint16(l.Head[at+18:]) == 4 {
			for d := at + vlrHead; d+extraBytes <= min(body, len(l.Head)); d += extraBytes {
				l.Extra[string(bytes.TrimRight(l.Head[d+4:d+36], "\x00"))] = end
				end += extraSize(l.Head[d+2], l.Head[d+3])
			}
		}
		at = body
	}
	if end > l.Length {
		return fmt.Errorf("%s: extra dimensions take %d bytes of records of %d", l.Path, end, l.Length)
	}
	return nil
}

// Field returns a function that writes a value of 8 bits to Classification or UserData; nil for
// other fields. Formats below 6 have five bits for Classification; the flags in the other three
// are kept.
func (l *File) Field(name string) func(record []byte, v float64) {
	const atUser = 17
	class := byte(15)
	if l.Head[atFormat] >= legacyFormats {
		class = 16
	}
	at, mask := class, byte(MaxClass(int(l.Head[atFormat])))
	switch name {
	case "Classification":
	case "UserData":
		at, mask = atUser, math.MaxUint8
	default:
		return nil
	}
	return func(record []byte, v float64) { record[at] = record[at]&^mask | byte(v)&mask }
}

// XYZ returns a record's raw coordinates.
func XYZ(record []byte) (p [3]int32) {
	for k := range p {
		p[k] = int32(binary.LittleEndian.Uint32(record[4*k:]))
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
	f, err := os.Open(l.Path)
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

// Fields returns the dimensions that are standard fields of some point format of LAS.
func Fields() []string {
	return []string{
		"X", "Y", "Z", "Intensity", "ReturnNumber", "NumberOfReturns", "ScanDirectionFlag", "EdgeOfFlightLine",
		"Classification", "ScanAngleRank", "UserData", "PointSourceId", "GpsTime", "Red", "Green", "Blue", "Infrared",
		"ScanChannel", "ClassFlags", "Synthetic", "KeyPoint", "Withheld", "Overlap",
	}
}

// Holds reports whether a point format has a standard field for a dimension.
func Holds(format int, name string) bool {
	switch name {
	case "GpsTime":
		return format == 1 || format >= 3
	case "Red", "Green", "Blue":
		return slices.Contains([]int{2, 3, 5, 7, 8, 10}, format)
	case "Infrared":
		return format == 8 || format == 10
	case "ScanChannel":
		return format >= 6
	}
	return slices.Contains(Fields(), name)
}

// MaxClass returns the greatest class of a point format: formats below 6 have five bits.
func MaxClass(format int) int {
	if format < legacyFormats {
		return 31
	}
	return 255
}

// FormatFor returns a point format of LAS 1.4 for the dimensions: 6, with colours 7, with
// infrared 8.
func FormatFor(dimensions []string) int {
	format := 6
	for _, name := range dimensions {
		switch name {
		case "Red", "Green", "Blue":
			format = max(format, 7)
		case "Infrared":
			format = 8
		}
	}
	return format
}
