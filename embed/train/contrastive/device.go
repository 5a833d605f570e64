package contrastive

import (
	"superpoint/partition/cuda"
	"superpoint/partition/neighbor"
)

const (
	sumThreads = 256 // as in embed/cuda/kernels/loss.cu
	sumEach    = 16
)

// ValueOn is Value on a machine, which is a GPU or its emulator: the gradient is
// equal bit by bit, the value up to the order of its sum in float64. Machine
// memory: 29 bytes an edge and 8·dim + 8 a vertex.
func ValueOn(m cuda.Machine, l Loss, g *neighbor.Graph, edges *Edges, e []float32, dim int,
	gradient []float32) (float64, error) {
	clear(gradient)
	if edges.Counted == 0 {
		return 0, nil
	}
	t := &cuda.Task{Machine: m}
	n, count := g.Vertices(), g.Edges()
	delta, per := l.Delta, 1/float64(edges.Counted)
	if l.Absolute {
		delta = 0
	}
	embedding := uint64(t.Upload(cuda.Bytes(e)))
	term, factor := t.Alloc(8*count), uint64(t.Alloc(4*count))
	t.Launch("loss_edges", n, 128, 0, uint64(t.Upload(cuda.Bytes(g.Start))), uint64(t.Upload(cuda.Bytes(g.Head))),
		uint64(t.Upload(cuda.Bytes(edges.Kind))),
		uint64(t.Upload(cuda.Bytes(edges.Weight))), embedding, uint64(n), uint64(dim), cuda.Double(delta), cuda.Double(
			per), uint64(term), factor)
	sums := make([]float64, (count+sumThreads*sumEach-1)/(sumThreads*sumEach))
	partial := t.Alloc(8 * len(sums))
	t.Launch("loss_sum", len(sums)*sumThreads, sumThreads, 8*sumThreads, uint64(term), uint64(count), uint64(partial))
	t.Download(cuda.Bytes(sums), partial)
	if gradient != nil {
		begin, incident := incidence(g)
		result := t.Alloc(4 * n * dim)
		t.Launch("loss_gradient", n*dim, 128, 0, uint64(t.Upload(cuda.Bytes(begin))), uint64(t.Upload(cuda.Bytes(incident))),
			factor, embedding,
			uint64(n), uint64(dim), uint64(result))
		t.Download(cuda.Bytes(gradient), result)
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
