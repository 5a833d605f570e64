// SPDX-License-Identifier: BSD-3-Clause

package sources

import (
	"encoding/binary"
	"io"
	"strings"
)

// inspectBPF returns the number of points of a BPF file of version 3, which PDAL makes up where the file ends
// before (pdal.io/en/latest/stages/readers.bpf.html).
func inspectBPF(l *lines) (points int64, err error) {
	const (
		headBytes                                             = 20
		atLength, atDimensions, atCompression, atPoints       = 8, 12, 14, 16
		valueBytes                                            = 4
		mostFactor                                      int64 = 1032 // of zlib
	)
	head := make([]byte, headBytes)
	if _, err := io.ReadFull(l.from, head); err != nil || !strings.HasPrefix(string(head), "BPF!0003") {
		return Unknown, nil // PDAL gives the reason
	}
	points = int64(binary.LittleEndian.Uint32(head[atPoints:]))
	row := max(1, valueBytes*int64(head[atDimensions]))
	room := max(0, l.size-int64(binary.LittleEndian.Uint32(head[atLength:])))
	if head[atCompression] != 0 {
		room *= mostFactor
	}
	if points > room/row {
		return 0, errTooMany(points, room/row)
	}
	return points, nil
}
