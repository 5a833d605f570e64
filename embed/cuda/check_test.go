//go:build nvidia && cgo && (amd64 || arm64)

package cuda

import (
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/embed"
	"superpoint/embed/train/backprop"
	"superpoint/embed/train/contrastive"
	"superpoint/partition"
	device "superpoint/partition/cuda"
	"superpoint/partition/merge"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// poisoned fills new memory with NaN, so that what no kernel writes shows.
type poisoned struct{ GPU }

func (p poisoned) Alloc(bytes int) (device.Pointer, error) {
	at, err := p.GPU.Alloc(bytes)
	if err == nil {
		err = p.GPU.Fill(at, 0xff, bytes)
	}
	return at, err
}

func gpuOrSkip(t *testing.T) GPU {
	t.Helper()
	g, err := Open("auto")
	if err != nil {
		t.Skipf("not run, no GPU: %v", err)
	}
	t.Cleanup(g.Close)
	return g
}

// TestGPUParity compares every operation with the CPU, at sizes off the
// boundaries of blocks.
func TestGPUParity(t *testing.T) {
	g := poisoned{gpuOrSkip(t)}
	t.Logf("device: %s", g.Name())
	for _, n := range []int{21, 127, 129, 4097, 100_003} {
		if testing.Short() && n > 5000 {
			continue
		}
		in := street(t, n)
		c, err := device.Upload(g, in.Cloud)
		if err != nil {
			t.Fatal(err)
		}
		lists, err := c.Nearest(20, parallel.Run{})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(lists.Index, in.Neighbors.Index) {
			t.Errorf("%d points: neighbours differ", n)
		}
		for name, m := range networks(t) {
			differ, oracle := checkEmbedding(t, g, m, in, 1+n/2000)
			t.Logf("%6d points, %-18s %.1e from the oracle, %d values are not the CPU's", n, name, oracle, differ)
			if !(oracle <= 1e-5 && differ == 0) {
				t.Errorf("%s: %v from the oracle, %d values are not the CPU's", name, oracle, differ)
			}
		}
		c.Close()
		p := mergeProblem(t, in)
		want, err := merge.Solver{}.Solve(parallel.Run{}, p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := device.Solver{Machine: g}.Solve(parallel.Run{}, p)
		if err != nil {
			t.Fatal(err)
		}
		again, err := device.Solver{Machine: g}.Solve(parallel.Run{}, p)
		if err != nil || !slices.Equal(got.Component, again.Component) {
			t.Errorf("%d points: components differ from run to run (%v)", n, err)
		}
		t.Logf("%6d points, merge: energy %.3f of the CPU's", n, got.Energy/want.Energy)
		if got.Energy > 1.02*want.Energy {
			t.Errorf("%d points: energy %v, CPU %v", n, got.Energy, want.Energy)
		}
	}
}

// mergeProblem is the partition problem of the paper's network on a scene.
func mergeProblem(t *testing.T, in *embed.Input) *partition.Problem {
	t.Helper()
	m := networks(t)["paper"]
	e, err := New(poisoned{gpuOrSkip(t)}, m)
	if err != nil {
		t.Fatal(err)
	}
	values, err := e.Embed(parallel.Run{}, in)
	if err != nil {
		t.Fatal(err)
	}
	graph, err := neighbor.Adjacency(in.Neighbors, 10, parallel.Run{})
	if err != nil {
		t.Fatal(err)
	}
	contrast, err := partition.Contrast(graph, values, 4, .5, parallel.Run{})
	if err != nil {
		t.Fatal(err)
	}
	return &partition.Problem{Graph: graph, Dim: 4, Values: values, Contrast: contrast,
		Lambda: partition.Lambda(graph, 1), MinSize: 10}
}

// TestGPUTraining compares forward, backward and the loss with the CPU.
func TestGPUTraining(t *testing.T) {
	g := poisoned{gpuOrSkip(t)}
	card := embed.PaperCard()
	device, err := backprop.NewDevice(g, card)
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	net, err := backprop.New(card)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{3, 65, 4099} {
		if testing.Short() && n > 1000 {
			continue
		}
		in := street(t, max(n, 21))
		b := trainingBatch(t, card, in, n)
		rng := rand.New(rand.NewPCG(5, uint64(n)))
		params, direction := net.Initial(rng), make([]float32, n*card.Dim())
		for i := range params {
			params[i] += float32(0.3 * rng.NormFloat64())
		}
		for i := range direction {
			direction[i] = float32(rng.NormFloat64())
		}
		want, err := net.Forward(parallel.Run{}, params, b)
		if err != nil {
			t.Fatal(err)
		}
		got, err := device.Forward(parallel.Run{}, params, b)
		if err != nil {
			t.Fatal(err)
		}
		grads := [3][]float32{make([]float32, len(params)), make([]float32, len(params)), make([]float32, len(params))}
		if err := net.Backward(parallel.Run{}, params, direction, grads[0]); err != nil {
			t.Fatal(err)
		}
		for _, grad := range grads[1:] {
			if err := device.Backward(parallel.Run{}, params, direction, grad); err != nil {
				t.Fatal(err)
			}
		}
		value, slope := apart(got, want), apart(grads[1], grads[0])
		t.Logf("%6d points, training: embedding %.1e, gradient %.1e of its largest entry from the CPU", n, value, slope)
		if !(value <= 1e-3 && slope <= 1e-3) || !slices.Equal(grads[1], grads[2]) {
			t.Errorf("%d points: embedding %v, gradient %v away; or the gradient differs from run to run", n, value, slope)
		}
	}
	in := street(t, 3001)
	graph, edges, e := lossProblem(t, in)
	want, got := make([]float32, len(e)), make([]float32, len(e))
	l := contrastive.Loss{Delta: 0.2}
	value := contrastive.Value(l, graph, edges, e, 4, want)
	other, err := contrastive.ValueOn(g, l, graph, edges, e, 4, got)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("  3001 points, loss: %.9f, CPU %.9f; gradient equal: %v", other, value, slices.Equal(got, want))
	if !(apart(got, want) <= 1e-6) || !(worse(0, other-value) <= 1e-9) {
		t.Errorf("loss %v, CPU %v; gradient %v away", other, value, apart(got, want))
	}
}

// trainingBatch is the channels of the first n points of a scene.
func trainingBatch(t *testing.T, card *embed.Card, in *embed.Input, n int) *backprop.Batch[float32] {
	t.Helper()
	inputs, err := embed.NewInputs(parallel.Run{}, card, in)
	if err != nil {
		t.Fatal(err)
	}
	points := make([]uint32, n)
	for i := range points {
		points[i] = uint32(i)
	}
	b := &backprop.Batch[float32]{Points: n, Set: make([]float32, n*inputs.Neighbors*inputs.NeighborChannels),
		Point: make([]float32, n*inputs.PointChannels)}
	inputs.GatherBatch(points, b.Set, b.Point)
	return b
}

// lossProblem is a graph with three objects and random embeddings.
func lossProblem(t *testing.T, in *embed.Input) (*neighbor.Graph, *contrastive.Edges, []float32) {
	t.Helper()
	graph, err := neighbor.Adjacency(in.Neighbors, 5, parallel.Run{})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(4, 4))
	object, e := make([]uint32, in.Cloud.Len()), make([]float32, 4*in.Cloud.Len())
	for i := range object {
		object[i] = uint32(i / 7 % 3)
	}
	for i := range e {
		e[i] = float32(0.3 * rng.NormFloat64())
	}
	return graph, contrastive.NewEdges(graph, object), e
}

// apart is the largest difference as a share of the largest entry.
func apart(got, want []float32) float64 {
	most, scale := 0.0, 0.0
	for i, w := range want {
		most, scale = worse(most, float64(got[i]-w)), max(scale, float64(w), -float64(w))
	}
	return most / scale
}
