//go:build !cgo || !(amd64 || arm64)

// SPDX-License-Identifier: BSD-3-Clause

package embed

// interpolate writes the context of points to a table, see plain.
func (s *scale) interpolate(sites []site, cubes []cubePosition, points []uint32, table []float32, width int,
	scattered []float32) {
	s.plain(sites, cubes, points, table, width, scattered)
}
