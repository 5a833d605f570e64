package records

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
)

// Writer writes records to a temporary file beside path.
type Writer struct {
	path   string
	file   *os.File
	head   []byte
	buffer []byte
	count  uint64
	sum    Sum
}

// NewWriter starts a file with the header of another. The file appears at path only after Close.
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
	w.sum.Add(record)
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
func (w *Writer) Sum() (sum Sum, count uint64) { return w.sum, w.count }

// Close writes the counts and renames the file. After an error the file is removed.
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

// Discard removes an unfinished file. After Close it does nothing.
func (w *Writer) Discard() {
	w.file.Close()
	os.Remove(w.file.Name())
}

// Copy writes the records for which keep returns true, as keep leaves them, to another file, and returns their
// checksum and number.
func (l *File) Copy(path string, keep func(i int, record []byte) (bool, error)) (sum Sum, count uint64, err error) {
	w, err := NewWriter(path, l.Head)
	if err != nil {
		return 0, 0, err
	}
	defer w.Discard()
	err = l.Each(func(i int, record []byte) error {
		kept, err := keep(i, record)
		if err != nil || !kept {
			return err
		}
		return w.Append(record)
	})
	if err != nil {
		return 0, 0, err
	}
	return w.sum, w.count, w.Close()
}

// Sum is the CRC-32C (Castagnoli) of records.
type Sum uint32

var castagnoli = crc32.MakeTable(crc32.Castagnoli) // read only

// Add adds a record.
func (s *Sum) Add(record []byte) { *s = Sum(crc32.Update(uint32(*s), castagnoli, record)) }
