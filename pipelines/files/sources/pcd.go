// SPDX-License-Identifier: BSD-3-Clause

package sources

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// pcd is the header of a PCD file (pointclouds.org/documentation/tutorials/pcd_file_format.html).
type pcd struct {
	points  int64
	fields  int
	columns int // of a row: fields, or the sum of COUNT
	sizes   []int64
	counts  []int64
	data    string // ascii, binary or binary_compressed
}

// inspectPCD returns the number of points of a PCD file, and checks those that are text.
func inspectPCD(l *lines) (points int64, err error) {
	h, err := readPCD(l)
	if h == nil || err != nil {
		return Unknown, err // PDAL gives the reason
	}
	switch h.data {
	case "binary":
		return 0, errors.New(
			"its points are binary, which PDAL 2.2 reads wrong; write them as text, for example by " +
				"pcl_convert_pcd_ascii_binary IN OUT 0")
	case "ascii":
		return h.points, l.checkRows(h.points, 0, h.columns, true)
	}
	return h.points, h.checkCompressed(l)
}

// readPCD reads the header; nil if it is none, or has no number of points.
func readPCD(l *lines) (*pcd, error) {
	const mostLines = 1000
	h := &pcd{points: Unknown}
	for l.number < mostLines {
		line, more, err := l.next()
		if err != nil || !more {
			return nil, nil
		}
		words := strings.Fields(string(line))
		if len(words) < 2 {
			continue
		}
		switch words[0] {
		case "FIELDS", "COLUMNS":
			h.fields = len(words) - 1
			h.columns = h.fields
		case "SIZE":
			h.sizes, err = parseCounts(words[1:])
		case "COUNT":
			h.counts, err = parseCounts(words[1:])
			h.columns = 0
			for _, n := range h.counts {
				h.columns += int(n)
			}
		case "POINTS":
			h.points, err = parseCount(words[1])
		case "DATA":
			if h.data = strings.ToLower(words[1]); h.points == Unknown && h.data != "binary" {
				return nil, nil
			}
			return h, nil
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", l.number, err)
		}
	}
	return nil, nil
}

// parseCounts parses small numbers of a header.
func parseCounts(words []string) (all []int64, err error) {
	const most = 1 << 20
	for _, word := range words {
		n, err := parseCount(word)
		if err != nil || n > most {
			return nil, fmt.Errorf("its header has the size or number '%s'; copy or download it again", word)
		}
		all = append(all, n)
	}
	return all, nil
}

// rowBytes returns the bytes of a point.
func (h *pcd) rowBytes() (size int64) {
	for k, s := range h.sizes {
		n := int64(1)
		if k < len(h.counts) {
			n = h.counts[k]
		}
		size += s * n
	}
	return max(size, 1)
}

// checkCompressed fails if the block of points is not in the file, or does not agree with the header. The
// file has the size of the block, the size of its points, each a number of four bytes, and the block. It is
// compressed by LZF, which makes at most 264 bytes of three.
func (h *pcd) checkCompressed(l *lines) error {
	const head, mostFactor = 8, 88
	if h.points == 0 {
		return nil
	}
	sizes := make([]byte, head)
	if _, err := io.ReadFull(l.from, sizes); err != nil {
		return errTooMany(h.points, 0)
	}
	packed := int64(binary.LittleEndian.Uint32(sizes))
	unpacked := int64(binary.LittleEndian.Uint32(sizes[4:]))
	if left := l.left() - head; packed > left {
		return fmt.Errorf(
			"its block of points has %d bytes, and the file %d: it was cut short (is the disk full?); copy "+
				"or download it again", packed, left)
	}
	if held := unpacked / h.rowBytes(); h.points > held || unpacked > packed*mostFactor {
		return errTooMany(h.points, min(held, packed*mostFactor/h.rowBytes()))
	}
	return nil
}
