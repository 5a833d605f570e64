package contrastive

import "superpoint/partition/neighbor"

// Kind says what an edge is in the truth.
type Kind uint8

// The kinds of an edge.
const (
	Intra   Kind = iota // both ends in one object
	Inter               // a true transition
	Ignored             // an end in no object
)

// None is the object of a vertex that belongs to no object.
const None = ^uint32(0)

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
		if o != None {
			e.Vertices++
		}
		for k := g.Start[u]; k < g.Start[u+1]; k++ {
			e.Weight[k] = 1
			switch p := object[g.Head[k]]; {
			case o == None || p == None:
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
