//go:build cgo && (amd64 || arm64)

package backprop_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"superpoint/embed"
	"superpoint/embed/cuda/emulator"
	"superpoint/embed/train/backprop"
	"superpoint/partition/device"
	"superpoint/partition/parallel"
)

// cards are networks of several shapes; none fits the kernels' blocks evenly.
func cards() map[string]*embed.Card {
	flat := backprop.Small()
	flat.Network.ST = embed.PointNet{}
	flat.Inputs.Point = flat.Inputs.Point[:5]
	table := embed.PaperCard() // the widths of the paper's table
	table.Inputs.Neighbors = 18
	table.Network.LPE.Conv = []int{32, 128}
	return map[string]*embed.Card{"paper": embed.PaperCard(), "small": backprop.Small(), "no spatial transform": flat,
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
			net, err := backprop.NewDevice(machine, c)
			if err != nil {
				t.Fatal(err)
			}
			exact, err := backprop.NewPlain[float64](c)
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(5, 6))
			p, b := backprop.Shaken(exact, rng), backprop.Random[float64](rng, c, points)
			direction := backprop.Normal[float64](rng, points*c.Dim())
			want, err := exact.Forward(parallel.Run{}, p, b)
			if err != nil {
				t.Fatal(err)
			}
			wantGrad := make([]float64, len(p))
			if err := exact.Backward(parallel.Run{}, p, direction, wantGrad); err != nil {
				t.Fatal(err)
			}
			p32, b32 := backprop.Convert[float32](p), &backprop.Batch[float32]{points,
				backprop.Convert[float32](b.Set), backprop.Convert[float32](b.Point)}
			var first []float32
			for range 2 { // the second time with memory that holds other numbers
				got, err := net.Forward(parallel.Run{}, p32, b32)
				if err != nil {
					t.Fatal(err)
				}
				grad := make([]float32, len(p))
				if err := net.Backward(parallel.Run{}, p32, backprop.Convert[float32](direction), grad); err != nil {
					t.Fatal(err)
				}
				value, slope := difference(got, want), difference(grad, wantGrad)
				if first == nil {
					first = grad
					t.Logf("%s, %d points: embedding %.1e, gradient %.1e of its largest entry", name, points,
						value, slope)
				}
				if !(value <= 1e-4 && slope <= 1e-4) {
					t.Errorf("%s, %d points: embedding %g, gradient %g away", name, points, value, slope)
				}
				if !slices.Equal(first, grad) {
					t.Errorf("%s: the gradient differs from run to run", name)
				}
			}
			means, variances := net.Moments()
			wantMeans, wantVariances := exact.Moments()
			for i, m := range wantMeans {
				if !(difference(means[i], m) <= 1e-5 && difference(variances[i], wantVariances[i]) <= 1e-5) {
					t.Errorf("%s: statistics of normalised layer %d are %v and %v, want %v and %v", name, i, means[i],
						variances[i], m, wantVariances[i])
				}
			}
			net.Close()
			if machine.Used() != 0 {
				t.Errorf("%s: %d bytes not freed", name, machine.Used())
			}
		}
	}
}

// difference is the largest, as a share of the largest entry.
func difference[S, T backprop.Real](got []S, want []T) float64 {
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
	c := backprop.Small()
	net, err := backprop.NewDevice(new(emulator.Machine), c)
	if err != nil {
		t.Fatal(err)
	}
	defer net.Close()
	exact, err := backprop.NewPlain[float64](c)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	p, b := backprop.Shaken(exact, rng), backprop.Random[float64](rng, c, 90)
	direction := backprop.Normal[float64](rng, b.Points*c.Dim())
	if _, err := net.Forward(parallel.Run{}, backprop.Convert[float32](p),
		&backprop.Batch[float32]{b.Points, backprop.Convert[float32](b.Set),
			backprop.Convert[float32](b.Point)}); err != nil {
		t.Fatal(err)
	}
	grad := make([]float32, len(p))
	if err := net.Backward(parallel.Run{}, backprop.Convert[float32](p), backprop.Convert[float32](direction),
		grad); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		way, moved := backprop.Normal[float64](rng, len(p)), make([]float64, len(p))
		value := func(h float64) float64 {
			for i := range p {
				moved[i] = p[i] + h*way[i]
			}
			e, err := exact.Forward(parallel.Run{}, moved, b)
			if err != nil {
				t.Fatal(err)
			}
			return backprop.Dot(e, direction)
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
	c := backprop.Small()
	machine := &emulator.Machine{Budget: 20_000}
	net, err := backprop.NewDevice(machine, c)
	if err != nil {
		t.Fatal(err)
	}
	n := net.Net
	p := n.Initial(rand.New(rand.NewPCG(1, 1)))
	_, err = net.Forward(parallel.Run{}, p, backprop.Random[float32](rand.New(rand.NewPCG(1, 2)), c, 500))
	if err == nil || !strings.Contains(err.Error(), device.ErrMemory.Error()) {
		t.Errorf("got %v", err)
	}
	net.Close()
	if machine.Used() != 0 {
		t.Errorf("%d bytes not freed", machine.Used())
	}
	for _, change := range []func(c *embed.Card){
		func(c *embed.Card) { c.Network.LPE.Conv = []int{128, 256} },
		func(c *embed.Card) { c.Network.LPE.FC = []int{300, 4} },
	} {
		c := embed.PaperCard()
		change(c)
		if _, err := backprop.NewDevice(machine, c); err == nil || !strings.Contains(err.Error(), "--device cpu") {
			t.Errorf("%v: got %v", c.Network, err)
		}
	}
}
