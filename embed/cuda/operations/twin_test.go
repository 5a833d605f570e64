//go:build nvidia && cgo && (amd64 || arm64)

package operations

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/maruel/safetensors"

	"superpoint/embed"
	"superpoint/embed/lpe"
	"superpoint/embed/modelfile"
	"superpoint/partition"
	"superpoint/partition/device"
	"superpoint/partition/local"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// TestGPUTwinCase writes what twin.py and rival.py read into the folder that
// SUPERPOINT_TWIN names: a model, its inputs and our embeddings; the partition
// problem and our energy; and our times, medians by events.
func TestGPUTwinCase(t *testing.T) {
	folder := os.Getenv("SUPERPOINT_TWIN")
	if folder == "" {
		t.Skip("SUPERPOINT_TWIN names no folder")
	}
	g, n := open(t), 1_000_000
	if testing.Short() {
		n = 2_000
	}
	scene, err := New(Case{Kind: "street", Points: n}, seedOf(t))
	if err != nil {
		t.Fatal(err)
	}
	in := scene.Input
	m, err := embed.Builtin("paper")
	if err != nil {
		t.Fatal(err)
	}
	file, err := m.Save()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "model.safetensors"), file, 0o644); err != nil {
		t.Fatal(err)
	}
	inputs, err := embed.NewInputs(parallel.Run{}, m.Card, in)
	if err != nil {
		t.Fatal(err)
	}
	cpu, err := lpe.New(m)
	if err != nil {
		t.Fatal(err)
	}
	values, err := cpu.Embed(parallel.Run{}, in)
	if err != nil {
		t.Fatal(err)
	}
	seconds := kernelSeconds(t, g, m, in)
	set, point := make([]float32, n*inputs.Neighbors*inputs.NeighborChannels), make([]float32, n*inputs.PointChannels)
	all := make([]uint32, n)
	for i := range all {
		all[i] = uint32(i)
	}
	inputs.GatherBatch(all, set, point)
	save(t, filepath.Join(folder, "network.safetensors"), map[string]string{
		"seconds": fmt.Sprint(seconds), "device": g.Name()}, []modelfile.Tensor{
		{Name: "set", Shape: []int{n, inputs.Neighbors, inputs.NeighborChannels}},
		{Name: "point", Shape: []int{n, inputs.PointChannels}}, {Name: "embedding", Shape: []int{n, m.Card.Dim()}},
	}, set, point, values)
	saveProblem(t, g, in, values, filepath.Join(folder, "partition.safetensors"))
}

// kernelSeconds is the median time of the network's kernel alone.
func kernelSeconds(t *testing.T, g device.GPU, m *embed.Model, in *embed.Input) float64 {
	t.Helper()
	all := kernels(t, g, func(g device.GPU) error {
		e, err := lpe.NewDevice(g, m)
		if err == nil {
			_, err = e.Embed(parallel.Run{}, in)
		}
		return err
	})
	return middle(all["lpe_embed"].seconds[:])
}

// saveProblem writes the graph with its weights, and what our solver makes of it.
func saveProblem(t *testing.T, g device.GPU, in *embed.Input, values []float32, path string) {
	t.Helper()
	graph, err := neighbor.Adjacency(in.Neighbors, 10, parallel.Run{})
	if err != nil {
		t.Fatal(err)
	}
	contrast, err := partition.Contrast(graph, values, 4, .5, parallel.Run{})
	if err != nil {
		t.Fatal(err)
	}
	p := &partition.Problem{Graph: graph, Dim: 4, Values: values, Contrast: contrast,
		Lambda: partition.Lambda(graph, 1), MinSize: 10}
	var onGPU, onCPU *partition.Result
	onGPUTime := median(t, func() error {
		d := &local.Device{Machine: g}
		defer d.Close()
		onGPU, err = d.Solve(parallel.Run{}, p)
		return err
	})
	onCPUTime := median(t, func() error { onCPU, err = local.Solver{}.Solve(parallel.Run{}, p); return err })
	from, to := make([]float32, graph.Edges()), make([]float32, graph.Edges()) // whole numbers, exact below 2²⁴
	for u := range graph.Vertices() {
		for k := graph.Start[u]; k < graph.Start[u+1]; k++ {
			from[k], to[k] = float32(u), float32(graph.Head[k])
		}
	}
	n, edges := graph.Vertices(), graph.Edges()
	save(t, path, map[string]string{"lambda": fmt.Sprint(p.Lambda), "min_size": fmt.Sprint(p.MinSize),
		"GPU, solver local": fmt.Sprint(onGPUTime, onGPU.Energy, onGPU.Count),
		"CPU, solver local": fmt.Sprint(onCPUTime, onCPU.Energy, onCPU.Count)},
		[]modelfile.Tensor{{Name: "values", Shape: []int{n, 4}}, {Name: "from", Shape: []int{edges}},
			{Name: "to", Shape: []int{edges}}, {Name: "contrast", Shape: []int{edges}}},
		values, from, to, contrast)
}

// save writes float32 tensors and texts as one safetensors file.
func save(t *testing.T, path string, metadata map[string]string, tensors []modelfile.Tensor, values ...[]float32) {
	t.Helper()
	out := safetensors.File{Metadata: metadata}
	for i, tensor := range tensors {
		shape := make([]uint64, len(tensor.Shape))
		for d, n := range tensor.Shape {
			shape[d] = uint64(n)
		}
		out.Tensors = append(out.Tensors, safetensors.Tensor{Name: tensor.Name, DType: safetensors.F32, Shape: shape,
			Data: device.Bytes(values[i])})
	}
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := out.Serialize(file); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}
