// SPDX-License-Identifier: BSD-3-Clause

package backprop

import (
	"math"
	"math/rand/v2"
	"testing"

	"superpoint/embed"
	"superpoint/embed/lpe/reference"
	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

func paper(t testing.TB) *embed.Card {
	t.Helper()
	c := embed.PaperCard()
	must.Need(t, c.Parameters() == 13816, "%d parameters; the paper has 13,816", c.Parameters())
	return c
}

func small() *embed.Card {
	c := embed.PaperCard()
	c.Inputs.Neighbors = 5
	c.Network.ST = embed.PointNet{Conv: []int{5, 7}, FC: []int{6, 4}}
	c.Network.LPE = embed.PointNet{Conv: []int{6, 9}, FC: []int{8, 7, 4}}
	return c
}

func random[T Real](rng *rand.Rand, n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(rng.NormFloat64())
	}
	return x
}

func batch[T Real](rng *rand.Rand, c *embed.Card, points int) *Batch[T] {
	in := &c.Inputs
	return &Batch[T]{points, random[T](rng, points*in.Neighbors*len(in.Neighbor)),
		random[T](rng, points*len(in.Point))}
}

// shaken returns initial parameters with noise, so that no gradient vanishes by symmetry.
func shaken(n *Net[float64], rng *rand.Rand) []float64 {
	p := n.Initial(rng)
	for i := range p {
		p[i] += 0.3 * rng.NormFloat64()
	}
	return p
}

// grouped returns small with group normalisation and embeddings off the sphere.
func grouped() *embed.Card {
	c, off := small(), false
	c.Network.Norm, c.Network.Groups, c.Network.Sphere = embed.NormGroup, 2, &off
	c.Network.ST = embed.PointNet{Conv: []int{4, 6}, FC: []int{6, 4}}
	c.Network.LPE = embed.PointNet{Conv: []int{6, 8}, FC: []int{8, 6, 4}}
	return c
}

// TestForwardEqualsInference compares the embeddings of a batch with those that package reference computes
// layer by layer with the exported model, whose statistics come from the batch; in float64, and on the
// kernels of the machine.
func TestForwardEqualsInference(t *testing.T) {
	group := paper(t)
	group.Network.Norm, group.Network.Groups = embed.NormGroup, 4
	for name, c := range map[string]*embed.Card{"small": small(), "paper": paper(t), "grouped": grouped(),
		"group": group} {
		rng := rand.New(rand.NewPCG(12, 13))
		exact := must.Get(NewPlain[float64](c))(t)
		p := convert[float32](shaken(exact, rng)) // as the model has them
		wide := make([]float64, len(p))
		assign(wide, p)
		b := batch[float64](rng, c, 300)
		got := must.Get(exact.Forward(parallel.Run{}, wide, b))(t)
		var s Statistics
		exact.Update(&s, 1)
		m := must.Get(embed.NewModel(c))(t)
		exact.Export(wide, &s, m)
		narrow := &Batch[float32]{b.Points, convert[float32](b.Set), convert[float32](b.Point)}
		var want []float64
		set, point := len(b.Set)/b.Points, len(b.Point)/b.Points
		for i := range b.Points {
			want = append(want, reference.Embed(m, narrow.Set[i*set:(i+1)*set],
				narrow.Point[i*point:(i+1)*point])...)
		}
		compare(t, name+", float64", convert[float32](got), want, 1e-5)
		n := must.Get(New(c))(t)
		compare(t, name, must.Get(n.Forward(parallel.Run{}, p, narrow))(t), want, 1e-4)
	}
}

// TestGradient checks every parameter against central differences in float64.
func TestGradient(t *testing.T) {
	plain := small()
	plain.Network.ST = embed.PointNet{}
	plain.Inputs.Point = plain.Inputs.Point[:5]
	for name, c := range map[string]*embed.Card{"spatial transform": small(), "no spatial transform": plain,
		"group normalisation off the sphere": grouped()} {
		rng := rand.New(rand.NewPCG(3, 4))
		n := must.Get(NewPlain[float64](c))(t)
		p, b := shaken(n, rng), batch[float64](rng, c, 30)
		direction := random[float64](rng, b.Points*c.Dim())
		value := func() float64 {
			e := must.Get(n.Forward(parallel.Run{}, p, b))(t)
			return dot(e, direction)
		}
		value()
		grad := make([]float64, n.Parameters())
		must.OK(t, n.Backward(parallel.Run{}, p, direction, grad))
		largest := 0.0
		for i := range p {
			want := must.Slope(p, i, value)
			must.Need(t, math.Abs(want-grad[i]) <= 2e-5*(1+math.Abs(want)),
				"%s: gradient of parameter %d is %g, by differences %g", name, i, grad[i], want)
			largest = max(largest, math.Abs(grad[i]))
		}
		must.Need(t, largest >= 0.1, "%s: the gradient vanishes", name)
	}
}

