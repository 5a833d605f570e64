// SPDX-License-Identifier: BSD-3-Clause

package supervoxel

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

func TestSmallestAgainstGonum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		scale := math.Pow(10, rng.Float64()*12-6)
		var m Moments
		for range 3 + rng.IntN(20) {
			m.Add(rng.NormFloat64()*scale, rng.NormFloat64()*scale, rng.NormFloat64()*scale*0.1)
		}
		w := 1 / m[0]
		a := [6]float64{m[4]*w - m[1]*m[1]*w*w, m[5]*w - m[1]*m[2]*w*w, m[6]*w - m[1]*m[3]*w*w,
			m[7]*w - m[2]*m[2]*w*w, m[8]*w - m[2]*m[3]*w*w, m[9]*w - m[3]*m[3]*w*w}
		got := smallest(a)
		var eig mat.EigenSym
		if !eig.Factorize(mat.NewSymDense(3, []float64{a[0], a[1], a[2], a[1], a[3], a[4], a[2], a[4], a[5]}), true) {
			t.Fatal("no eigenvalues")
		}
		var v mat.Dense
		eig.VectorsTo(&v)
		dot := 0.0
		for i := range 3 {
			dot += float64(got[i]) * v.At(i, 0)
		}
		if math.Abs(dot) < 1-1e-5 {
			t.Fatalf("%v: %v, want ± %v", a, got, v.ColView(0))
		}
	}
}

func TestSmallestDegenerate(t *testing.T) {
	for _, c := range []struct {
		a    [6]float64
		want [3]float32
	}{
		{[6]float64{}, [3]float32{0, 0, 1}},
		{[6]float64{2, 0, 0, 2, 0, 2}, [3]float32{0, 0, 1}},    // a ball
		{[6]float64{2, 0, 0, 2, 0, 0.5}, [3]float32{0, 0, 1}},  // a horizontal disc
		{[6]float64{0, 0, 0, 2, 0, 2}, [3]float32{1, 0, 0}},    // a vertical one
		{[6]float64{3, 0, 0, 0, 0, 0}, [3]float32{0, 0, 1}},    // a level line
		{[6]float64{0, 0, 0, 0, 0, 1e-9}, [3]float32{0, 1, 0}}, // a pole: any horizontal vector
	} {
		if got := smallest(c.a); got != c.want {
			t.Errorf("%v: %v, want %v", c.a, got, c.want)
		}
	}
}

func TestEstimateOnPlane(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	n := 3000
	x, y, z := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = rng.Float64()*10, rng.Float64()*10
		z[i] = 100 + 0.5*x[i] - 0.25*y[i]
	}
	cloud := must.Get(neighbor.New(x, y, z, parallel.Run{}))(t)
	lists := must.Get(cloud.Nearest(12, parallel.Run{}))(t)
	length := math.Sqrt(0.25 + 0.0625 + 1)
	want := [3]float64{-0.5 / length, 0.25 / length, 1 / length}
	var first [][3]float32
	for _, threads := range []int{1, 3} {
		got := must.Get(Normals(parallel.Run{Threads: threads}, cloud, lists, 12))(t)
		for i, v := range got {
			for a := range 3 {
				if math.Abs(float64(v[a])-want[a]) > 2e-3 { // positions are rounded to 10 µm
					t.Fatalf("point %d: %v, want %v", i, v, want)
				}
			}
		}
		if first == nil {
			first = got
		} else if !reflect.DeepEqual(first, got) {
			t.Error("normals depend on the number of threads")
		}
	}
	must.Fail(Normals(parallel.Run{}, cloud, lists, 0))(t, "0 neighbours")
}
