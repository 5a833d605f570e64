//go:build cgo && (amd64 || arm64)

package local_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/embed/cuda/emulator"
	"superpoint/partition"
	"superpoint/partition/device"
	"superpoint/partition/local"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
	"superpoint/testdata/must"
)

// place returns the position of point i of a cloud, in metres.
func place(kind string, i int, r *rand.Rand) [3]float64 {
	switch kind {
	case "lattice": // every distance many times over, every other point twice
		j := i / 2 * 2
		return [3]float64{float64(j % 32), float64(j / 32 % 32), float64(j / 1024)}
	case "skew": // densities with a ratio of ten thousand, and isolated points
		if i%211 == 0 {
			return [3]float64{5000 * r.Float64(), 5000 * r.Float64(), 0}
		}
		s := math.Pow(10, float64(i%5)-2)
		return [3]float64{50*float64(i%5) + s*r.NormFloat64(), s * r.NormFloat64(), s * r.NormFloat64()}
	case "heaps": // many equal points
		return [3]float64{float64(r.IntN(9)), float64(r.IntN(9)), 0}
	}
	x, y := 20*r.Float64(), 20*r.Float64()
	return [3]float64{x, y, math.Sin(x) + .02*r.Float64()}
}

// problemOf returns a cloud whose values have patches and noise; without noise they are
// equal within a patch, as the pixels of an image.
func problemOf(t testing.TB, kind string, n, dim int, lambda, noise float64, seed uint64) *partition.Problem {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, uint64(n)))
	var xyz [3][]float64
	for i := range n {
		p := place(kind, i, random)
		for a := range 3 {
			xyz[a] = append(xyz[a], math.Round(p[a]*1000)/1000)
		}
	}
	cloud := must.Get(neighbor.New(xyz[0], xyz[1], xyz[2], parallel.Run{}))(t)
	lists := must.Get(cloud.Nearest(min(10, n-1), parallel.Run{}))(t)
	graph := must.Get(neighbor.Adjacency(lists, min(10, n-1), parallel.Run{}))(t)
	values := make([]float32, n*dim)
	for i := range n {
		p := cloud.Position(uint32(i))
		angle := math.Floor(p.X/3) + 2*math.Floor(p.Y/3)
		for k := range dim {
			values[i*dim+k] = float32(math.Cos(angle+float64(k)) + noise*random.NormFloat64())
		}
	}
	contrast := must.Get(partition.Contrast(graph, values, dim, .5, parallel.Run{}))(t)
	order := cloud.Ordered(.3)
	return &partition.Problem{Graph: graph, Dim: dim, Values: values, Contrast: contrast, MinSize: 10,
		Lambda: lambda * partition.Lambda(graph, nil, 1), Before: order.Precedes, Key: order.Key}
}

// same returns the names of the arrays in which two graphs differ, compared by bits.
func same(a, b *reduced.Graph) error {
	bits := func(x, y []float32) bool {
		return slices.EqualFunc(x, y, func(v, w float32) bool { return math.Float32bits(v) == math.Float32bits(w) })
	}
	switch {
	case !slices.Equal(a.First, b.First):
		return errors.New("first points")
	case !bits(a.Size, b.Size):
		return errors.New("sizes")
	case !bits(a.Mean, b.Mean):
		return errors.New("means")
	case !slices.Equal(a.Start, b.Start) || !slices.Equal(a.End, b.End) || !slices.Equal(a.Head, b.Head):
		return errors.New("edges")
	case !bits(a.Weight, b.Weight):
		return errors.New("weights")
	case a.Dim != b.Dim || a.Scale != b.Scale || a.Sphere != b.Sphere:
		return errors.New("moveOptions")
	}
	return nil
}

