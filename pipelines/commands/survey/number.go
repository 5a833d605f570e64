// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"fmt"

	"superpoint/partition/local"
	"superpoint/pipelines/commands/survey/blocks"
	"superpoint/pipelines/commands/survey/folder"
)

// number merges adjacent parts of components of all tiles into superpoints and assigns ids.
func number(v *folder.Survey, _ int, m *folder.Mark) error {
	merged, err := v.Mark("merge", 0)
	if err != nil {
		return err
	}
	j, err := merged.Merged.Head.Part(local.MergedInitial{}, nil, local.Components{})
	if err != nil {
		return err
	}
	cores := make([]*local.CoreComponents, len(v.Plan.Tiles))
	for n := range cores {
		r, err := readRefined(v, n)
		if err != nil {
			return fmt.Errorf("%v: %w", &v.Plan.Tiles[n], err)
		}
		cores[n] = r.CoreComponents
	}
	levels, err := local.Finish(v.Parallel(), j, cores, v.Plan.Shared.Coarser)
	if err != nil {
		return err
	}
	m.Points, m.Superpoints = merged.Points, countIDs(levels[0])
	for _, ids := range levels[1:] {
		m.Coarser = append(m.Coarser, countIDs(ids).Superpoints)
	}
	var sums []uint32
	for n := range cores {
		m.CoreComponents += len(levels[0][n])
		var ids [][]uint32
		for _, level := range levels {
			ids = append(ids, level[n])
		}
		sum, err := v.Save(m, v.File("number", n, "ids"), blocks.Pointers(ids))
		if err != nil {
			return err
		}
		sums = append(sums, sum)
	}
	m.Sum = blocks.Checksum(sums...)
	return nil
}

// countIDs changes numbers of superpoints from 0 to ids from 1, and counts them.
func countIDs(id [][]uint32) *folder.Superpoints {
	r := &folder.Superpoints{Tiles: len(id)}
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
