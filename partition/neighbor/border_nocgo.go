//go:build !cgo || !amd64

// SPDX-License-Identifier: BSD-3-Clause

package neighbor

func (w *candidates) aroundAll(s *borderSearch, lo, hi int) { w.aroundGo(s, lo, hi) }
