package local

import (
	"errors"
	"math"

	"superpoint/partition/device"
	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
)

const (
	threads      = 128     // of a block
	maxFollowers = 1 << 14 // maximum number of followers of a pair, which one thread sorts
)

// errUnsupported is the error of a problem that exceeds limits of the kernels.
var errUnsupported = errors.New("local: not for the GPU")

// coarsening is the state of coarsen on a machine: edges, and two generations of
// components.
type coarsening struct {
	*reduced.DeviceEdges
	dim, points, vertices    int
	scale                    float32
	mean, size, first        [2]device.Pointer // first: ~rank of the first point, then its tie-break hash
	unionMean, unionSize     device.Pointer
	gain, best, choice, root device.Pointer
	last, next, followers    device.Pointer
	fresh, label, refused    device.Pointer
	component, values        device.Pointer
	turn                     int
}

// coarseningBytes returns the memory of the machine that coarsening needs in addition to resident.
func coarseningBytes(vertices, edges, dim int) int {
	return reduced.DeviceEdgesBytes(edges) + 4*edges + vertices*(12*dim+76)
}

// coarsenOn is coarsen on a machine, with the same bytes as result. Its error is
// errUnsupported for problems that exceed limits of the kernels.
func coarsenOn(m device.Machine, run parallel.Run, g *reduced.Graph, kept *resident) ([]uint32, *reduced.Graph,
	error) {
	if err := kept.upload(m, g, coarseningBytes(g.Vertices(), len(g.Head), g.Dim)); err != nil {
		return nil, nil, err
	}
	t := &device.Task{Machine: m}
	c := newCoarsening(t, g, kept)
	for range rounds {
		before := c.vertices
		c.round()
		if t.Err == nil {
			t.Err = run.Err()
		}
		if t.Err != nil || c.vertices == before {
			break
		}
	}
	label, atoms := c.result(kept.order)
	if err := t.End(); err != nil {
		return nil, nil, err
	}
	atoms.Sphere, atoms.Scale = g.Sphere, g.Scale
	return label, atoms, sortRows(run, atoms)
}

// newCoarsening returns the state in which every point is a component.
func newCoarsening(t *device.Task, g *reduced.Graph, kept *resident) *coarsening {
	n, e, d := g.Vertices(), len(g.Head), g.Dim
	c := &coarsening{DeviceEdges: reduced.NewDeviceEdges(t, n, e, kept.start, kept.head, kept.weight), dim: d, points: n,
		vertices: n, scale: g.Scale, values: kept.values}
	pair := func(bytes int) [2]device.Pointer { return [2]device.Pointer{t.Alloc(bytes), t.Alloc(bytes)} }
	c.mean, c.size, c.first = [2]device.Pointer{kept.values, t.Alloc(4 * n * d)}, pair(4*n), pair(8*n)
	c.unionMean, c.unionSize = t.Alloc(4*n*d), t.Alloc(4*n)
	c.gain, c.best, c.choice, c.root = t.Alloc(4*e), t.Alloc(8*n), t.Alloc(8*n), t.Alloc(4*n)
	c.last, c.next, c.followers = t.Alloc(4*n), t.Alloc(4*n), t.Alloc(4*n)
	c.fresh, c.label, c.refused = t.Alloc(4*(n+1)), t.Alloc(4*n), t.Alloc(4)
	c.component = t.Alloc(4 * n)
	c.each("coarsen_points", n, kept.rank, kept.tie, n, c.first[0], c.size[0], c.component)
	t.Fill(c.refused, 0, 4)
	return c
}

// each launches a kernel with a thread for each item.
func (c *coarsening) each(kernel string, items int, arguments ...any) {
	c.Launch(kernels.Kernel(kernel), items, threads, 0, arguments...)
}

