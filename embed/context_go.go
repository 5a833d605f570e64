//go:build !cgo || !(amd64 || arm64)

package embed

// interpolate writes the values of points to a table, see plain.
func (s *scale) interpolate(at [][3]int32, cube []uint32, table []float32, width int, placed []float32) {
	s.plain(at, cube, table, width, placed)
}
