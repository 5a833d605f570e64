package memory

import "math"

// Peak memory of a view in bytes per point: the difference of pdal's peak resident memory with
// and without the stage, for 640,510 points of aerial lidar (AHN3) and two threads, with 47 of the
// library itself, which are part of memoryBase. The heap grows up to the estimate (Reserve).
// TestMemoryPerPoint of package filter compares the estimates with measurements on a simulated
// scene. Edges across scan lines do not change the peak.
const (
	bytesBase      = 306  // ssp, learned model, the solver auto: 293
	bytesNeighbor  = 2.7  // each neighbour above 20: 447 at knn=64
	bytesAdjacent  = 12.5 // each neighbour in the graph above 10: 1,055 at knn=64, adjacency_knn=64
	bytesDelaunay  = 430  // 626 with delaunay
	bytesPursuit   = 48   // each neighbour in the graph, with the solver cut-pursuit on all of it: 822 at 10
	bytesLin       = 300  // 637 with lin
	bytesColumn    = 24   // each further column of the embedding: itself, the problem's values, the solver's means
	bytesContext   = 20   // a model that reads context: cubes and their corners; 264 in all
	bytesDimension = 20   // each dimension that is read: the host's copy, and that in the cloud's order
	bytesClasses   = 160  // classes: what describes points, and the dimensions that it is made of; 556 in all
	bytesGrid      = 370  // graph=grid, without tree, neighbour lists and network: 363 on the made scene
	usualNeighbors = 20   // of the paper and of the built-in models
	usualColumns   = 4    // of the built-in models
	usualAdjacency = 10   // of the built-in models
)

// Work is what the memory of a view depends on.
type Work struct {
	Neighbors  int  // number of neighbours in the lists
	Adjacent   int  // number of neighbours in the graph; 0 for methods without an embedding
	Columns    int  // of the embedding
	Context    bool // the model reads context
	Dimensions int  // dimensions read, without X, Y and Z
	Delaunay   bool // the graph has Delaunay edges
	Grid       bool // the points are the pixels of an image
	Pursuit    int  // neighbours in the graph, with the solver cut-pursuit; 0 for other solvers
	Lin        bool // the method lin
	Classes    bool // superpoints are classified
}

// PerPoint returns an estimate of the peak memory of a view in bytes per point, without that of
// the host. It may be wrong by some 10 % for clouds with more edges or duplicates.
func (w Work) PerPoint() float64 {
	bytes := float64(bytesBase)
	if w.Grid {
		bytes = bytesGrid
	}
	above := func(n, usual int) float64 { return float64(max(0, n-usual)) }
	bytes += bytesNeighbor*above(w.Neighbors, usualNeighbors) + bytesAdjacent*above(w.Adjacent, usualAdjacency)
	bytes += bytesColumn*above(w.Columns, usualColumns) + bytesDimension*float64(w.Dimensions)
	if w.Context {
		bytes += bytesContext
	}
	if w.Delaunay {
		bytes += bytesDelaunay
	}
	if w.Lin {
		bytes += bytesLin
	}
	if w.Classes {
		bytes += bytesClasses
	}
	return bytes + bytesPursuit*float64(w.Pursuit)
}

// Need returns the memory that a number of points need, in bytes.
func (w Work) Need(points int) uint64 {
	return uint64(math.Round(w.PerPoint() * float64(points)))
}
