//go:build !cgo || !(amd64 || arm64)

package embed

// GatherRange gathers the points lo to hi−1. Each set is rows ≥ Neighbors rows
// long; the rows beyond Neighbors repeat its first.
func (s *Inputs) GatherRange(lo, hi, rows int, set, point []float32) {
	s.gatherRange(lo, hi, rows, set, point)
}
