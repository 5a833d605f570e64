// SPDX-License-Identifier: BSD-3-Clause

package sources_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"superpoint/pipelines/files/sources"
	"superpoint/testdata/must"
)

// binaryPLY returns a binary PLY that counts vertices of 4 or 8 bytes, before as many bytes as given.
func binaryPLY(count uint64, size, bytes int) string {
	kind := map[int]string{4: "float", 8: "double"}[size]
	return fmt.Sprintf("ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty %s x\nend_header\n",
		count, kind) +
		strings.Repeat("\x01", bytes)
}

// compressedPCD returns a PCD that counts points of three floats, and has a block of as many bytes as given,
// which states another number when it is unpacked.
func compressedPCD(count uint64, packed, unpacked uint32) string {
	block := binary.LittleEndian.AppendUint32(nil, packed)
	block = binary.LittleEndian.AppendUint32(block, unpacked)
	return fmt.Sprintf("VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH %d\nPOINTS %d\n",
		count, count) +
		"DATA binary_compressed\n" + string(block) + strings.Repeat("\x01", int(packed))
}

// bpf returns a BPF of version 3 with a head of 20 bytes that counts points of one value of four bytes, and
// as many bytes as given.
func bpf(count uint32, compressed byte, bytes int) string {
	head := append([]byte("BPF!0003"), 20, 0, 0, 0, 1, 0, compressed, 0)
	return string(binary.LittleEndian.AppendUint32(head, count)) + strings.Repeat("\x01", bytes)
}

// terraScan returns a TerraScan file of a version that counts points without time, with color, and has as
// many bytes.
func terraScan(version, count uint32, bytes int) string {
	head := binary.LittleEndian.AppendUint32(nil, 56)
	for _, field := range []uint32{version, 970401, 0x5A595843, count, 100, 0, 0, 0, 0, 0, 0, 0, 1} {
		head = binary.LittleEndian.AppendUint32(head, field)
	}
	return string(head) + strings.Repeat("\x01", bytes)
}

// optech returns an Optech file that counts pulses, and has those with the given numbers of returns.
func optech(count uint32, returns ...byte) string {
	const head, record = 200, 69
	text := append([]byte("CSD\x00"), make([]byte, head-4)...)
	text[104] = head
	binary.LittleEndian.PutUint32(text[124:], count)
	for _, n := range returns {
		pulse := make([]byte, record)
		pulse[8] = n
		text = append(text, pulse...)
	}
	return string(text)
}

const (
	plyHead = "ply\nformat binary_little_endian 1.0\n"
	faces   = "property list uchar int vertex_indices\n"
	tooMany = "the bytes behind it hold at most "
)

// TestCountsFitInFiles: what the header of a file counts is compared with what the file can hold.
func TestCountsFitInFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		points     int64
		words      string // of the error; "" = none
	}{
		{"all.ply", binaryPLY(3, 8, 24), 3, ""},
		{"none.ply", binaryPLY(0, 8, 0), 0, ""},
		{"too many.ply", binaryPLY(4, 8, 24), 0, tooMany + "3"},
		{"2^32.ply", binaryPLY(1<<32, 8, 24), 0, tooMany + "3"},
		{"2^63.ply", binaryPLY(1<<63, 8, 24), 0, "line 3: its header counts '9223372036854775808' points"},
		{"negative.ply", strings.Replace(textPLY, "vertex 2", "vertex -2", 1), 0, "'-2' points"},
		{"too few.ply", binaryPLY(2, 8, 24), 0,
			"counts 2 points, and 3 follow: the program that wrote it was interrupted"},
		{"faces.ply", plyHead + "element vertex 1\nproperty float x\nelement face 1\n" + faces +
			"end_header\n12341", 1, ""},
		{"too many faces.ply", plyHead + "element vertex 1\nproperty float x\nelement face 4000000000\n" +
			faces +
			"end_header\n12341", 0, tooMany + "1"},
		{"faces before.ply", plyHead + "element face 9\n" + faces +
			"element vertex 1\nproperty float x\nend_header\n1", 0,
			tooMany + "1"},
		{"text after faces.ply", "ply\nformat ascii 1.0\nelement face 1\n" + faces +
			"element vertex 4000000000\nproperty float x\nend_header\n0\n1\n", 0, tooMany},
		{"faces in text.ply", strings.Replace(textPLY, "end_header",
			"element face 1\n"+faces+"end_header", 1) +
			"1 1 1\n2 2 2\n2 0 1\n", 2, ""},

		{"all.pcd", compressedPCD(3, 9, 36), 3, ""},
		{"too many.pcd", compressedPCD(4, 9, 36), 0, tooMany + "3"},
		{"2^32.pcd", compressedPCD(1<<32, 9, 36), 0, tooMany + "3"},
		{"2^63.pcd", compressedPCD(1<<63, 9, 36), 0,
			"line 7: its header counts '9223372036854775808' points"},
		{"unpacked too large.pcd", compressedPCD(1<<24, 9, 12<<24), 0, tooMany + "66"},
		{"cut.pcd", compressedPCD(3, 9, 36)[:110], 0, "cut short"},
		{"without a block.pcd", compressedPCD(3, 0, 0)[:100], 0, tooMany + "0"},
		{"binary.pcd", textPCD[:len(textPCD)-6] + "BINARY\n", 0, "binary"},

		{"all.bpf", bpf(3, 0, 12), 3, ""},
		{"too many.bpf", bpf(4, 0, 12), 0, tooMany + "3"},
		{"2^32.bpf", bpf(1<<32-1, 0, 12), 0, tooMany + "3"},
		{"compressed.bpf", bpf(3000, 1, 12), 3000, ""},
		{"compressed too many.bpf", bpf(1<<32-1, 1, 12), 0, tooMany + "3096"},
		{"other.bpf", "BPF?", sources.Unknown, ""},

		{"all.bin", terraScan(20020715, 3, 72), 0, "pdal translate FILE.bin FILE.laz"},
		{"units.bin", terraScan(20020715, 3, 72), 0, "--writers.las.scale_z=0.01 "},
		{"too many.bin", terraScan(20020715, 4, 72), 0, tooMany + "3"},
		{"2^31.bin", terraScan(20020715, 1<<31-1, 72), 0, tooMany + "3"},
		{"negative.bin", terraScan(20020715, 1<<32-1, 72), 0, "counts -1 points"},
		{"too few.bin", terraScan(20020715, 2, 72), 0, "counts 2 points, and 3 follow"},
		{"cut.bin", terraScan(20020715, 3, 71), 0, tooMany + "2"},
		{"2001.bin", terraScan(20010712, 3, 72), 0, "of 2001, whose coordinates PDAL cannot read"},
		{"version.bin", terraScan(1, 3, 72), 0, "of version 1"},
		{"other.bin", "model", 0, "not a TerraScan file"},

		{"all.csd", optech(3, 1, 0, 4), 5, ""},
		{"none.csd", optech(0), 0, ""},
		{"five returns.csd", optech(1, 5), 4, ""},
		{"too many.csd", optech(4, 1, 1, 1), 0, tooMany + "3"},
		{"2^32.csd", optech(1<<32-1, 1, 1, 1), 0, tooMany + "3"},
		{"too few.csd", optech(2, 1, 1, 1), 0, "counts 2 points, and 3 follow"},
		{"cut.csd", optech(2, 1, 1)[:337], 0, tooMany + "1"},
		{"short head.csd", strings.Replace(optech(1, 1), "\xc8", "\x05", 1), 0, "has 5 bytes by itself"},
		{"other.csd", "CSD?", sources.Unknown, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			points, err := sources.Inspect(write(t, t.TempDir(), c.name, c.text))
			must.Says(t, err, c.words, "count")
			if err == nil {
				must.Hold(t, points == c.points,
					"%d points, not %d: points is not c.points", points, c.points)
			}
		})
	}
}