// TestDeviceCoarsening: coarsening on a machine gives the bytes of the CPU, for any order of
// threads.
func TestDeviceCoarsening(t *testing.T) {
	for _, c := range []struct {
		kind   string
		n, dim int
		lambda float64
		noise  float64
	}{
		{"surface", 2, 7, 1, .05}, {"surface", 129, 7, 1, .05}, {"surface", 6001, 7, 1, .05},
		{"surface", 6001, 7, 16, .05}, {"surface", 3000, 4, 3, .05}, {"surface", 3000, 7, 1, 0},
		{"lattice", 4097, 7, 1, .05}, {"lattice", 4097, 7, 10, 0}, {"skew", 5003, 7, 3, .05},
		{"heaps", 3001, 7, 3, .05}, {"heaps", 3001, 7, 3, 0},
	} {
		for seed := range uint64(3) {
			t.Run(fmt.Sprint(c, " seed ", seed), func(t *testing.T) {
				p := problemOf(t, c.kind, c.n, c.dim, c.lambda, c.noise, seed)
				want, atoms, err := local.Coarsening(nil, parallel.Run{}, p)
				must.OK(t, err)
				machine := &emulator.Machine{Launches: int(1000 * seed)} // orders of threads begin there
				for range 2 {
					got, graph, err := local.Coarsening(machine, parallel.Run{}, p)
					must.OK(t, err)
					if !slices.Equal(got, want) {
						t.Error("components differ")
					}
					if err := same(graph, atoms); err != nil {
						t.Errorf("%v differ", err)
					}
				}
				if machine.Used() != 0 {
					t.Errorf("%d bytes not freed", machine.Used())
				}
				if seed == 0 {
					t.Logf("%d of %d points are left, %d launches", atoms.Vertices(), c.n, machine.Launches/2)
				}
			})
		}
	}
}

// TestDeviceRefinement: label moves on a machine are those of the CPU, for any order of
// threads.
func TestDeviceRefinement(t *testing.T) {
	for _, c := range []struct {
		kind   string
		n, dim int
		lambda float64
		noise  float64
	}{
		{"surface", 129, 7, 1, .6}, {"surface", 6001, 7, 1, .6}, {"surface", 6001, 7, 16, .6},
		{"surface", 3000, 4, 3, .6}, {"lattice", 4097, 7, 3, .6}, {"lattice", 4097, 7, 10, .3},
		{"skew", 5003, 7, 3, .6}, {"heaps", 3001, 7, 3, .6},
	} {
		moved := 0
		for seed := range uint64(3) {
			t.Run(fmt.Sprint(c, " seed ", seed), func(t *testing.T) {
				p := problemOf(t, c.kind, c.n, c.dim, c.lambda, c.noise, seed)
				before, want, err := local.Moving(nil, parallel.Run{}, p)
				must.OK(t, err)
				machine := &emulator.Machine{Launches: int(1000 * seed)}
				for range 2 {
					if _, got, err := local.Moving(machine, parallel.Run{}, p); err != nil || !slices.Equal(got, want) {
						t.Errorf("label moves differ (%v)", err)
					}
				}
				if machine.Used() != 0 {
					t.Errorf("%d bytes not freed", machine.Used())
				}
				for i, c := range before {
					if want[i] != c {
						moved++
					}
				}
			})
		}
		t.Logf("%v: %d points moved", c, moved)
		if moved == 0 {
			t.Errorf("%v: no point moved", c)
		}
	}
}

// TestDeviceSolver: ids are equal with a machine, with one that has too little memory, and
// with one that runs out of memory during a step; other faults are errors.
func TestDeviceSolver(t *testing.T) {
	p := problemOf(t, "surface", 5003, 7, 3, .3, 1)
	want := must.Get(local.Solver{}.Solve(parallel.Run{}, p))(t)
	solve := func(m *emulator.Machine) error {
		t.Helper()
		d := &local.Device{Machine: m}
		got, err := d.Solve(parallel.Run{}, p)
		d.Close()
		if err == nil && (!slices.Equal(got.Component, want.Component) || got.Energy != want.Energy) {
			t.Errorf("%d launches: the result is not that of the CPU", m.Launches)
		}
		if m.Used() != 0 {
			t.Errorf("%d launches: %d bytes not freed", m.Launches, m.Used())
		}
		return err
	}
	whole, short := new(emulator.Machine), &emulator.Machine{Budget: 300_000}
	if err := solve(whole); err != nil || whole.Launches == 0 {
		t.Errorf("%d launches (%v)", whole.Launches, err)
	}
	if err := solve(short); err != nil || short.Launches != 0 {
		t.Errorf("300,000 bytes: %d launches (%v)", short.Launches, err)
	}
	lost := errors.New("the GPU is lost")
	for _, at := range []int{1, 20, 45, 85, 95, 105} { // of coarsening, and of the passes
		for _, fault := range []error{device.ErrMemory, lost} {
			err := solve(&emulator.Machine{Fail: func(call int) error {
				if call == at {
					return fault
				}
				return nil
			}})
			if wanted := fault == lost; errors.Is(err, lost) != wanted || (err != nil) != wanted {
				t.Errorf("call %d fails with %v: got %v", at, fault, err)
			}
		}
	}
}

