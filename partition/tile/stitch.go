package tile

import (
	"fmt"
	"math"
	"slices"

	"superpoint/partition/forest"
	"superpoint/partition/metrics"
	"superpoint/partition/parallel"
)

// Stitched are the ids of a survey.
type Stitched struct {
	ID     [][]uint32 // of each piece of each seam, in the order given; from 1, dense
	Report Report
}

// Report tells how well neighbouring tiles agreed.
type Report struct {
	Tiles       int     `json:"tiles"`
	Pieces      int64   `json:"pieces"`      // superpoints of the tiles' cores before stitching
	Superpoints int64   `json:"superpoints"` // after
	Crossing    int64   `json:"crossing"`    // pieces whose superpoint goes on in another tile
	Cut         int64   `json:"cut"`         // those that were not joined with what they go on as
	CutShare    float64 `json:"cut_share"`   // cut / superpoints
	// adjusted Rand index of the two tiles' superpoints in common bands, mean over seams by points
	Agreement metrics.Ratio `json:"seam_agreement"`
	Common    int64         `json:"common_points"` // points in common bands
}

// Stitch joins the pieces of all tiles. Seams come in the order of the plan's
// tiles, place[k] is the column and row of seams[k].
func Stitch(run parallel.Run, g *Grid, place [][2]int, seams []*Seam, offset, scale [3]float64) (*Stitched, error) {
	if len(place) != len(seams) {
		return nil, fmt.Errorf("%d places for %d seams", len(place), len(seams))
	}
	at := map[[2]int]int{}
	first := make([]uint64, len(seams)+1)
	for k, s := range seams {
		at[place[k]] = k
		first[k+1] = first[k] + uint64(s.Pieces)
	}
	if first[len(seams)] >= math.MaxUint32 {
		return nil, fmt.Errorf("%d superpoints are more than ids of 32 bits can name; stitch parts of the survey",
			first[len(seams)])
	}
	pairs := neighbours(place, at)
	joins := make([]*joint, len(pairs))
	frame := &frame{g, offset, scale}
	errs := make([]error, len(pairs))
	err := run.For(len(pairs), 1, func(lo, hi int) {
		for p := lo; p < hi; p++ {
			a, b := pairs[p][0], pairs[p][1]
			if seams[a].Pieces == 0 || seams[b].Pieces == 0 { // an empty core has no seam
				joins[p] = &joint{agreement: metrics.Ratio(math.NaN())}
				continue
			}
			joins[p], errs[p] = frame.joint(seams[a], seams[b], place[a], place[b])
		}
	})
	for _, e := range append(errs, err) {
		if e != nil {
			return nil, e
		}
	}
	root, joined := forest.New(int(first[len(seams)])), make([]bool, first[len(seams)])
	r := Report{Tiles: len(seams), Pieces: int64(first[len(seams)])}
	agreement := 0.0
	for p, j := range joins {
		a, b := uint32(first[pairs[p][0]]), uint32(first[pairs[p][1]])
		for _, e := range j.pieces {
			root.Join(a+e[0], b+e[1])
			joined[a+e[0]], joined[b+e[1]] = true, true
		}
		if !math.IsNaN(float64(j.agreement)) {
			agreement += float64(j.agreement) * float64(j.common)
			r.Common += int64(j.common)
		}
	}
	r.Agreement = metrics.Ratio(agreement / float64(r.Common))
	r.countCut(seams, first, joined)
	s := number(root, first)
	r.Superpoints = int64(s.last)
	r.CutShare = float64(r.Cut) / math.Max(1, float64(r.Superpoints))
	return &Stitched{ID: s.id, Report: r}, nil
}

// neighbours lists pairs of tiles that touch, also at a corner, first tile first.
func neighbours(place [][2]int, at map[[2]int]int) (pairs [][2]int) {
	for k, c := range place {
		for _, d := range [][2]int{{1, 0}, {-1, 1}, {0, 1}, {1, 1}} {
			if other, ok := at[[2]int{c[0] + d[0], c[1] + d[1]}]; ok {
				pairs = append(pairs, [2]int{k, other})
			}
		}
	}
	return pairs
}

// countCut counts pieces that have crossing edges, and those not joined.
func (r *Report) countCut(seams []*Seam, first []uint64, joined []bool) {
	for k, s := range seams {
		var pieces []uint32
		for _, e := range s.Crossing {
			pieces = append(pieces, s.Piece[e[0]])
		}
		slices.Sort(pieces)
		for _, p := range slices.Compact(pieces) {
			r.Crossing++
			if !joined[first[k]+uint64(p)] {
				r.Cut++
			}
		}
	}
}

type numbered struct {
	id   [][]uint32
	last uint32
}

// number gives ids from 1 in the order of tiles and pieces.
func number(root forest.Forest, first []uint64) numbered {
	flat, count := root.Number()
	for i := range flat {
		flat[i]++
	}
	n := numbered{last: uint32(count)}
	for k := range len(first) - 1 {
		n.id = append(n.id, flat[first[k]:first[k+1]])
	}
	return n
}
