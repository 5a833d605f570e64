// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"testing"

	"superpoint/testdata/must"
)

// TestRoughBundles: bundles of lines with unevenly spaced points have more edges across the
// gaps between them on level ground, tilted or not, than on a wall.
func TestRoughBundles(t *testing.T) {
	scan := func(put func(c *columns, along, beside, off float64)) (joined int) {
		var c columns
		r := random(12)
		noise := func() float64 { return r.NormFloat64() * 0.02 }
		for bundle := range 12 {
			for line := range 5 {
				for i := range 250 {
					put(&c, 0.04*float64(i)+noise(), 0.8*float64(bundle)+0.08*float64(line)+noise(),
						noise()/4)
				}
			}
		}
		_, _, joined = joinLines(t, mustNew(t, c, 2), 2)
		return joined
	}
	ground := scan(func(c *columns, along, beside, off float64) { c.add(along, beside, off) })
	tilted := scan(func(c *columns, along, beside, off float64) {
		c.add(along, 0.95*beside,
			0.31*beside+off)
	})
	wall := scan(func(c *columns, along, beside, off float64) { c.add(along, off, beside) })
	t.Logf("points joined across: %d of ground, %d of tilted ground, %d of a wall", ground, tilted, wall)
	must.Hold(t, wall != 0, "wall is 0")
	must.Hold(t, ground >= 2*wall,
		"points of ground are joined across: got %v, want at least %v", ground, 2*wall)
	must.Hold(t, tilted >= 2*wall, "tilted is %v, want at least %v", tilted, 2*wall)
}
