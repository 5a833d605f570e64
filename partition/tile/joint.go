package tile

import (
	"fmt"
	"slices"

	"superpoint/partition/metrics"
)

// frame leads from raw coordinates to the grid.
type frame struct {
	grid          *Grid
	offset, scale [3]float64
}

// joint is what two neighbouring tiles have in common.
type joint struct {
	pieces    [][2]uint32 // to join: of the first tile, of the second
	common    int         // points in both bands
	agreement metrics.Ratio
}

// joint finds the pieces to join: their superpoints are each other's best
// overlap in the common band, and an edge leads from one piece to the other.
func (f *frame) joint(a, b *Seam, placeA, placeB [2]int) (*joint, error) {
	inA, inB := f.common(a, placeB), f.common(b, placeA)
	if len(inA) != len(inB) {
		return nil, fmt.Errorf("tiles %d and %d see %d and %d points in their common seam; one of them was made from "+
			"other files: run both again", a.Tile, b.Tile, len(inA), len(inB))
	}
	pairs := make([]uint64, len(inA))
	toB, toA := outside(len(a.Point)), outside(len(b.Point))
	for k, i := range inA {
		j := inB[k]
		if a.Point[i] != b.Point[j] {
			return nil, fmt.Errorf("tiles %d and %d differ at point %v of their common seam; one of them was made from other "+
				"files: run both again", a.Tile, b.Tile, a.Point[i])
		}
		pairs[k] = uint64(a.Superpoint[i])<<32 | uint64(b.Superpoint[j])
		toB[i], toA[j] = j, i
	}
	j := &joint{common: len(pairs)}
	var err error
	if j.agreement, err = agreement(pairs); err != nil {
		return nil, err
	}
	matched := mutualBest(pairs)
	same := func(i, k uint32) bool {
		_, ok := slices.BinarySearch(matched, uint64(a.Superpoint[i])<<32|uint64(b.Superpoint[k]))
		return ok
	}
	for _, e := range a.Crossing { // e[0] in a's core; its end in b's core, or elsewhere
		if k := toB[e[1]]; k != Outside && b.Piece[k] != Outside && same(e[1], k) {
			j.pieces = append(j.pieces, [2]uint32{a.Piece[e[0]], b.Piece[k]})
		}
	}
	for _, e := range b.Crossing {
		if i := toA[e[1]]; i != Outside && a.Piece[i] != Outside && same(i, e[1]) {
			j.pieces = append(j.pieces, [2]uint32{a.Piece[i], b.Piece[e[0]]})
		}
	}
	slices.SortFunc(j.pieces, func(x, y [2]uint32) int { return slices.Compare(x[:], y[:]) })
	j.pieces = slices.Compact(j.pieces)
	return j, nil
}

// outside returns n times Outside.
func outside(n int) []uint32 {
	all := make([]uint32, n)
	for i := range all {
		all[i] = Outside
	}
	return all
}

// position returns x and y of whole steps, as every reader of LAS computes them.
func (f *frame) position(p [3]int32) (x, y float64) {
	return float64(p[0])*f.scale[0] + f.offset[0], float64(p[1])*f.scale[1] + f.offset[1]
}

// common lists the points of a seam that the tile at that place sees in its band.
func (f *frame) common(s *Seam, other [2]int) (points []uint32) {
	for i, p := range s.Point {
		x, y := f.position(p)
		if f.grid.InBand(other[0], other[1], x, y) {
			points = append(points, uint32(i))
		}
	}
	return points
}

func agreement(pairs []uint64) (metrics.Ratio, error) {
	a, b := make([]int32, len(pairs)), make([]int32, len(pairs))
	for k, p := range pairs {
		a[k], b[k] = int32(p>>32), int32(uint32(p))
	}
	return metrics.AdjustedRand(a, b)
}

// mutualBest returns the pairs, sorted, of which each is the other's most
// frequent partner; of equally frequent ones the smaller number wins.
func mutualBest(pairs []uint64) []uint64 {
	sorted := slices.Sorted(slices.Values(pairs))
	type best struct{ partner, count uint32 }
	left, right := map[uint32]best{}, map[uint32]best{}
	better := func(m map[uint32]best, key, partner, count uint32) {
		old, ok := m[key]
		if !ok || count > old.count || count == old.count && partner < old.partner {
			m[key] = best{partner, count}
		}
	}
	for lo := 0; lo < len(sorted); {
		hi := lo
		for hi < len(sorted) && sorted[hi] == sorted[lo] {
			hi++
		}
		a, b := uint32(sorted[lo]>>32), uint32(sorted[lo])
		better(left, a, b, uint32(hi-lo))
		better(right, b, a, uint32(hi-lo))
		lo = hi
	}
	var mutual []uint64
	for a, l := range left {
		if right[l.partner].partner == a {
			mutual = append(mutual, uint64(a)<<32|uint64(l.partner))
		}
	}
	slices.Sort(mutual)
	return mutual
}
