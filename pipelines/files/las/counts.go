// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
)

// Counts in the header of a file are compared with its size before anything is allocated or repeated for
// them: readers of PDAL believe them, and loop or allocate until the memory is full.

const getAgain = "copy or download it again"

// Points returns the number of points in the header of a LAS or LAZ file of any version, and whether a file
// is one. It fails if the file cannot hold what its header counts: points, variable length records, extra
// bytes, chunks of LAZ and nodes of COPC. Some readers return zeros for missing points of LAS, and no points
// of LAZ without its chunk table.
func Points(path string) (count int64, is bool, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, false, nil // not a local file
	}
	if info.Mode()&os.ModeNamedPipe != 0 {
		return 0, false, errors.New(
			"it is a pipe, and a point cloud is read more than once; write it to a file first")
	}
	if !info.Mode().IsRegular() {
		return 0, false, nil // reading it fails with the reason
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, false, nil // reading it fails with the reason
	}
	defer f.Close()
	start := make([]byte, header10)
	if _, err := f.ReadAt(start, 0); err != nil || !bytes.HasPrefix(start, []byte("LASF")) {
		return 0, false, nil
	}
	l := &File{Path: path, size: info.Size()}
	if err := l.read(f); err != nil {
		return 0, true, err
	}
	return int64(l.Count), true, l.check(f)
}

// check fails if the coordinates are unusable, or if the file does not hold the points that its header
// counts.
func (l *File) check(f *os.File) error {
	for k, axis := range "XYZ" {
		scale, offset := l.Scale[k], l.Offset[k]
		if usable := math.Abs(scale) > 0 && !math.IsInf(scale, 0) &&
			offset-offset == 0; l.Count > 0 && !usable {
			return fmt.Errorf(
				"scale %v and offset %v of %c in its header give no coordinates; correct them, or %s",
				scale, offset, axis, getAgain)
		}
	}
	if !l.Packed() {
		return l.checkBehind(f)
	}
	if err := l.checkChunks(f); err != nil {
		return err
	}
	return l.checkNodes(f)
}

// checkRoom fails if a file is too small for the points and variable length records that its header counts.
func checkRoom(head []byte, data, size int64, length int, count uint64) error {
	const (
		padding  = 1 << 24 // bytes between the records and the points that programs leave for changes
		mostVLR  = vlrHead + math.MaxUint16
		mostInLZ = 1 << 16 // points in a byte of LAZ: equal points take .007 bytes each, in chunks of 50,000
	)
	records := int64(le.Uint32(head[atVLRs:]))
	if between := data - int64(le.Uint16(head[atHeaderSize:])); between > records*mostVLR+padding {
		return fmt.Errorf(
			"its points begin at byte %d, which %d variable length records do not fill: its header is "+
				"damaged; %s", data, records, getAgain)
	}
	room := uint64(size - data)
	if head[atFormat]&packed != 0 {
		if count/mostInLZ > room {
			return fmt.Errorf("its header counts %d points, which do not fit in %d bytes: it is damaged; %s",
				count, room,
				getAgain)
		}
		return nil
	}
	if held := room / uint64(length); count > held {
		return fmt.Errorf("the file was cut short: it holds %d of %d points (is the disk full?); %s", held,
			count, getAgain)
	}
	return nil
}

// checkSections fails if count records with heads of a length do not fit between two bytes of a file.
func checkSections(at, end int64, count uint32, length int64) error {
	if count == 0 {
		return nil
	}
	if at < 0 || at > end {
		return fmt.Errorf(
			"its header counts %d variable length records from byte %d, beyond their end at byte %d: it is "+
				"damaged or cut short; %s", count, at, end, getAgain)
	}
	if held := (end - at) / length; int64(count) > held {
		return fmt.Errorf(
			"its header counts %d variable length records, and at most %d fit between bytes %d and %d: it "+
				"is damaged or cut short; %s", count, held, at, end, getAgain)
	}
	return nil
}

// errSection is the error of record k of count, which ends beyond a byte.
func errSection(k, count uint32, end int64) error {
	return fmt.Errorf(
		"variable length record %d of %d ends beyond byte %d: the file is damaged or cut short; %s", k+1,
		count, end, getAgain)
}

