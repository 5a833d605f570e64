//go:build nvidia && cgo && (amd64 || arm64)

package operations

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/maruel/safetensors"

	"superpoint/embed"
	"superpoint/embed/internal/modelfile"
	"superpoint/embed/lpe"
	"superpoint/partition/base/parallel"
	"superpoint/partition/gpu"
	"superpoint/testdata/must"
)

// TestGPUTwinCase writes the input of twin.py into the folder that SUPERPOINT_TWIN names: a
// model, its inputs, our embeddings, and the median time of our kernel by events.
func TestGPUTwinCase(t *testing.T) {
	folder := os.Getenv("SUPERPOINT_TWIN")
	if folder == "" {
		t.Skip("SUPERPOINT_TWIN names no folder")
	}
	g, n := open(t), 1_000_000
	if testing.Short() {
		n = 2_000
	}
	scene := must.Get(New(Case{Kind: "street", Points: n}, seedOf(t)))(t)
	in := scene.Input
	m := must.Get(embed.Builtin("paper"))(t)
	file := must.Get(m.Save())(t)
	must.OK(t, os.WriteFile(filepath.Join(folder, "model.safetensors"), file, 0o644))
	inputs := must.Get(embed.NewInputs(parallel.Run{}, m.Card, in))(t)
	cpu := must.Get(lpe.New(m))(t)
	values := must.Get(cpu.Embed(parallel.Run{}, in))(t)
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
}

// kernelSeconds returns the median time of the network's kernel.
func kernelSeconds(t *testing.T, g gpu.GPU, m *embed.Model, in *embed.Input) float64 {
	t.Helper()
	all := kernels(t, g, func(g gpu.GPU) error {
		e, err := lpe.NewGPU(g, m)
		if err == nil {
			_, err = e.Embed(parallel.Run{}, in)
		}
		return err
	})
	return middle(all["lpe_embed"].seconds[:])
}

// save writes float32 tensors and texts to a safetensors file.
func save(t *testing.T, path string, metadata map[string]string, tensors []modelfile.Tensor, values ...[]float32) {
	t.Helper()
	out := safetensors.File{Metadata: metadata}
	for i, tensor := range tensors {
		shape := make([]uint64, len(tensor.Shape))
		for d, n := range tensor.Shape {
			shape[d] = uint64(n)
		}
		out.Tensors = append(out.Tensors, safetensors.Tensor{Name: tensor.Name, DType: safetensors.F32, Shape: shape,
			Data: gpu.Bytes(values[i])})
	}
	file := must.Get(os.Create(path))(t)
	must.OK(t, out.Serialize(file))
	must.OK(t, file.Close())
}
