//go:build cgo && (amd64 || arm64)

package merge_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/embed/cuda/emulator"
	"superpoint/partition"
	"superpoint/partition/device"
	"superpoint/partition/merge"
	"superpoint/partition/neighbor"
	"superpoint/partition/oracle"
	"superpoint/partition/parallel"
)

// problemOf is a surface whose embedding has patches and noise.
func problemOf(t testing.TB, n int, lambda float64) *partition.Problem {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(n), 0))
	x, y, z := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = 20*random.Float64(), 20*random.Float64()
		z[i] = math.Sin(x[i]) + .02*random.Float64()
	}
	cloud, err := neighbor.New(x, y, z, parallel.Run{})
	if err != nil {
		t.Fatal(err)
	}
	lists, err := cloud.Nearest(10, parallel.Run{})
	if err != nil {
		t.Fatal(err)
	}
	graph, err := neighbor.Adjacency(lists, 10, parallel.Run{})
	if err != nil {
		t.Fatal(err)
	}
	random = rand.New(rand.NewPCG(2, 0))
	const dim = 4
	values := make([]float32, n*(dim+3))
	embedding := make([]float32, n*dim)
	for i := range n {
		p := cloud.Position(uint32(i))
		angle := math.Floor(p.X/3) + 2*math.Floor(p.Y/3) + .15*random.NormFloat64()
		e := [dim]float32{float32(math.Cos(angle)), float32(math.Sin(angle)), float32(.05 * random.NormFloat64())}
		copy(embedding[i*dim:], e[:])
		copy(values[i*(dim+3):], e[:])
		values[i*(dim+3)+dim], values[i*(dim+3)+dim+1] = float32(.02*p.X), float32(.02*p.Y)
	}
	contrast, err := partition.Contrast(graph, embedding, dim, .5, parallel.Run{})
	if err != nil {
		t.Fatal(err)
	}
	// The kernel's contrasts are those of the CPU.
	got, err := partition.ContrastOn(new(emulator.Machine), graph, embedding, dim, .5)
	if err != nil || !slices.Equal(got, contrast) {
		t.Fatalf("contrasts differ (%v)", err)
	}
	p := &partition.Problem{Graph: graph, Dim: dim + 3, Values: values, Contrast: contrast, MinSize: 10}
	p.Lambda = lambda * partition.Lambda(graph, 1)
	return p
}

func TestDeviceMergeEnergy(t *testing.T) {
	for _, n := range []int{1, 2, 129, 6001} {
		for _, lambda := range []float64{.2, 1, 5} {
			if n < 11 && lambda != 1 {
				continue
			}
			p := problemOf(t, n, lambda)
			want, err := merge.Solver{}.Solve(parallel.Run{}, p)
			if err != nil {
				t.Fatal(err)
			}
			machine := new(emulator.Machine)
			got, err := merge.Device{Machine: machine}.Solve(parallel.Run{}, p)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d points, λ %.1f: %d components and energy %.2f, CPU %d and %.2f, ratio %.4f, %d launches", n, lambda,
				got.Count, got.Energy, want.Count, want.Energy, got.Energy/want.Energy, machine.Launches)
			if n > 1 && got.Energy > 1.02*want.Energy {
				t.Errorf("%d points, λ %.1f: energy %g, CPU %g", n, lambda, got.Energy, want.Energy)
			}
			if machine.Used() != 0 {
				t.Errorf("%d bytes not freed", machine.Used())
			}
		}
	}
}

// The suite that every solver passes.
func TestDeviceSolver(t *testing.T) {
	for _, err := range oracle.Suite(merge.Device{Machine: new(emulator.Machine)}, 60) {
		t.Error(err)
	}
}

// Memory for a part of the vertices: blocks, whose seams the CPU's merge closes.
func TestDeviceMergeInBlocks(t *testing.T) {
	p := problemOf(t, 9001, 1)
	want, err := merge.Solver{}.Solve(parallel.Run{}, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, budget := range []int{3_000_000, 1_000_000} {
		machine := &emulator.Machine{Budget: budget}
		got, err := merge.Device{Machine: machine}.Solve(parallel.Run{}, p)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d bytes: %d components and energy %.2f, CPU %d and %.2f, ratio %.4f", budget, got.Count, got.Energy,
			want.Count, want.Energy,
			got.Energy/want.Energy)
		if got.Energy > 1.02*want.Energy || machine.Launches == 0 || machine.Used() != 0 {
			t.Errorf("%d bytes: energy %g, CPU %g; %d launches, %d bytes not freed", budget, got.Energy, want.Energy,
				machine.Launches, machine.Used())
		}
	}
	machine := &emulator.Machine{Budget: 100_000}
	if _, err := (merge.Device{Machine: machine}).Solve(parallel.Run{}, p); !errors.Is(err, device.ErrMemory) ||
		machine.Used() != 0 {
		t.Errorf("100,000 bytes: got %v, %d bytes not freed", err, machine.Used())
	}
}