// TestFastEqualsPlain compares the kernels on the paper's network: embedding and gradient
// are equal to 1e-4 of the largest entry (float32 sums over 8,000 rows).
func TestFastEqualsPlain(t *testing.T) {
	c := paper(t)
	c.Inputs.Neighbors = 18 // not a multiple of the kernel's group
	fast := must.Get(New(c))(t)
	if _, same := fast.kernels.(plain[float32]); same {
		t.Skip("this machine has no faster kernels than the plain ones")
	}
	exact, _ := NewPlain[float64](c)
	rng := rand.New(rand.NewPCG(5, 6))
	p := shaken(exact, rng)
	b := batch[float64](rng, c, 1301)
	direction := random[float64](rng, b.Points*c.Dim())
	want, _ := exact.Forward(parallel.Run{}, p, b)
	wantGrad := make([]float64, len(p))
	must.OK(t, exact.Backward(parallel.Run{}, p, direction, wantGrad))
	p32 := convert[float32](p)
	for _, threads := range []int{1, 2} {
		run := parallel.Run{Threads: threads}
		got, err := fast.Forward(run, p32, &Batch[float32]{b.Points, convert[float32](b.Set),
			convert[float32](b.Point)})
		must.OK(t, err)
		compare(t, "embedding", got, want, 1e-4)
		grad := make([]float32, len(p))
		must.OK(t, fast.Backward(run, p32, convert[float32](direction), grad))
		compare(t, "gradient", grad, wantGrad, 2e-4)
	}
}

// TestOrderOfPointsChangesNothing: the statistics of a batch are computed over all its points, so points in
// another order have the same embeddings, and parameters the same gradient, also where a batch has several
// blocks.
func TestOrderOfPointsChangesNothing(t *testing.T) {
	const points = 2*denseBlock + 300
	c := small()
	n := must.Get(NewPlain[float64](c))(t)
	rng := rand.New(rand.NewPCG(21, 22))
	p := shaken(n, rng)
	b := batch[float64](rng, c, points)
	for i := range b.Point { // the first points differ from the last ones
		b.Point[i] += 3 * float64(i) / float64(len(b.Point))
	}
	direction := random[float64](rng, points*c.Dim())
	order := rng.Perm(points)
	rows := func(x []float64) []float64 {
		width := len(x) / points
		y := make([]float64, 0, len(x))
		for _, i := range order {
			y = append(y, x[i*width:(i+1)*width]...)
		}
		return y
	}
	embedding := rows(must.Get(n.Forward(parallel.Run{}, p, b))(t))
	grad := make([]float64, len(p))
	must.OK(t, n.Backward(parallel.Run{}, p, direction, grad))

	moved := &Batch[float64]{points, rows(b.Set), rows(b.Point)}
	got := must.Get(n.Forward(parallel.Run{Threads: 2}, p, moved))(t)
	compare(t, "embedding", convert[float32](got), embedding, 1e-6)
	gotGrad := make([]float64, len(p))
	must.OK(t, n.Backward(parallel.Run{Threads: 2}, p, rows(direction), gotGrad))
	compare(t, "gradient", convert[float32](gotGrad), grad, 1e-6)
}

func compare(t *testing.T, what string, got []float32, want []float64, tolerance float64) {
	t.Helper()
	top, worst := 0.0, 0.0
	for i := range want {
		top = max(top, math.Abs(want[i]))
		worst = max(worst, math.Abs(float64(got[i])-want[i]))
	}
	must.Need(t, worst <= tolerance*top, "%s differs by %g of at most %g", what, worst, top)
	t.Logf("%s differs by %.1e of at most %.1e", what, worst, top)
}

func TestStatisticsAndModel(t *testing.T) {
	c := paper(t)
	n, _ := New(c)
	rng := rand.New(rand.NewPCG(10, 11))
	p := n.Initial(rng)
	var s Statistics
	for range 3 {
		must.Get(n.Forward(parallel.Run{}, p, batch[float32](rng, c, 500)))(t)
		n.Update(&s, 0.1)
	}
	m := must.Get(embed.NewModel(c))(t)
	n.Export(p, &s, m)
	back, stats := n.Import(m)
	for i := range p {
		must.Need(t, back[i] == p[i], "parameter %d is %g after the export, want %g", i, back[i], p[i])
	}
	must.Need(t, len(stats.Mean) == len(s.Mean),
		"len(stats.Mean) is %v, want %v", len(stats.Mean), len(s.Mean))
	must.Need(t, len(s.Mean) == 9, "normalised layers: got %v, want 9", len(s.Mean))
}

// TestVarianceOfConstants: rounding gives no variance below 0, which would have no deviation.
func TestVarianceOfConstants(t *testing.T) {
	l := &layer[float32]{Layer: embed.Layer{In: 1, Out: 1}, eps: 1e-5}
	negative := 0
	for k := range 100 {
		x, n := 1e6+float64(k)/7, 3+float64(k)
		m := &sums{count: n, sum: []float64{n * x}, square: []float64{n * (x * x)}}
		if m.square[0]/n < m.sum[0]/n*m.sum[0]/n {
			negative++
		}
		l.moments(part[float32]{weight: []float32{1}}, m)
		must.Hold(t, l.variance[0] >= 0, "variance %v of %v equal values %v", l.variance[0], n, x)
	}
	must.Hold(t, negative > 0, "no case has a negative difference: nothing is tested")
}
