//go:build nvidia && cgo && (amd64 || arm64)

package cuda

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"
	"time"

	"superpoint/embed"
	"superpoint/embed/train/backprop"
	"superpoint/embed/train/contrastive"
	"superpoint/partition"
	device "superpoint/partition/cuda"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// Peaks of the GPU for the share of the roofline; the defaults are an H100's
// (SXM, NVIDIA's data sheet): 67 TFLOP/s in float32, 3.35 TB/s.
func peak(name string, otherwise float64) float64 {
	var v float64
	if _, err := fmt.Sscan(os.Getenv(name), &v); err != nil || v <= 0 {
		return otherwise
	}
	return v * 1e12
}

// timed is a GPU that measures every kernel by events, and adds up its time and its
// work in each of several passes.
type timed struct {
	GPU
	sizes sizes
	spent map[string]*spent
	pass  *int
}

type spent struct {
	launches    int       // a pass
	seconds     []float64 // of each pass
	flop, bytes float64   // a pass
}

// clocked is a GPU that measures by its own events.
type clocked interface {
	Clock(f func() error) (seconds float64, err error)
	Wait() error
}

func wait(t *testing.T, g GPU) {
	if err := g.(clocked).Wait(); err != nil {
		t.Fatal(err)
	}
}

func (g timed) Launch(kernel string, blocks, threads, shared int, arguments ...uint64) error {
	seconds, err := g.GPU.(clocked).Clock(func() error {
		return g.GPU.Launch(kernel, blocks, threads, shared, arguments...)
	})
	s := g.spent[kernel]
	if s == nil {
		s = &spent{}
		g.spent[kernel] = s
	}
	for len(s.seconds) <= *g.pass {
		s.seconds = append(s.seconds, 0)
	}
	s.seconds[*g.pass] += seconds
	if *g.pass == 0 {
		flop, bytes := g.sizes.work(kernel, float64(blocks*threads), arguments)
		s.launches, s.flop, s.bytes = s.launches+1, s.flop+flop, s.bytes+bytes
	}
	return err
}

