//go:build !cgo || !amd64

// SPDX-License-Identifier: BSD-3-Clause

package embed

import "superpoint/embed/layout"

// shapes fills in the shape columns of points.
func (s *Inputs) shapes(places *layout.Shapes, points []uint32, rows []float32, stride int) {
	s.plainShapes(places, points, rows, stride)
}