// TestInspectPTS: a PTS has the number of its points in the first line, and no further one.
func TestInspectPTS(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		points     int64
		words      string
	}{
		{"X Y Z", "2\n1 2 3\n4 5 6\n", 2, ""},
		{"intensity, Windows", "2\r\n1 2 3 -5\r\n4 5 6 7\r\n", 2, ""},
		{"all columns, blank lines", " 1 \n\n1 2 3 4 5 6 7\n\n", 1, ""},
		{"no points", "0\n", 0, ""},
		{"two scans", "1\n1 2 3\n2\n4 5 6\n7 8 9\n", 0,
			"line 3: 2 is the number of points of a further scan"},
		{"two scans, the first counts all", "3\n1 2 3\n2\n4 5 6\n7 8 9\n", 0,
			"line 3: 2 is the number of points"},
		{"a scan without points", "0\n1\n1 2 3\n", 0, "line 2: 1 is the number of points"},
		{"no number", "1 2 3\n4 5 6\n", 0,
			"line 1: '1 2 3' is not the number of points, which PTS begins with; add it"},
		{"a fraction", "2.5\n4 5 6\n", 0, "line 1: '2.5' is not the number of points"},
		{"a comment", "//X Y Z\n1 2 3\n", 0,
			"line 1: '//X Y Z' is not the number of points; replace the line"},
		{"negative", "-1\n", 0, "line 1: '-1' is not the number of points"},
		{"empty", "", 0, "line 1: '' is not the number of points"},
		{"too few", "1\n1 2 3\n4 5 6\n", 0,
			"line 1: it counts 1 point, and 2 follow; if none is missing, correct the"},
		{"too many", "3\n1 2 3\n4 5 6\n", 0, "line 1: it counts 3 points, and 2 follow"},
		{"2^40", "1099511627776\n1 2 3\n", 0, "line 1: it counts 1,099,511,627,776 points, and 1 follow"},
		{"2^64", "18446744073709551616\n1 2 3\n", 0, "is not the number of points"},
		{"a short line", "2\n1 2 3\n4 5\n", 0, "line 3: 2 fields, and the first point has 3"},
		{"a long line", "2\n1 2 3\n4 5 6 7\n", 0, "line 3: 4 fields, and the first point has 3"},
		{"colours without intensity", "1\n1 2 3 4 5 6\n", 0,
			"line 2: 6 fields; PTS has X Y Z, or also Intensity"},
		{"tabs", "1\n1\t2\t3\n", 0, "line 2: its columns are separated by tabs"},
		{"decimal commas", "1\n1,5 2,5 3,5\n", 0,
			"line 2: '1,5' is not a number; write it without quotes and separators"},
		{"a fraction of intensity", "1\n1 2 3 0.5\n", 0,
			"Intensity is 0.5, and PDAL rounds it; write integers, or write it as text"},
		{"a fraction of a colour", "1\n1 2 3 4 5 6 .5\n", 0, "Blue is .5"},
		{"UTF-16", "\xff\xfe1\x00\n\x00", 0, "line 1: it has bytes that are not text"},
		{"old ends of lines", "1\r1 2 3\r", 0, "line 1: its lines end in carriage returns alone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			points, err := sources.Inspect(write(t, t.TempDir(), "a.PTS", c.text))
			must.Says(t, err, c.words, "PTS")
			if err == nil {
				must.Hold(t, points == c.points,
					"%d points, not %d: points is not c.points", points, c.points)
			}
		})
	}
}
