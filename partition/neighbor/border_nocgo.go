//go:build !cgo || !amd64

// SPDX-License-Identifier: BSD-3-Clause

package neighbor

func (w *candidates) aroundAll(s *borderSearch, lo, hi int) { w.aroundGo(s, lo, hi) }

func borderFast() bool { return false }

func (s *borderSearch) inConeC(axis *offset, limit float64) uint32 { return s.inConeGo(axis, limit) }

func (s *borderSearch) gapInC(t *tube) bool { return s.isGap(t) }
