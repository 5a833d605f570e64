//go:build !cgo || !amd64

package neighbor

func (w *wishes) aroundAll(s *sideways, lo, hi int) { w.aroundGo(s, lo, hi) }
