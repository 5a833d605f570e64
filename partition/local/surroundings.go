package local

// surroundings are the components next to a vertex, its own first, and the
// weights between them and the vertex.
type surroundings struct {
	id     []uint32
	weight []float64
	same   []uint32
}

func (r *refiner) surround(u uint32, near *surroundings) {
	g := r.graph
	near.id, near.weight = append(near.id[:0], r.label[u]), append(near.weight[:0], 0)
	for k := g.Start[u]; k < g.End[u]; k++ {
		near.add(r.label[g.Head[k]], g.Weight[k])
	}
	from, end := r.incoming.Of(u)
	for i := from; i < end; i++ {
		near.add(r.label[r.incoming.Tail[i]], g.Weight[r.incoming.Edge[i]])
	}
}

func (n *surroundings) add(id uint32, weight float32) {
	for i, v := range n.id {
		if v == id {
			n.weight[i] += float64(weight)
			return
		}
	}
	n.id, n.weight = append(n.id, id), append(n.weight, float64(weight))
}

// spare tells whether the neighbours of u in its component are joined by edges
// among themselves, so that the component stays whole without u.
func (r *refiner) spare(u uint32, near *surroundings) bool {
	same := near.same[:0]
	r.neighbors(u, func(v uint32, _ float32) {
		if r.label[v] == r.label[u] {
			same = append(same, v)
		}
	})
	near.same = same
	reached := min(1, len(same))
	for i := 0; i < reached; i++ {
		r.neighbors(same[i], func(v uint32, _ float32) {
			for j := reached; j < len(same); j++ {
				if same[j] == v {
					same[j], same[reached] = same[reached], v
					reached++
				}
			}
		})
	}
	return reached == len(same)
}
