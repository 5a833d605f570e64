// SPDX-License-Identifier: BSD-3-Clause

// Package device runs steps on a GPU, or on the CPU if there is no GPU, if it does not support a
// task, or after it has failed.
package device

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"

	"superpoint/embed"
	"superpoint/embed/lpe"
	"superpoint/filter/message"
	"superpoint/partition/base/parallel"
	"superpoint/partition/gpu"
	"superpoint/partition/neighbor"
)

// The values of the option device; CUDA may be followed by a colon and a number.
const (
	Auto = "auto"
	CPU  = "cpu"
	CUDA = "cuda"
)

// Device is the GPU of a filter. It is opened once and not used again after it has failed. A view
// that does not fit runs on the CPU; the next view tries the GPU again. It is not safe for
// concurrent use.
type Device struct {
	option    string // of the user
	log       message.Log
	gpu       gpu.GPU            // nil: everything runs on the CPU
	meter     *gpu.Meter         // of gpu
	asked     bool               // Open was called
	cloud     *neighbor.Resident // positions and lists, between search and embedding; nil without
	fallbacks []string           // steps that ran on the CPU instead, and why
}

// Fallbacks returns the steps that ran on the CPU although there is a GPU, and why, each once.
func (d *Device) Fallbacks() []string { return d.fallbacks }

// fellBack records that a step ran on the CPU.
func (d *Device) fellBack(level int, what string, err error) {
	text := fmt.Sprintf("%s on the CPU: %v", what, err)
	if !slices.Contains(d.fallbacks, text) {
		d.fallbacks = append(d.fallbacks, text)
	}
	d.log(level, text)
}

// New returns the device of the option device; it is not yet open.
func New(option string, log message.Log) *Device { return &Device{option: option, log: log} }

// On returns an open device that runs on the given GPU. Tests use it with an emulator.
func On(g gpu.GPU, log message.Log) *Device {
	return &Device{option: CUDA, log: log, gpu: g, meter: &gpu.Meter{Backend: g}, asked: true}
}

// worthwhile is the number of points of a view from which on auto opens a GPU. Opening one took 0.4 s
// on an H200; it saves that time on a million points beside two cores, and on three million beside four.
const worthwhile = 2_000_000

// worthwhileVariable is the environment variable that replaces that number.
const worthwhileVariable = "SUPERPOINT_CUDA_POINTS"

func isWorthwhile(points int) bool {
	least, err := strconv.Atoi(os.Getenv(worthwhileVariable))
	if err != nil {
		least = worthwhile
	}
	return points >= least
}

// Open opens the GPU that the option requires, and fails if there is none.
func (d *Device) Open() error {
	if d.option == Auto {
		return nil // until a view is large enough
	}
	return d.open()
}

// open opens the GPU at its first call.
func (d *Device) open() error {
	if d.asked || d.option == CPU {
		return nil
	}
	d.asked = true
	g, err := gpu.Open(d.option)
	if err == nil {
		if wrong := proved(g); wrong != nil {
			g.Close()
			if d.option == Auto {
				d.fellBack(message.Warning, "everything", wrong)
				return nil
			}
			err = wrong
		}
	}
	switch {
	case err == nil:
		d.gpu, d.meter = g, &gpu.Meter{Backend: g}
		d.log(message.Info, fmt.Sprintf("device: cuda:%d, %s", g.Number(), g.Name()))
	case d.option != Auto:
		return fmt.Errorf("option device: %q is not available: %w; or use device=auto or device=cpu",
			d.option, err)
	default:
		d.log(message.Debug, "device: cpu, because "+err.Error())
	}
	return nil
}

// Close releases the GPU, if there is one. A nil Device is the CPU.
func (d *Device) Close() {
	if d != nil && d.gpu != nil {
		d.log(message.Debug, "device: "+d.meter.String())
		d.gpu.Close()
		d.gpu = nil
	}
}

// Release frees the memory of a view on the GPU.
func (d *Device) Release() {
	if d.cloud != nil {
		d.cloud.Close()
		d.cloud = nil
	}
}

// try runs work on the GPU and reports whether that was done. If it fails and the
// device was the filter's choice, the CPU has to do it; if the reason is not the
// size of the view, it does all that follows, too.
func (d *Device) try(run parallel.Run, what string, points int, work func(m gpu.Backend) error) (
	bool, error) {
	if d.option == Auto && isWorthwhile(points) {
		if err := d.open(); err != nil {
			return true, err
		}
	}
	if d.gpu == nil {
		return false, nil
	}
	err := work(d.meter)
	if err == nil || run.Err() != nil {
		return true, err
	}
	if errors.Is(err, errUnfit) {
		d.fellBack(message.Info, what, err)
		return false, nil
	}
	if d.option != Auto {
		return true, fmt.Errorf("option device: %q: %s: %w", d.option, what, err)
	}
	d.Release()
	if errors.Is(err, gpu.ErrMemory) {
		d.fellBack(message.Warning, what, err)
		return false, nil
	}
	d.fellBack(message.Warning, what+" and all that follows", err)
	d.Close()
	return false, nil
}

// errUnfit is returned for tasks that the GPU's kernels do not support.
var errUnfit = errors.New("not for the GPU")

