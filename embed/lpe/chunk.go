// SPDX-License-Identifier: BSD-3-Clause

package lpe

import (
	"slices"
)

// chunk is a range of consecutive points of a cloud, which are close together in space, with
// their neighbours outside the range. Rows are held for one chunk at a time: for all points
// they would be one of the largest arrays. Local indices are indices in points.
type chunk struct {
	lo, hi int
	points []uint32 // of the range, then the neighbours outside, ascending
	// rows of all points, by local index: hidden sums and kept columns as in layout.Network,
	// and the position
	rows []int16
}

// blocksPerChunk is the number of blocks of a chunk, about, for up to four threads.
const blocksPerChunk = 64

// len returns the number of points of the range.
func (s *chunk) len() int { return s.hi - s.lo }

// around returns the neighbours out of the range.
//
// They ascend, as number needs it.
func (s *chunk) around() []uint32 { return s.points[s.len():] }

// number returns the local index of a point of the cloud.
//
// Unsigned arithmetic tests both ends of the range at once: an index below lo becomes a large number.
// Neighbors out of the range are found by a search, O(log n); they are few, because a range is compact in
// space (chunkLength).
func (s *chunk) number(j uint32) uint32 {
	if own := j - uint32(s.lo); own < uint32(s.len()) {
		return own
	}
	at, _ := slices.BinarySearch(s.around(), j)
	return uint32(s.len() + at)
}
