// SPDX-License-Identifier: BSD-3-Clause

package extraction

import (
	"image"

	"github.com/peterstace/simplefeatures/rtree"

	"superpoint/partition/base/parallel"
	"superpoint/pipelines/shapes/patch"
	"superpoint/pipelines/shapes/planar"
)

// walled is a building with its walls.
type walled struct {
	parts
	exact     exactness
	polygons  []patch.Polygon
	triangles [][3]patch.Point // that cover the polygons; nil before they are needed
}

// build sets the polygons: the first valid ones that are at least so close to the border.
func (w *walled) build(least exactness) {
	w.polygons, w.exact = w.outline(least)
	w.triangles = nil
}

// fill computes the triangles. A polygon that cannot be filled has none, and overlaps nothing.
func (w *walled) fill() {
	if w.triangles != nil {
		return
	}
	w.triangles = [][3]patch.Point{}
	for _, polygon := range w.polygons {
		made, err := patch.Fill(polygon)
		if err == nil {
			w.triangles = append(w.triangles, made...)
		}
	}
}

// bounds returns the extent of the polygons.
func (w *walled) bounds() image.Rectangle {
	var corners []image.Point
	for _, polygon := range w.polygons {
		for _, at := range polygon[0] {
			corners = append(corners, image.Pt(int(at.X), int(at.Y)))
		}
	}
	return planar.Bounds(corners...)
}

// separate replaces walls of buildings that overlap by walls that are closer to the borders of their cells,
// until none overlap. Each cell belongs to one building, so the borders do not cross unless their corners are
// cut, and a building in a small hole of another one is outside of it once the hole is there.
func separate(run parallel.Run, all []walled) error {
	for {
		overlapping, err := findOverlaps(run, all)
		if err != nil {
			return err
		}
		changed := false
		for k, is := range overlapping {
			if is && all[k].exact < pinched {
				all[k].build(all[k].exact + 1)
				changed = true
			}
		}
		if !changed {
			return nil
		}
	}
}

// findOverlaps reports which buildings overlap another one.
func findOverlaps(run parallel.Run, all []walled) ([]bool, error) {
	beside, err := neighbors(run, all)
	if err != nil {
		return nil, err
	}
	err = run.ForEach(len(all), 1, func(k int) {
		if len(beside[k]) > 0 {
			all[k].fill()
		}
	})
	if err != nil {
		return nil, err
	}
	found := make([]bool, len(all))
	err = run.ForEach(len(all), 1, func(k int) {
		for _, other := range beside[k] {
			found[k] = found[k] || patch.Overlap(all[k].triangles, all[other].triangles)
		}
	})
	return found, err
}

// neighbors returns, for each building, the other buildings whose bounds overlap its own.
func neighbors(run parallel.Run, all []walled) ([][]int, error) {
	var items []rtree.BulkItem
	for k := range all {
		if len(all[k].polygons) == 0 {
			continue
		}
		bounds := all[k].bounds()
		items = append(items, rtree.BulkItem{RecordID: k, Box: rtree.Box{
			MinX: float64(bounds.Min.X), MinY: float64(bounds.Min.Y),
			MaxX: float64(bounds.Max.X), MaxY: float64(bounds.Max.Y),
		}})
	}
	index := rtree.BulkLoad(items)
	beside := make([][]int, len(all))
	err := run.ForEach(len(items), 1, func(n int) {
		k := items[n].RecordID
		_ = index.RangeSearch(items[n].Box, func(other int) error { // the callback has no error
			if other != k {
				beside[k] = append(beside[k], other)
			}
			return nil
		})
	})
	return beside, err
}
