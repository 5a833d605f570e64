package device

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"superpoint/embed"
	"superpoint/embed/lpe"
	"superpoint/embed/whole"
	"superpoint/filter/message"
	"superpoint/partition"
	"superpoint/partition/device"
	"superpoint/partition/local"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// Before a version of the library uses a GPU with a driver for the first time, it
// computes a small cloud on both and compares neighbor lists, embeddings and
// components byte by byte. The verdict is kept in the user's cache folder.

// errDiffers is what a GPU is refused for.
var errDiffers = errors.New("its results on a small cloud differ from those of the CPU")

const verdictOK = "ok"

// Describe says in one line which GPU is used, or why none is.
func Describe() string {
	gpu, err := device.Open(Auto)
	if err == nil {
		defer gpu.Close()
		err = New(Auto, func(int, string) {}).verdict(gpu)
	}
	if err != nil {
		return "GPU not used: " + err.Error()
	}
	return fmt.Sprintf("GPU cuda:%d, %s, %.1f GB free; its results on a small cloud are the CPU's", gpu.Number(),
		gpu.Name(), float64(gpu.Memory())/1e9)
}

// verdict returns why a GPU is not to be used, or nil.
func (d *Device) verdict(gpu device.GPU) error {
	path := verdictPath(gpu)
	if text, err := os.ReadFile(path); err == nil && path != "" {
		if string(text) == verdictOK {
			return nil
		}
		return fmt.Errorf("%s: %s (remove %s to try again)", gpu.Name(), text, path)
	}
	text, err := verdictOK, compare(gpu)
	if err != nil {
		text = err.Error()
		err = fmt.Errorf("%s: %w", gpu.Name(), err)
	}
	if errors.Is(err, device.ErrMemory) { // says nothing of the GPU
		return err
	}
	if path != "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
			_ = whole.Write(path, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
		}
	}
	d.log(message.Debug, fmt.Sprintf("device: first use of %s: %s", gpu.Name(), text))
	return err
}

// verdictPath is the file of a GPU, its driver and the kernels of this library; "" without a cache folder.
func verdictPath(gpu device.GPU) string {
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(fmt.Append(nil, gpu.Name(), gpu.Driver(), device.Digest()))
	return filepath.Join(folder, "superpoint", fmt.Sprintf("gpu-%x", sum[:8]))
}

// compare computes a small cloud on the CPU and on a machine.
func compare(m device.Machine) error {
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
	onGPU, err := lpe.NewDevice(m, model)
	if err != nil {
		return err
	}
	got, err := onGPU.Embed(run, in)
	if err != nil {
		return err
	}
	if !bytes.Equal(device.Bytes(got), device.Bytes(want)) {
		return fmt.Errorf("embedding: %w", errDiffers)
	}
	return compareSolver(m, run, cloud, lists, want)
}

func compareSolver(m device.Machine, run parallel.Run, cloud *neighbor.Cloud, lists *neighbor.Lists,
	values []float32) error {
	graph, err := neighbor.Adjacency(lists, 5, run)
	if err != nil {
		return err
	}
	p := &partition.Problem{Graph: graph, Dim: len(values) / cloud.Len(), Values: values,
		Contrast: make([]float32, len(graph.Head)), Lambda: 0.05, MinSize: 8,
		Before: func(u, v uint32) bool { return u < v }}
	for e := range p.Contrast {
		p.Contrast[e] = 1
	}
	_, want, err := local.Moving(nil, run, p)
	if err != nil {
		return err
	}
	_, got, err := local.Moving(m, run, p)
	if err != nil {
		return err
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("partition: %w", errDiffers)
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
		u, v := float64(i%side)+random()/2, float64(i/side)+random()/2
		h := math.Round(100*random()) / 1000
		switch {
		case u > 10 && u < 30 && v > 10 && v < 30:
			h += 6 + v/10
		case u > 36:
			h += 4 * random()
		}
		x, y, z = append(x, u/4), append(y, v/4), append(z, h)
	}
	x[1], y[1], z[1] = x[0], y[0], z[0]
	return neighbor.New(x, y, z, parallel.Run{})
}
