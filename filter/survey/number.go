package survey

import (
	"fmt"
	"strconv"

	"superpoint/partition/local"
)

func (v *Survey) tileIDs(n int) string { return v.Path("number", strconv.Itoa(n)+".ids") }

// number merges adjacent parts of components of all tiles into superpoints and assigns ids.
func (v *Survey) number(_ int, m *Mark) error {
	merged, err := v.mark("merge", 0)
	if err != nil {
		return err
	}
	j, err := merged.Merged.Head.Part(local.MergedInitial{}, nil, local.Components{})
	if err != nil {
		return err
	}
	pieces := make([]*local.CoreComponents, len(v.plan.Tiles))
	for n := range pieces {
		r := refined{CoreArrays: new(local.CoreArrays)}
		if err := readArrays(v.tilePieces(n), r.arrays()); err != nil {
			return fmt.Errorf("%v: %w", &v.plan.Tiles[n], err)
		}
		if pieces[n], err = r.Components(j.Dim()); err != nil {
			return fmt.Errorf("%v: %w", &v.plan.Tiles[n], err)
		}
	}
	ids, err := local.Finish(v.parallel(), j, pieces)
	if err != nil {
		return err
	}
	m.Points, m.Superpoints = merged.Points, numberFromOne(ids)
	var sums []uint32
	for n := range ids {
		m.Pieces += len(ids[n])
		sum, err := v.save(m, v.tileIDs(n), []any{&ids[n]})
		if err != nil {
			return err
		}
		sums = append(sums, sum)
	}
	m.Sum = checksumOf(sums...)
	return nil
}

// numberFromOne changes numbers of superpoints from 0 to ids from 1, and counts them.
func numberFromOne(id [][]uint32) *Superpoints {
	r := &Superpoints{Tiles: len(id)}
	in := map[uint32]int{} // tile of a superpoint, plus 1; −1 for several
	for n := range id {
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
