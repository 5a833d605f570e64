// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"slices"

	"superpoint/partition/base/parallel"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/render"
	"superpoint/pipelines/files/atomicfile"
)

// sample holds every n-th point of the tiles, at most samplePoints of them; n is doubled when there are more.
type sample struct {
	render.Columns
	every int // n, a power of two
}

const samplePoints = 1 << 22 // twice the pixels of a picture

func (s *sample) add(c *command.Columns, names ...string) {
	if s.every == 0 {
		s.every, s.Dimensions = 1, map[string][]float64{}
	}
	s.grow((len(c.X)+s.every-1)/s.every, names)
	for i := 0; i < len(c.X); i += s.every {
		s.X, s.Y, s.Z = append(s.X, c.X[i]), append(s.Y, c.Y[i]), append(s.Z, c.Z[i])
		for _, name := range names {
			s.Dimensions[name] = append(s.Dimensions[name], c.Dimensions[name][i])
		}
	}
	for ; len(s.X) > samplePoints; s.every *= 2 {
		s.X, s.Y, s.Z = half(s.X), half(s.Y), half(s.Z)
		for name, values := range s.Dimensions {
			s.Dimensions[name] = half(values)
		}
	}
}

// grow makes room for points: arrays that grew with each of them would leave a multiple of their size as
// garbage.
func (s *sample) grow(points int, names []string) {
	s.X = slices.Grow(s.X, points)
	s.Y = slices.Grow(s.Y, points)
	s.Z = slices.Grow(s.Z, points)
	for _, name := range names {
		s.Dimensions[name] = slices.Grow(s.Dimensions[name], points)
	}
}

// half keeps every second value.
func half(values []float64) []float64 {
	for i := 0; 2*i < len(values); i++ {
		values[i] = values[2*i]
	}
	return values[:(len(values)+1)/2]
}

// draw draws the points seen from above, coloured by the classes in a dimension, in metres per unit of each
// axis.
func (s *sample) draw(run parallel.Run, to *atomicfile.Output, style render.MapStyle,
	metres [3]float64) error {
	for axis, values := range [3][]float64{s.X, s.Y, s.Z} {
		for i := range values {
			values[i] *= metres[axis]
		}
	}
	return render.Map(run, to, &s.Columns, style)
}
