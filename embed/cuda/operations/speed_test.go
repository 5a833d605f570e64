//go:build nvidia && cgo && (amd64 || arm64)

package operations

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"
	"time"

	"superpoint/embed"
	"superpoint/partition/arithmetic"
	"superpoint/partition/device"
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
	device.GPU
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
}

func (g timed) Launch(kernel device.Kernel, blocks, threads, shared int, arguments ...uint64) error {
	seconds, err := g.GPU.(clocked).Clock(func() error {
		return g.GPU.Launch(kernel, blocks, threads, shared, arguments...)
	})
	s := g.spent[kernel.Name]
	if s == nil {
		s = &spent{}
		g.spent[kernel.Name] = s
	}
	for len(s.seconds) <= *g.pass {
		s.seconds = append(s.seconds, 0)
	}
	s.seconds[*g.pass] += seconds
	if *g.pass == 0 {
		flop, bytes := g.sizes.work(kernel.Name, float64(blocks*threads))
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

// TestGPUSpeed times every operation on the processor and, with its copies, on the
// GPU, and then each kernel alone.
func TestGPUSpeed(t *testing.T) {
	open(t)
	if os.Getenv(aloneVariable) == "" {
		t.Logf("%-26s %9s %10s %10s %7s %9s %9s %9s %8s", "median of 5, with copies", "points", "CPU, M/s", "GPU, M/s",
			"ratio", "MB up", "MB down", "MB peak", "launches")
	}
	for _, o := range All() {
		alone(t, o.Name, func(t *testing.T) { speed(t, o) })
	}
}

func speed(t *testing.T, o Operation) {
	g, points := open(t), 4_000_000
	if testing.Short() {
		points = 2_000
	}
	t.Setenv(arithmetic.KernelVariable, "")
	s, err := New(Case{Kind: "street", Points: points}, seedOf(t))
	if err != nil {
		t.Fatal(err)
	}
	m := &device.Meter{Machine: g}
	if _, err := o.Do(m, s); err != nil {
		t.Fatal(err)
	}
	onGPU := median(t, func() error { _, err := o.Do(g, s); return err })
	cpu := median(t, func() error { _, err := o.Do(nil, s); return err })
	t.Logf("%-26s %9d %10.3f %10.3f %7.2f %9.1f %9.1f %9.1f %8d", o.Name, points, float64(points)/cpu/1e6,
		float64(points)/onGPU/1e6, cpu/onGPU, float64(m.Up)/1e6, float64(m.Down)/1e6, float64(m.Peak)/1e6, m.Launches)
	clock := timed{g, sizesOf(embed.PaperCard(), s.Problem), map[string]*spent{}, new(int)}
	clock.passes(t, o.Name, func() error { _, err := o.Do(clock, s); return err })
}

// TestGPUCopies times copies from and to memory of Go and pinned memory, and how long
// the driver takes to compile the kernels.
func TestGPUCopies(t *testing.T) {
	start := time.Now()
	g, bytes := open(t), 256<<20
	t.Logf("opening %s: %.3f s", g.Name(), time.Since(start).Seconds())
	if testing.Short() {
		bytes = 1 << 20
	}
	more := g.(interface {
		Compile(each func(module string, seconds float64)) error
		Pinned(bytes int) ([]byte, func(), error)
	})
	compiled := func(module string, seconds float64) { t.Logf("compiling %-10s %6.3f s", module, seconds) }
	if err := more.Compile(compiled); err != nil {
		t.Error(err)
	}
	pinned, free, err := more.Pinned(bytes)
	if err != nil {
		t.Fatal(err)
	}
	defer free()
	there, err := g.Alloc(bytes)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Free(there)
	for _, memory := range []struct {
		name string
		at   []byte
	}{{"pageable", make([]byte, bytes)}, {"pinned", pinned}} {
		up := median(t, func() error { return g.Upload(there, memory.at) })
		down := median(t, func() error { return g.Download(memory.at, there) })
		t.Logf("copies of %d MB, %-8s %6.2f GB/s up, %6.2f GB/s down", bytes>>20, memory.name, float64(bytes)/up/1e9,
			float64(bytes)/down/1e9)
	}
}
