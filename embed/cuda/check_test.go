//go:build nvidia && cgo && (amd64 || arm64)

package cuda

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"superpoint/embed"
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

// Peaks of the GPU for the share of the roofline; the defaults are an H100's
// (SXM, NVIDIA's data sheet): 67 TFLOP/s in float32, 3.35 TB/s.
func peak(name string, otherwise float64) float64 {
	var v float64
	if _, err := fmt.Sscan(os.Getenv(name), &v); err != nil || v <= 0 {
		return otherwise
	}
	return v * 1e12
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
			oracle, cpu := checkEmbedding(t, g, m, in, 1+n/2000)
			t.Logf("%6d points, %-18s %.1e from the oracle, %.1e from the CPU", n, name, oracle, cpu)
			if !(oracle <= 1e-5 && cpu <= 2e-5) {
				t.Errorf("%s: %v from the oracle, %v from the CPU", name, oracle, cpu)
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
	return &partition.Problem{Graph: graph, Dim: 4, Values: values, Contrast: contrast, Lambda: partition.Strength(graph, 1), MinSize: 10}
}

// TestGPUSpeed times the operations with their copies and prints a table; the
// embedding also without copies of lists, which stay on the GPU.
func TestGPUSpeed(t *testing.T) {
	g := gpuOrSkip(t)
	n := 4_000_000
	if testing.Short() {
		n = 20_000
	}
	in := street(t, n)
	c, err := device.Upload(g, in.Cloud)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	best := func(f func() error) float64 {
		least := 0.0
		for range 3 {
			start := time.Now()
			if err := f(); err != nil {
				t.Fatal(err)
			}
			if s := time.Since(start).Seconds(); least == 0 || s < least {
				least = s
			}
		}
		return least
	}
	search := best(func() (err error) { in.Neighbors, err = c.Nearest(20, parallel.Run{}); return err })
	m := networks(t)["paper"]
	e, err := New(g, m)
	if err != nil {
		t.Fatal(err)
	}
	e.Use(c)
	inputs, err := embed.NewInputs(parallel.Run{}, m.Card, in)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float32, n*e.Dim())
	embedding := best(func() error {
		task := &device.Task{Machine: g}
		e.embed(task, parallel.Run{}, inputs, in.Neighbors, in.Cloud, out)
		return task.End()
	})
	const flop = 108e3 // of the paper's network, a point
	t.Logf("%-28s %12s %26s", "operation, with copies", "M points/s", "share of the roofline")
	t.Logf("%-28s %12.1f %26s", "neighbours, k = 20", float64(n)/search/1e6, fmt.Sprintf("%.1f %% of memory", 100*float64(n)*(20*12+80)/search/peak("PEAK_TBYTES", 3.35e12)))
	t.Logf("%-28s %12.1f %26s", "embedding, paper's network", float64(n)/embedding/1e6, fmt.Sprintf("%.1f %% of float32", 100*float64(n)*flop/embedding/peak("PEAK_TFLOPS", 67e12)))
}
