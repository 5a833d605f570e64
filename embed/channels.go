// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"slices"
	"strings"

	"superpoint/embed/layout"
)

// A column is one value per point from which channels are computed: the value at the
// point itself, at a neighbour, or the difference of the two.
//
// Channels.places has the index of each column in a row of the table; dimensions are names of PDAL.
type column struct {
	name       string
	dimensions []string // PDAL dimensions it is computed from, besides X, Y, Z
}

// columns lists every column. Geometric ones need no dimension and do not
// depend on the extent of a tile.
var columns = [...]column{
	{"red", []string{"Red"}}, {"green", []string{"Green"}}, {"blue", []string{"Blue"}}, // colour in [0, 1]
	{"infrared", []string{"Infrared"}},   // in [0, 1]
	{"intensity", []string{"Intensity"}}, // in [0, 1], see Scale
	// ln max(intensity, 1): its differences have no unit
	{"log_intensity", []string{"Intensity"}},
	// return number / number of returns, in [0, 1]
	{"echo", []string{"ReturnNumber", "NumberOfReturns"}},
	{"returns", []string{"NumberOfReturns"}}, // min(number of returns, 5)/5
	// metres above the ground nearby, see Elevation
	{elevationColumn, nil},
	{"log_radius", nil},                                         // ln of the neighbourhood's radius in metres
	{"linearity", nil}, {"planarity", nil}, {"scattering", nil}, // Demantké et al. 2011, in [0, 1]
	{"verticality", nil}, // 0 on level ground, 0.7 on walls, 1 on poles (Guinard and Landrieu 2017)
	{normalColumn, nil},  // only as normal_turn
	// at two scales, see context.go
	{"near_planarity", nil}, {"near_scattering", nil}, {"near_verticality", nil}, {"near_height", nil},
	{"near_density", nil}, {"far_planarity", nil}, {"far_scattering", nil}, {"far_verticality", nil},
	{"far_height", nil}, {"far_density", nil},
}

var (
	position = []string{layout.X.String(), layout.Y.String(), layout.Z.String()}
	omega    = []string{"omega_xx", "omega_xy", "omega_yx", "omega_yy"}
)

// Columns that code refers to by name.
const (
	elevationColumn = "elevation"
	normalColumn    = "normal"
)

// PointChannelNames returns every valid name of point_channels.
//
// The normal is no channel by itself, because its sign is arbitrary: only the angle between two normals is
// (normal_turn).
func PointChannelNames() []string {
	names := []string{layout.Radius.String(), layout.CentroidOffset.String(), layout.HeightRange.String()}
	names = append(names, omega...)
	for _, c := range columns {
		if c.name != normalColumn {
			names = append(names, c.name)
		}
	}
	return names
}

// NeighborChannelNames returns every valid name of neighbor_channels.
func NeighborChannelNames() []string {
	names := append(slices.Clone(position), layout.NormalTurn.String(), layout.Rise.String())
	for _, c := range columns {
		if c.name != normalColumn {
			names = append(names, c.name, layout.DColumn.String()+c.name)
		}
	}
	return names
}

// columnOf returns the column that a channel reads, or "".
//
// d_elevation and elevation read the same column; radius and other measures of a neighborhood read none.
func columnOf(channel string) string {
	if layout.Of(channel) == layout.NormalTurn {
		return normalColumn
	}
	name := strings.TrimPrefix(channel, layout.DColumn.String())
	for _, c := range columns {
		if c.name == name {
			return name
		}
	}
	return ""
}

// uses returns the columns that the channels read, in the order of columns.
//
// The order is fixed, so that two cards with the same channels in another order have the same columns.
func (ch *Channels) uses() []column {
	var used []column
	for _, c := range columns {
		reads := func(channel string) bool { return columnOf(channel) == c.name }
		if slices.ContainsFunc(ch.Neighbor, reads) || slices.ContainsFunc(ch.Point, reads) {
			used = append(used, c)
		}
	}
	return used
}

// Requires returns the PDAL dimensions that a cloud must have: X, Y, Z first.
//
// They are in the order of columns, so that the list in a card can be compared with them
// (Validate).
func (c *Card) Requires() []string {
	names := []string{"X", "Y", "Z"}
	for _, col := range c.Inputs.uses() {
		for _, d := range col.dimensions {
			if !slices.Contains(names, d) {
				names = append(names, d)
			}
		}
	}
	return names
}

// Scaled returns a dimension whose values are scaled by their range over all points
// (see Scale), or "" if no channel reads one.
func (ch *Channels) Scaled() string {
	for _, c := range ch.uses() {
		if slices.Contains([]string{"red", "green", "blue", "infrared", "intensity"}, c.name) {
			return c.dimensions[0]
		}
	}
	return ""
}

// Missing returns the required dimensions that are not among have.
func (c *Card) Missing(have []string) []string {
	var missing []string
	for _, d := range c.Requires() {
		if !slices.Contains(have, d) {
			missing = append(missing, d)
		}
	}
	return missing
}

// Halo returns the distance in metres, beyond the nearest neighbours, up to which points
// have an effect on an embedding: 0 without elevation and context. For a model with a
// reference spacing it is the distance in the cloud scaled to that spacing.
//
// It is the larger of what elevation needs and what context needs, as channels of both may be read.
func (c *Card) Halo() float64 {
	for _, col := range c.Inputs.uses() {
		if col.name == elevationColumn || isContext(col.name) { // which leaves out isolated points
			e := DefaultElevation()
			return max(e.Halo(), c.ContextReach()*c.Inputs.Spacing+2*e.Cell)
		}
	}
	return 0
}

// OmegaAt returns the index among the point channels of entry k (xx, xy, yx, yy) of Ω,
// the matrix of the spatial transform, or −1 if the model does not read it. Gather leaves
// it at 0: the network fills it in.
//
// A card may read any of the four entries, or none, at any place.
func (c *Card) OmegaAt(k int) int { return slices.Index(c.Inputs.Point, omega[k]) }

// ContextReach returns the distance along each axis, in spacings of the points, up to which
// other points have an effect on the context of a point; 0 if no channel reads context.
//
// Points at most two cubes of the far scale away have an effect (nearCube), and a far cube is farCubes near
// ones.
func (c *Card) ContextReach() float64 {
	if !slices.ContainsFunc(c.Inputs.uses(), func(col column) bool { return isContext(col.name) }) {
		return 0
	}
	return 2 * nearCube * farCubes
}
