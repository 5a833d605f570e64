// SPDX-License-Identifier: BSD-3-Clause

package geometric

import (
	"math"
	"math/rand/v2"
	"testing"

	"superpoint/embed"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

func input(t testing.TB, points [][3]float64, k int) *embed.Input {
	t.Helper()
	var xyz [3][]float64
	for _, p := range points {
		for a := range p {
			xyz[a] = append(xyz[a], p[a])
		}
	}
	cloud := must.Get(neighbor.New(xyz[0], xyz[1], xyz[2], parallel.Run{}))(t)
	lists := must.Get(cloud.Nearest(k, parallel.Run{}))(t)
	return &embed.Input{Cloud: cloud, Neighbors: lists}
}

func TestFeaturesOfShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var points [][3]float64
	for range 4000 { // level ground, 30 m × 30 m
		points = append(points, [3]float64{r.Float64() * 30, r.Float64() * 30, 0})
	}
	parts := map[string]int{"ground": 0, "wall": len(points)}
	for range 2000 {
		points = append(points, [3]float64{15, r.Float64() * 20, 2 + r.Float64()*6})
	}
	parts["wire"] = len(points)
	for i := range 300 {
		points = append(points, [3]float64{float64(i) / 10, 10, 14})
	}
	parts["crown"] = len(points)
	for range 2000 {
		points = append(points, [3]float64{25 + r.Float64()*3, 25 + r.Float64()*3, 3 + r.Float64()*3})
	}
	in := input(t, points, 20)
	must.Fail(New(0))(t)
	e := must.Get(New(20))(t)
	out := must.Get(e.Embed(parallel.Run{}, in))(t)
	want := map[string][5][2]float64{ // ranges of the means
		"ground": {{0, 0.4}, {0.6, 1}, {0, 0.01}, {0, 0.1}, {-0.001, 0.001}},
		"wall":   {{0, 0.4}, {0.6, 1}, {0, 0.01}, {1.2, 1.6}, {0.2, 0.3}},
		"wire":   {{0.9, 1}, {0, 0.1}, {0, 0.1}, {0, 0.2}, {0.69, 0.71}},
		"crown":  {{0, 0.5}, {0, 0.4}, {0.4, 0.8}, {0.8, 1.5}, {0.18, 0.27}},
	}
	ends := map[string]int{"ground": parts["wall"], "wall": parts["wire"], "wire": parts["crown"],
		"crown": len(points)}
	for name, ranges := range want {
		var mean [5]float64
		n := 0.0
		for i := range in.Cloud.Len() {
			if o := int(in.Cloud.Order[i]); o < parts[name] || o >= ends[name] {
				continue
			}
			n++
			for h := range mean {
				mean[h] += float64(out[i*5+h])
			}
			s := out[i*5] + out[i*5+1] + out[i*5+2]
			must.Need(t, math.Abs(float64(s)-1) <= 1e-5, "%s: dimensionality adds up to %v", name, s)
		}
		for h := range mean {
			v := mean[h] / n
			must.Hold(t, v >= ranges[h][0],
				"%s: mean of feature %d is %v, want %v: too low", name, h, v, ranges[h])
			must.Hold(t, v <= ranges[h][1],
				"%s: mean of feature %d is %v, want %v: too high", name, h, v, ranges[h])
		}
	}
}