// checkBehind fails if points of LAS follow the last one that the header counts: readers leave them out.
// Where all are zeros it is padding.
func (l *File) checkBehind(f io.ReaderAt) error {
	next, end := l.endOfPoints(), l.size
	if l.Head[atMinor] >= 3 {
		end = l.before(end, atWaves)
	}
	if l.Head[atMinor] >= extended && le.Uint32(l.Head[atEVLRs:]) > 0 {
		end = l.before(end, atEVLRStart)
	}
	if end-next < int64(l.Length) {
		return nil
	}
	record := make([]byte, l.Length)
	if _, err := f.ReadAt(record, next); err != nil {
		return err
	}
	padded := len(bytes.Trim(record, "\x00")) == 0
	if l.Count > 0 && padded {
		return nil
	}
	remedy := "write it again"
	if l.Count > 0 {
		remedy += fmt.Sprintf(", or end a copy of it after those that are counted: truncate -s %d", next)
	}
	held := (end - int64(len(l.Head))) / int64(l.Length)
	return fmt.Errorf(
		"its header counts %d points, and it holds %d: the program that wrote it was interrupted; %s",
		l.Count, held, remedy)
}

// endOfPoints returns the byte behind the last point of LAS.
func (l *File) endOfPoints() int64 { return int64(len(l.Head)) + int64(l.Count)*int64(l.Length) }

// before returns the smaller of end and the byte at a place of the header, if that byte is behind the points.
func (l *File) before(end int64, at int) int64 {
	if start := int64(le.Uint64(l.Head[at:])); start >= l.endOfPoints() {
		return min(end, start)
	}
	return end
}

// laszip has the fields of LASzip's record (github.com/LASzip/LASzip, laszip.hpp).
type laszip struct {
	compressor uint16
	chunk      int64 // points of a chunk, but the last one
	record     int   // bytes of a point
}

const (
	onePiece      = 1              // compressor without chunks
	variableChunk = math.MaxUint32 // chunk size of files whose chunks have different sizes, such as COPC
)

// laszip returns the fields of the record of compression; ok: there is one.
func (l *File) laszip() (z laszip, ok bool, err error) {
	const atChunk, atItems, firstItem, itemSize = 12, 32, 34, 6
	for _, s := range l.variable {
		if !s.is(laszipUser, laszipID) {
			continue
		}
		body := l.Head[s.at+vlrHead : s.at+s.size]
		if len(body) < firstItem || len(body) < firstItem+itemSize*int(le.Uint16(body[atItems:])) {
			return z, true, errors.New(
				"its record of compression is too short for the items that it counts: it is damaged; " +
					getAgain)
		}
		z.compressor, z.chunk = le.Uint16(body), int64(le.Uint32(body[atChunk:]))
		for k := range int(le.Uint16(body[atItems:])) {
			z.record += int(le.Uint16(body[firstItem+itemSize*k+2:]))
		}
		return z, true, nil
	}
	return z, false, nil
}

// checkChunks fails unless the chunk table lies inside a LAZ file and has the chunks of its points. It
// ignores files that LASzip wrote without chunks, or in one pass.
func (l *File) checkChunks(f io.ReaderAt) error {
	z, known, err := l.laszip()
	if err != nil {
		return err
	}
	if known && z.compressor == onePiece {
		return nil
	}
	if known && z.record != l.Length {
		return fmt.Errorf(
			"its record of compression has points of %d bytes, and its header has %d: it is damaged; %s",
			z.record, l.Length, getAgain)
	}
	data := int64(len(l.Head))
	word := make([]byte, 8)
	_, err = f.ReadAt(word, data)
	table := int64(le.Uint64(word)) // byte of the file
	if err == nil && table == -1 {  // written in one pass
		return nil
	}
	if err != nil || table <= data || table+8 > l.size {
		return fmt.Errorf(
			"the file was cut short: it ends at byte %d, before its table of chunks, without which its "+
				"points cannot be read; %s", l.size, getAgain)
	}
	if _, err := f.ReadAt(word, table); err != nil {
		return err
	}
	chunks := int64(le.Uint32(word[4:]))
	if err := l.checkChunkCount(z, chunks, table-data-8); err != nil {
		return err
	}
	if z.chunk != variableChunk || l.isCOPC() {
		return nil
	}
	return l.checkChunkPoints(io.NewSectionReader(f, table+8, l.size-table-8), chunks)
}