// passes does something several times, and prints a line a kernel, the slowest
// first: medians. The roofline is the time that its multiplications and additions,
// or the bytes it has to move at least, would take at the GPU's peaks.
func (g timed) passes(t *testing.T, what string, f func() error) {
	t.Helper()
	clear(g.spent)
	for *g.pass = range repeats {
		if err := f(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%s, each kernel alone, median of %d:", what, repeats)
	t.Logf("  %-16s %8s %10s %10s %10s %9s", "kernel", "launches", "ms", "GFLOP/s", "GB/s", "roofline")
	median := func(name string) float64 { return middle(g.spent[name].seconds) }
	names := slices.SortedFunc(maps.Keys(g.spent), func(a, b string) int { return cmp.Compare(median(b), median(a)) })
	for _, name := range names {
		s, seconds := g.spent[name], median(name)
		least := max(s.flop/peak("PEAK_TFLOPS", 67e12), s.bytes/peak("PEAK_TBYTES", 3.35e12))
		t.Logf("  %-16s %8d %10.3f %10.1f %10.1f %7.1f %%", name, s.launches, 1e3*seconds, s.flop/seconds/1e9,
			s.bytes/seconds/1e9, 100*least/seconds)
	}
}

// repeats is how often everything is measured.
const repeats = 5

// middle is the median.
func middle(seconds []float64) float64 { return slices.Sorted(slices.Values(seconds))[len(seconds)/2] }

// median is the median time of what the host waits for.
func median(t *testing.T, f func() error) float64 {
	t.Helper()
	var seconds []float64
	for range repeats {
		start := time.Now()
		if err := f(); err != nil {
			t.Fatal(err)
		}
		seconds = append(seconds, time.Since(start).Seconds())
	}
	return middle(seconds)
}

// TestGPUSpeed times every operation with its copies, and then every kernel.
func TestGPUSpeed(t *testing.T) {
	g := gpuOrSkip(t)
	n, few := 4_000_000, 40_000
	if testing.Short() {
		n, few = 3_000, 200
	}
	in := street(t, n)
	m := networks(t)["paper"]
	c, err := device.Upload(g, in.Cloud)
	if err != nil {
		t.Fatal(err)
	}
	search := median(t, func() (err error) { in.Neighbors, err = c.Nearest(20, parallel.Run{}); return err })
	e, err := New(g, m)
	if err != nil {
		t.Fatal(err)
	}
	e.Use(c)
	inputs, err := embed.NewInputs(parallel.Run{}, m.Card, in)
	if err != nil {
		t.Fatal(err)
	}
	values := make([]float32, n*e.Dim())
	embedding := median(t, func() error { return e.embed(parallel.Run{}, inputs, in, values) })
	c.Close()
	graph, err := neighbor.Adjacency(in.Neighbors, 10, parallel.Run{})
	if err != nil {
		t.Fatal(err)
	}
	p := &partition.Problem{Graph: graph, Dim: 4, Values: values, Lambda: partition.Lambda(graph, 1), MinSize: 10}
	contrasts := median(t, func() (err error) {
		p.Contrast, err = device.Contrast(g, graph, values, 4, .5)
		return err
	})
	merging := median(t, func() error { _, _, err := device.Rounds(g, parallel.Run{}, p); return err })
	trainer, err := backprop.NewDevice(g, m.Card)
	if err != nil {
		t.Fatal(err)
	}
	step := trainingStep(t, trainer, m.Card, in, few)
	training := median(t, step)
	trainer.Close()
	few3, edges, random := lossProblem(t, in)
	gradient := make([]float32, len(random))
	losses := median(t, func() error {
		_, err := contrastive.ValueOn(g, contrastive.Loss{Delta: .2}, few3, edges, random, 4, gradient)
		return err
	})
	t.Logf("%-34s %12s", "operation with copies, median of 5", "M points/s")
	for _, line := range []struct {
		what    string
		points  int
		seconds float64
	}{
		{"neighbours, k = 20", n, search}, {"embedding, paper's network", n, embedding}, {"contrasts", n, contrasts},
		{"rounds of the merge", n, merging}, {"training, forward and backward", few,
			training}, {"training, loss and gradient", n, losses},
	} {
		t.Logf("%-34s %12.2f", line.what, float64(line.points)/line.seconds/1e6)
	}
	kernelSpeed(t, g, m, in, p, few)
}

// trainingStep is one forward and backward pass over the first points.
func trainingStep(t *testing.T, d *backprop.Device, card *embed.Card, in *embed.Input, points int) func() error {
	b := trainingBatch(t, card, in, points)
	params, direction := make([]float32, d.Parameters()), make([]float32, points*card.Dim())
	for i := range params {
		params[i] = float32(i%7-3) / 10
	}
	for i := range direction {
		direction[i] = float32(i%5-2) / 10
	}
	grad := make([]float32, len(params))
	return func() error {
		if _, err := d.Forward(parallel.Run{}, params, b); err != nil {
			return err
		}
		return d.Backward(parallel.Run{}, params, direction, grad)
	}
}

// kernelSpeed runs everything again with a clock on every kernel.
func kernelSpeed(t *testing.T, g GPU, m *embed.Model, in *embed.Input, p *partition.Problem, few int) {
	wait(t, g)
	clock := timed{g, sizesOf(m.Card, p), map[string]*spent{}, new(int)}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	c, err := device.Upload(clock, in.Cloud)
	must(err)
	defer c.Close()
	clock.passes(t, fmt.Sprintf("neighbours of %d points", in.Cloud.Len()), func() (err error) {
		in.Neighbors, err = c.Nearest(20, parallel.Run{})
		return err
	})
	e, err := New(clock, m)
	must(err)
	e.Use(c)
	clock.passes(t, "embedding", func() error { _, err := e.Embed(parallel.Run{}, in); return err })
	clock.passes(t, "contrasts and merge", func() error {
		if _, err := device.Contrast(clock, p.Graph, p.Values, p.Dim, .5); err != nil {
			return err
		}
		_, _, err := device.Rounds(clock, parallel.Run{}, p)
		return err
	})
	d, err := backprop.NewDevice(clock, m.Card)
	must(err)
	defer d.Close()
	step := trainingStep(t, d, m.Card, in, few)
	graph, edges, values := lossProblem(t, in)
	gradient := make([]float32, len(values))
	clock.passes(t, fmt.Sprintf("training, %d points; loss, %d", few, in.Cloud.Len()), func() error {
		if err := step(); err != nil {
			return err
		}
		_, err := contrastive.ValueOn(clock, contrastive.Loss{Delta: .2}, graph, edges, values, 4, gradient)
		return err
	})
}
