//go:build !cgo || !amd64

package neighbor

func (w *candidates) aroundAll(s *borderSearch, lo, hi int) { w.aroundGo(s, lo, hi) }

func (s *borderSearch) inCone(axis *offset, limit float64) uint32 { return s.inConeGo(axis, limit) }

func (s *borderSearch) gapBehind(edge offset, kth float64) bool { return s.gapBehindGo(edge, kth) }
