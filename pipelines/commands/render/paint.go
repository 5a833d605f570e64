// SPDX-License-Identifier: BSD-3-Clause

package render

import (
	"image"
	"math"

	"superpoint/partition/base/parallel"
)

// paper is the colour of the background.
const paper = 250

// paint colours the buffer for one panel and averages it to the picture's pixels.
func (b *buffer) paint(run parallel.Run, p *Panel) (*image.RGBA, error) {
	out := image.NewRGBA(image.Rect(0, 0, b.width/finer, b.height/finer))
	err := run.ForEach(out.Rect.Dy(), 8, func(y int) {
		for x := range out.Rect.Dx() {
			var sum [3]float32
			for k := range finer * finer {
				c := b.pixel(x*finer+k%finer, y*finer+k/finer, p)
				for a := range 3 {
					sum[a] += c[a]
				}
			}
			at := out.PixOffset(x, y)
			for a := range 3 {
				out.Pix[at+a] = uint8(sum[a]/(finer*finer) + .5)
			}
			out.Pix[at+3] = 255
		}
	})
	return out, err
}

func (b *buffer) pixel(x, y int, p *Panel) [3]float32 {
	k := y*b.width + x
	i := b.front[k]
	if i < 0 {
		return [3]float32{paper, paper, paper}
	}
	c := p.Color(int(i))
	light := b.light[k]
	if p.Edges != nil && b.onBoundary(x, y, p.Edges) {
		light *= .45
	}
	return [3]float32{float32(c[0]) * light, float32(c[1]) * light, float32(c[2]) * light}
}

// onBoundary reports whether the pixel to the right or below shows another group on the same surface.
func (b *buffer) onBoundary(x, y int, group func(int) uint32) bool {
	k := y*b.width + x
	mine := group(int(b.front[k]))
	near := float32(6 / b.scale)
	other := func(x, y int) bool {
		if x >= b.width || y >= b.height {
			return false
		}
		n := y*b.width + x
		gap := b.depth[k] - b.depth[n]
		return b.front[n] >= 0 && gap < near && gap > -near && group(int(b.front[n])) != mine
	}
	return other(x+1, y) || other(x, y+1)
}

// shade computes the brightness of each pixel: the closer its surroundings are to the viewer, the
// darker, for three rings of pixels. Opposite neighbours are averaged, so that slopes are not shaded.
func (b *buffer) shade(run parallel.Run) error {
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
	return run.ForEach(b.height, 16, func(y int) {
		for x := range b.width {
			k := y*b.width + x
			b.light[k] = 1
			if b.front[k] >= 0 {
				b.light[k] = b.occluded(x, y, offsets, weights)
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
