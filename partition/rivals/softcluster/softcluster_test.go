// SPDX-License-Identifier: BSD-3-Clause

package softcluster

import (
	"math"
	"math/rand/v2"
	"testing"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/metrics"
	"superpoint/partition/neighbor"
	"superpoint/testdata/corner"
	"superpoint/testdata/must"
)

// halves returns samples of a square floor of 6 m whose halves x < 3 and x ≥ 3 have different
// embeddings on the unit circle, with noise, and classes 0 and 1.
func halves(t testing.TB, n int) (Input, metrics.Truth) {
	rng := rand.New(rand.NewPCG(3, 9))
	x, y, z := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i], z[i] = 700_000+rng.Float64()*6, rng.Float64()*6, rng.Float64()*0.05
	}
	cloud, lists := corner.Lists(t, x, y, z, 10)
	graph := must.Get(neighbor.Adjacency(lists, 5, parallel.Run{}))(t)
	in := Input{Cloud: cloud, Graph: graph, Embedding: make([]float32, 2*n), Dim: 2}
	truth := metrics.Truth{Class: make([]int32, n)}
	for i, j := range cloud.Order {
		angle := rng.NormFloat64() * 0.1
		if x[j] >= 700_003 {
			truth.Class[i] = 1
			angle += 1.2
		}
		in.Embedding[2*i], in.Embedding[2*i+1] = float32(math.Cos(angle)), float32(math.Sin(angle))
	}
	return in, truth
}

func TestSegmentsFollowTheEmbedding(t *testing.T) {
	in, truth := halves(t, 8000)
	for _, size := range []float64{40, 200} {
		o := Defaults()
		o.TargetSize = size
		s := must.Get(Segment(parallel.Run{}, in, o))(t)
		want := 8000 / size
		must.Need(t, math.Abs(float64(s.Count)-want) <= 0.05*want,
			"size %v: segments: got %v, want %v within %v", size, float64(s.Count), want, 0.05*want)
		must.Equal(t, metrics.ConnectedComponents(in.Graph, s.Component), s.Count,
			"size %v: metrics.ConnectedComponents(in.Graph, s.Component)", size)
		again := append([]uint32{}, s.Component...)
		must.Need(t, arrays.Number(again, s.Count) == s.Count,
			"ids are not dense in order of first points: arrays.Number(again, s.Count) is not s.Count")
		must.Equal(t, again, s.Component, "ids are not dense in order of first points: again")
		r := must.Get(metrics.Evaluate(parallel.Run{}, in.Graph, truth, s.Component, s.Count))(t)
		must.Hold(t, r.OOA >= 0.995, "size %v: OOA %v", size, r.OOA)
	}
}

// Two points in touching cubes, one feature: 0 and 1. Centres start on the points, so q of the own centre is
// 1/(1+1/e).
func TestAssociateByHand(t *testing.T) {
	cloud := must.Get(neighbor.New([]float64{0.5, 1.5}, []float64{0.5, 0.5}, []float64{0.5, 0.5},
		parallel.Run{}))(t)
	l := must.Get(newLayout(parallel.Run{}, cloud, 1))(t)
	must.Need(t, l.Count() == 2, "centres: got %v, want 2", l.Count())
	must.Need(t, l.Associations() == 4, "associations: got %v, want 4", l.Associations())
	a := associate(parallel.Run{}, l, []float64{0, 1}, 1, 1, true)
	own := 1 / (1 + math.Exp(-1))
	want := []float64{own, 1 - own, 1 - own, own}
	for i, q := range a.Q {
		if math.Abs(q-want[i]) > 1e-15 {
			t.Errorf("associations %v, want %v", a.Q, want)
			break
		}
	}
	must.Hold(t, math.Abs(a.Centers[0]-(1-own)) <= 1e-15,
		"a.Centers[0] is %v, want %v within 1e-15", a.Centers[0], (1 - own))
	must.Hold(t, math.Abs(a.Centers[1]-own) <= 1e-15,
		"a.Centers[1] is %v, want %v within 1e-15", a.Centers[1], own)
	// Labels 0 and 1: shares of the own label at each centre are own and 1 − own,
	// so each point gets back own² + (1 − own)² of its label.
	loss, err := reconstruction(parallel.Run{}, l, a.Q, []int32{0, 1}, 2, 1, make([]float64, 4))
	back := own*own + (1-own)*(1-own)
	must.OK(t, err)
	must.Hold(t, math.Abs(loss+math.Log(back)) <= 1e-7,
		"loss: got %v, want %v within 1e-7", loss, -math.Log(back))
}

