package local

import (
	"superpoint/partition/cutpursuit"
	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
)

// level is a graph and where its vertices are in the next coarser one.
type level struct {
	graph *reduced.Graph
	up    []uint32
}

// join partitions a graph in canonical order. It returns the component of each
// vertex and the partition's reduced graph.
func join(run parallel.Run, g *reduced.Graph, minSize int) ([]uint32, *reduced.Graph, error) {
	levels, top, err := halve(run, g)
	if err != nil {
		return nil, nil, err
	}
	least := 0
	if len(levels) == 0 {
		least = minSize
	}
	label, part, err := mend(run, top, least)
	if err != nil {
		return nil, nil, err
	}
	for l := len(levels) - 1; l >= 0; l-- {
		if err := reduced.Relabel(run, levels[l].up, label); err != nil {
			return nil, nil, err
		}
		label = levels[l].up
		if part, err = sharpen(run, levels[l].graph, part, label, l, minSize, g.Vertices()); err != nil {
			return nil, nil, err
		}
		levels[l] = level{} // its memory is free
	}
	return label, part, nil
}

// halve coarsens until no merge lowers the energy.
func halve(run parallel.Run, g *reduced.Graph) (levels []level, top *reduced.Graph, err error) {
	for {
		n := g.Vertices()
		m := pairer{graph: g}
		if err := m.merge(run, int(float64(n)/halving)); err != nil {
			return nil, nil, err
		}
		if now := m.graph.Vertices(); now == n || n > few && float64(n-now) < tail*float64(n) {
			return levels, g, nil
		}
		up, err := m.result(run, n)
		if err != nil {
			return nil, nil, err
		}
		levels = append(levels, level{g, up})
		if g, err = clone(run, m.graph); err != nil {
			return nil, nil, err
		}
	}
}

// clone copies a graph and leaves the contractor's memory, several times as
// much, behind.
func clone(run parallel.Run, g *reduced.Graph) (*reduced.Graph, error) {
	c, err := g.Clone(run)
	c.Before, c.Key, c.First = g.Before, g.Key, g.First
	return c, err
}

// sharpen lowers the energy of the partition label of a level's vertices, in
// place. The smallest size counts on the two finest levels.
func sharpen(run parallel.Run, g, part *reduced.Graph, label []uint32, l, minSize, size int) (*reduced.Graph, error) {
	t := terms{passes: passes}
	if l == 0 {
		t.least, t.keep = minSize, true
	}
	count, err := refine(run, g, part, label, t)
	if err != nil {
		return nil, err
	}
	if g.Vertices() <= max(cheap, size/cutting) {
		cut := cutpursuit.Solver{Iterations: 1, Restarts: 1}
		var cutLabel []uint32
		if cutLabel, count, err = cut.Improve(run, g, label, count, 0); err != nil {
			return nil, err
		}
		copy(label, cutLabel)
	}
	var c reduced.Contractor
	r, err := contract(run, &c, g, label, count, nil)
	if err != nil {
		return nil, err
	}
	least := 0
	if l <= 1 {
		least = minSize
	}
	up, part, err := mend(run, r, least)
	if err != nil {
		return nil, err
	}
	return part, reduced.Relabel(run, label, up)
}
