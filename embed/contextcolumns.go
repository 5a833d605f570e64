// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"strings"
)

// contextValues are the columns of one scale: planarity, scattering and verticality as
// in package shape; height above the mean, in cubes; density, the logarithm of the
// number of points relative to the number on a plane.
var contextValues = [...]string{"planarity", "scattering", "verticality", "height", "density"}

const contextCount = len(contextValues)

const scatteringValue = 1 // of contextValues

// contextColumn returns the name of a column.
//
// scale is 0 for near and 1 for far, value an index of contextValues.
func contextColumn(scale, value int) string {
	return [...]string{"near_", "far_"}[scale] + contextValues[value]
}

func isContext(name string) bool {
	return strings.HasPrefix(name, "near_") || strings.HasPrefix(name, "far_")
}

// The context of a point is a description of a wider neighbourhood than its nearest neighbors,
// at two scales. Space is divided into cubes, from the anchor of the full cloud. For every
// corner of an occupied cube, contextValues are computed from the points of the eight cubes
// around it, by integer sums of their coordinates and products of coordinates. The context of a
// point is the trilinear interpolation of the values at the corners of its cube, so it is a
// continuous function of position. It depends only on points at most two cubes of the wider
// scale away, along each axis: the cubes around the corners of the point's own cube.
const (
	nearCube = 6 // edge of a cube of the near scale, in reference spacings
	farCubes = 3 // edge of a cube of the far scale, in cubes of the near scale
)
