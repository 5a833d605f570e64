// SPDX-License-Identifier: BSD-3-Clause

package las_test

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"superpoint/pipelines/files/las"
	"superpoint/testdata/must"
)

// Places in the LAZ file of packed, and of numbers in the headers of LAS and LASzip.
const (
	inMinor, inDataStart, inVLRs, inEVLRStart, inEVLRs, inCount = 25, 96, 100, 235, 243, 247
	firstVLR, compression, tableAt                              = 375, 375 + 54, 571
	inChunk, inItems, inItemSize                                = compression + 12, compression + 32,
		compression + 36
	inChunks = tableAt + 4
	evlr     = 60 // bytes of its head
)

// packed returns a LAZ file of 5 points of 34 bytes, of a compressor of LASzip. Its points end in so many
// bytes behind the place of the table of chunks, which is at tableAt and counts one chunk of at most 50,000
// points.
func packed(t *testing.T, compressor byte, table int64, behind int) []byte {
	le := binary.LittleEndian
	h := lasHead(t)[:firstVLR]
	h[104] |= 0x80
	le.PutUint64(h[inCount:], 5)
	const items = 40 // bytes of a record with one item
	vlr := make([]byte, 54+items)
	copy(vlr[2:], "laszip encoded")
	le.PutUint16(vlr[18:], 22204)
	le.PutUint16(vlr[20:], items)
	h = append(h, vlr...)
	h[compression] = compressor
	le.PutUint32(h[inChunk:], 50000)
	h[inItems], h[inItemSize] = 1, 34
	le.PutUint32(h[inVLRs:], 1)
	le.PutUint32(h[inDataStart:], uint32(len(h)))
	b := append(le.AppendUint64(h, uint64(table)), make([]byte, behind)...)
	if len(b) > inChunks {
		b[inChunks] = 1
	}
	return b
}

// TestCountsFitInFiles: what the header of a file counts is compared with what the file can hold.
func TestCountsFitInFiles(t *testing.T) {
	t.Parallel()
	le := binary.LittleEndian
	laz := func() []byte { return packed(t, 3, tableAt, 108) }
	variable := func(count uint64) []byte { // with a chunk of 5 points
		b := packed(t, 3, tableAt, 108)
		le.PutUint32(b[inChunk:], math.MaxUint32)
		le.PutUint64(b[inCount:], count)
		return append(b[:inChunks+4], 0x1b, 0x5f, 0x2a, 0, 0, 0)
	}
	plain := func() []byte {
		h := lasHead(t)
		le.PutUint64(h[inCount:], 5)
		return append(h, make([]byte, 5*34)...)
	}
	// with has a number of four bytes at a place.
	with := func(b []byte, at int, v uint32) []byte {
		le.PutUint32(b[at:], v)
		return b
	}
	// extended counts extended records, of which there are as many bytes as given, at its end.
	extended := func(b []byte, count uint32, bytes int) []byte {
		le.PutUint64(b[inEVLRStart:], uint64(len(b)))
		return append(with(b, inEVLRs, count), make([]byte, bytes)...)
	}
	startingAt := func(b []byte, start uint64) []byte {
		le.PutUint64(b[inEVLRStart:], start)
		return b
	}
	for _, c := range []struct {
		name  string
		bytes []byte
		words string // of the error; "" = none
	}{
		{"LAS", plain(), ""},
		{"LAZ", laz(), ""},
		{"LAS with an EVLR", extended(plain(), 1, evlr), ""},
		{"LAZ with an EVLR", extended(laz(), 1, evlr), ""},
		{"no EVLRs, whose start nobody reads", startingAt(laz(), 1<<63), ""},
		{"chunks of any size", variable(5), ""},
		{"a chunk that is full", with(with(laz(), inChunk, 5), inCount, 5), ""},
		{"LAS, an EVLR too many", extended(plain(), 2, evlr), "2 variable length records, and at most 1 fit"},
		{"LAZ, an EVLR too many", extended(laz(), 2, evlr), "2 variable length records, and at most 1 fit"},
		{"LAZ, 2^20 EVLRs", extended(laz(), 1<<20, evlr),
			"1048576 variable length records, and at most 1 fit"},
		{"LAZ, 2^32-1 EVLRs", extended(laz(), math.MaxUint32, 0), "at most 0 fit"},
		{"EVLRs behind the end", startingAt(extended(laz(), 1, evlr), 1<<50), "beyond their end"},
		{"EVLRs before the start", startingAt(extended(laz(), 1, evlr), 1<<63), "beyond their end"},
		{"a long EVLR", with(extended(laz(), 1, evlr), 585+20, 1), "record 1 of 1 ends beyond byte 645"},
		{"a VLR too many", with(laz(), inVLRs, 2), "2 variable length records, and at most 1 fit"},
		{"LAZ, 2^32-1 VLRs", with(laz(), inVLRs, math.MaxUint32), "at most 1 fit"},
		{"a long VLR", with(laz(), firstVLR+20, 41), "record 1 of 1 ends beyond byte 469"},
		{"points far behind", with(append(laz(), make([]byte, 1<<25)...), inDataStart, 1<<25), "do not fill"},
		{"chunks of any size, a point too many", variable(6), "6 points, and its table of chunks 5"},
		{"chunks of any size, a point too few", variable(4), "4 points, and its table of chunks 5"},
		{"chunks of any size, no points", variable(0), "0 points, and its table of chunks 5"},
		{"chunks of any size, no table", with(laz(), inChunk, math.MaxUint32)[:inChunks+4], "cannot be read"},
		{"LAZ, a chunk too few", with(laz(), inCount, 50001), "counts 50001 points, and its table 1 chunks"},
		{"LAZ, a chunk too many", with(laz(), inChunks, 2), "counts 5 points, and its table 2 chunks"},
		{"LAZ, 2^40 points", with(laz(), inCount+4, 1<<8), "points, which do not fit"},
		{"LAZ, 2^63 points", with(laz(), inCount+4, 1<<31), "points, which do not fit"},
		{"LAZ, 2^32-1 chunks", with(laz(), inChunks, math.MaxUint32), "4294967295 chunks, which do not fit"},
		{"LAZ, no chunk", with(laz(), inChunks, 0), "5 points, and its table no chunk"},
		{"LAZ, an item too many", with(laz(), inItems, 2), "too short for the items"},
		{"LAZ, items of other points", with(laz(), inItemSize, 33),
			"points of 33 bytes, and its header has 34"},
		{"extra bytes beyond the record", with(plain(), 105, 33),
			"extra dimensions end at byte 34 of records of 33"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a")
			must.OK(t, os.WriteFile(path, c.bytes, 0o644))
			_, is, err := las.Points(path)
			must.Hold(t, is, "it is not taken for LAS")
			must.Says(t, err, c.words, "count")
		})
	}
}
