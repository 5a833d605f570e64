package reduced

import "superpoint/partition/parallel"

// Contractor turns a graph into that of a coarser partition, and keeps the
// memory of the graph before last for the next call.
type Contractor struct {
	buffer [2]Graph
	turn   int
	first  []uint32 // first new id of each block of old vertices
	strays [][]uint32
	edges  [][]stray
	mark   [][]uint32 // per worker: where a head was last seen
}

// stray is an edge whose new row belongs to an earlier block.
type stray struct {
	row, head uint32
	weight    float32
}

// Contract returns the reduced graph of the partition label, whose ids are
// dense in [0, count) and numbered by first vertex. The result is valid until
// the next call but one.
func (t *Contractor) Contract(run parallel.Run, g *Graph, label []uint32, count int) (*Graph, error) {
	t.turn ^= 1
	out := &t.buffer[t.turn]
	if out == g { // never happens for graphs made in alternation
		panic("reduced: graph contracted onto itself")
	}
	out.Dim, out.Sphere, out.Scale = g.Dim, g.Sphere, 1
	t.prepare(g, label)
	if err := t.means(run, g, out, label, count); err != nil {
		return nil, err
	}
	if err := t.gather(run, g, out, label, count); err != nil {
		return nil, err
	}
	return out, t.join(run, out)
}

// prepare finds which new ids have their first vertex in which block.
func (t *Contractor) prepare(g *Graph, label []uint32) {
	n := g.Vertices()
	blocks := (n + block - 1) / block
	t.first = append(t.first[:0], 0)
	var next uint32
	for u, id := range label {
		if id >= next {
			next = id + 1
		}
		if (u+1)%block == 0 {
			t.first = append(t.first, next)
		}
	}
	t.first = append(t.first, next)
	for len(t.strays) < blocks {
		t.strays, t.edges = append(t.strays, nil), append(t.edges, nil)
	}
	t.strays, t.edges = t.strays[:blocks], t.edges[:blocks]
}

// means sums sizes and means of the new components.
func (t *Contractor) means(run parallel.Run, g, out *Graph, label []uint32, count int) error {
	out.Mean, out.Size = zeroed(out.Mean, count*g.Dim), zeroed(out.Size, count)
	err := run.For(g.Vertices(), block, func(lo, hi int) {
		first, strays := t.first[lo/block], t.strays[lo/block][:0]
		for u := uint32(lo); u < uint32(hi); u++ {
			if label[u] >= first {
				out.add(label[u], g, u)
			} else {
				strays = append(strays, u)
			}
		}
		t.strays[lo/block] = strays
	})
	if err != nil {
		return err
	}
	for _, strays := range t.strays {
		for _, u := range strays {
			out.add(label[u], g, u)
		}
	}
	return run.For(count, block, func(lo, hi int) {
		for u := uint32(lo); u < uint32(hi); u++ {
			inverse := 1 / out.Size[u]
			for k, x := range out.mean(u) {
				out.mean(u)[k] = x * inverse
			}
		}
	})
}

func (g *Graph) add(id uint32, from *Graph, u uint32) {
	n := from.Size[u]
	g.Size[id] += n
	sum := g.mean(id)
	for k, x := range from.mean(u)[:len(sum)] {
		sum[k] += n * x
	}
}

// gather puts every edge between different components in its row, in the order
// of the old edges within a block, then those from later blocks.
func (t *Contractor) gather(run parallel.Run, g, out *Graph, label []uint32, count int) error {
	out.Start, out.End = resized(out.Start, count), zeroed(out.End, count)
	err := run.For(g.Vertices(), block, func(lo, hi int) {
		t.edges[lo/block] = t.count(g, out.End, label, lo, hi, t.edges[lo/block][:0])
	})
	if err != nil {
		return err
	}
	for _, list := range t.edges {
		for _, e := range list {
			out.End[e.row]++
		}
	}
	var total uint32
	for u, degree := range out.End {
		out.Start[u], out.End[u] = total, total
		total += degree + 1 // a spare place for what fill throws away
	}
	out.Head, out.Weight = resized(out.Head, int(total)), resized(out.Weight, int(total))
	err = run.For(g.Vertices(), block, func(lo, hi int) { t.fill(g, out, label, lo, hi) })
	for _, list := range t.edges {
		for _, e := range list {
			out.push(e.row, e.head, e.weight)
		}
	}
	return err
}

// count adds the edges of vertices [lo, hi) that join different components to
// their rows' degrees, and to strays those whose row belongs to an earlier
// block. Whether an edge does is hard to predict, so there is no branch on it.
func (t *Contractor) count(g *Graph, degree, label []uint32, lo, hi int, strays []stray) []stray {
	first := t.first[lo/block]
	for u := lo; u < hi; u++ {
		a := label[u]
		from, to := g.Start[u], g.End[u]
		for i, v := range g.Head[from:to] {
			b := label[v]
			if row := min(a, b); row >= first {
				degree[row] += differ(a, b)
			} else if a != b {
				strays = append(strays, stray{row, max(a, b), g.Scale * g.Weight[int(from)+i]})
			}
		}
	}
	return strays
}

// fill stores the edges that count has counted. Others are written to the next
// free place of their row and overwritten.
func (t *Contractor) fill(g, out *Graph, label []uint32, lo, hi int) {
	first := t.first[lo/block]
	scale, end, head, weight := g.Scale, out.End, out.Head, out.Weight
	for u := lo; u < hi; u++ {
		a := label[u]
		from, to := g.Start[u], g.End[u]
		weights := g.Weight[from:to]
		for i, v := range g.Head[from:to] {
			b := label[v]
			if row := min(a, b); row >= first {
				at := end[row]
				head[at], weight[at] = max(a, b), scale*weights[i]
				end[row] = at + differ(a, b)
			}
		}
	}
}

// differ returns 1 if a and b are not equal, else 0.
func differ(a, b uint32) (d uint32) {
	if a != b {
		d = 1
	}
	return d
}

func (g *Graph) push(row, head uint32, weight float32) {
	at := g.End[row]
	g.Head[at], g.Weight[at] = head, weight
	g.End[row] = at + 1
}

// join adds up the edges of a row that lead to the same component.
func (t *Contractor) join(run parallel.Run, g *Graph) error {
	n := g.Vertices()
	for len(t.mark) < run.Workers() {
		t.mark = append(t.mark, nil)
	}
	return run.ForWorker(n, block, func(worker, lo, hi int) {
		t.mark[worker] = resized(t.mark[worker], n)
		mark := t.mark[worker] // what it holds is checked, so it is never cleared
		for u := lo; u < hi; u++ {
			start := g.Start[u]
			free := start
			for k := start; k < g.End[u]; k++ {
				head := g.Head[k]
				if at := mark[head]; at >= start && at < free && g.Head[at] == head {
					g.Weight[at] += g.Weight[k]
					continue
				}
				mark[head] = free
				g.Head[free], g.Weight[free] = head, g.Weight[k]
				free++
			}
			g.End[u] = free
		}
	})
}

// resized returns a slice of n items that reuses x's memory where it is large
// enough; what it holds is arbitrary.
func resized[T any](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n)
	}
	return x[:n]
}

func zeroed[T any](x []T, n int) []T {
	x = resized(x, n)
	clear(x)
	return x
}
