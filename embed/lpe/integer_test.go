package lpe

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"superpoint/embed"
	"superpoint/partition/arithmetic"
	"superpoint/partition/parallel"
)

// integerCards are those of cards that have an integer network, and one of every channel.
func integerCards() map[string]*embed.Card {
	list := cards()
	for name, c := range list {
		if c.Quantizable() != nil {
			delete(list, name)
		}
	}
	every := embed.PaperCard()
	every.Inputs.Neighbor, every.Inputs.Point = embed.NeighborChannelNames(), embed.PointChannelNames()
	every.Inputs.Spacing = 0.25
	every.Network.LPE = embed.PointNet{Conv: []int{24, 40, 90}, FC: []int{50, 70, 20, 5}}
	list["every channel"] = every
	return list
}

// TestIntegerKernelsAgree: all kernels of the integer network give the bits of the plain
// one.
func TestIntegerKernelsAgree(t *testing.T) {
	t.Log(Kernels())
	in := mountain(t, 301)
	for name, card := range integerCards() {
		m := integerModel(t, card, 17)
		want := embedWith(t, m, "go", 2, in)
		different := map[[2]float32]bool{}
		for i := 0; i < len(want); i += card.Dim() {
			different[[2]float32{want[i], want[i+1]}] = true
		}
		if len(different) < 60 {
			t.Errorf("%s: only %d embeddings of 301 points differ; the numbers test nothing", name, len(different))
		}
		for _, kernel := range Kernels() {
			for i, v := range embedWith(t, m, kernel, 2, in) {
				if math.Float32bits(v) != math.Float32bits(want[i]) {
					t.Errorf("%s, %s: point %d has %x, plain Go %x", name, kernel, i/card.Dim(), v, want[i])
					break
				}
			}
		}
	}
}

// TestKernelsOfOtherProcessors compiles the kernels for AVX-VNNI and AVX-512 VNNI with
// SIMDe's functions in place of those two instructions, and compares them likewise.
func TestKernelsOfOtherProcessors(t *testing.T) {
	if testing.Short() || os.Getenv(arithmetic.KernelVariable) != "" {
		t.Skip("a kernel is chosen")
	}
	include := os.Getenv("SIMDE_INCLUDE")
	if _, err := os.Stat(filepath.Join(include, "simde")); err != nil || runtime.GOARCH != "amd64" {
		t.Skip("SIMDE_INCLUDE names no folder with simde in it, which Debian's libsimde-dev puts into /usr/include")
	}
	c := exec.Command("go", "test", "-count=1", "-run", "IntegerKernels", "-v", ".")
	c.Env = append(os.Environ(), "CGO_CFLAGS=-O2 -DLPE_SIMDE -Wno-psabi -I"+include)
	out, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "[avx512 avxvnni avx2 go]") {
		t.Errorf("%v: %s", err, out)
	}
}

// BenchmarkNetworks compares the float with the integer network of the default's shape.
func BenchmarkNetworks(b *testing.B) {
	m, err := embed.Builtin("any")
	if err != nil {
		b.Fatal(err)
	}
	in := scene(b, 50_000, [3]float64{})
	for _, whole := range []bool{false, true} {
		name := "float"
		if m.DropIntegers(); whole {
			name = "integer"
			if err := m.RandomizeIntegers(1); err != nil {
				b.Fatal(err)
			}
		}
		inputs, err := embed.NewInputs(parallel.Run{}, m.Card, in)
		if err != nil {
			b.Fatal(err)
		}
		for _, kernel := range Kernels() {
			b.Run(name+"/"+kernel, func(b *testing.B) {
				e, _ := NewKernel(m, kernel)
				out := make([]float32, 3000*e.Dim())
				var rows []int16
				var scratch []float32
				if whole {
					if rows, err = e.integers.rows(parallel.Run{}, e.whole, inputs); err != nil {
						b.Fatal(err)
					}
					scratch = aligned(e.whole.scratch(e.integers) / 4)
				} else {
					scratch = aligned(e.net.scratch())
				}
				points := 0
				for b.Loop() {
					lo := points % (inputs.Len() - 3000)
					if whole {
						e.whole.embed(e.integers, inputs, rows, lo, lo+3000, out, scratch)
					} else {
						e.kernel(e.net, inputs, lo, lo+3000, out, scratch)
					}
					points += 3000
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(points), "ns/point")
			})
		}
	}
}

// SetBlock sets how many points a launch has.
func (e *Device) SetBlock(points int) { e.block = points }
