//go:build !cgo || !amd64

package embed

// shapes fills in the shape columns of the points lo to hi−1.
func (s *Inputs) shapes(places *shapePlaces, lo, hi int) { s.plainShapes(places, lo, hi) }
