// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"fmt"
	"slices"

	"superpoint/partition/base/parallel"
)

// Adjacency returns the graph that joins every point with its first k
// neighbours (all when k > K), each unordered pair once. It fails for more than
// 2³¹−1 edges. Memory: 4 bytes a point and 4 an edge, about 3 edges a point
// for k = 5 on surfaces; while it is built 8·(k + 1) bytes a point more.
func Adjacency(l *Lists, k int, run parallel.Run) (*Graph, error) {
	if k < 1 {
		return nil, fmt.Errorf("neighbor: adjacency of %d neighbours; ask for at least 1", k)
	}
	return adjacency(l, min(k, l.K), nil, run)
}

// adjacency returns the graph of the edges {i, j} with j among the first k neighbours of i or
// i among those of j, and of the edges more. The row of a point first has those that it lists;
// an edge that only its larger point lists, or may be listed by a point of an earlier block, is
// added afterwards.
func adjacency(l *Lists, k int, more [][2]uint32, run parallel.Run) (*Graph, error) {
	n := l.Len()
	later := make([][][2]uint32, (n+block-1)/block, (n+block-1)/block+1)
	g, err := fromRows(n, run, func(u int) int { return k * u }, func(i uint32, r *rows) {
		row, begin := l.real(int(i), k), len(r.head)
		larger, count := r.head[begin:begin+len(row)], 0
		for _, j := range row { // half of the branches would be mispredicted
			larger[count] = j
			if j > i {
				count++
			}
		}
		r.head = r.head[:begin+count]
		for _, j := range row {
			if j < i && (j < r.first || !slices.Contains(r.of(j), i)) {
				later[r.first/block] = append(later[r.first/block], [2]uint32{j, i})
			}
		}
	})
	if err != nil {
		return nil, err
	}
	later = append(later, more)
	return g.with(run, func(visit func(u, v uint32)) {
		for _, edges := range later {
			for _, e := range edges {
				visit(e[0], e[1])
			}
		}
	})
}
