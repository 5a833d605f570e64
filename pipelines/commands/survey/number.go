// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"

	"superpoint/partition/local"
	"superpoint/pipelines/files/las"
)

// label writes the rows of a tile with their ids.
func (v *Survey) label(n int, m *Mark) error {
	tiles, _, err := v.marks("embed")
	if err != nil {
		return err
	}
	if m.Points = tiles[n].Points; m.Points > 0 {
		if err := v.writeRows(n, m); err != nil {
			return err
		}
	}
	// large, and computed again if needed
	if err := os.Remove(v.file("coarsen", n, "state")); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, k := range v.plan.Tiles[n].Sources {
		if err := os.Remove(v.slice(n, k)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	_ = os.Remove(v.Path("cut", strconv.Itoa(n))) // fails if it has other files
	return nil
}

// writeRows writes a row for each point of a tile's core: its id and its outputs.
func (v *Survey) writeRows(n int, m *Mark) error {
	ids, levels := levelArrays(make([][]uint32, v.plan.ids()))
	if err := readArrays(v.file("number", n, "ids"), levels); err != nil {
		return err
	}
	r, pieces := refined{CoreComponents: new(local.CoreComponents)}, v.file("refine", n, "pieces")
	if err := readArrays(pieces, r.arrays()); err != nil {
		return err
	}
	outputs, arrays := make([][]float64, len(v.plan.Outputs)-len(ids)), []any(nil)
	for k := range outputs {
		arrays = append(arrays, &outputs[k])
	}
	if err := readArrays(v.file("embed", n, "outputs"), arrays); err != nil {
		return err
	}
	misfit := func(values []float64) bool { return int64(len(values)) != m.Points }
	if int64(len(r.Piece)) != m.Points || slices.ContainsFunc(outputs, misfit) {
		return damaged(pieces, errMisfit)
	}
	rows, put, err := v.rows()
	if err != nil {
		return err
	}
	w, err := las.NewWriter(v.file("label", n, "las"), rows.Head)
	if err != nil {
		return err
	}
	defer w.Discard()
	row := make([]byte, rows.Length)
	for i, piece := range r.Piece {
		for k, id := range ids {
			if int(piece) >= len(id) {
				return damaged(pieces, fmt.Errorf("point %d is of piece %d of %d", i, piece, len(id)))
			}
			put[k](row, float64(id[piece]))
		}
		for k, values := range outputs {
			put[k+len(ids)](row, values[i])
		}
		if err := w.Append(row); err != nil {
			return err
		}
	}
	written, _ := w.Sum()
	m.Sum = uint32(written)
	if err := w.Close(); err != nil {
		return err
	}
	return v.addFile(m, v.file("label", n, "las"))
}

// levelArrays returns the ids of levels, and their pointers for files of arrays.
func levelArrays(ids [][]uint32) (_ [][]uint32, arrays []any) {
	for k := range ids {
		arrays = append(arrays, &ids[k])
	}
	return ids, arrays
}

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
		r := refined{CoreComponents: new(local.CoreComponents)}
		if err := readArrays(v.file("refine", n, "pieces"), r.arrays()); err != nil {
			return fmt.Errorf("%v: %w", &v.plan.Tiles[n], err)
		}
		pieces[n] = r.CoreComponents
	}
	levels, err := local.Finish(v.parallel(), j, pieces, v.plan.Shared.Coarser)
	if err != nil {
		return err
	}
	m.Points, m.Superpoints = merged.Points, countIDs(levels[0])
	for _, ids := range levels[1:] {
		m.Coarser = append(m.Coarser, countIDs(ids).Superpoints)
	}
	var sums []uint32
	for n := range pieces {
		m.Pieces += len(levels[0][n])
		var ids [][]uint32
		for _, level := range levels {
			ids = append(ids, level[n])
		}
		_, arrays := levelArrays(ids)
		sum, err := v.save(m, v.file("number", n, "ids"), arrays)
		if err != nil {
			return err
		}
		sums = append(sums, sum)
	}
	m.Sum = checksumOf(sums...)
	return nil
}

// countIDs changes numbers of superpoints from 0 to ids from 1, and counts them.
func countIDs(id [][]uint32) *Superpoints {
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
