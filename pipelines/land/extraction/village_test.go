// SPDX-License-Identifier: BSD-3-Clause

package extraction_test

import (
	"image"
	"math"
	"testing"

	"superpoint/filter"
	"superpoint/filter/cloud"
	"superpoint/filter/georef"
	"superpoint/filter/option"
	"superpoint/filter/steps"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/land/extraction"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
	"superpoint/testdata/scan"
	"superpoint/testdata/scenes"
)

const side = 40 // cm, of a cell

// scanned is a simulated village with superpoints of the filter, each of the class that most of its points
// have.
func scanned(t *testing.T, seed uint64) (*las.Points, *extraction.Points) {
	t.Helper()
	s := must.Get(scenes.New("village", scenes.Options{Seed: seed, Detail: .3}))(t)
	return scannedScene(t, s, scan.Options{Mode: scan.Aerial, Points: 50_000, Density: 8, Seed: seed})
}

// scannedScene is any scene in the same way.
func scannedScene(t *testing.T, s scenes.Scene, o scan.Options) (*las.Points, *extraction.Points) {
	t.Helper()
	p, err := scan.Cloud(parallel.Run{}, s, o)
	must.OK(t, err)
	f := must.Get(filter.New(&option.Options{}, nil))(t)
	made := must.Get(f.Segment(steps.Run{}, &cloud.View{X: p.X, Y: p.Y, Z: p.Z,
		Reference: georef.Reference{HorizontalUnit: 1, VerticalUnit: 1}}))(t)
	q := &extraction.Points{Z: p.Z, Step: [2]float64{0.01, 0.01}, Cell: image.Pt(side, side),
		Spacing: side / 100.}
	votes := make([][4]int, made.Count)
	for i, id := range made.ID {
		q.At = append(q.At, image.Pt(int(math.Floor(100*p.X[i])), int(math.Floor(100*p.Y[i]))))
		q.Owner = append(q.Owner, int32(id)-1)
		votes[id-1][kind(p.Classification[i])]++
	}
	for _, v := range votes {
		best := extraction.Other
		for k, n := range v {
			if n > v[best] {
				best = extraction.Kind(k)
			}
		}
		q.Kind = append(q.Kind, best)
	}
	return p, q
}

func kind(class uint8) extraction.Kind {
	switch class {
	case scenes.Ground:
		return extraction.Ground
	case scenes.Building:
		return extraction.Building
	case scenes.Tree, scenes.Bush:
		return extraction.Vegetation
	}
	return extraction.Other
}

// count returns how many true objects of a class share more than half of all their
// points with one that was found: intersection over union above 0.5.
func count(p *las.Points, class uint8, tall float64, few int, found []extraction.Object) (truth, hit int) {
	of := make([]int, p.Len())
	for k, o := range found {
		for _, i := range o.Points {
			of[i] = k + 1
		}
	}
	object := map[uint16][]int{}
	for i, c := range p.Classification {
		if c == class {
			object[p.PointSourceID[i]] = append(object[p.PointSourceID[i]], i)
		}
	}
	for _, points := range object {
		low, high, shared := math.Inf(1), math.Inf(-1), map[int]int{}
		for _, i := range points {
			low, high = min(low, p.Z[i]), max(high, p.Z[i])
			shared[of[i]]++
		}
		if high-low < tall || len(points) < few {
			continue
		}
		truth++
		for k, n := range shared {
			if k > 0 && 2*n > len(points)+len(found[k-1].Points)-n {
				hit++
			}
		}
	}
	return truth, hit
}

// TestVillage counts the houses and trees of simulated villages.
func TestVillage(t *testing.T) {
	var houses, housesFound, trees, treesFound, made int
	for _, seed := range []uint64{1, 2} {
		p, q := scanned(t, seed)
		f := must.Get(extraction.Find(parallel.Run{}, q, extraction.DefaultSettings()))(t)
		truth, hit := count(p, scenes.Building, 3, 150, f.Buildings)
		houses, housesFound = houses+truth, housesFound+hit
		truth, hit = count(p, scenes.Tree, 3, 60, f.Trees)
		trees, treesFound, made = trees+truth, treesFound+hit, made+len(f.Trees)
		for _, o := range f.Buildings {
			must.Hold(t, o.Height >= 2,
				"a building of %v m and %v m²: want o.Height at least 2", o.Height, o.Area)
			must.Hold(t, o.Height <= 15,
				"a building of %v m and %v m²: want o.Height at most 15", o.Height, o.Area)
			must.Hold(t, o.Area >= 10,
				"a building of %v m and %v m²: want o.Area at least 10", o.Height, o.Area)
			must.Hold(t, o.Area <= 800,
				"a building of %v m and %v m²: want o.Area at most 800", o.Height, o.Area)
		}
	}
	t.Logf("houses: %d of %d; trees: %d of %d, %d made", housesFound, houses, treesFound, trees, made)
	must.Hold(t, houses >= 20, "houses is %v, want at least 20", houses)
	must.Hold(t, housesFound >= houses-1, "housesFound is %v, want at least %v", housesFound, houses-1)
	must.Hold(t, trees >= 35, "trees is %v, want at least 35", trees)
	must.Hold(t, treesFound >= 28, "treesFound is %v, want at least 28", treesFound)
	must.Hold(t, made-treesFound <= 15, "made-treesFound is %v, want at most 15", made-treesFound)
}
