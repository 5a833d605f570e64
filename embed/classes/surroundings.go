package classes

import (
	"fmt"
	"math"
	"slices"

	"superpoint/partition/parallel"
)

// Surrounded returns the features with columns beside them: for each radius of a first
// pass, the mean of the others' probabilities of each class, over the points of the
// superpoints whose middles lie within it in plan; 0 where there are none.
func (f *Features) Surrounded(run parallel.Run, p []float32, first *First) (*Features, error) {
	n, c := len(f.Names), first.Classes
	if len(p) != f.Len()*c {
		return nil, fmt.Errorf("classes: %d probabilities of %d classes for %d superpoints", len(p), c, f.Len())
	}
	out := &Features{Names: slices.Clone(f.Names), Present: slices.Clone(f.Present), Size: f.Size, Place: f.Place}
	for _, r := range first.Radii {
		for k := range c {
			out.Names = append(out.Names, fmt.Sprintf("class%d_within_%g", k, r))
			out.Present = append(out.Present, true)
		}
	}
	out.Values = make([]float32, f.Len()*len(out.Names))
	weights := f.weights(p, c)
	t := newSums(f.Place, weights, c+1)
	return out, run.For(f.Len(), 64, func(lo, hi int) {
		within := make([]int64, c+1)
		for k := lo; k < hi; k++ {
			row := out.Row(k)
			copy(row, f.Row(k))
			for at, r := range first.Radii {
				for i, v := range weights[k*(c+1) : (k+1)*(c+1)] {
					within[i] = -v // others only
				}
				t.add(within, f.Place[k], r)
				means(row[n+at*c:n+(at+1)*c], within)
			}
		}
	})
}

// weights returns, for every superpoint, its points times each probability, then its
// points times probability 1.
func (f *Features) weights(p []float32, classes int) []int64 {
	all := make([]int64, 0, f.Len()*(classes+1))
	for k, size := range f.Size {
		for _, v := range p[k*classes : (k+1)*classes] {
			all = append(all, int64(size)*share(v))
		}
		all = append(all, int64(size)*share(1))
	}
	return all
}

// means divides sums by the last of them.
func means(y []float32, sums []int64) {
	total := sums[len(y)]
	for i := range y {
		y[i] = 0
		if total > 0 {
			y[i] = float32(float64(sums[i]) / float64(total))
		}
	}
}

// share is a probability as a whole number, so that sums are the same in any order.
func share(p float32) int64 { return int64(math.Round(float64(p) * (1 << 20))) }
