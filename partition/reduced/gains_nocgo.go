//go:build !cgo || !amd64

package reduced

// gains returns the gains of merging along the edges of the vertices from lo to hi−1, row
// by row, in the memory of out, see plainGains.
func (g *Graph) gains(lo, hi int, even bool, out []float32) []float32 {
	return g.plainGains(lo, hi, even, out)
}
