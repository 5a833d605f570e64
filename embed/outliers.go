// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"math"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/cube"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// An outlier is an isolated point, such as an echo from below the ground or from a
// bird: its box and the 26 around it have at most fewPoints points together. Boxes are
// as long and wide as a cell of Elevation, and a quarter as high.
const fewPoints = 3

// layer summarises the points of a box.
type layer struct {
	n        int64
	low      int32 // height of the lowest point, in units
	isolated bool
}

func (l *layer) merge(o *layer) {
	// low is a height only if there are points. A new layer has 0 there: compared with it, points above 0
	// would never set it.
	if o.n > 0 && (l.n == 0 || o.low < l.low) {
		l.low = o.low
	}
	l.n += o.n
}

// layers are the boxes of a cloud.
type layers struct {
	*grid
	all *cube.Table[layer]
}

// newLayers computes the layers of a cloud in boxes of an edge and a height in metres, counted from 0. Points
// with out set (nil: none) are not counted.
//
// The origin is rounded to units: it is a whole number of units, except for the error of the
// quotient.
func newLayers(run parallel.Run, cloud *neighbor.Cloud, edge, height float64, out []bool) (*layers, error) {
	var origin [3]int64
	for a, at := range [3]float64{cloud.Origin.X, cloud.Origin.Y, cloud.Origin.Z} {
		origin[a] = int64(math.Round(at / cloud.Unit))
	}
	return (&layers{grid: newGrid(cloud.Unit, edge, height, origin)}).count(run, cloud, out)
}

// layers computes the layers of a cloud that scaled made. They are counted from the anchor of the input.
//
// No point is left out: it is not known here which points are noise, and isolated points are searched for.
// Edges are in metres of the scaled cloud: with a reference spacing, a box has as many points in a sparse
// cloud as in a dense one.
func (ch *Channels) layers(run parallel.Run, cloud *neighbor.Cloud, from [3]int64) (*layers, error) {
	edge := DefaultElevation().Cell
	high := DefaultElevation().LayerHeight()
	return (&layers{grid: newGrid(cloud.Unit, edge, high, from)}).count(run, cloud, nil)
}

// count counts the points of a cloud in boxes.
//
// A point that is out still makes its box, with n = 0, so that every point has a box.
func (l *layers) count(run parallel.Run, cloud *neighbor.Cloud, out []bool) (*layers, error) {
	var err error
	// Integers are added and compared, so that the values of a box do not depend on the order of its points.
	l.all, _, err = collect(run, cloud.Len(), func(part *cube.Table[layer], lo, hi int) {
		w := l.walk()
		at := 0
		for i := lo; i < hi; i++ {
			if w.in(&cloud.XYZ[i]) {
				at = part.Add(w.at)
			}
			if out == nil || !out[i] {
				part.Values[at].merge(&layer{n: 1, low: cloud.XYZ[i][2]})
			}
		}
	}, (*layer).merge)
	if err != nil {
		return nil, err
	}
	return l, run.ForEach(len(l.all.Keys), 1<<12, func(i int) {
		// After all points are counted, since few reads other boxes. few counts the box itself, too: the
		// first clause only saves 27 searches for boxes with more points.
		v := &l.all.Values[i]
		v.isolated = v.n <= fewPoints && l.few(l.all.Keys[i])
	})
}

// few reports whether a box and the 26 around it have at most fewPoints points.
//
// Boxes alone would not do: a surface that touches a box at one corner leaves a point or two in it. With the
// 26 around it, such a box is counted together with the surface.
func (l *layers) few(k cube.Key) bool {
	n := int64(0)
	for c := range int32(27) {
		if at := l.all.Find(cube.Key{k[0] + c%3 - 1, k[1] + c/3%3 - 1, k[2] + c/9 - 1}); at >= 0 {
			if n += l.all.Values[at].n; n > fewPoints {
				return false
			}
		}
	}
	return true
}

// outliers returns a flag for every point: whether it is isolated.
func (l *layers) outliers(run parallel.Run, cloud *neighbor.Cloud) ([]bool, error) {
	is := make([]bool, cloud.Len())
	return is, run.For(len(is), 1<<14, func(lo, hi int) {
		w := l.walk()
		isolated := false
		for i := lo; i < hi; i++ {
			if w.in(&cloud.XYZ[i]) {
				at := l.all.Find(w.at)
				// Each point of the cloud that was counted has a box, so at is −1 only for points of
				// another cloud.
				isolated = at < 0 || l.all.Values[at].isolated
			}
			is[i] = isolated
		}
	})
}

// Isolated returns a flag for every point: whether it is isolated, with the boxes of the
// card, as Embed does for a model that reads context; false for other models.
func Isolated(run parallel.Run, card *Card, in *Input) ([]bool, error) {
	if card.ContextReach() == 0 || in.Cloud.Len() == 0 {
		return make([]bool, in.Cloud.Len()), nil
	}
	// The same steps as in prepareDistant, in the same order: the anchor is measured on the cloud before
	// scaling, and boxes are counted in the scaled cloud.
	from, err := card.Inputs.anchored(run, in)
	if err != nil {
		return nil, err
	}
	cloud, _ := card.Inputs.scaled(in)
	found, err := card.Inputs.layers(run, cloud, from)
	if err != nil {
		return nil, err
	}
	return found.outliers(run, cloud)
}

// sorted returns the boxes by the keys of their cells of the plane.
//
// Boxes above one another have the same key, so they are consecutive; of these, Sorted keeps the order of the
// table.
func (l *layers) sorted(run parallel.Run) []arrays.Keyed {
	return arrays.Sorted(run, len(l.all.Keys), func(i int) uint64 {
		return place(int64(l.all.Keys[i][1]), int64(l.all.Keys[i][0]))
	})
}

// lowest returns the cells of the plane that have a box for which such is true, each with the lowest point of
// these boxes, sorted by key; boxes are sorted.
//
// A box of noise alone has the height 0, which means nothing. So of a list with such boxes only keys are read
// (settle).
func (l *layers) lowest(boxes []arrays.Keyed, such func(v *layer) bool) (list []lowest) {
	for _, b := range boxes {
		v := &l.all.Values[b.Of]
		switch last := len(list) - 1; {
		case !such(v):
		case last < 0 || list[last].at != b.Key:
			list = append(list, lowest{b.Key, v.low})
		default:
			list[last].z = min(list[last].z, v.low)
		}
	}
	return list
}
