//go:build !cgo || !amd64

package neighbor

func (w *wishes) aroundAll(s *sideways, lo, hi int) { w.aroundGo(s, lo, hi) }
func (w *wishes) beyondAll(s *sideways, lo, hi int) { w.beyondGo(s, lo, hi) }
func (w *wishes) keptAll(keep []uint32, lo, hi int) { w.keptGo(keep, lo, hi) }
