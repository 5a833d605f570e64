// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"fmt"

	"superpoint/partition/base/parallel"
)

// Adjacency returns the graph that joins every point with its first k
// neighbours (all when k > K), each unordered pair once. It fails for more than
// 2³¹−1 edges. Memory: 4 bytes a point and 4 an edge, about 3 edges a point
// for k = 5 on surfaces; while it is built 4 an edge more.
//
// Most edges are in the lists of both ends. Some are in the list of one end only, because the other end has k
// nearer points. Both kinds become one undirected edge (build).
func Adjacency(l *Lists, k int, run parallel.Run) (*Graph, error) {
	if k < 1 {
		return nil, fmt.Errorf("neighbor: adjacency of %d neighbours; ask for at least 1", k)
	}
	return build(l.Len(), run, ownEnds(l, min(k, l.K), nil))
}

// ownEnds returns the ends of each point's own edges: its first k neighbours, and those across lines (nil:
// none).
//
// Without edges across lines the result is a part of the list itself, not a copy, which callers must not
// change. With them the list is copied to row, because an append to it would overwrite the neighbors after
// the k-th.
func ownEnds(l *Lists, k int, lines *lineEdges) ends {
	return func(i uint32, row []uint32) []uint32 {
		near := l.real(int(i), k)
		if lines == nil || lines.keep[i] == 0 {
			return near
		}
		return lines.ends(i, append(row, near...))
	}
}
