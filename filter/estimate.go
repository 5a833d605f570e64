package filter

import "math"

// Peak memory of a view in bytes a point, beside what the host has of it
// without the stage: the growth of pdal's resident memory over the same
// pipeline without the stage, 640,510 points of aerial lidar (AHN3), two
// threads. TestMemoryPerPoint compares the estimates that follow from them with
// what a made scene takes.
const (
	bytesBase      = 330 // ssp, learned model, the solver auto
	bytesNeighbor  = 2.7 // each neighbour above 20: 447 at knn=64
	bytesAdjacent  = 8.5 // each neighbour in the graph above 10: 918 at knn=64, adjacency_knn=64
	bytesDelaunay  = 270 // 596 with delaunay
	bytesPursuit   = 59  // each neighbour in the graph, with the solver cut-pursuit on all of it: 917 at 10
	bytesLin       = 200 // 545 with lin
	bytesColumn    = 24  // each further column of the embedding: itself, the problem's values, the solver's means
	bytesDimension = 20  // each dimension that is read: the host's copy, and that in the cloud's order
	bytesGrid      = 290 // graph=grid, which has no tree, no neighbour lists and no network
	usualColumns   = 4   // of the built-in models
	usualAdjacency = 10  // of the built-in models
)

// bytesPerPoint estimates the peak memory of a view with the filter's options,
// in bytes a point beside what the host has without the stage. Clouds with more
// edges or duplicates differ by some tenths.
func (f *Filter) bytesPerPoint(s settings) float64 {
	o := f.options
	bytes := float64(bytesBase)
	if o.Graph == "grid" {
		bytes = bytesGrid
	}
	bytes += bytesNeighbor * max(0, float64(s.knn-defaultKNN))
	if methods()[o.Method].embeds {
		bytes += bytesAdjacent * max(0, float64(s.adjacency-usualAdjacency))
		if f.model != nil {
			bytes += bytesColumn*max(0, float64(f.model.embedder.Dim()-usualColumns)) + bytesDimension*float64(len(f.model.needs))
		}
	}
	if s.delaunay {
		bytes += bytesDelaunay
	}
	if o.Solver == "cut-pursuit" {
		bytes += bytesPursuit * float64(s.adjacency)
	}
	if o.Method == "lin" {
		bytes += bytesLin
	}
	return bytes + bytesDimension*float64(len(o.labels()))
}

// need returns the memory that the points of a view need, in bytes.
func (f *Filter) need(s settings, points int) uint64 {
	return uint64(math.Round(f.bytesPerPoint(s) * float64(points)))
}
