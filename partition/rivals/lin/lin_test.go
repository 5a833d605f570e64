// SPDX-License-Identifier: BSD-3-Clause

package lin

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/metrics"
	"superpoint/partition/neighbor"
	"superpoint/partition/rivals/supervoxel"
	"superpoint/testdata/corner"
	"superpoint/testdata/must"
)

// planes is a floor and a wall that meet, with class 0 and 1.
func planes(t testing.TB, n int) (Input, metrics.Truth) {
	x, y, z := corner.Points(n)
	in := input(t, x, y, z, 20)
	return in, metrics.Truth{Class: corner.Classes(in.Cloud)}
}

func input(t testing.TB, x, y, z []float64, k int) Input {
	cloud, lists := corner.Lists(t, x, y, z, k)
	return Input{Cloud: cloud, Neighbors: lists}
}

func TestCountIsExactAndPlanesAreSeparate(t *testing.T) {
	in, truth := planes(t, 20_000)
	graph := must.Get(neighbor.Adjacency(in.Neighbors, 5, parallel.Run{}))(t)
	for _, size := range []float64{20, 200} {
		s := must.Get(Segment(parallel.Run{}, in, supervoxel.Size{TargetSize: size}))(t)
		again := append([]uint32(nil), s.Component...)
		want := int(20_000 / size)
		must.Need(t, s.Count == want, "segments: got %v, want %v", s.Count, want)
		must.Equal(t, arrays.Number(again, want), want, "arrays.Number(again, want)")
		must.Equal(t, again, s.Component, "again")
		r := must.Get(metrics.Evaluate(parallel.Run{}, graph, truth, s.Component, s.Count))(t)
		must.Hold(t, r.OOA >= 0.985, "size %v: OOA %v", size, r.OOA)
		// The resolution that the target results in gives a similar count.
		back, err := Segment(parallel.Run{}, in, supervoxel.Size{Resolution: s.Resolution})
		must.Need(t, err == nil, "resolution %v: %v", s.Resolution, err)
		must.Hold(t, math.Abs(float64(back.Count-s.Count)) <= 0.05*float64(s.Count),
			"resolution %v: segments: got %v, want %v within %v",
			s.Resolution, back.Count, s.Count, 0.05*float64(s.Count))
	}
}

// Fusion by hand: five points on a level line at 0, 1, 2, 4, 5 m, two neighbours each; normals agree, so D =
// 0.4·distance/R. With R = 0.4 m D is the distance in metres. The median of least distances is 1, so the
// first round (λ = 1) joins nothing, and the second (λ = 2) lets 0 absorb 1 (cost 1) but not 2 (cost 2), 2
// absorbs nothing (1 is in a pair: its representative costs 2·2), and 4 absorbs 5.
func TestFusionByHand(t *testing.T) {
	x := []float64{0, 1, 2, 4, 5}
	in := input(t, x, make([]float64, 5), make([]float64, 5), 2)
	normals := make([][3]float32, 5)
	for i := range normals {
		normals[i] = [3]float32{0, 0, 1}
	}
	m := &metric{at: in.Cloud.XYZ, normal: normals, spatial: float32(in.Cloud.Unit)}
	f := &fusion{metric: m, lists: in.Neighbors, k: 2, want: 3}
	must.OK(t, f.fuse())
	at := make([]float64, 5) // representative of the point at x
	for i, p := range f.parent {
		at[in.Cloud.Order[i]] = x[in.Cloud.Order[p]]
	}
	must.Hold(t, reflect.DeepEqual(at, []float64{0, 0, 2, 4, 4}), "representatives at %v", at)
}

// TestExchangeIsLocallyOptimal: no move of a point at a border lowers the energy further, and every exchange
// lowers it.
func TestExchangeIsLocallyOptimal(t *testing.T) {
	in, _ := planes(t, 3000)
	rng := rand.New(rand.NewPCG(2, 2))
	normals := make([][3]float32, 3000)
	for i := range normals {
		normals[i] = [3]float32{0, 0, 1}
	}
	m := &metric{at: in.Cloud.XYZ, normal: normals, spatial: float32(in.Cloud.Unit)}
	label := make([]uint32, 3000)
	reps := []uint32{5, 700, 1500, 2900}
	for i := range label {
		label[i] = reps[rng.IntN(4)]
	}
	for _, r := range reps {
		label[r] = r
	}
	energy := func() (e float64) {
		for i, l := range label {
			e += float64(m.between(uint32(i), l))
		}
		return e
	}
	before := energy()
	must.OK(t, exchange(parallel.Run{}, m, in.Neighbors, 10, label))
	after := energy()
	must.Hold(t, after < before, "energy %v after %v", after, before)
	for i := range label {
		for _, j := range in.Neighbors.Of(i)[:10] {
			must.Need(t, m.between(uint32(i), label[j]) >= m.between(uint32(i), label[i]),
				"moving point %d to %d lowers the energy", i, label[j])
		}
	}
}

// TestDistancesBeyondFloat32End: λ must not be doubled for ever if float32 cannot hold a distance.
func TestDistancesBeyondFloat32End(t *testing.T) {
	far := []float64{0, math.MaxFloat64 / 4, -math.MaxFloat64 / 4, 1}
	in := input(t, far, []float64{0, 1, 2, 3}, []float64{0, 0, 0, 0}, 3)
	s, err := Segment(parallel.Run{}, in, supervoxel.Size{TargetSize: 4})
	must.OK(t, err)
	must.Equal(t, len(s.Component), 4, "len(s.Component)")
}

// TestDissimilarityByHand: D = 1 − |n_p·n_q| + spatial·distance. Normals have no sign.
func TestDissimilarityByHand(t *testing.T) {
	at := [][3]int32{{0, 0, 0}, {3, 4, 0}}
	up, down, slanted, east := [3]float32{0, 0, 1}, [3]float32{0, 0, -1}, [3]float32{.6, 0, .8},
		[3]float32{1, 0, 0}
	for _, c := range []struct {
		name   string
		p, q   [3]float32
		normal float64 // 1 − |n_p·n_q|
	}{
		{"equal", up, up, 0},
		{"opposite", up, down, 0},
		{"slanted", up, slanted, .2},
		{"slanted, opposite", down, slanted, .2},
		{"at right angles", up, east, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &metric{at: at, normal: [][3]float32{c.p, c.q}, spatial: .5}
			want := c.normal + .5*5
			must.Hold(t, math.Abs(float64(m.between(0, 1))-want) <= 1e-6, "D is %v, want %v",
				m.between(0, 1), want)
			must.Equal(t, m.between(1, 0), m.between(0, 1), "D of the same pair")
		})
	}
}
