// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"slices"

	"superpoint/partition/base/parallel"
)

// Lists holds K neighbours of every point, nearest first, the point itself
// excluded, but see Within. Duplicates of a point are neighbours at distance 0.
// Memory: 4·K bytes a point.
type Lists struct {
	K      int      // min(k asked for, number of points − 1)
	Points int      // number of points; may be 0 in lists made elsewhere with K > 0
	Index  []uint32 // number of points × K, row major
}

func newLists(n, k int) *Lists { return &Lists{K: k, Points: n, Index: make([]uint32, n*k)} }

// Of returns the neighbours of point i, nearest first.
//
// Its capacity ends with the row, so that an append copies it and cannot overwrite the next row.
func (l *Lists) Of(i int) []uint32 { return l.Index[i*l.K : (i+1)*l.K : (i+1)*l.K] }

// Len returns the number of points.
func (l *Lists) Len() int {
	if l.K == 0 {
		return l.Points
	}
	return len(l.Index) / l.K
}

// Farthest is the greatest distance of neighbours in metres. It bounds the halo of tiles, even
// with isolated points.
const Farthest = 10_000.0

// Within returns the lists with k neighbours, none farther than Farthest. A row with fewer
// is filled up with the point itself, which graphs ignore.
func (l *Lists) Within(c *Cloud, k int, run parallel.Run) (*Lists, error) {
	// Where no side of the cloud is longer than Farthest nothing has to be cut, and the lists are returned as
	// they are.
	if wide := len(c.tree.nodes) > 0 && c.tree.nodes[0].extent()*c.Unit > Farthest; l.K == k && !wide {
		return l, nil
	}
	limit := uint64((Farthest / c.Unit) * (Farthest / c.Unit))
	near := newLists(l.Len(), k)
	return near, run.For(l.Len(), block, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := near.Of(i)
			at := 0
			for _, j := range l.Of(i) {
				if at < k && c.squared(uint32(i), j) <= limit {
					row[at] = j
					at++
				}
			}
			// The point itself is a valid index that no list has otherwise, so that a reader needs no test
			// for a special number.
			for ; at < k; at++ {
				row[at] = uint32(i)
			}
		}
	})
}

// real returns the first k entries of a row without the fill of Within.
//
// Only the last entry is tested for most points: a list that was not cut does not end with its point.
func (l *Lists) real(i, k int) []uint32 {
	row := l.Of(i)[:k]
	if k > 0 && row[k-1] == uint32(i) {
		row = row[:slices.Index(row, uint32(i))]
	}
	return row
}
