package neighbor

// Lists holds K neighbours of every point, nearest first, the point itself
// excluded. Duplicates of a point are neighbours at distance 0.
type Lists struct {
	K     int      // min(k asked for, number of points − 1)
	Index []uint32 // number of points × K, row major
}

// Of returns the neighbours of point i, nearest first.
func (l *Lists) Of(i int) []uint32 { return l.Index[i*l.K : (i+1)*l.K : (i+1)*l.K] }
