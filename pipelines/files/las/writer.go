// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Writer writes records to a temporary file beside path.
type Writer struct {
	path     string
	file     *os.File
	head     []byte
	buffer   []byte
	count    uint64
	sum      uint32      // CRC-32C (Castagnoli) of the records
	bounds   [3][2]int32 // least and most raw coordinates
	returns  [16]uint64  // points by return number
	from     string      // file whose extended records are copied
	extended []section   // they
}

// NewWriter starts a file with the header of another, whose bounds and counts are computed from the
// records. The file appears at path only after Close.
func NewWriter(path string, head []byte) (*Writer, error) {
	f, err := createBeside(path)
	if err != nil {
		return nil, err
	}
	w := &Writer{path: path, file: f, head: bytes.Clone(head), buffer: make([]byte, 0, bufferBytes)}
	for k := range w.bounds {
		w.bounds[k] = [2]int32{math.MaxInt32, math.MinInt32}
	}
	w.buffer = append(w.buffer, head...)
	return w, nil
}

// createBeside makes a file with another name in the folder of path. Its permissions are
// the default ones of new files, unlike with os.CreateTemp.
func createBeside(path string) (*os.File, error) {
	for {
		name := fmt.Sprintf(".%s-%x", filepath.Base(path), rand.Uint32())
		f, err := os.OpenFile(filepath.Join(filepath.Dir(path), name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// bufferBytes is small because a large file reaches many tiles at once.
const bufferBytes = 1 << 17

// Append writes one record.
func (w *Writer) Append(record []byte) error {
	w.count++
	w.sum = crc32.Update(w.sum, castagnoli, record)
	for k, v := range XYZ(record) {
		w.bounds[k][0], w.bounds[k][1] = min(w.bounds[k][0], v), max(w.bounds[k][1], v)
	}
	number := record[14]
	if w.head[atFormat] < legacyFormats {
		number &= 7
	}
	w.returns[number&15]++
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
func (w *Writer) Sum() (sum uint32, count int64) { return w.sum, int64(w.count) }

// complete sets bounds and counts in the header.
func (w *Writer) complete() {
	w.completeCounts()
	clear(w.head[atBounds:atWaves])
	if w.count > 0 {
		w.completeBounds()
	}
}

// completeCounts sets the numbers of points and of returns; for old point formats also the legacy fields.
func (w *Writer) completeCounts() {
	le.PutUint64(w.head[atCount:], w.count)
	for n, count := range w.returns[1:] {
		le.PutUint64(w.head[atReturns+8*n:], count)
	}
	clear(w.head[atLegacyCount:atScale])
	if w.head[atFormat] >= legacyFormats || w.count > math.MaxUint32 {
		return
	}
	const legacyReturns = 5
	le.PutUint32(w.head[atLegacyCount:], uint32(w.count))
	for n, count := range w.returns[1 : 1+legacyReturns] {
		le.PutUint32(w.head[atLegacyReturns+4*n:], uint32(count))
	}
}

// completeBounds sets the greatest and the least coordinate along each axis, in this order.
func (w *Writer) completeBounds() {
	for k, b := range w.bounds {
		scale := math.Float64frombits(le.Uint64(w.head[atScale+8*k:]))
		offset := math.Float64frombits(le.Uint64(w.head[atOffset+8*k:]))
		least := float64(float64(b[0])*scale) + offset
		greatest := float64(float64(b[1])*scale) + offset
		le.PutUint64(w.head[atBounds+16*k:], math.Float64bits(greatest))
		le.PutUint64(w.head[atBounds+16*k+8:], math.Float64bits(least))
	}
}

// Close writes the header and renames the file. After an error the file is removed.
func (w *Writer) Close() error {
	defer w.Discard()
	if err := w.flush(); err != nil {
		return err
	}
	w.complete()
	if err := appendExtended(w.file, w.head, w.from, w.extended); err != nil {
		return err
	}
	if _, err := w.file.WriteAt(w.head, 0); err != nil {
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

// Sum adds a record to a checksum of records.
func Sum(sum uint32, record []byte) uint32 { return crc32.Update(sum, castagnoli, record) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli) // read only