// checkChunkPoints fails if the points of the header are not those in the chunks of a table.
func (l *File) checkChunkPoints(table io.Reader, chunks int64) error {
	all, err := readChunks(table, chunks, true)
	if err != nil {
		return fmt.Errorf("its table of %d chunks cannot be read: it is damaged; %s", chunks, getAgain)
	}
	held := 0
	for _, c := range all {
		held += int(c.points)
	}
	if held != l.Count {
		return fmt.Errorf("its header counts %d points, and its table of chunks %d: one of them is wrong; %s",
			l.Count, held, getAgain)
	}
	return nil
}

// checkChunkCount fails if the number of points in the header does not agree with the chunks and their size
// in bytes. Each chunk begins with a point that is not compressed.
func (l *File) checkChunkCount(z laszip, chunks, size int64) error {
	if chunks*int64(l.Length) > size {
		return fmt.Errorf("its table counts %d chunks, which do not fit in %d bytes: it is damaged; %s",
			chunks, size, getAgain)
	}
	count := int64(l.Count)
	if count > 0 && chunks == 0 {
		return fmt.Errorf("its header counts %d points, and its table no chunk: it is damaged; %s",
			count, getAgain)
	}
	if z.chunk == 0 || z.chunk == variableChunk {
		return nil
	}
	if count > chunks*z.chunk || count < (chunks-1)*z.chunk {
		return fmt.Errorf(
			"its header counts %d points, and its table %d chunks of %d points: one of them is wrong; %s",
			count,
			chunks, z.chunk, getAgain)
	}
	return nil
}

// Fields of COPC (copc.io, version 1.0): places in the body of the info record, and in the entries of pages.
const (
	infoBytes, atRootPage, atRootSize            = 160, 40, 48
	entryBytes, atNode, atNodeBytes, atNodeCount = 32, 16, 24, 28
	anotherPage                                  = -1 // number of points of an entry that points to a page
)

// isCOPC reports whether the first record is the info record of COPC.
func (l *File) isCOPC() bool { return len(l.variable) > 0 && l.variable[0].is(copcUser, copcInfo) }

// span is a range of bytes of a file.
type span struct{ at, size int64 }

func (s span) inside(size int64) bool { return s.at >= 0 && s.size >= 0 && s.at <= size-s.size }

// checkNodes fails unless the nodes in the hierarchy of a COPC file lie inside it and have all points of its
// header.
func (l *File) checkNodes(f io.ReaderAt) error {
	if !l.isCOPC() || l.variable[0].size < vlrHead+infoBytes {
		return nil
	}
	info := l.Head[l.variable[0].at+vlrHead:]
	pages := []span{{int64(le.Uint64(info[atRootPage:])), int64(le.Uint64(info[atRootSize:]))}}
	points, entries := int64(0), int64(0)
	for ; len(pages) > 0; pages = pages[1:] {
		page := pages[0]
		if entries += page.size / entryBytes; !page.inside(l.size) || entries > l.size/entryBytes {
			return fmt.Errorf("a page of its hierarchy has %d bytes from byte %d of %d: it is damaged; %s",
				page.size, page.at,
				l.size, getAgain)
		}
		below, n, err := l.readPage(f, page)
		if err != nil {
			return err
		}
		pages, points = append(pages, below...), points+n
	}
	if points != int64(l.Count) {
		return fmt.Errorf("its header counts %d points, and the nodes of its hierarchy %d: it is damaged; %s",
			l.Count, points,
			getAgain)
	}
	return nil
}

// readPage returns the pages that a page of the hierarchy points to, and the points of its nodes.
func (l *File) readPage(f io.ReaderAt, page span) (below []span, points int64, err error) {
	text := make([]byte, page.size/entryBytes*entryBytes)
	if _, err := f.ReadAt(text, page.at); err != nil {
		return nil, 0, err
	}
	for ; len(text) > 0; text = text[entryBytes:] {
		node := span{int64(le.Uint64(text[atNode:])), int64(int32(le.Uint32(text[atNodeBytes:])))}
		count := int32(le.Uint32(text[atNodeCount:]))
		switch {
		case count == anotherPage:
			below = append(below, node)
		case count < 0 || !node.inside(l.size):
			return nil, 0, fmt.Errorf(
				"a node of its hierarchy has %d points in %d bytes from byte %d of %d: it is damaged; %s",
				count, node.size, node.at, l.size, getAgain)
		default:
			points += int64(count)
		}
	}
	return below, points, nil
}
