package cuda

import (
	"math"

	"superpoint/partition"
	"superpoint/partition/merge"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
)

// Contrast is partition.Contrast on a machine: the weight exp(−‖e_i − e_j‖²/σ)
// of every edge. Machine memory: 4·dim bytes a vertex and 8 an edge.
func Contrast(m Machine, g *neighbor.Graph, embedding []float32, dim int, sigma float64) ([]float32, error) {
	t := &Task{Machine: m}
	contrast := make([]float32, g.Edges())
	start, head, values := t.Upload(Bytes(g.Start)), t.Upload(Bytes(g.Head)), t.Upload(Bytes(embedding))
	result := t.Alloc(4 * len(contrast))
	t.Launch("edge_contrast", g.Vertices(), threads, 0, uint64(start), uint64(head), uint64(values), uint64(g.Vertices()),
		uint64(dim), Double(sigma), uint64(result))
	t.Download(Bytes(contrast), result)
	return contrast, t.End()
}

// Solver is the greedy merge of package merge with its rounds on a machine.
// Components that choose each other become one; when a round leaves more than
// tail of the components, the CPU's merge goes on from there, and takes in what
// is below the smallest size. Values kept on the sphere are merged by the CPU
// alone. Machine memory: some 500 bytes a vertex of a graph with 6 edges a
// vertex; with less the rounds take blocks of vertices.
type Solver struct{ Machine Machine }

// tail is the share of components a round must take away to be worth it.
const tail = 0.05

// Solve implements partition.Solver.
func (s Solver) Solve(run parallel.Run, p *partition.Problem) (*partition.Result, error) {
	if err := p.Validate(run); err != nil {
		return nil, err
	}
	if p.Sphere > 0 {
		return merge.Solver{}.Solve(run, p)
	}
	component, count, err := Rounds(s.Machine, run, p)
	if err != nil {
		return nil, err
	}
	var contractor reduced.Contractor
	graph, err := contractor.Contract(run, reduced.New(p), component, count, nil)
	if err != nil {
		return nil, err
	}
	m := merge.NewMerger(graph)
	if err := m.Merge(run); err != nil {
		return nil, err
	}
	if err := m.Absorb(run, p.MinSize); err != nil {
		return nil, err
	}
	label := m.Labels(count)
	err = run.For(len(component), 1<<14, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			component[i] = label[component[i]]
		}
	})
	if err != nil {
		return nil, err
	}
	return p.NewResult(run, component, count)
}

// Rounds merges on the machine and returns the component of every vertex,
// numbered by first vertex, and their number.
func Rounds(m Machine, run parallel.Run, p *partition.Problem) ([]uint32, int, error) {
	if roundsBytes(p.Graph.Vertices(), p.Graph.Edges(), p.Dim) > m.Memory() {
		return inBlocks(m, run, p)
	}
	return together(m, run, p)
}

// together is Rounds with all vertices at once.
func together(m Machine, run parallel.Run, p *partition.Problem) ([]uint32, int, error) {
	n := p.Graph.Vertices()
	component := make([]uint32, n)
	for i := range component {
		component[i] = uint32(i)
	}
	if p.Graph.Edges() == 0 {
		return component, n, run.Err()
	}
	t := &Task{Machine: m}
	r := newRounds(t, p, component)
	for t.Err == nil {
		before := r.vertices
		r.round()
		run.Progress(1 - float64(r.vertices)/float64(n))
		if t.Err == nil {
			t.Err = run.Err()
		}
		if float64(r.vertices) > (1-tail)*float64(before) || r.edges == 0 {
			break
		}
	}
	t.Download(Bytes(component), r.component)
	return component, r.vertices, t.End()
}

// rounds is the state of a merge: edges (a, b, weight) and two generations of
// means and sizes.
type rounds struct {
	*Task
	dim, points, vertices, edges int
	lambda                       float64
	a, b, weight                 Pointer
	key, sum, count              Pointer
	mean, size                   [2]Pointer
	best, fresh, label           Pointer
	component                    Pointer
	turn                         int
}

func newRounds(t *Task, p *partition.Problem, component []uint32) *rounds {
	n, e := p.Graph.Vertices(), p.Graph.Edges()
	r := &rounds{Task: t, dim: p.Dim, points: n, vertices: n, edges: e, lambda: p.Lambda}
	start, head, contrast := t.Upload(Bytes(p.Graph.Start)), t.Upload(Bytes(p.Graph.Head)), t.Upload(Bytes(p.Contrast))
	r.a, r.b, r.weight = t.Alloc(4*e), t.Alloc(4*e), t.Alloc(8*e)
	t.Launch("merge_edges", n, threads, 0, uint64(start), uint64(head), uint64(contrast), uint64(n),
		uint64(r.a), uint64(r.b), uint64(r.weight))
	t.release(start)
	t.release(head)
	t.release(contrast)
	places := table(e)
	r.key, r.sum, r.count = t.Alloc(8*places), t.Alloc(8*places), t.Alloc(4)
	size := make([]float32, n)
	for i := range size {
		size[i] = 1
	}
	r.mean = [2]Pointer{t.Upload(Bytes(p.Values)), t.Alloc(4 * n * p.Dim)}
	r.size = [2]Pointer{t.Upload(Bytes(size)), t.Alloc(4 * n)}
	r.best, r.fresh, r.label = t.Alloc(8*n), t.Alloc(4*(n+1)), t.Alloc(4*n)
	r.component = t.Upload(Bytes(component))
	return r
}

// table returns the places of a hash table for so many edges.
func table(edges int) int { return powerOfTwo(edges + edges/2 + 1) }

// round joins the pairs that chose each other and renames everything.
func (r *rounds) round() {
	n, now, next := r.vertices, r.turn, 1-r.turn
	r.turn = next
	r.Fill(r.best, 0, 8*n)
	r.Launch("merge_best", r.edges, threads, 0, uint64(r.a), uint64(r.b), uint64(r.weight), uint64(r.edges),
		Double(r.lambda),
		uint64(r.mean[now]), uint64(r.size[now]), uint64(r.dim), uint64(r.best))
	r.Fill(r.fresh, 0, 4*(n+1)) // the number behind the last sums them all
	r.Launch("merge_pair", n, threads, 0, uint64(r.best), uint64(n), uint64(r.fresh))
	r.scan(r.fresh, n+1)
	var count [1]uint32
	r.Download(Bytes(count[:]), r.fresh+Pointer(4*n))
	r.Launch("merge_join", n, threads, 0, uint64(r.best), uint64(r.fresh), uint64(n), uint64(r.dim),
		uint64(r.mean[now]), uint64(r.size[now]), uint64(r.label), uint64(r.mean[next]), uint64(r.size[next]))
	places := table(r.edges)
	r.Fill(r.key, 0xff, 8*places)
	r.Fill(r.sum, 0, 8*places)
	r.Launch("merge_gather", r.edges, threads, 0, uint64(r.a), uint64(r.b), uint64(r.weight), uint64(r.edges),
		uint64(r.label),
		uint64(r.key), uint64(r.sum), uint64(places-1))
	r.Fill(r.count, 0, 4)
	r.Launch("merge_compact", places, threads, 0, uint64(r.key), uint64(r.sum), uint64(places),
		uint64(r.a), uint64(r.b), uint64(r.weight), uint64(r.count))
	var edges [1]uint32
	r.Download(Bytes(edges[:]), r.count)
	r.Launch("merge_rename", r.points, threads, 0, uint64(r.component), uint64(r.label), uint64(r.points))
	if r.Err == nil {
		r.vertices, r.edges = min(int(count[0]), math.MaxInt32), int(edges[0])
	}
}
