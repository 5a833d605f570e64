// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
)

// Points returns the number of points in the header of a LAS or LAZ file of any version, and whether a file is one. It
// fails if the file is truncated: some readers return zeros for missing points of LAS, and no points of LAZ without its
// chunk table.
func Points(path string) (count int64, is bool, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, false, nil // not a local file
	}
	if info.Mode()&os.ModeNamedPipe != 0 {
		return 0, false, errors.New("it is a pipe, and a point cloud is read more than once; write it to a file first")
	}
	f, err := os.Open(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0, false, nil // reading it fails with the reason
	}
	defer f.Close()
	head, l, size := make([]byte, header14), new(File), info.Size()
	if n, _ := f.ReadAt(head, 0); n < header10 || !bytes.HasPrefix(head, []byte("LASF")) {
		return 0, false, nil
	}
	if err := l.parseHeader(head, size); err != nil {
		return 0, true, err
	}
	for k, axis := range "XYZ" {
		scale, offset := l.Scale[k], l.Offset[k]
		if usable := math.Abs(scale) > 0 && !math.IsInf(scale, 0) && offset-offset == 0; l.Count > 0 && !usable {
			return 0, true, fmt.Errorf("scale %v and offset %v of %c in its header give no coordinates; correct them, or %s",
				scale, offset, axis, getAgain)
		}
	}
	if head[atFormat]&packed != 0 {
		return int64(l.Count), true, checkChunks(f, head, size)
	}
	return int64(l.Count), true, checkCount(f, head, l, size)
}

const getAgain = "copy or download it again"

// checkCount fails if points follow the last one that the header counts: readers leave them out. Where all are zeros it
// is padding.
func checkCount(f *os.File, head []byte, l *File, size int64) error {
	data := int64(len(l.Head))
	next, end := data+int64(l.Count)*int64(l.Length), size
	behind := func(at int) { // what begins at this place of the header begins behind the points
		if start := int64(le.Uint64(head[at:])); start >= next {
			end = min(end, start)
		}
	}
	if head[atMinor] >= 3 {
		behind(atWaves)
	}
	if head[atMinor] >= extended && le.Uint32(head[atEVLRs:]) > 0 {
		behind(atEVLRStart)
	}
	record := make([]byte, l.Length)
	if end-next < int64(l.Length) {
		return nil
	}
	if _, err := f.ReadAt(record, next); err != nil || l.Count > 0 && len(bytes.Trim(record, "\x00")) == 0 {
		return err
	}
	remedy := "write it again"
	if l.Count > 0 {
		remedy += fmt.Sprintf(", or end a copy of it after those that are counted: truncate -s %d", next)
	}
	return fmt.Errorf("its header counts %d points, and it holds %d: the program that wrote it was interrupted; %s",
		l.Count, (end-data)/int64(l.Length), remedy)
}

// checkChunks fails unless the chunk table lies inside a LAZ file. It ignores files that LASzip
// wrote without chunks, or in one pass.
func checkChunks(f *os.File, head []byte, size int64) error {
	at, data := int64(le.Uint16(head[atHeaderSize:])), int64(le.Uint32(head[atData:]))
	vlr, table := make([]byte, vlrHead+2), int64(0) // bytes from the start of the file
	for range le.Uint32(head[atVLRs:]) {
		if _, err := f.ReadAt(vlr, at); err != nil || at >= data {
			break
		}
		const onePiece = 1
		if le.Uint16(vlr[18:]) == laszipID && le.Uint16(vlr[vlrHead:]) == onePiece {
			return nil
		}
		at += vlrHead + int64(le.Uint16(vlr[20:]))
	}
	err := binary.Read(io.NewSectionReader(f, data, 8), le, &table)
	if inOnePass := table == -1; err != nil || !inOnePass && (table <= data || table+8 > size) {
		return fmt.Errorf("the file was cut short: it ends at byte %d, before its table of chunks, without which its "+
			"points cannot be read; %s", size, getAgain)
	}
	return nil
}
