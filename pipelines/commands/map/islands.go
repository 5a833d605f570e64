// SPDX-License-Identifier: BSD-3-Clause

// Package mapcmd is the command map: layers, rasters and a report of raw tiles.
package mapcmd

import (
	"cmp"
	"image"
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/shapes/planar"
)

// island is a small area of ground that stands above all ground around it, mostly a roof or a hedge called ground.
type island struct {
	X, Y, Above, Area float64 // its middle in the units of the file; metres and square metres
}

const (
	islandCell  = 1.0 // metres, side of the cells of ground; points that are sparser get larger ones
	islandStep  = 1.0 // metres: steeper than 45°, adjacent cells are not of one area
	islandAbove = 2.0 // metres above the ground around it
	islandLower = 0.7 // share of the ground around it that is lower; at the edge of a terrace it is a half
	islandCells = 4   // least number of cells: those on the edge of a cliff have a mean between
	islandArea  = 1000.0
	islandRing  = 8 // cells around an island that are compared with it: the wall of a house may have no ground
)

// islands returns the islands of a tile. Areas are connected components of cells without steps. The median height of an
// area is compared with that of all lower ground within islandRing, so that slopes and terraces are none.
func islands(c *command.Columns, class string, metres [3]float64) (all []island) {
	at, cells := ground(c, class, metres)
	index := map[image.Point]int{}
	for k := range cells {
		index[at[k]] = k
	}
	sets := arrays.NewForest(len(at))
	for k, p := range at {
		for _, by := range [4]image.Point{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
			if n, ok := index[p.Add(by)]; ok && max(cells[k]-cells[n], cells[n]-cells[k]) <= islandStep {
				sets.Join(uint32(k), uint32(n))
			}
		}
	}
	areas := map[uint32][]int{}
	for k := range at {
		r := sets.Root(uint32(k))
		areas[r] = append(areas[r], k)
	}
	for root, of := range areas {
		if len(of) < islandCells || len(of) > islandArea/islandCell/islandCell {
			continue
		}
		var own, ring []float64
		box, seen := image.Rectangle{}, map[int]bool{}
		for _, k := range of {
			own, box = append(own, cells[k]), box.Union(planar.One(at[k]))
			for y := -islandRing; y <= islandRing; y++ {
				for x := -islandRing; x <= islandRing; x++ {
					if n, ok := index[at[k].Add(image.Pt(x, y))]; ok && !seen[n] && sets.Root(uint32(n)) != root {
						seen[n], ring = true, append(ring, cells[n])
					}
				}
			}
		}
		if len(ring) < 8 {
			continue // at the edge of the tile, or in a hole
		}
		slices.Sort(ring)
		top := arrays.Median(own)
		lower, _ := slices.BinarySearch(ring, top)
		if above := top - ring[len(ring)/2]; above >= islandAbove && float64(lower) >= islandLower*float64(len(ring)) {
			middle := box.Min.Add(box.Max).Sub(image.Pt(1, 1)) // of the middles of its cells
			all = append(all, island{float64(middle.X) / 2 * islandCell / metres[0], float64(middle.Y) / 2 * islandCell /
				metres[1], above, float64(len(of)) * islandCell * islandCell})
		}
	}
	slices.SortFunc(all, island.compare)
	return all
}

// compare orders islands, the highest first.
func (i island) compare(j island) int {
	return cmp.Or(cmp.Compare(j.Above, i.Above), cmp.Compare(i.X, j.X), cmp.Compare(i.Y, j.Y))
}

// ground returns the cells with points of ground, in order, and the mean height of each in metres.
func ground(c *command.Columns, class string, metres [3]float64) (at []image.Point, mean []float64) {
	sum, count := map[image.Point]float64{}, map[image.Point]float64{}
	for i, v := range c.Dimensions[class] {
		if v != groundCode {
			continue
		}
		p := planar.Lattice(c.X[i]*metres[0], c.Y[i]*metres[1], 1/islandCell)
		if count[p]++; count[p] == 1 {
			at = append(at, p)
		}
		sum[p] += c.Z[i] * metres[2]
	}
	for _, p := range at {
		mean = append(mean, sum[p]/count[p])
	}
	return at, mean
}