// TestGradients compares the gradient with central differences in float64.
func TestGradients(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 4))
	const n, dim, labels = 60, 4, 3
	x, y, z := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i], z[i] = rng.Float64()*3, rng.Float64()*3, rng.Float64()
	}
	cloud := must.Get(neighbor.New(x, y, z, parallel.Run{}))(t)
	l := must.Get(newLayout(parallel.Run{}, cloud, 1))(t)
	f, position, label := make([]float64, n*dim), make([]float64, n*3), make([]int32, n)
	for i := range f {
		f[i] = rng.NormFloat64()
	}
	for i := range n {
		label[i] = int32(rng.IntN(labels+1)) - 1 // some ignored
		p := cloud.Position(uint32(i))
		position[3*i], position[3*i+1], position[3*i+2] = p.X, p.Y, p.Z
	}
	value := func(f []float64, backward bool) (loss float64, grad []float64) {
		a := associate(parallel.Run{}, l, f, dim, 3, true)
		gq := make([]float64, len(a.Q))
		r := must.Get(reconstruction(parallel.Run{}, l, a.Q, label, labels, 1, gq))(t)
		c := must.Get(compactness(parallel.Run{}, l, a.Q, position, 3, 0.7, gq))(t)
		if backward {
			grad = a.backward(parallel.Run{Threads: 3}, gq)
		}
		return r + 0.7*c, grad
	}
	_, grad := value(f, true)
	for i := range f {
		want := must.Slope(f, i, func() float64 { loss, _ := value(f, false); return loss })
		must.Need(t, math.Abs(grad[i]-want) <= 1e-7*math.Max(1, math.Abs(want)),
			"gradient by feature %d: %v, want %v", i, grad[i], want)
	}
}

func TestFloat32AgreesWithFloat64(t *testing.T) {
	in, truth := halves(t, 600)
	l := must.Get(newLayout(parallel.Run{}, in.Cloud, 0.8))(t)
	f := featuresOf(parallel.Run{}, in.Cloud, in.Embedding, 2, 0.8, 3, 1)
	wide := make([]float64, len(f))
	for i, v := range f {
		wide[i] = float64(v)
	}
	small, large := gradient(t, l, f, truth.Class), gradient(t, l, wide, truth.Class)
	most := 0.0
	for _, g := range large {
		most = max(most, math.Abs(g))
	}
	for i, g := range large {
		must.Need(t, math.Abs(float64(small[i])-g) <= 1e-3*most, "gradient %d: %v in float32, %v in float64",
			i, small[i], g)
	}
}

func gradient[T Number](t *testing.T, l *layout, f []T, label []int32) []T {
	a := associate(parallel.Run{}, l, f, 5, 5, true)
	gq := make([]T, len(a.Q))
	must.Get(reconstruction(parallel.Run{}, l, a.Q, label, 2, 1, gq))(t)
	return a.backward(parallel.Run{}, gq)
}

func TestLabelOutOfRange(t *testing.T) {
	in, _ := halves(t, 100)
	l := must.Get(newLayout(parallel.Run{}, in.Cloud, 1))(t)
	label := make([]int32, 100)
	label[3] = 7
	must.Fail(reconstruction(parallel.Run{}, l, make([]float32, l.Associations()), label, 2, 1, nil))(t,
		"label 7 of point 3")
}
