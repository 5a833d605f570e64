// SPDX-License-Identifier: BSD-3-Clause

package raster

import "superpoint/partition/base/parallel"

// Build computes the heights of the points in bins.
func Build(run parallel.Run, bins *Bins, u Units) (*Model, error) {
	b := newBuilder(bins, u)
	grid, err := newGrid(bins, b.margin())
	if err != nil {
		return nil, err
	}
	b.Grid = grid
	return b.build(run)
}

// Held returns the number of cells for which the heights of the points in bins need memory.
func Held(bins *Bins, u Units) (int, error) {
	grid, err := newGrid(bins, newBuilder(bins, u).margin())
	if err != nil {
		return 0, err
	}
	return grid.Held(), nil
}

// build computes the heights of the cells of a grid.
func (b *builder) build(run parallel.Run) (*Model, error) {
	if err := b.readBins(run); err != nil {
		return nil, err
	}
	var err error
	switch {
	case b.ground.points > 0:
		err = b.terrain(run)
	case b.Body != nil:
		err = b.fillWater(run)
	}
	if err != nil {
		return nil, err
	}
	if err := b.surface(run); err != nil {
		return nil, err
	}
	return b.Model, nil
}

// readBins sets top and raw.
func (b *builder) readBins(run parallel.Run) error {
	b.top = b.empty()
	b.raw = b.empty()
	var lakes, unsure []level
	b.bins.each(func(c bin) {
		k := b.Index(c.cell)
		b.top[k] = c.top
		switch {
		case c.water.count > c.ground.count+c.unsure.count:
			lakes = append(lakes, level{k, c.water.mean()})
		case c.ground.count > 0:
			ground := b.groundIn(&c)
			b.raw[k] = min(float32(ground.mean()), c.top) // sums of steps round up, too
		case c.unsure.count > 0:
			unsure = append(unsure, level{k, min(c.unsure.mean(), float64(c.top))})
		}
	})
	var err error
	b.Plants, err = b.unsure(unsure).addTo(run, b.raw)
	if err != nil {
		return err
	}
	b.cutOdd()
	if len(lakes) > 0 {
		b.addWater(lakes)
	}
	return nil
}

// groundIn returns the heights of the points that are the ground of a cell with sure ones: beside a building
// these alone.
func (b *builder) groundIn(c *bin) sum {
	ground := c.ground
	if !b.Buildings.Beside(c.cell) {
		ground.add(c.unsure)
	}
	return ground
}

// unsure returns cells whose ground is unsure, with what is known of all ground.
func (b *builder) unsure(cells []level) *unsure {
	return &unsure{
		Grid:      b.Grid,
		cells:     cells,
		buildings: b.Buildings,
		radius:    b.radius(),
		spacing:   b.ground.spacing(),
		units:     b.units,
	}
}

// surface sets Surface.
func (b *builder) surface(run parallel.Run) error {
	made, err := fill(run, b.Grid, b.top, radiusOf(b.all), nil)
	if err != nil {
		return err
	}
	b.Surface = made.values
	if b.Terrain == nil {
		return nil
	}
	for k, ground := range b.Terrain {
		switch {
		case b.inWater(k) && isNone(b.top[k]):
			b.Surface[k] = ground
		case ground > b.Surface[k]: // false if one has no value
			b.Surface[k] = ground
		}
	}
	return nil
}
