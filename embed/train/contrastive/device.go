package contrastive

import (
	"superpoint/partition/device"
	"superpoint/partition/neighbor"
)

const (
	sumThreads = 256 // as in loss.cu
	sumEach    = 16
)

// ValueOn is Value on a machine, which is a GPU or its emulator: the gradient is
// equal bit by bit, the value up to the order of its sum in float64. Machine
// memory: 29 bytes an edge and 8·dim + 8 a vertex.
func ValueOn(m device.Machine, l Loss, g *neighbor.Graph, edges *Edges, e []float32, dim int,
	gradient []float32) (float64, error) {
	clear(gradient)
	if edges.Counted == 0 {
		return 0, nil
	}
	t := &device.Task{Machine: m}
	n, count := g.Vertices(), g.Edges()
	delta, per := l.Delta, 1/float64(edges.Counted)
	if l.Absolute {
		delta = 0
	}
	embedding := t.Upload(device.Bytes(e))
	term, factor := t.Alloc(8*count), t.Alloc(4*count)
	t.Launch(kernels.Kernel("loss_edges"), n, 128, 0, t.Upload(device.Bytes(g.Start)),
		t.Upload(device.Bytes(g.Head)), t.Upload(device.Bytes(edges.Kind)), t.Upload(device.Bytes(edges.Weight)),
		embedding, n, dim, delta, per, term, factor)
	sums := make([]float64, (count+sumThreads*sumEach-1)/(sumThreads*sumEach))
	partial := t.Alloc(8 * len(sums))
	t.Launch(kernels.Kernel("loss_sum"), len(sums)*sumThreads, sumThreads, 8*sumThreads, term, count, partial)
	t.Download(device.Bytes(sums), partial)
	if gradient != nil {
		begin, incident := incidence(g)
		result := t.Alloc(4 * n * dim)
		t.Launch(kernels.Kernel("loss_gradient"), n*dim, 128, 0, t.Upload(device.Bytes(begin)),
			t.Upload(device.Bytes(incident)), factor, embedding, n, dim, result)
		t.Download(device.Bytes(gradient), result)
	}
	value := 0.0
	for _, s := range sums {
		value += s
	}
	return value * per, t.End()
}

// incidence returns for every vertex the edges it is an end of, in ascending
// order, as pairs of the edge and its other end: those of vertex u are pairs
// begin[u] to begin[u+1]−1.
func incidence(g *neighbor.Graph) (begin []uint32, incident []uint32) {
	begin, head, edge := g.Symmetric()
	incident = make([]uint32, 2*len(edge))
	for i, k := range edge {
		incident[2*i], incident[2*i+1] = k, head[i]
	}
	return begin, incident
}
