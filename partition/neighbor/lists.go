package neighbor

// Lists holds K neighbours of every point, nearest first, the point itself
// excluded. Duplicates of a point are neighbours at distance 0. Memory: 4·K bytes
// a point.
type Lists struct {
	K      int      // min(k asked for, number of points − 1)
	Points int      // number of points; may be 0 in lists made elsewhere with K > 0
	Index  []uint32 // number of points × K, row major
}

func newLists(n, k int) *Lists { return &Lists{K: k, Points: n, Index: make([]uint32, n*k)} }

// Of returns the neighbours of point i, nearest first.
func (l *Lists) Of(i int) []uint32 { return l.Index[i*l.K : (i+1)*l.K : (i+1)*l.K] }

// Len returns the number of points.
func (l *Lists) Len() int {
	if l.K == 0 {
		return l.Points
	}
	return len(l.Index) / l.K
}
