package neighbor

import "superpoint/partition/base/parallel"

// GraphOptions select the edges of an adjacency graph. The filter, training and
// validation use them, so that a model is trained and validated on the graphs with which
// it is used.
type GraphOptions struct {
	Nearest int     // number of nearest neighbours of each point with an edge to it
	Around  int     // number of neighbours by which scan lines are detected; 0: no edges across lines
	Across  float64 // least share of points with edges across lines for these edges to be kept
	Longest float64 // longest edge of the 3D Delaunay triangulation, metres; 0: none
}

// DelaunaySpacings is the length of the longest Delaunay edge in spacings of the points, where
// no length is given. It gives the paper's 0.5 m in a cloud of 60 points/m².
const DelaunaySpacings = 4

// ScanLines is the share of points with edges across lines from which a cloud is treated as
// one of scan lines. Without scan lines such edges are accidents and gain nothing. Few labelled
// clouds have a share near it.
const ScanLines = 0.01

// NewGraph returns the adjacency graph of nearest neighbours, with edges across the gaps
// between scan lines (AcrossLines) and with short edges of the 3D Delaunay triangulation, as
// in the paper for sparse scans, if the options have them. It also returns the number of
// points that found an edge across lines.
func NewGraph(c *Cloud, l *Lists, how GraphOptions, run parallel.Run) (g *Graph, across int, err error) {
	if l.K == 0 { // one point
		return &Graph{Start: make([]uint32, c.Len()+1)}, 0, nil
	}
	var more [][2]uint32
	if how.Around > 0 {
		if more, across, err = AcrossLines(c, l, how.Nearest, how.Around, run); err != nil {
			return nil, 0, err
		}
		if float64(across) < how.Across*float64(c.Len()) {
			more, across = nil, 0
		}
	}
	if g, err = adjacency(l, min(how.Nearest, l.K), more, run); err != nil {
		return nil, 0, err
	}
	if how.Longest > 0 {
		short, err := Delaunay3D(c, how.Longest, run)
		if err != nil {
			return nil, 0, err
		}
		if g, err = g.Union(short); err != nil {
			return nil, 0, err
		}
	}
	return g, across, nil
}