// TestDeviceKeepsProblems: the second solution of a problem copies less than the first, because
// graph, values and order remain on the machine.
func TestDeviceKeepsProblems(t *testing.T) {
	const n = 20_000
	p := problemOf(t, "surface", n, 7, 3, .3, 1)
	must.OK(t, local.Round(parallel.Run{}, p.Contrast))
	m := &device.Meter{Machine: new(emulator.Machine)}
	d := local.Device{Machine: m}
	edges := p.Graph.Edges()
	for _, up := range []int{8*edges + n*(4*p.Dim+16), 4 * n} { // and components
		m.Up, m.Down, m.Launches, m.Allocs = 0, 0, 0, 0
		must.Get(d.Solve(parallel.Run{}, p))(t)
		t.Logf("%.1f bytes a point up, %.1f down, %.1f at most, %d launches, %d allocations; %.2f edges a point",
			float64(m.Up)/n, float64(m.Down)/n, float64(m.Peak)/n, m.Launches, m.Allocs, float64(edges)/n)
		if m.Up > up+n*4 || m.Launches > 60 || m.Allocs > 60 {
			t.Errorf("%d bytes up, want %d and some for components; %d launches, %d allocations", m.Up, up, m.Launches, m.Allocs)
		}
		p.Lambda *= 2
	}
	if d.Close(); m.Used != 0 {
		t.Errorf("%d bytes not freed", m.Used)
	}
}

// TestDeviceStar: a component that thousands choose, with as many neighbours, gives the bytes
// of the CPU.
func TestDeviceStar(t *testing.T) {
	const n = 3001
	p := starOf(t, n)
	want, atoms, err := local.Coarsening(nil, parallel.Run{}, p)
	must.OK(t, err)
	got, graph, err := local.Coarsening(new(emulator.Machine), parallel.Run{}, p)
	if err != nil || !slices.Equal(got, want) || same(graph, atoms) != nil {
		t.Errorf("components or their graph differ (%v)", err)
	}
	_, want, err = local.Moving(nil, parallel.Run{}, p)
	must.OK(t, err)
	if _, got, err = local.Moving(new(emulator.Machine), parallel.Run{}, p); err != nil || !slices.Equal(got, want) {
		t.Errorf("label moves differ (%v)", err)
	}
}

// TestDeviceRefuses: the CPU computes steps that exceed limits of the kernels: sums of weights
// beyond float32, and a pair with tens of thousands of followers.
func TestDeviceRefuses(t *testing.T) {
	heavy := problemOf(t, "surface", 200, 7, 3, .3, 1)
	for k := range heavy.Contrast {
		heavy.Contrast[k] = 255
	}
	star := starOf(t, 1<<14+1000)
	for name, p := range map[string]*partition.Problem{"heavy": heavy, "star": star} {
		machine := new(emulator.Machine)
		if _, _, err := local.Coarsening(machine, parallel.Run{}, p); err == nil || machine.Launches == 0 {
			t.Errorf("%s: %d launches, and no error", name, machine.Launches)
		}
		d := &local.Device{Machine: machine}
		got, err := d.Solve(parallel.Run{}, p)
		d.Close()
		must.OK(t, err)
		want := must.Get(local.Solver{}.Solve(parallel.Run{}, p))(t)
		if !slices.Equal(got.Component, want.Component) || machine.Used() != 0 {
			t.Errorf("%s: components differ, or %d bytes were not freed", name, machine.Used())
		}
	}
}

// starOf returns a graph in which all points choose one.
func starOf(t *testing.T, n int) *partition.Problem {
	t.Helper()
	edges, contrast, values := make([][2]uint32, n-1), make([]float32, n-1), make([]float32, n)
	for i := range edges {
		edges[i], contrast[i] = [2]uint32{0, uint32(i + 1)}, 1
		values[i+1] = float32(i) / float32(n)
	}
	graph := must.Get(neighbor.FromEdges(n, edges))(t)
	return &partition.Problem{Graph: graph, Dim: 1, Values: values, Contrast: contrast, Lambda: 10, MinSize: 1,
		Before: func(u, v uint32) bool { return u < v }, Key: func(u uint32) uint64 { return uint64(u) << 20 }}
}
