// SPDX-License-Identifier: BSD-3-Clause

// Package extraction finds buildings and trees from classified superpoints.
//
// A building is a connected component, in X and Y, of superpoints of that class. A tree is a
// crown: a basin of the watershed transform of the canopy height model (Vincent and Soille 1991,
// doi:10.1109/34.87344, as in Chen et al. 2006, doi:10.14358/PERS.72.8.923), in which two crowns are
// merged if their tops are closer than the crown radius for the height of the lower one (Popescu and
// Wynne 2004, doi:10.14358/PERS.70.5.589), or if the lower top is less than a tenth of its height
// above the saddle. A superpoint with most of its points in one crown belongs to that crown;
// others are divided among crowns.
//
// Lengths are in metres. Results do not depend on the order of the points, and trees do not depend
// on the raster of outlines.
package extraction

import (
	"image"

	"superpoint/partition/base/parallel"
)

// Found holds the objects of a cloud.
type Found struct {
	Buildings, Trees []Object    // sorted by the positions of their peaks, from the south-west
	Origin           image.Point // origin of outlines, the south-western corner, in lattice steps
}

// Find returns the buildings and the trees of a cloud. It fails if a raster of the cloud would have more
// than 2²⁶ cells near points.
func Find(run parallel.Run, p *Points, s Settings) (*Found, error) {
	ground, err := p.ground()
	if err != nil {
		return nil, err
	}
	g, err := p.grid(p.Cell, gap)
	if err != nil {
		return nil, err
	}
	f := new(Found)
	if f.Buildings, err = p.buildings(run, &g, ground, s); err != nil {
		return nil, err
	}
	if err := p.roofs(run.Quiet(), f.Buildings); err != nil {
		return nil, err
	}
	f.Origin = g.origin()
	// The points of crowns above a roof are of no tree, so that no top is on a roof.
	roofs := newFootprints(p, f.Origin, f.Buildings)
	green := func(i int) bool { return p.of(i) == Vegetation && !roofs.inside(p.At[i]) }
	c, err := p.canopy(ground, s, green)
	if err != nil {
		return nil, err
	}
	f.Trees = p.trees(c, ground, s, green)
	return f, p.crowns(run, c, f.Trees, roofs)
}
