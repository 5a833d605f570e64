//go:build !cgo || !amd64

package neighbor

func (w *candidates) aroundAll(s *borderSearch, lo, hi int) { w.aroundGo(s, lo, hi) }
