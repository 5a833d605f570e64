// SPDX-License-Identifier: BSD-3-Clause

package render

import (
	"math"

	"superpoint/partition/base/parallel"
)

// pair is two pixels on opposite sides of a pixel, at ±(across, down), and their weight. down is not
// negative.
type pair struct {
	across, down int
	weight       float32
}

// surroundings returns the pixels around a pixel that shade it: three rings.
func surroundings() (all []pair) {
	rings := [][2]float64{{1.5 * finer, 1}, {4 * finer, .7}, {9 * finer, .35}}
	for _, ring := range rings {
		radius := ring[0]
		weight := float32(ring[1] / math.Sqrt(radius))
		for k := range 4 {
			s, c := math.Sincos(float64(k) * math.Pi / 4)
			all = append(all, pair{int(math.Round(c * radius)), int(math.Round(s * radius)), weight})
		}
	}
	return all
}

// shade computes the brightness of each pixel: the closer its surroundings are to the viewer, the
// darker. Opposite neighbours are averaged, so that slopes are not shaded.
func (b *buffer) shade(run parallel.Run) error {
	const rows = 64
	b.light = make([]float32, len(b.front))
	for k, point := range b.front {
		if point < 0 {
			b.depth[k] = float32(math.NaN())
		}
	}
	around := surroundings()
	return run.For(b.height, rows, func(lo, hi int) {
		s := b.newStrip(lo, hi)
		for _, p := range around {
			s.add(p)
		}
		s.setLight()
	})
}

// strip computes the brightness of some rows of pixels.
//
// A neighbour at +o of pixel k is nearer to the viewer by s(k) = limited(depth(k) − depth(k+o)). The one at
// −o is nearer by limited(depth(k) − depth(k−o)) = −s(k−o), without rounding, so s is computed once for each
// pixel. The loops over the pixels of a row have no branch that depends on the picture, because processors
// would predict half of these wrong.
type strip struct {
	*buffer
	lo, hi int
	sums   []float32 // of the rows from lo: weighted sums of s(k) − s(k−o), where these are positive
	nearer []float32 // of the rows from first: s
	first  int
}

func (b *buffer) newStrip(lo, hi int) *strip {
	reach := 0
	for _, p := range surroundings() {
		reach = max(reach, p.down)
	}
	return &strip{
		buffer: b,
		lo:     lo,
		hi:     hi,
		sums:   make([]float32, (hi-lo)*b.width),
		nearer: make([]float32, (hi-lo+reach)*b.width),
	}
}

// add adds a pair of neighbours.
func (s *strip) add(p pair) {
	s.first = max(0, s.lo-p.down)
	for y := s.first; y < s.hi; y++ {
		s.compare(y, p)
	}
	for y := s.lo; y < s.hi; y++ {
		sums := s.sums[(y-s.lo)*s.width : (y-s.lo+1)*s.width]
		forth := s.rowOf(y)
		from, to := s.columnsWithBack(y, p)
		addPositive(sums[:from], forth[:from], p.weight)
		addPositive(sums[to:], forth[to:], p.weight)
		if from < to {
			back := s.rowOf(y - p.down)[from-p.across : to-p.across]
			addDifferences(sums[from:to], forth[from:to], back, p.weight)
		}
	}
}

// columnsWithBack returns the range of the pixels of row y whose neighbour at −o is in the picture.
func (s *strip) columnsWithBack(y int, p pair) (from, to int) {
	if y < p.down {
		return s.width, s.width
	}
	from = min(s.width, max(0, p.across))
	to = max(from, min(s.width, s.width+p.across))
	return from, to
}

// rowOf returns a row of nearer.
func (s *strip) rowOf(y int) []float32 {
	return s.nearer[(y-s.first)*s.width : (y-s.first+1)*s.width]
}

// compare sets a row of nearer. It is 0 where one of the pixels shows no point, or is outside the picture.
func (s *strip) compare(y int, p pair) {
	row := s.rowOf(y)
	other := y + p.down
	from := min(s.width, max(0, -p.across))
	to := max(from, min(s.width, s.width-p.across))
	if other >= s.height {
		to = from
	}
	clear(row[:from])
	clear(row[to:])
	if from == to {
		return
	}
	mine := s.depth[y*s.width+from : y*s.width+to]
	theirs := s.depth[other*s.width+from+p.across : other*s.width+to+p.across]
	subtract(row[from:to], mine, theirs, float32(s.scale)*.16)
}

// subtract sets the differences of depths in a unit, within ±3, and 0 where one is NaN.
func subtract(differences, depths, others []float32, unit float32) {
	const most = 3
	depths = depths[:len(differences)]
	others = others[:len(differences)]
	for x := range differences {
		d := (depths[x] - others[x]) * unit
		if d != d {
			d = 0
		}
		differences[x] = max(min(d, most), -most)
	}
}

// addPositive adds the positive ones of some values to sums.
func addPositive(sums, values []float32, weight float32) {
	for x, d := range values {
		sums[x] += weight * max(d, 0)
	}
}

// addDifferences adds the positive differences of values to sums.
func addDifferences(sums, values, others []float32, weight float32) {
	values = values[:len(sums)]
	others = others[:len(sums)]
	for x := range sums {
		sums[x] += weight * max(values[x]-others[x], 0)
	}
}

// setLight sets the brightness of the pixels.
func (s *strip) setLight() {
	front := s.front[s.lo*s.width : s.hi*s.width]
	light := s.light[s.lo*s.width : s.hi*s.width]
	for k, point := range front {
		light[k] = 1
		if point >= 0 {
			light[k] = brightness(s.sums[k])
		}
	}
}

// brightness returns the light of a pixel whose surroundings are nearer to the viewer by a weighted sum.
func brightness(sum float32) float32 {
	const (
		least   = .3
		darkest = 6.1 // above −ln(least)/.2 = 6.02 the light is the least
	)
	switch {
	case sum == 0:
		return 1
	case sum >= darkest:
		return least
	}
	return float32(math.Max(least, math.Exp(-.2*float64(sum))))
}