// Nearest finds the k nearest neighbours.
func (d *Device) Nearest(run parallel.Run, cloud *neighbor.Cloud, k int) (lists *neighbor.Lists, err error) {
	done, err := d.try(run, "the neighbour search", cloud.Len(), func(m gpu.Backend) error {
		if k > neighbor.MostNeighbors {
			return fmt.Errorf("knn %d is above %d: %w", k, neighbor.MostNeighbors, errUnfit)
		}
		if d.cloud, err = neighbor.Upload(m, cloud); err != nil {
			d.cloud = nil
			return err
		}
		lists, err = d.cloud.Nearest(k, run)
		return err
	})
	if done || err != nil {
		return lists, err
	}
	return cloud.Nearest(k, run)
}

// Embed computes the embeddings.
func (d *Device) Embed(run parallel.Run, by embed.Embedder, in *embed.Input) (values []float32, err error) {
	if learned, ok := by.(*lpe.Embedder); ok {
		done, err := d.try(run, "the embedding", in.Cloud.Len(), func(m gpu.Backend) error {
			e, err := lpe.NewGPU(m, learned.Model())
			if err != nil {
				return fmt.Errorf("%w (%w)", err, errUnfit)
			}
			e.Use(d.cloud)
			values, err = e.Embed(run, in)
			d.Release() // nothing after this needs positions or lists
			return err
		})
		if done || err != nil {
			return values, err
		}
	}
	return by.Embed(run, in)
}

// Name is what the work ran on; by is nil for methods that do not embed.
func (d *Device) Name(by embed.Embedder) string {
	if d.gpu != nil {
		return fmt.Sprintf("cuda:%d (%s)", d.gpu.Number(), d.gpu.Name())
	}
	if named, ok := by.(interface{ Kernel() string }); ok {
		return "cpu (" + named.Kernel() + ")"
	}
	return CPU
}

// Before the library uses a GPU, it computes a small cloud on both processors, and compares
// neighbor lists and embeddings byte by byte.

// errDiffers is the reason for which a GPU is refused.
var errDiffers = errors.New("its results on a small cloud differ from the CPU's")

// Describe returns one line that names the GPU in use, or the reason why none is used.
func Describe() string {
	g, err := gpu.Open(Auto)
	if err == nil {
		defer g.Close()
		err = proved(g)
	}
	if err != nil {
		return "GPU not used: " + err.Error()
	}
	return fmt.Sprintf(
		"GPU cuda:%d, %s, %.1f GB free; its results on a small cloud are the CPU's; device=auto uses it "+
			"for views of %d million points or more", g.Number(), g.Name(), float64(g.Memory())/1e9,
		worthwhile/1_000_000)
}

// proved returns why a GPU is not to be used, or nil.
func proved(g gpu.GPU) error {
	err := compare(g)
	if err == nil || errors.Is(err, gpu.ErrMemory) { // no fault of the GPU
		return err
	}
	return fmt.Errorf("%s: %w", g.Name(), err)
}

// compare computes a small cloud on the CPU and on a backend.
func compare(m gpu.Backend) error {
	cloud, err := checkCloud()
	if err != nil {
		return err
	}
	var run parallel.Run
	const k = 20
	lists, err := cloud.Nearest(k, run)
	if err != nil {
		return err
	}
	there, err := neighbor.Upload(m, cloud)
	if err != nil {
		return err
	}
	defer there.Close()
	found, err := there.Nearest(k, run)
	if err != nil {
		return err
	}
	if !slices.Equal(found.Index, lists.Index) {
		return fmt.Errorf("neighbor search: %w", errDiffers)
	}
	model, err := embed.Auto([]string{"X", "Y", "Z"})
	if err != nil {
		return err
	}
	onCPU, err := lpe.New(model)
	if err != nil {
		return err
	}
	in := &embed.Input{Cloud: cloud, Neighbors: lists, Spacing: cloud.Spacing(lists)}
	want, err := onCPU.Embed(run, in)
	if err != nil {
		return err
	}
	onGPU, err := lpe.NewGPU(m, model)
	if err != nil {
		return err
	}
	got, err := onGPU.Embed(run, in)
	if err != nil {
		return err
	}
	if !bytes.Equal(gpu.Bytes(got), gpu.Bytes(want)) {
		return fmt.Errorf("embedding: %w", errDiffers)
	}
	return nil
}

// checkCloud is a roof over uneven ground, with scattered points and two that coincide.
func checkCloud() (*neighbor.Cloud, error) {
	const side = 48
	var x, y, z []float64
	state := uint32(1)
	random := func() float64 { // of Knuth and Lewis
		state = 1664525*state + 1013904223
		return float64(state>>8) / (1 << 24)
	}
	for i := range side * side {
		u := float64(i%side) + random()/2
		v := float64(i/side) + random()/2
		h := math.Round(100*random()) / 1000
		switch {
		case u > 10 && u < 30 && v > 10 && v < 30:
			h += 6 + v/10
		case u > 36:
			h += 4 * random()
		}
		x = append(x, u/4)
		y = append(y, v/4)
		z = append(z, h)
	}
	x[1] = x[0]
	y[1] = y[0]
	z[1] = z[0]
	return neighbor.New(x, y, z, parallel.Run{})
}
