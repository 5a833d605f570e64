// SPDX-License-Identifier: BSD-3-Clause

package render

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

// lightOf returns the brightness of a pixel by the definition: for each pair of opposite neighbours, how much
// nearer to the viewer they are than the pixel, each within ±3, and 0 if it shows no point.
func lightOf(b *buffer, x, y int) float32 {
	k := y*b.width + x
	if b.front[k] < 0 {
		return 1
	}
	nearer := func(across, down int) float32 {
		x, y := x+across, y+down
		if x < 0 || y < 0 || x >= b.width || y >= b.height || b.front[y*b.width+x] < 0 {
			return 0
		}
		return max(-3, min(3, (b.depth[k]-b.depth[y*b.width+x])*(float32(b.scale)*.16)))
	}
	var sum float32
	for _, p := range surroundings() {
		if d := nearer(p.across, p.down) + nearer(-p.across, -p.down); d > 0 {
			sum += p.weight * d
		}
	}
	if sum == 0 {
		return 1
	}
	return float32(math.Max(.3, math.Exp(-.2*float64(sum))))
}

// rough is a buffer of random depths, with pixels that show no point.
func rough(width, height int) *buffer {
	r := rand.New(rand.NewPCG(1, uint64(width)))
	b := &buffer{width: width, height: height, scale: 5}
	for range width * height {
		point, depth := int32(-1), float32(math.Inf(1))
		if r.Float64() < .8 {
			point, depth = 1, float32(r.NormFloat64()*2)
		}
		b.front = append(b.front, point)
		b.depth = append(b.depth, depth)
	}
	return b
}

// TestShadeByDefinition: pictures of any size, also smaller than the rings, have the light of the definition.
func TestShadeByDefinition(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {7, 3}, {17, 40}, {40, 17}, {90, 200}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			b := rough(size[0], size[1])
			must.OK(t, b.shade(parallel.Run{Threads: 2}))
			for k, light := range b.light {
				x, y := k%b.width, k/b.width
				want := lightOf(b, x, y)
				must.Need(t, light == want, "pixel %d %d has light %v, want %v", x, y, light, want)
			}
		})
	}
}
