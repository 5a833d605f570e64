package partition

import (
	"superpoint/partition/device"
	"superpoint/partition/neighbor"
)

// ContrastOn is Contrast on a machine: the weight exp(−‖e_i − e_j‖²/σ)
// of every edge. Machine memory: 4·dim bytes a vertex and 8 an edge.
func ContrastOn(m device.Machine, g *neighbor.Graph, embedding []float32, dim int, sigma float64) ([]float32, error) {
	t := &device.Task{Machine: m}
	contrast := make([]float32, g.Edges())
	start, head, values := t.Upload(device.Bytes(g.Start)), t.Upload(device.Bytes(g.Head)),
		t.Upload(device.Bytes(embedding))
	result := t.Alloc(4 * len(contrast))
	t.Launch(kernels.Kernel("edge_contrast"), g.Vertices(), 128, 0, start, head, values, g.Vertices(), dim, sigma,
		result)
	t.Download(device.Bytes(contrast), result)
	return contrast, t.End()
}
