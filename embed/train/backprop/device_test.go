//go:build cgo && (amd64 || arm64)

package backprop

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"superpoint/embed"
	"superpoint/embed/cuda/emulator"
	"superpoint/partition/cuda"
	"superpoint/partition/parallel"
)

// cards are networks of several shapes; none fits the kernels' blocks evenly.
func cards() map[string]*embed.Card {
	flat := small()
	flat.Network.ST = embed.PointNet{}
	flat.Inputs.Point = flat.Inputs.Point[:5]
	table := embed.PaperCard() // the widths of the paper's table
	table.Inputs.Neighbors = 18
	table.Network.LPE.Conv = []int{32, 128}
	return map[string]*embed.Card{"paper": embed.PaperCard(), "small": small(), "no spatial transform": flat,
		"table": table}
}

// TestDeviceIsTheCPU compares embedding, gradient and statistics of the GPU's
// kernels, run by the emulator, with the network in float64.
func TestDeviceIsTheCPU(t *testing.T) {
	for name, c := range cards() {
		for _, points := range []int{3, 70, 261} {
			if points > 100 && name != "paper" {
				continue
			}
			machine := new(emulator.Machine)
			device, err := NewDevice(machine, c)
			if err != nil {
				t.Fatal(err)
			}
			exact, err := NewPlain[float64](c)
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(5, 6))
			p, b := shaken(exact, rng), batch[float64](rng, c, points)
			direction := random[float64](rng, points*c.Dim())
			want, err := exact.Forward(parallel.Run{}, p, b)
			if err != nil {
				t.Fatal(err)
			}
			wantGrad := make([]float64, len(p))
			if err := exact.Backward(parallel.Run{}, p, direction, wantGrad); err != nil {
				t.Fatal(err)
			}
			p32, b32 := convert[float32](p), &Batch[float32]{points, convert[float32](b.Set), convert[float32](b.Point)}
			var first []float32
			for range 2 { // the second time with memory that holds other numbers
				got, err := device.Forward(parallel.Run{}, p32, b32)
				if err != nil {
					t.Fatal(err)
				}
				grad := make([]float32, len(p))
				if err := device.Backward(parallel.Run{}, p32, convert[float32](direction), grad); err != nil {
					t.Fatal(err)
				}
				value, slope := difference(got, want), difference(grad, wantGrad)
				if first == nil {
					first = grad
					t.Logf("%s, %d points: embedding %.1e, gradient %.1e of its largest entry", name, points, value, slope)
				}
				if !(value <= 1e-4 && slope <= 1e-4) {
					t.Errorf("%s, %d points: embedding %g, gradient %g away", name, points, value, slope)
				}
				if !slices.Equal(first, grad) {
					t.Errorf("%s: the gradient differs from run to run", name)
				}
			}
			for i, l := range device.layers() {
				m := exact.layers()[i]
				if l.Norm && !(difference(l.mean, m.mean) <= 1e-5 && difference(l.variance, m.variance) <= 1e-5) {
					t.Errorf("%s: statistics of layer %d are %v and %v, want %v and %v", name, i, l.mean, l.variance, m.mean,
						m.variance)
				}
			}
			device.Close()
			if machine.Used() != 0 {
				t.Errorf("%s: %d bytes not freed", name, machine.Used())
			}
		}
	}
}

// difference is the largest, as a share of the largest entry.
func difference[S, T Real](got []S, want []T) float64 {
	most, scale := 0.0, 0.0
	for i, w := range want {
		d := math.Abs(float64(got[i]) - float64(w))
		if most = max(most, d); math.IsNaN(d) {
			return d
		}
		scale = max(scale, math.Abs(float64(w)))
	}
	return most / scale
}

// TestDeviceGradient checks the kernels' gradient against central differences of
// the network in float64, along random directions.
func TestDeviceGradient(t *testing.T) {
	c := small()
	device, err := NewDevice(new(emulator.Machine), c)
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	exact, err := NewPlain[float64](c)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	p, b := shaken(exact, rng), batch[float64](rng, c, 90)
	direction := random[float64](rng, b.Points*c.Dim())
	if _, err := device.Forward(parallel.Run{}, convert[float32](p),
		&Batch[float32]{b.Points, convert[float32](b.Set), convert[float32](b.Point)}); err != nil {
		t.Fatal(err)
	}
	grad := make([]float32, len(p))
	if err := device.Backward(parallel.Run{}, convert[float32](p), convert[float32](direction), grad); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		way, moved := random[float64](rng, len(p)), make([]float64, len(p))
		value := func(h float64) float64 {
			for i := range p {
				moved[i] = p[i] + h*way[i]
			}
			e, err := exact.Forward(parallel.Run{}, moved, b)
			if err != nil {
				t.Fatal(err)
			}
			return dot(e, direction)
		}
		const h = 1e-8 // no maximum changes its neighbour within it
		got, want := 0.0, (value(h)-value(-h))/(2*h)
		for i, g := range grad {
			got += float64(g) * way[i]
		}
		if d := math.Abs(got - want); !(d <= 1e-3*(1+math.Abs(want))) {
			t.Errorf("the gradient gives %g, differences %g", got, want)
		}
	}
}

// TestDeviceWithoutRoom: memory that does not suffice and networks too wide for
// the kernels are errors, and nothing stays allocated.
func TestDeviceWithoutRoom(t *testing.T) {
	c := small()
	machine := &emulator.Machine{Budget: 20_000}
	device, err := NewDevice(machine, c)
	if err != nil {
		t.Fatal(err)
	}
	n := device.Net
	p := n.Initial(rand.New(rand.NewPCG(1, 1)))
	_, err = device.Forward(parallel.Run{}, p, batch[float32](rand.New(rand.NewPCG(1, 2)), c, 500))
	if err == nil || !strings.Contains(err.Error(), cuda.ErrMemory.Error()) {
		t.Errorf("got %v", err)
	}
	device.Close()
	if machine.Used() != 0 {
		t.Errorf("%d bytes not freed", machine.Used())
	}
	for _, change := range []func(c *embed.Card){
		func(c *embed.Card) { c.Network.LPE.Conv = []int{128, 256} },
		func(c *embed.Card) { c.Network.LPE.FC = []int{300, 4} },
	} {
		c := embed.PaperCard()
		change(c)
		if _, err := NewDevice(machine, c); err == nil || !strings.Contains(err.Error(), "--device cpu") {
			t.Errorf("%v: got %v", c.Network, err)
		}
	}
}
