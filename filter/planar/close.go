package planar

import "superpoint/partition/parallel"

// close gives cells without a point the label of the nearest that has one, where
// a gap is nowhere wider than twice the radius, in cells: the morphological
// closing by a disc (Serra 1982, Image Analysis and Mathematical Morphology).
func (r *raster) close(run parallel.Run, radius float64) error {
	near := disc(radius)
	wide := &raster{r.width, r.height, make([]int32, len(r.label))}
	err := r.rows(run, func(x, y int) {
		wide.label[y*r.width+x] = r.nearest(x, y, near)
	})
	if err != nil {
		return err
	}
	return r.rows(run, func(x, y int) {
		i := y*r.width + x
		if r.label[i] == 0 && wide.label[i] != 0 && wide.deep(x, y, near) {
			r.label[i] = wide.label[i]
		}
	})
}

// nearest returns the label of a cell, or of the first of near that has one.
func (r *raster) nearest(x, y int, near []offset) int32 {
	if own := r.at(x, y); own != 0 {
		return own
	}
	for _, o := range near {
		if label := r.at(x+o.x, y+o.y); label != 0 {
			return label
		}
	}
	return 0
}

// deep tells whether all cells near have a label.
func (r *raster) deep(x, y int, near []offset) bool {
	for _, o := range near {
		if r.at(x+o.x, y+o.y) == 0 {
			return false
		}
	}
	return true
}

// rows visits every cell, rows on many threads.
func (r *raster) rows(run parallel.Run, visit func(x, y int)) error {
	return run.For(r.height, 16, func(lo, hi int) {
		for y := lo; y < hi; y++ {
			for x := range r.width {
				visit(x, y)
			}
		}
	})
}
