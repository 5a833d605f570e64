// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import "superpoint/partition/base/parallel"

// GraphOptions select the edges of an adjacency graph. The filter, training and
// validation use them, so that a model is trained and validated on the graphs with which
// it is used.
type GraphOptions struct {
	Nearest int     // number of nearest neighbours of each point with an edge to it
	Around  int     // number of neighbours by which scan lines are detected; 0: no edges across lines
	Across  float64 // least share of points with edges across lines for these edges to be kept
	Clumps  bool    // edges between a clump and the points around it
	Longest float64 // longest edge of the 3D Delaunay triangulation, metres; 0: none
}

// DelaunaySpacings is the length of the longest Delaunay edge in spacings of the points, where
// no length is given. It gives the paper's 0.5 m in a cloud of 60 points/m².
const DelaunaySpacings = 4

// ScanLines is the share of points with edges across lines from which a cloud is treated as
// one of scan lines. Without scan lines such edges are accidents and gain nothing. Few labelled
// clouds have a share near it.
const ScanLines = 0.01

// A cloud of more than sampledAbove points is first judged by a sample, pieces of consecutive points: if the
// share of points with edges across lines is below sampledShare × ScanLines there, the cloud has none.
// Reason: in all labelled clouds with a share of at least ScanLines, the sample's share is at least 0.4 ×
// ScanLines. The squares on which a large cloud is measured have fewer points: they are a sample already.
const (
	sampledAbove = 36_000
	sampledShare = 0.3
	pieces       = 16
	pieceLength  = 512
)

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
