//go:build cgo && (amd64 || arm64)

package train

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/embed/cuda/emulator"
	"superpoint/embed/train/backprop"
	"superpoint/partition/parallel"
)

// TestStepOnADevice runs the gorgonia graph with the CPU's engine and with the
// GPU's, whose kernels the emulator runs: same loss and gradient.
func TestStepOnADevice(t *testing.T) {
	r := mustParse(t, smallRecipe)
	r.Loss.Weights, r.Batch.Points = "proportional", 150
	one, err := (&source{host: newMemory(), truth: "Classification"}).read("cloud_1.las", r, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := newBatcher(r, newLoader(r, []*labelled{one}), 1).make(parallel.Run{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	net, err := backprop.New(r.Card())
	if err != nil {
		t.Fatal(err)
	}
	machine := new(emulator.Machine)
	device, err := backprop.NewDevice(machine, r.Card())
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	params := net.Initial(rand.New(rand.NewPCG(3, 3)))
	var loss []float64
	var grad [][]float32
	for _, e := range []engine{onCPU{net}, onDevice{device, machine}} {
		step, err := newStepper(r, e, slices.Clone(params), parallel.Run{})
		if err != nil {
			t.Fatal(err)
		}
		defer step.close()
		l, err := step.step(b, solverFunc(func(w, g []float32) { grad = append(grad, slices.Clone(g)) }))
		if err != nil {
			t.Fatal(err)
		}
		loss = append(loss, l)
	}
	scale, away := 0.0, 0.0
	for i, g := range grad[0] {
		scale, away = max(scale, math.Abs(float64(g))), max(away, math.Abs(float64(g-grad[1][i])))
	}
	t.Logf("loss %.8f, CPU %.8f; gradient %.1e of its largest entry away", loss[1], loss[0], away/scale)
	if !(math.Abs(loss[1]-loss[0]) <= 1e-5*loss[0] && away <= 1e-4*scale && scale > 0) {
		t.Errorf("loss %g, CPU %g; gradient %g away, largest %g", loss[1], loss[0], away, scale)
	}
}

// TestTrainOnADevice trains a model with everything that --device cuda does on
// the GPU, merge and cross-partition weights among it.
func TestTrainOnADevice(t *testing.T) {
	dir := folder(t, "t1.las", "v1.las")
	train := func(output, device string) (string, []epoch) {
		o, err := parse(io.Discard, arguments(dir, output, "--device", device))
		if err != nil {
			t.Fatal(err)
		}
		o.Recipe.Batch.Points, o.Recipe.Optimise.Epochs, o.Recipe.Optimise.Steps = 150, 2, 3
		machine := new(emulator.Machine)
		if device == "cuda" {
			o.machine = machine
		}
		m, err := Train(newMemory(), *o)
		if err != nil {
			t.Fatal(err)
		}
		if machine.Used() != 0 || (machine.Launches > 0) != (device == "cuda") {
			t.Errorf("device %s: %d launches, %d bytes not freed", device, machine.Launches, machine.Used())
		}
		s, err := loadState(filepath.Join(dir, output+CheckpointSuffix))
		if err != nil {
			t.Fatal(err)
		}
		return m.Card.Weights, s.History
	}
	first, history := train("first.model", "cuda")
	if again, _ := train("again.model", "cuda"); again != first {
		t.Error("the same training on the same device ended with other weights")
	}
	_, want := train("cpu.model", "auto")
	for i, e := range history {
		t.Logf("epoch %d: loss %.5f, CPU %.5f; %.1f components, CPU %.1f", i+1, e.Loss, want[i].Loss, e.Components,
			want[i].Components)
		if !(math.Abs(e.Loss-want[i].Loss) <= 0.1*want[i].Loss) {
			t.Errorf("epoch %d: loss %g, CPU %g", i+1, e.Loss, want[i].Loss)
		}
	}
}

func TestDeviceThatIsNotThere(t *testing.T) {
	dir := folder(t, "t1.las", "v1.las")
	for device, message := range map[string]string{
		"tpu":    `--device is "tpu"; choose auto, cpu, cuda or cuda:N`,
		"cuda:x": `--device is "cuda:x"`,
		"cuda":   "--device cuda is not available: ",
		"cuda:3": "--device cuda:3 is not available: ",
	} {
		err := Command(newMemory(), arguments(dir, "none.model", "--device", device))
		if err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: got %v, want %s", device, err, message)
		}
	}
	// Its failing in the middle ends training with the cause.
	o, err := parse(io.Discard, arguments(dir, "lost.model", "--device", "cuda"))
	if err != nil {
		t.Fatal(err)
	}
	o.Recipe.Batch.Points = 100
	o.machine = &emulator.Machine{Fail: func(call int) error {
		if call > 60 {
			return fmt.Errorf("the GPU was lost")
		}
		return nil
	}}
	if _, err := Train(newMemory(), *o); err == nil || !strings.Contains(err.Error(), "the GPU was lost") ||
		!strings.Contains(err.Error(), "epoch 1") {
		t.Errorf("got %v", err)
	}
}
