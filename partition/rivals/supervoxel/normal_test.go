// SPDX-License-Identifier: BSD-3-Clause

package supervoxel

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

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
