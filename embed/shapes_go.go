//go:build !cgo || !amd64

// SPDX-License-Identifier: BSD-3-Clause

package embed

import "superpoint/embed/layout"

// shapes fills in the shape columns of the points lo to hi−1.
func (s *Inputs) shapes(places *layout.Shapes, lo, hi int, rows []float32, stride int) {
	s.plainShapes(places, lo, hi, rows, stride)
}
