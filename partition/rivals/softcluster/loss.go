// SPDX-License-Identifier: BSD-3-Clause

package softcluster

import (
	"fmt"
	"math"

	"superpoint/partition/base/parallel"
)

// floor is added to the argument of the logarithm, which is then finite.
const floor = 1e-8

// reconstruction returns the cross entropy between the true labels, in
// [0, labels), and their reconstruction R* = Q̃ Q̂ᵀ R: labels are averaged over
// the points of each centre, then over the centres of each point, with the soft
// associations as weights (Jampani et al., equation 6). The loss is a mean over
// labelled points; points of negative label are ignored. weight times its
// gradient is added to gradQ. It fails for labels out of range.
func reconstruction[T Number](run parallel.Run, l *layout, q []T, label []int32, labels int, weight float64,
	gradQ []T) (float64, error) {
	known := 0
	for p, y := range label {
		if int(y) >= labels {
			return 0, fmt.Errorf("softcluster: label %d of point %d, but there are only %d", y, p, labels)
		}
		if y >= 0 {
			known++
		}
	}
	if known == 0 {
		return 0, run.Err()
	}
	share, mass := distributions(run, l, q, label, labels)
	loss := make([]float64, l.Points())
	slope := make([]T, l.Points()) // gradient by the reconstructed share of the true label
	l.points(run, func(p int, near []uint32, row int) {
		y := label[p]
		if y < 0 {
			return
		}
		sum := T(floor)
		for i, c := range near {
			sum += q[row+i] * share[int(c)*labels+int(y)]
		}
		loss[p] = -math.Log(float64(sum))
		slope[p] = T(-weight/float64(known)) / sum
		for i, c := range near {
			gradQ[row+i] += slope[p] * share[int(c)*labels+int(y)]
		}
	})
	distributionsBackward(run, l, q, label, labels, share, mass, slope, gradQ)
	total := 0.0
	for _, v := range loss {
		total += v
	}
	return total / float64(known), nil
}

// distributions returns the share of every label at every centre, centres ×
// labels, and the sums of the associations of labelled points.
func distributions[T Number](run parallel.Run, l *layout, q []T, label []int32,
	labels int) (share, mass []T) {
	share = make([]T, l.Count()*labels)
	mass = make([]T, l.Count())
	l.centres(run, func(d int) {
		row := share[d*labels : (d+1)*labels]
		l.around(d, func(p, at int) {
			if y := label[p]; y >= 0 {
				row[y] += q[at]
				mass[d] += q[at]
			}
		})
		if mass[d] > 0 {
			for k := range row {
				row[k] /= mass[d]
			}
		}
	})
	return share, mass
}

// distributionsBackward adds to gradQ the part of the gradient that depends on q
// through the distributions of the centres.
func distributionsBackward[T Number](run parallel.Run, l *layout, q []T, label []int32,
	labels int, share, mass,
	slope, gradQ []T) {
	run.Do(l.Count(), 16, func(lo, hi int) {
		byShare := make([]T, labels)
		for d := lo; d < hi; d++ {
			if mass[d] == 0 {
				continue
			}
			clear(byShare)
			l.around(d, func(p, at int) {
				if y := label[p]; y >= 0 {
					byShare[y] += slope[p] * q[at]
				}
			})
			var mean T
			for k, g := range byShare {
				mean += g * share[d*labels+k]
			}
			l.around(d, func(p, at int) { // no other centre writes to this association
				if y := label[p]; y >= 0 {
					gradQ[at] += (byShare[y] - mean) / mass[d]
				}
			})
		}
	})
}

// compactness returns the mean squared distance between points × dim positions and the
// positions of the centres that the points are assigned to (Jampani et al., equation 7;
// divide positions by R for a dimensionless loss), and adds weight times its gradient
// to gradQ. The assignment is treated as constant.
func compactness[T Number](run parallel.Run, l *layout, q, position []T, dim int, weight float64,
	gradQ []T) (float64, error) {
	if len(position) != l.Points()*dim {
		return 0, fmt.Errorf("softcluster: %d position values for %d points of %d each", len(position),
			l.Points(), dim)
	}
	assigned := hard(run, l, q)
	if l.Points() == 0 {
		return 0, nil
	}
	loss := make([]float64, l.Count())
	l.centres(run, func(d int) {
		center := make([]T, dim)
		slope := make([]T, dim)
		mass := T(0)
		l.around(d, func(p, at int) {
			mass += q[at]
			for k, v := range position[p*dim : (p+1)*dim] {
				center[k] += q[at] * v
			}
		})
		if mass == 0 {
			return
		}
		for k := range center {
			center[k] /= mass
		}
		l.around(d, func(p, _ int) {
			if assigned[p] != uint32(d) {
				return
			}
			for k, v := range position[p*dim : (p+1)*dim] {
				off := v - center[k]
				loss[d] += float64(off) * float64(off)
				slope[k] -= 2 * off
			}
		})
		scale := T(weight/float64(l.Points())) / mass
		l.around(d, func(p, at int) {
			var dot T
			for k, v := range position[p*dim : (p+1)*dim] {
				dot += slope[k] * (v - center[k])
			}
			gradQ[at] += scale * dot
		})
	})
	total := 0.0
	for _, v := range loss {
		total += v
	}
	return total / float64(l.Points()), nil
}
