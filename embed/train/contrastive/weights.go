// SPDX-License-Identifier: BSD-3-Clause

package contrastive

import (
	"cmp"
	"fmt"
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/partition/neighbor"
)

// Weighting is the weighting of transition edges.
type Weighting struct {
	Scheme string `yaml:"weights"` // cross-partition (the paper), seal, proportional or none
	// μ̃, 5 in the paper; SEAL's factor; the share of transitions in proportional
	Strength float64 `yaml:"strength"`
}

// The values of Scheme.
const (
	CrossPartition = "cross-partition" // the paper's
	Seal           = "seal"
	Proportional   = "proportional"
	Unweighted     = "none"
)

// schemes lists the values of Scheme.
func schemes() []string { return []string{CrossPartition, Seal, Proportional, Unweighted} }

// Validate returns an error that names a field which cannot be used.
func (w Weighting) Validate() error {
	if !slices.Contains(schemes(), w.Scheme) {
		return fmt.Errorf("weights: scheme %q; choose one of %v", w.Scheme, schemes())
	}
	if w.Scheme != Unweighted && !(w.Strength > 0 && w.Strength < 1e6) {
		return fmt.Errorf("weights: strength %g; it must be above 0, the paper has 5", w.Strength)
	}
	return nil
}

// Partition reports whether the scheme needs the partition of the current
// embedding.
func (w Weighting) Partition() bool { return w.Scheme == CrossPartition || w.Scheme == Seal }

// Set writes the weights of a graph whose vertices lie in objects, or in
// arrays.None, and in predicted components; component may be nil if Partition is false.
func (w Weighting) Set(g *neighbor.Graph, e *Edges, object, component []uint32) {
	switch w.Scheme {
	case CrossPartition:
		w.crossPartition(g, e, object, component)
	case Seal:
		w.seal(g, e, object, component)
	case Proportional:
		w.proportional(e)
	}
}

// superEdge is a transition edge and the two parts of the cross-partition that
// it joins.
type superEdge struct {
	parts uint64 // smaller part, then larger, 32 bits each
	edge  uint32
}

// crossPartition gives the transitions between two parts U and V of the
// cross-partition, the non-empty P ∩ S of objects and components, the weight
// M₀·min(|U|, |V|) in equal shares; M₀ = μ̃|E|/|V|.
func (w Weighting) crossPartition(g *neighbor.Graph, e *Edges, object, component []uint32) {
	part, size := intersect(object, component)
	var list []superEdge
	for u := range g.Vertices() {
		for k := g.Start[u]; k < g.Start[u+1]; k++ {
			if e.Kind[k] == Inter {
				a, b := part[u], part[g.Head[k]]
				list = append(list, superEdge{uint64(min(a, b))<<32 | uint64(max(a, b)), k})
			}
		}
	}
	slices.SortFunc(list, func(a, b superEdge) int {
		return cmp.Or(cmp.Compare(a.parts, b.parts), cmp.Compare(a.edge, b.edge))
	})
	base := w.Strength * float64(e.Counted) / float64(max(e.Vertices, 1))
	for at := 0; at < len(list); {
		to := at
		for to < len(list) && list[to].parts == list[at].parts {
			to++
		}
		small := float64(min(size[list[at].parts>>32], size[uint32(list[at].parts)]))
		weight := base * small / float64(to-at)
		for _, s := range list[at:to] {
			e.Weight[s.edge] = float32(weight)
		}
		at = to
	}
}

// intersect returns the part P ∩ S of every vertex, dense from 0, and the
// parts' sizes.
func intersect(object, component []uint32) (part []uint32, size []uint32) {
	n := len(object)
	order := arrays.Indices[uint32](n)
	key := func(i uint32) uint64 { return uint64(component[i])<<32 | uint64(object[i]) }
	slices.SortFunc(order, func(a, b uint32) int { return cmp.Compare(key(a), key(b)) })
	part = make([]uint32, n)
	for i, v := range order {
		if i == 0 || key(v) != key(order[i-1]) {
			size = append(size, 0)
		}
		part[v] = uint32(len(size) - 1)
		size[len(size)-1]++
	}
	return part, size
}

// seal weights every true transition by the larger error of the two predicted
// components that it touches (Tu et al. 2018, doi:10.1109/CVPR.2018.00066, as
// the authors of the paper adapt it): 1 + μ̃ · (size − size of its largest object).
func (w Weighting) seal(g *neighbor.Graph, e *Edges, object, component []uint32) {
	part, size := intersect(object, component)
	count := 0
	for _, c := range component {
		count = max(count, int(c)+1)
	}
	total := make([]uint32, count)
	majority := make([]uint32, count)
	for i, c := range component {
		total[c]++
		if object[i] != arrays.None {
			majority[c] = max(majority[c], size[part[i]])
		}
	}
	for u := range g.Vertices() {
		for k := g.Start[u]; k < g.Start[u+1]; k++ {
			if e.Kind[k] == Inter {
				a, b := component[u], component[g.Head[k]]
				e.Weight[k] = float32(1 + w.Strength*float64(max(total[a]-majority[a], total[b]-majority[b])))
			}
		}
	}
}

// proportional gives all intra edges together the weight |E| and all
// transitions together μ̃|E| (the ablation Prop-weight).
func (w Weighting) proportional(e *Edges) {
	all := float64(e.Counted)
	intra := float32(all / max(all-float64(e.Inters), 1))
	inter := float32(w.Strength * all / max(float64(e.Inters), 1))
	for k, kind := range e.Kind {
		if kind == Inter {
			e.Weight[k] = inter
		} else {
			e.Weight[k] = intra
		}
	}
}

// Kind is the kind of an edge in the truth.
type Kind uint8

// The kinds of an edge.
const (
	Intra   Kind = iota // both ends in one object
	Inter               // a true transition
	Ignored             // an end in no object
)

// Edges holds what the loss needs of each edge, in Graph.Head's order.
type Edges struct {
	Kind     []Kind
	Weight   []float32
	Counted  int // edges that are not ignored: |E| of the loss
	Vertices int // vertices that belong to an object: |V|
	Inters   int // true transitions
}

// NewEdges compares the objects of every edge's ends; all weights are 1.
func NewEdges(g *neighbor.Graph, object []uint32) *Edges {
	e := &Edges{Kind: make([]Kind, g.Edges()), Weight: make([]float32, g.Edges())}
	for u, o := range object {
		if o != arrays.None {
			e.Vertices++
		}
		for k := g.Start[u]; k < g.Start[u+1]; k++ {
			e.Weight[k] = 1
			switch p := object[g.Head[k]]; {
			case o == arrays.None || p == arrays.None:
				e.Kind[k] = Ignored
			case o != p:
				e.Kind[k] = Inter
				e.Inters++
				e.Counted++
			default:
				e.Counted++
			}
		}
	}
	return e
}
