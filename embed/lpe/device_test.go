//go:build cgo && (amd64 || arm64)

package lpe_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"superpoint/embed"
	"superpoint/embed/cuda/emulator"
	"superpoint/embed/lpe"
	"superpoint/partition/base/parallel"
	"superpoint/partition/gpu"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

// networks returns models of several shapes: the paper's, wider and narrower
// ones, and the built-in ones.
func networks(t testing.TB) map[string]*embed.Model {
	t.Helper()
	models := map[string]*embed.Model{}
	add := func(name string, change func(c *embed.Card)) {
		c := embed.PaperCard()
		change(c)
		m := must.Get(embed.NewModel(c))(t)
		must.OK(t, m.RandomizeIntegers(11))
		models[name] = m
	}
	add("paper", func(*embed.Card) {})
	add("xyz", func(c *embed.Card) {
		c.Inputs.Neighbor = c.Inputs.Neighbor[:3]
		c.Inputs.Point = []string{"radius", "omega_xx", "omega_yy"}
	})
	add("table", func(c *embed.Card) { c.Network.LPE.Conv = []int{32, 128} })
	add("no transform", func(c *embed.Card) { c.Network.ST = embed.PointNet{}; c.Inputs.Point = c.Inputs.Point[:7] })
	add("odd widths", func(c *embed.Card) {
		c.Inputs.Neighbors = 13
		c.Network.ST = embed.PointNet{Conv: []int{5, 21}, FC: []int{9, 4}}
		c.Network.LPE = embed.PointNet{Conv: []int{17, 33}, FC: []int{128, 60, 3}}
	})
	add("every kind", func(c *embed.Card) {
		c.Inputs.Neighbor = append(c.Inputs.Neighbor, "rise", "normal_turn", "d_planarity", "log_radius")
		c.Inputs.Point = append(c.Inputs.Point, "centroid_offset", "height_range", "linearity")
	})
	for _, name := range embed.Builtins() {
		m := must.Get(embed.Builtin(name))(t)
		models["built-in "+name] = m
	}
	return models
}

// street returns ground, a wall and scattered points, with every dimension that models read;
// SUPERPOINT_SEED determines the points.
func street(t testing.TB, n int) *embed.Input {
	t.Helper()
	seed, _ := strconv.ParseUint(os.Getenv("SUPERPOINT_SEED"), 10, 32)
	r := rand.New(rand.NewPCG(7+seed, uint64(n)))
	var xyz [3][]float64
	in := &embed.Input{Attributes: map[string][]float32{}}
	for i := range n {
		side := math.Sqrt(float64(n)) / 4
		p := [3]float64{r.Float64() * side, r.Float64() * side, r.NormFloat64() * 0.02}
		switch i % 3 {
		case 1:
			p[0], p[2] = 2+r.NormFloat64()*0.02, r.Float64()*6
		case 2:
			p[2] = r.Float64() * 4
		}
		for a := range 3 {
			xyz[a] = append(xyz[a], math.Round(p[a]*1000)/1000)
		}
		for _, d := range []string{"Red", "Green", "Blue", "Infrared", "Intensity"} {
			in.Attributes[d] = append(in.Attributes[d], float32(r.IntN(256)))
		}
		in.Attributes["ReturnNumber"] = append(in.Attributes["ReturnNumber"], 1)
		in.Attributes["NumberOfReturns"] = append(in.Attributes["NumberOfReturns"], float32(1+i%3))
	}
	in.Cloud = must.Get(neighbor.New(xyz[0], xyz[1], xyz[2], parallel.Run{}))(t)
	in.Neighbors = must.Get(in.Cloud.Nearest(20, parallel.Run{}))(t)
	return in
}

// TestDeviceEmbeddings compares the bits of the fused kernel, in the emulator, with the CPU's.
func TestDeviceEmbeddings(t *testing.T) {
	for name, m := range networks(t) {
		for _, n := range []int{2, 9, 127, 128, 300} {
			backend, in := new(emulator.Backend), street(t, n)
			e := must.Get(lpe.NewGPU(backend, m))(t)
			got := must.Get(e.Embed(parallel.Run{}, in))(t)
			twin := must.Get(lpe.New(m))(t)
			want := must.Get(twin.Embed(parallel.Run{}, in))(t)
			if !slices.Equal(got, want) {
				t.Errorf("%s, %d points: embeddings are not the CPU's", name, n)
			}
			if backend.Used() != 0 {
				t.Errorf("%s: %d bytes not freed", name, backend.Used())
			}
		}
	}
}

