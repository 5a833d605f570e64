// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"math"
	"slices"

	"github.com/golang/geo/r3"
)

// Label is the class that a user assigned to a superpoint.
type Label struct {
	Row  int // index of the superpoint
	Code int // of the class
}

// Place is a label at a point: whatever network and corrections say, the superpoint of that point has the
// class, in every cloud with the point.
type Place struct {
	X, Y, Z float64 // metres
	Code    int     // of the class
}

// places returns the places of labels: of the points of a superpoint, that nearest to their mean.
func (s *Superpoints) places(f *Features, labels []Label) (all []Place) {
	near, least := make([]int, f.Len()), slices.Repeat([]float64{math.Inf(1)}, f.Len())
	for i, k := range s.whole {
		if k == None {
			continue
		}
		q := f.Place[k]
		d := s.Cloud.Position(uint32(i)).Distance(r3.Vector{X: q[0], Y: q[1], Z: q[2]})
		if d < least[k] {
			near[k], least[k] = i, d
		}
	}
	for _, l := range labels {
		at := s.Cloud.Position(uint32(near[l.Row])).Add(s.Cloud.Origin)
		all = append(all, Place{at.X, at.Y, at.Z, l.Code})
	}
	return all
}

// find returns the codes of the superpoints that hold a labelled point, isolated points included.
func (s *Superpoints) find(labels []Place) map[int]int {
	at, found := map[[3]int32]int{}, map[int]int{}
	for _, l := range labels {
		p := r3.Vector{X: l.X, Y: l.Y, Z: l.Z}.Sub(s.Cloud.Origin).Mul(1 / s.Cloud.Unit)
		if max(math.Abs(p.X), math.Abs(p.Y), math.Abs(p.Z)) <= math.MaxInt32 {
			at[[3]int32{int32(math.Round(p.X)), int32(math.Round(p.Y)), int32(math.Round(p.Z))}] = l.Code
		}
	}
	if len(at) == 0 {
		return nil
	}
	for i, k := range s.whole {
		if code, is := at[s.Cloud.XYZ[i]]; is && k != None {
			found[int(k)] = code
		}
	}
	return found
}
