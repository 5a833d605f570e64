package render

import (
	"math"

	"superpoint/partition/parallel"
)

// shade computes the brightness of each pixel: the closer its surroundings are to the viewer, the
// darker, for three rings of pixels. Opposite neighbours are averaged, so that slopes are not shaded.
func (b *buffer) shade(run parallel.Run, none bool) error {
	b.light = make([]float32, len(b.front))
	rings := [][2]float64{{1.5 * finer, 1}, {4 * finer, .7}, {9 * finer, .35}}
	var offsets [][2]int
	var weights []float32
	for _, ring := range rings {
		for k := range 4 {
			s, c := math.Sincos(float64(k) * math.Pi / 4)
			offsets = append(offsets, [2]int{int(math.Round(c * ring[0])), int(math.Round(s * ring[0]))})
			weights = append(weights, float32(ring[1]/math.Sqrt(ring[0])))
		}
	}
	return run.For(b.height, 16, func(lo, hi int) {
		for y := lo; y < hi; y++ {
			for x := range b.width {
				k := y*b.width + x
				b.light[k] = 1
				if b.front[k] >= 0 && !none {
					b.light[k] = b.occluded(x, y, offsets, weights)
				}
			}
		}
	})
}

func (b *buffer) occluded(x, y int, offsets [][2]int, weights []float32) float32 {
	here := b.depth[y*b.width+x]
	unit := float32(b.scale) * .16
	before := func(x, y int) float32 {
		if uint(x) >= uint(b.width) || uint(y) >= uint(b.height) || b.front[y*b.width+x] < 0 {
			return 0
		}
		return max(-3, min(3, (here-b.depth[y*b.width+x])*unit))
	}
	var sum float32
	for i, o := range offsets {
		if d := before(x+o[0], y+o[1]) + before(x-o[0], y-o[1]); d > 0 {
			sum += weights[i] * d
		}
	}
	return float32(math.Max(.3, math.Exp(-.2*float64(sum))))
}
