package merge

import (
	"math"

	"superpoint/partition"
	"superpoint/partition/device"
	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
)

// Device is the greedy merge of Solver with its rounds on a machine.
// Components that choose each other become one; when a round leaves more than
// tail of the components, the CPU's merge goes on from there, and takes in what
// is below the smallest size. Values kept on the sphere are merged by the CPU
// alone. Machine memory: some 500 bytes a vertex of a graph with 6 edges a
// vertex; with less the rounds take blocks of vertices.
type Device struct{ Machine device.Machine }

// threads are those of a block.
const threads = 128

// tail is the share of components a round must take away to be worth it.
const tail = 0.05

// Solve implements partition.Solver.
func (s Device) Solve(run parallel.Run, p *partition.Problem) (*partition.Result, error) {
	if err := p.Validate(run); err != nil {
		return nil, err
	}
	if p.Sphere > 0 {
		return Solver{}.Solve(run, p)
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
	m := NewMerger(graph)
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
func Rounds(m device.Machine, run parallel.Run, p *partition.Problem) ([]uint32, int, error) {
	if roundsBytes(p.Graph.Vertices(), p.Graph.Edges(), p.Dim) > m.Memory() {
		return inBlocks(m, run, p)
	}
	return together(m, run, p)
}

// together is Rounds with all vertices at once.
func together(m device.Machine, run parallel.Run, p *partition.Problem) ([]uint32, int, error) {
	n := p.Graph.Vertices()
	component := make([]uint32, n)
	for i := range component {
		component[i] = uint32(i)
	}
	if p.Graph.Edges() == 0 {
		return component, n, run.Err()
	}
	t := &device.Task{Machine: m}
	r := newRounds(t, p, component)
	for t.Err == nil {
		before := r.vertices
		r.round()
		run.Progress(1 - float64(r.vertices)/float64(n))
		if t.Err == nil {
			t.Err = run.Err()
		}
		if float64(r.vertices) > (1-tail)*float64(before) || r.Count == 0 {
			break
		}
	}
	t.Download(device.Bytes(component), r.component)
	return component, r.vertices, t.End()
}

// rounds is the state of a merge: edges and two generations of means and sizes.
type rounds struct {
	*reduced.DeviceEdges
	dim, points, vertices int
	lambda                float64
	mean, size            [2]device.Pointer
	best, fresh, label    device.Pointer
	component             device.Pointer
	turn                  int
}

func newRounds(t *device.Task, p *partition.Problem, component []uint32) *rounds {
	n := p.Graph.Vertices()
	r := &rounds{DeviceEdges: reduced.NewDeviceEdges(t, p.Graph.Start, p.Graph.Head, p.Contrast), dim: p.Dim, points: n,
		vertices: n, lambda: p.Lambda}
	size := make([]float32, n)
	for i := range size {
		size[i] = 1
	}
	r.mean = [2]device.Pointer{t.Upload(device.Bytes(p.Values)), t.Alloc(4 * n * p.Dim)}
	r.size = [2]device.Pointer{t.Upload(device.Bytes(size)), t.Alloc(4 * n)}
	r.best, r.fresh, r.label = t.Alloc(8*n), t.Alloc(4*(n+1)), t.Alloc(4*n)
	r.component = t.Upload(device.Bytes(component))
	return r
}

// round joins the pairs that chose each other and renames everything.
func (r *rounds) round() {
	n, now, next := r.vertices, r.turn, 1-r.turn
	r.turn = next
	r.Fill(r.best, 0, 8*n)
	r.Launch(kernels.Kernel("merge_best"), r.Count, threads, 0, r.A, r.B, r.Weight, r.Count, r.lambda, r.mean[now],
		r.size[now], r.dim, r.best)
	r.Fill(r.fresh, 0, 4*(n+1)) // the number behind the last sums them all
	r.Launch(kernels.Kernel("merge_pair"), n, threads, 0, r.best, n, r.fresh)
	r.Scan(r.fresh, n+1)
	var count [1]uint32
	r.Download(device.Bytes(count[:]), r.fresh+device.Pointer(4*n))
	r.Launch(kernels.Kernel("merge_join"), n, threads, 0, r.best, r.fresh, n, r.dim, r.mean[now], r.size[now], r.label,
		r.mean[next], r.size[next])
	r.Contract(r.label)
	r.Rename(r.component, r.points, r.label)
	if r.Err == nil {
		r.vertices = min(int(count[0]), math.MaxInt32)
	}
}
