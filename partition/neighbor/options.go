// SPDX-License-Identifier: BSD-3-Clause

package neighbor

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