// TestDeviceEmbeddingAfterSearch: positions and lists of the search on the backend are used.
func TestDeviceEmbeddingAfterSearch(t *testing.T) {
	m := networks(t)["paper"]
	in := street(t, 500)
	backend := new(emulator.Backend)
	c := must.Get(neighbor.Upload(backend, in.Cloud))(t)
	defer c.Close()
	in.Neighbors = must.Get(c.Nearest(20, parallel.Run{}))(t)
	e := must.Get(lpe.NewGPU(backend, m))(t)
	apart := must.Get(e.Embed(parallel.Run{}, in))(t)
	e.Use(c)
	together := must.Get(e.Embed(parallel.Run{}, in))(t)
	if !slices.Equal(apart, together) {
		t.Error("embeddings differ")
	}
}

// TestDeviceEmbeddingInBlocks: with little memory points are embedded in blocks with their
// neighbours, to the same bits, with and without lists of the search on the backend.
func TestDeviceEmbeddingInBlocks(t *testing.T) {
	m := networks(t)["every kind"]
	in := street(t, 1500)
	e := must.Get(lpe.NewGPU(new(emulator.Backend), m))(t)
	want := must.Get(e.Embed(parallel.Run{}, in))(t)
	e.SetBlock(200) // the copy of one block overlaps the computation of the next
	if got, err := e.Embed(parallel.Run{}, in); err != nil || !slices.Equal(got, want) {
		t.Errorf("embeddings of eight launches differ (%v)", err)
	}
	for _, resident := range []bool{false, true} {
		backend := &emulator.Backend{Budget: 300_000}
		e = must.Get(lpe.NewGPU(backend, m))(t)
		if resident {
			c := must.Get(neighbor.Upload(backend, in.Cloud))(t)
			defer c.Close()
			in.Neighbors = must.Get(c.Nearest(20, parallel.Run{}))(t)
			e.Use(c)
		}
		backend.Budget, backend.Launches = 140_000, 0
		got := must.Get(e.Embed(parallel.Run{}, in))(t)
		if !slices.Equal(got, want) {
			t.Errorf("resident %v: embeddings differ", resident)
		}
		if backend.Launches < 4 || backend.Used() != 0 {
			t.Errorf("resident %v: %d blocks, %d bytes not freed", resident, backend.Launches, backend.Used())
		}
	}
	backend := &emulator.Backend{Budget: 5000}
	e = must.Get(lpe.NewGPU(backend, m))(t)
	if _, err := e.Embed(parallel.Run{}, in); !errors.Is(err, gpu.ErrMemory) || backend.Used() != 0 {
		t.Errorf("5,000 bytes: got %v, %d bytes not freed", err, backend.Used())
	}
}

// TestDeviceEmbeddingAfterMemoryEnds: if an allocation or a launch runs out of memory, blocks
// are used, with the same bits.
func TestDeviceEmbeddingAfterMemoryEnds(t *testing.T) {
	m, in := networks(t)["paper"], street(t, 700)
	whole := must.Get(lpe.NewGPU(new(emulator.Backend), m))(t)
	want := must.Get(whole.Embed(parallel.Run{}, in))(t)
	for call := 1; call < 10; call++ {
		backend := &emulator.Backend{Fail: func(c int) error {
			if c == call {
				return gpu.ErrMemory
			}
			return nil
		}}
		e := must.Get(lpe.NewGPU(backend, m))(t)
		got, err := e.Embed(parallel.Run{}, in)
		if err != nil || !slices.Equal(got, want) || backend.Used() != 0 || backend.Launches == 0 {
			t.Errorf("call %d fails: embeddings differ, or %d bytes not freed (%v)", call, backend.Used(), err)
		}
	}
}

func TestDeviceRefusesNetworks(t *testing.T) {
	for _, change := range []func(c *embed.Card){
		func(c *embed.Card) { c.Network.LPE.Conv = []int{64, 64} },
		func(c *embed.Card) { c.Network.LPE.FC = []int{200, 4} },
		func(c *embed.Card) { c.Network.ST.Conv = []int{16, 16, 16} },
		func(c *embed.Card) { c.Network.LPE.FC = []int{128, 128, 4} },
	} {
		c := embed.PaperCard()
		change(c)
		m := must.Get(embed.NewModel(c))(t)
		must.OK(t, m.RandomizeIntegers(3))
		must.Fail(lpe.NewGPU(new(emulator.Backend), m))(t, "device=cpu")
		m.Card.Integer = nil
		must.Fail(lpe.NewGPU(new(emulator.Backend), m))(t, "--quantize")
	}
}
