package survey

import (
	"fmt"
	"math"

	"superpoint/partition/local"
	"superpoint/partition/metrics"
	"superpoint/partition/tile"
)

// readPieces reads the pieces of exact tiles, to join them across tiles.
func (v *Survey) readPieces() (stitching, error) {
	done, err := v.joinMark()
	if err != nil {
		return nil, err
	}
	j, err := done.Head.Part(local.JoinedAtoms{}, nil, local.Components{})
	if err != nil {
		return nil, err
	}
	pieces := make([]*local.Pieces, len(v.plan.Tiles))
	for n := range v.plan.Tiles {
		mark := new(RefineDone)
		r := refined{PieceArrays: new(local.PieceArrays)}
		if !readJSON(v.refineMark(n), mark) || mark.Plan != v.sum || mark.Inputs != done.checksum() {
			return nil, fmt.Errorf("tile %d (%s) is not refined; run: pdal superpoint survey refine %s %d", n,
				v.plan.Tiles[n].Name, v.folder, n)
		}
		if _, err := readArrays(v.tilePieces(n), r.arrays()); err != nil {
			return nil, v.plan.Tiles[n].in(err)
		}
		if pieces[n], err = r.Pieces(j.Dim()); err != nil {
			return nil, v.plan.Tiles[n].in(err)
		}
	}
	return func(r *tile.Report) ([][]uint32, error) {
		id, err := local.Finish(v.parallel(), j, pieces)
		if err == nil {
			*r = reported(id)
		}
		return id, err
	}, nil
}

// reported turns numbers of superpoints from 0 into ids from 1, and counts them and
// those that lie in several tiles.
func reported(id [][]uint32) tile.Report {
	r := tile.Report{Tiles: len(id), Agreement: metrics.Ratio(math.NaN())}
	in := map[uint32]int{} // the tile that a superpoint has pieces in, and 1 more; −1 for several
	for n := range id {
		r.Pieces += int64(len(id[n]))
		for k := range id[n] {
			id[n][k]++
			switch c := id[n][k]; {
			case in[c] == 0:
				in[c] = n + 1
			case in[c] != n+1:
				in[c] = -1
			}
		}
	}
	r.Superpoints = int64(len(in))
	for n := range id {
		for _, c := range id[n] {
			if in[c] < 0 {
				r.Crossing++
			}
		}
	}
	return r
}
