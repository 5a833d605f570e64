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

// NewGraph returns the adjacency graph of nearest neighbours, with edges across the gaps
// between scan lines (acrossLines) and with short edges of the 3D Delaunay triangulation, as
// in the paper for sparse scans, if the options have them. It also returns the number of
// points that found an edge across lines.
func NewGraph(c *Cloud, l *Lists, how GraphOptions, run parallel.Run) (g *Graph, across int, err error) {
	may, err := mayHaveLines(c, how, run)
	if err != nil {
		return nil, 0, err
	}
	var lines *lineEdges
	if may {
		if lines, err = acrossLines(c, l, how.Nearest, how.Around, run); err != nil {
			return nil, 0, err
		}
		if float64(lines.points) >= how.Across*float64(c.Len()) {
			across = lines.points
		} else {
			lines = nil
		}
	}
	// Edges are composed as functions of a vertex, of which build asks for one row after the other.
	own := ownEnds(l, min(how.Nearest, l.K), lines)
	if how.Clumps {
		if own, err = findClumps(c, l, min(how.Nearest, l.K), own, nil, run); err != nil {
			return nil, 0, err
		}
	}
	// An edge that is found in several ways is one edge: build removes repeated ends.
	if how.Longest > 0 {
		short, err := Delaunay3D(c, how.Longest, run)
		if err != nil {
			return nil, 0, err
		}
		near := own
		own = func(u uint32, row []uint32) []uint32 {
			return append(append(row, near(u, nil)...), short.Of(int(u))...)
		}
	}
	g, err = build(c.Len(), run, own)
	return g, across, err
}

// mayHaveLines reports whether edges across lines have to be searched in the cloud.
func mayHaveLines(c *Cloud, how GraphOptions, run parallel.Run) (bool, error) {
	if how.Around == 0 || how.Across == 0 || c.Len() <= sampledAbove {
		return how.Around > 0, nil
	}
	items := make([]item, 0, pieces*pieceLength)
	for p := range pieces {
		// the middle of the p-th of as many equal ranges; points that follow one another are near one
		// another, so a piece has whole neighbourhoods
		at := (2*p+1)*c.Len()/(2*pieces) - pieceLength/2
		for i, q := range c.XYZ[at : at+pieceLength] {
			items = append(items, item{q[0], q[1], q[2], int32(at + i)})
		}
	}
	part, err := newCloud(c.Origin, c.Unit, items, boundingBox(items), run)
	if err != nil {
		return false, err
	}
	near, err := part.Nearest(how.Around, run)
	if err != nil {
		return false, err
	}
	found, err := acrossLines(part, near, how.Nearest, how.Around, run)
	return err == nil && float64(found.points) >= sampledShare*how.Across*float64(part.Len()), err
}