// round merges components that choose each other, and their followers.
func (c *coarsening) round() {
	n, now, next, most := c.vertices, c.turn, 1-c.turn, float32(maxInitial)
	mean, size, first := c.mean[now], c.size[now], c.first[now]
	c.Fill(c.best, 0, 8*n)
	c.Fill(c.choice, 0, 8*n)
	c.each("coarsen_gains", c.Count, c.A, c.B, c.Weight, c.Count, c.scale, most, mean, size, c.dim, first, c.gain, c.best,
		c.refused)
	c.each("coarsen_choose", c.Count, c.A, c.B, c.gain, c.Count, first, c.best, c.choice)
	c.each("coarsen_pair", n, c.choice, n, mean, size, c.dim, c.root, c.unionMean, c.unionSize, c.last, c.followers)
	c.each("coarsen_follow", n, c.choice, n, c.root, c.last, c.next, c.followers, maxFollowers, c.refused)
	if c.check(); c.Err != nil {
		return
	}
	c.each("coarsen_accept", n, c.choice, n, mean, size, c.dim, most, c.best, first, c.last, c.next, c.root, c.unionMean,
		c.unionSize)
	c.Fill(c.fresh, 0, 4*(n+1)) // after the scan, the last number is the total
	c.each("coarsen_fresh", n, c.root, n, c.fresh)
	count := c.total(n)
	c.Fill(c.first[next], 0, 8*n)
	c.each("coarsen_take", n, c.root, c.fresh, n, c.dim, mean, size, first, c.unionMean, c.unionSize, c.label,
		c.mean[next], c.size[next], c.first[next])
	c.Contract(c.label)
	c.Rename(c.component, c.points, c.label)
	if mean == c.values { // which must not be overwritten
		c.mean[now] = c.Alloc(4 * count * c.dim)
	}
	if c.Err == nil {
		c.turn, c.vertices = next, count
	}
}

// check sets the error errUnsupported if a kernel found that a limit is exceeded.
func (c *coarsening) check() {
	var refused [1]uint32
	c.Download(device.Bytes(refused[:]), c.refused)
	if c.Err == nil && refused[0] != 0 {
		c.Err = errUnsupported
	}
}

// total replaces n marks by their exclusive prefix sums, and returns the number of marks.
func (c *coarsening) total(n int) int {
	c.Scan(c.fresh, n+1)
	var count [1]uint32
	c.Download(device.Bytes(count[:]), c.fresh+device.Pointer(4*n))
	return int(count[0])
}

// result downloads the components in canonical order.
func (c *coarsening) result(order []uint32) (label []uint32, atoms *reduced.Graph) {
	n, now, next := c.vertices, c.turn, 1-c.turn
	c.Fill(c.fresh, 0, 4*(c.points+1))
	c.each("coarsen_mark", n, c.first[now], n, c.fresh)
	c.total(c.points)
	c.each("coarsen_order", n, c.first[now], c.fresh, n, c.dim, c.mean[now], c.size[now], c.label, c.root, c.mean[next],
		c.size[next])
	c.Rename(c.component, c.points, c.label)
	c.Rename(c.A, c.Count, c.label)
	c.Rename(c.B, c.Count, c.label)
	label = make([]uint32, c.points)
	atoms = &reduced.Graph{Dim: c.dim, Mean: make([]float32, n*c.dim), Size: make([]float32, n), First: make([]uint32, n)}
	a, b, weight := make([]uint32, c.Count), make([]uint32, c.Count), make([]uint64, c.Count)
	c.Download(device.Bytes(label), c.component)
	c.Download(device.Bytes(atoms.Mean), c.mean[next])
	c.Download(device.Bytes(atoms.Size), c.size[next])
	c.Download(device.Bytes(atoms.First), c.root)
	c.Download(device.Bytes(a), c.A)
	c.Download(device.Bytes(b), c.B)
	c.Download(device.Bytes(weight), c.Weight)
	if c.Err != nil {
		return nil, nil
	}
	for i, rank := range atoms.First {
		atoms.First[i] = order[rank]
	}
	list(atoms, a, b, weight)
	return label, atoms
}

// list sets the rows of g to the edges of a list, whose weights are multiples of 2⁻³².
func list(g *reduced.Graph, a, b []uint32, weight []uint64) {
	n := len(g.Size)
	g.Start, g.End = make([]uint32, n), make([]uint32, n)
	for k := range a {
		g.End[min(a[k], b[k])]++
	}
	at := uint32(0)
	for u := range n {
		g.Start[u] = at
		at += g.End[u]
		g.End[u] = g.Start[u]
	}
	g.Head, g.Weight = make([]uint32, at), make([]float32, at)
	for k, w := range weight {
		row := min(a[k], b[k])
		g.Head[g.End[row]], g.Weight[g.End[row]] = max(a[k], b[k]), float32(math.Ldexp(float64(w), -32))
		g.End[row]++
	}
}
