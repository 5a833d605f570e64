package survey

import (
	"errors"
	"os"

	"superpoint/partition/local"
)

// long are the edges of a tile that are longer than the reach.
type long struct {
	Low, High []uint64  // IDs of the ends of all of them
	Own, End  []uint64  // of those that begin in the core, both ways
	X, Y      []float64 // where they end
}

func (l *long) arrays() []any { return []any{&l.Low, &l.High, &l.Own, &l.End, &l.X, &l.Y} }

// longOf lists the long edges of a tile.
func longOf(m *local.Tile, ground local.Ground, reach float64, at func(u uint32) (x, y float64)) (l long) {
	for _, e := range local.Long(m.Problem.Graph, ground, reach) {
		a, b := m.ID[e[0]], m.ID[e[1]]
		l.Low, l.High = append(l.Low, min(a, b)), append(l.High, max(a, b))
		for k := range 2 {
			if from, to := e[k], e[1-k]; m.Core[from] {
				x, y := at(to)
				l.Own, l.End = append(l.Own, m.ID[from]), append(l.End, m.ID[to])
				l.X, l.Y = append(l.X, x), append(l.Y, y)
			}
		}
	}
	return l
}

// doubt marks the second points of edges that the tile has not as not known.
func doubt(m *local.Tile, edges [][2]uint64) {
	if len(edges) == 0 {
		return
	}
	has := among(edges, func(see func(a, b uint64)) {
		for u := range m.ID {
			for _, v := range m.Problem.Graph.Of(u) {
				see(m.ID[u], m.ID[v])
			}
		}
	})
	lacks := map[uint64]bool{}
	for k, e := range edges {
		if !has[k] {
			lacks[e[1]] = true
		}
	}
	for u, id := range m.ID {
		m.Known[u] = m.Known[u] && !lacks[id]
	}
}

// among tells which of some edges are among those that each calls see for.
func among(edges [][2]uint64, each func(see func(a, b uint64))) []bool {
	place := map[[2]uint64][]int{}
	for k, e := range edges {
		key := [2]uint64{min(e[0], e[1]), max(e[0], e[1])}
		place[key] = append(place[key], k)
	}
	has := make([]bool, len(edges))
	each(func(a, b uint64) {
		for _, k := range place[[2]uint64{min(a, b), max(a, b)}] {
			has[k] = true
		}
	})
	return has
}

// missing returns, for each tile, the long edges that it lacks at points that it
// takes for known.
func (v *Survey) missing(tiles []*coarsened, marks []*RunDone) (map[int][][2]uint64, error) {
	widest := 0.0
	for _, m := range marks {
		widest = max(widest, m.HaloWidth)
	}
	at := map[[2]int]int{}
	for n, t := range v.plan.Tiles {
		at[[2]int{t.Column, t.Row}] = n
	}
	near, suspicious := 1+int(widest/v.plan.Grid.Size), map[int][][2]uint64{}
	for owner, c := range tiles {
		for k := range c.Own {
			column, row := v.plan.Grid.At(c.X[k], c.Y[k])
			for dr := -near; dr <= near; dr++ {
				for dc := -near; dc <= near; dc++ {
					n, ok := at[[2]int{column + dc, row + dr}]
					if !ok || n == owner || marks[n].Points == 0 {
						continue
					}
					see := v.see(&v.plan.Tiles[n], marks[n].HaloWidth)
					if see.box.Contains(c.X[k], c.Y[k]) && see.rim(c.X[k], c.Y[k]) > v.plan.Exact.Reach {
						suspicious[n] = append(suspicious[n], [2]uint64{c.Own[k], c.End[k]})
					}
				}
			}
		}
	}
	missing := map[int][][2]uint64{}
	for n, edges := range suspicious {
		c := tiles[n]
		has := among(edges, func(see func(a, b uint64)) {
			for k := range c.Low {
				see(c.Low[k], c.High[k])
			}
		})
		lacks := map[uint64][][2]uint64{}
		for k, e := range edges {
			if !has[k] {
				lacks[e[1]] = append(lacks[e[1]], e)
			}
		}
		if len(lacks) == 0 {
			continue
		}
		kept := nothing()
		if _, err := readArrays(v.tileState(n), kept.state()); errors.Is(err, os.ErrNotExist) {
			for _, e := range lacks {
				missing[n] = append(missing[n], e...)
			}
			continue
		} else if err != nil {
			return nil, err
		}
		for u, id := range kept.State.ID {
			if kept.State.Known[u] {
				missing[n] = append(missing[n], lacks[id]...)
			}
		}
	}
	return missing, nil
}
