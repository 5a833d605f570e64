package tile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
)

// LAS is an uncompressed LAS file whose records are copied and patched, never
// understood beyond coordinates and extra bytes (LAS 1.4 R15, ASPRS).
type LAS struct {
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

// ReadLAS reads the head of a LAS 1.4 file and checks that all records are there.
func ReadLAS(path string) (*LAS, error) {
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

func parseHeader(path string, head []byte, size int64) (*LAS, error) {
	le := binary.LittleEndian
	if len(head) < header14 || !bytes.HasPrefix(head, []byte("LASF")) || head[24] != 1 || head[25] != 4 {
		return nil, fmt.Errorf("%s: not a whole LAS 1.4 file", path)
	}
	l := &LAS{Path: path, Length: int(le.Uint16(head[atLength:]))}
	data, count, base := int64(le.Uint32(head[atData:])), le.Uint64(head[atCount:]), recordLength(head[atFormat])
	if base == 0 || l.Length < base || data < header14 {
		return nil, fmt.Errorf("%s: point format %d with records of %d bytes from byte %d: not an uncompressed LAS file", path, head[atFormat], l.Length, data)
	}
	if count > uint64(size) || data+int64(count)*int64(l.Length) > size {
		return nil, fmt.Errorf("%s: %d bytes are too few for %d records of %d; the file was cut short (is the disk full?)", path, size, count, l.Length)
	}
	l.Head, l.Count = make([]byte, data), int(count)
	for k := range 3 {
		l.Scale[k] = math.Float64frombits(le.Uint64(head[atScale+8*k:]))
		l.Offset[k] = math.Float64frombits(le.Uint64(head[atOffset+8*k:]))
	}
	return l, nil
}

// extraSize returns the bytes of a data type of an extra bytes record.
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

func (l *LAS) parseExtra() error {
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

// XYZ returns a record's raw coordinates.
func XYZ(record []byte) (p [3]int32) {
	for k := range p {
		p[k] = int32(binary.LittleEndian.Uint32(record[4*k:]))
	}
	return p
}

// Position returns x and y of raw coordinates as every reader computes them.
func (l *LAS) Position(p [3]int32) (x, y float64) {
	return float64(p[0])*l.Scale[0] + l.Offset[0], float64(p[1])*l.Scale[1] + l.Offset[1]
}

const blockBytes = 1 << 20

// Each calls see with every record in turn; the slice is valid during the call.
func (l *LAS) Each(see func(i int, record []byte) error) error {
	f, err := os.Open(l.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Seek(int64(len(l.Head)), io.SeekStart); err != nil {
		return err
	}
	block := make([]byte, max(1, blockBytes/l.Length)*l.Length)
	for i := 0; i < l.Count; {
		n := min(len(block), (l.Count-i)*l.Length)
		if _, err := io.ReadFull(f, block[:n]); err != nil {
			return fmt.Errorf("%s: %w", l.Path, err)
		}
		for at := 0; at < n; at += l.Length {
			if err := see(i, block[at:at+l.Length]); err != nil {
				return err
			}
			i++
		}
	}
	return nil
}

// Writer writes records under a temporary name beside path.
type Writer struct {
	path   string
	file   *os.File
	head   []byte
	buffer []byte
	count  uint64
	sum    uint32
}

// NewWriter begins a file with the head of another. Close completes it; until
// then, and after Discard, there is nothing at path.
func NewWriter(path string, head []byte) (*Writer, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return nil, err
	}
	w := &Writer{path: path, file: f, head: bytes.Clone(head), buffer: make([]byte, 0, bufferBytes)}
	w.buffer = append(w.buffer, head...)
	return w, nil
}

// bufferBytes is small because a large file reaches many tiles at once.
const bufferBytes = 1 << 17

// Append writes one record.
func (w *Writer) Append(record []byte) error {
	w.count++
	w.sum = crc32.Update(w.sum, castagnoli, record)
	if len(w.buffer)+len(record) > cap(w.buffer) {
		if err := w.flush(); err != nil {
			return err
		}
	}
	w.buffer = append(w.buffer, record...)
	return nil
}

func (w *Writer) flush() error {
	_, err := w.file.Write(w.buffer)
	w.buffer = w.buffer[:0]
	return err
}

// Sum returns the CRC-32C of the records so far, and their number.
func (w *Writer) Sum() (sum uint32, count uint64) { return w.sum, w.count }

// Close writes the counts and gives the file its name. After an error nothing
// is left.
func (w *Writer) Close() error {
	defer w.Discard()
	le := binary.LittleEndian
	le.PutUint64(w.head[atCount:], w.count)
	legacy := uint32(0)
	if w.head[atFormat] < legacyFormats && w.count <= math.MaxUint32 {
		legacy = uint32(w.count)
	}
	le.PutUint32(w.head[atLegacyCount:], legacy)
	le.PutUint64(w.head[atEVLRStart:], 0)
	le.PutUint32(w.head[atEVLRs:], 0)
	if err := w.flush(); err != nil {
		return err
	}
	if _, err := w.file.WriteAt(w.head, 0); err != nil {
		return err
	}
	if err := w.file.Chmod(0o644); err != nil {
		return err
	}
	if err := w.file.Close(); err != nil {
		return err
	}
	return os.Rename(w.file.Name(), w.path)
}

// Discard removes an unfinished file; after Close it does nothing.
func (w *Writer) Discard() {
	w.file.Close()
	os.Remove(w.file.Name())
}

// RunningSum is the CRC-32C of records.
type RunningSum uint32

// Add adds a record.
func (s *RunningSum) Add(record []byte) {
	*s = RunningSum(crc32.Update(uint32(*s), castagnoli, record))
}

// CheckLAZ checks that a LAZ file has so many points and all of its chunks: the
// table of chunks, written last, lies inside the file. A writer that met a full
// disk may not have said so.
func CheckLAZ(path string, points int64) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	head, table := make([]byte, header14), make([]byte, 8)
	if _, err := f.ReadAt(head, 0); err != nil {
		return fmt.Errorf("%s: %w (is the disk full?)", path, err)
	}
	le := binary.LittleEndian
	if n := le.Uint64(head[atCount:]); n != uint64(points) {
		return fmt.Errorf("%s has %d of %d points (is the disk full?)", path, n, points)
	}
	data := int64(le.Uint32(head[atData:]))
	if _, err := f.ReadAt(table, data); err != nil {
		return fmt.Errorf("%s: %w (is the disk full?)", path, err)
	}
	if at := int64(le.Uint64(table)); at <= data || at+8 > size {
		return fmt.Errorf("%s was cut short (is the disk full?)", path)
	}
	return nil
}

// CheckWhole checks that an uncompressed LAS file of any version has all the
// points its header tells of: readers fill up a file that was cut short. Files of
// other formats pass.
func CheckWhole(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return nil // not a local file
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	head := make([]byte, header14)
	n, _ := f.ReadAt(head, 0)
	if n < 227 || !bytes.HasPrefix(head, []byte("LASF")) || head[atFormat]&0x80 != 0 {
		return nil
	}
	le := binary.LittleEndian
	count := uint64(le.Uint32(head[atLegacyCount:]))
	if head[25] >= 4 && n >= header14 {
		count = le.Uint64(head[atCount:])
	}
	data, length := int64(le.Uint32(head[atData:])), uint64(max(1, le.Uint16(head[atLength:])))
	if whole := uint64(max(0, size-data)) / length; count > whole {
		return fmt.Errorf("the file was cut short: it has room for %d of %d points", whole, count)
	}
	return nil
}
