// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"

	"superpoint/pipelines/commands/survey/blocks"
	"superpoint/pipelines/commands/survey/folder"
	"superpoint/pipelines/files/las"
)

// label writes the rows of a tile with their ids.
func label(v *folder.Survey, n int, m *folder.Mark) error {
	tiles, _, err := v.Marks("embed")
	if err != nil {
		return err
	}
	if m.Points = tiles[n].Points; m.Points > 0 {
		if err := writeRows(v, n, m); err != nil {
			return err
		}
	}
	large := []string{v.File("coarsen", n, "state")} // made again if needed
	for _, k := range v.Plan.Tiles[n].Sources {
		large = append(large, v.Slice(n, k))
	}
	for _, path := range large {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	_ = os.Remove(v.Path("cut", strconv.Itoa(n))) // fails if it has other files
	return nil
}

// writeRows writes a row for each point of a tile's core: its id and its outputs.
func writeRows(v *folder.Survey, n int, m *folder.Mark) error {
	t, err := readRows(v, n, m.Points)
	if err != nil {
		return err
	}
	ends, err := sourceEnds(v, n)
	if err != nil {
		return err
	}
	if last := len(ends) - 1; last < 0 || int64(ends[last].end) != m.Points {
		return blocks.Damaged(v.File("refine", n, "pieces"), blocks.ErrMisfit)
	}
	layout, put, err := las.RowsOf(v.Plan.Outputs)
	if err != nil {
		return err
	}
	path := v.File("label", n, "las")
	staged, err := v.Tree().New(v.Name(path))
	if err != nil {
		return err
	}
	w, err := las.NewWriter(staged, layout.Head)
	if err != nil {
		return err
	}
	defer w.Discard()
	m.Parts = map[string]uint32{}
	row := make([]byte, layout.Length)
	first := 0
	for _, e := range ends {
		sum := uint32(0)
		for i := first; i < e.end; i++ {
			t.put(row, i, put)
			if err := w.Append(row); err != nil {
				return err
			}
			sum = las.Sum(sum, row)
		}
		if e.end > first {
			m.Parts[strconv.Itoa(e.source)] = sum
		}
		first = e.end
	}
	m.Sum, _ = w.Sum()
	if err := w.Close(); err != nil {
		return err
	}
	return v.AddFile(m, path)
}

// tileRows has the values of the rows of a tile.
type tileRows struct {
	core    []uint32    // core component of each point
	ids     [][]uint32  // of the core components, by level
	outputs [][]float64 // of the points
}

// readRows reads the values of the rows of a tile of some points.
func readRows(v *folder.Survey, n int, points int64) (*tileRows, error) {
	t := &tileRows{ids: make([][]uint32, v.Plan.IDs())}
	if err := v.ReadArrays(v.File("number", n, "ids"), blocks.Pointers(t.ids)); err != nil {
		return nil, err
	}
	r, err := readRefined(v, n)
	if err != nil {
		return nil, err
	}
	t.core = r.CoreOf
	if t.outputs, err = readOutputs(v, n); err != nil {
		return nil, err
	}
	if err := t.check(points); err != nil {
		return nil, blocks.Damaged(v.File("refine", n, "pieces"), err)
	}
	return t, nil
}

// check fails unless each row is for one of the points, and the core components of rows have ids.
func (t *tileRows) check(points int64) error {
	if int64(len(t.core)) != points {
		return blocks.ErrMisfit
	}
	for _, values := range t.outputs {
		if int64(len(values)) != points {
			return blocks.ErrMisfit
		}
	}
	if points == 0 {
		return nil
	}
	last := int(slices.Max(t.core))
	for _, ids := range t.ids {
		if last >= len(ids) {
			return fmt.Errorf("a point is in core component %d of %d", last, len(ids))
		}
	}
	return nil
}

// put sets a row to the values of point i, by the functions of las.RowsOf.
func (t *tileRows) put(row []byte, i int, put []las.Put) {
	levels := len(t.ids)
	for k, id := range t.ids {
		put[k](row, float64(id[t.core[i]]))
	}
	for k, values := range t.outputs {
		put[levels+k](row, values[i])
	}
}

// readOutputs returns the outputs of the points of a tile, in the order of the plan without the ids.
func readOutputs(v *folder.Survey, n int) (all [][]float64, err error) {
	f, err := v.NewFilter()
	if err != nil {
		return nil, err
	}
	embedded, classes := divideOutputs(v, f)
	of := map[string][]float64{}
	if err := addOutputsOf(v, of, embedded, v.File("embed", n, "outputs")); err != nil {
		return nil, err
	}
	if len(classes) > 0 {
		if err := addOutputsOf(v, of, classes, v.File(classifyStep, n, "classes")); err != nil {
			return nil, err
		}
	}
	for _, o := range v.Plan.Outputs[v.Plan.IDs():] {
		all = append(all, of[o.Name])
	}
	return all, nil
}

// addOutputsOf adds the outputs of a file, which has those of the names in their order.
func addOutputsOf(v *folder.Survey, to map[string][]float64, names []string, path string) error {
	values := make([][]float64, len(names))
	if err := v.ReadArrays(path, blocks.Pointers(values)); err != nil {
		return err
	}
	for k, name := range names {
		to[name] = values[k]
	}
	return nil
}

// inputsOfLabel returns the checksum of the results that step label reads: without the option classes it
// needs no step classify.
func inputsOfLabel(v *folder.Survey, _ int) (string, error) {
	before := "number"
	if v.Plan.Options["classes"] != "" {
		before = classifyStep
	}
	_, sum, err := v.Marks(before)
	return sum, err
}

// sourceEnd is the number of points of a tile up to the last of a source.
type sourceEnd struct{ source, end int }

// sourceEnds returns where the points of the sources end in the core of tile n, in their order there.
func sourceEnds(v *folder.Survey, n int) (all []sourceEnd, err error) {
	cut, _, err := v.Marks("cut")
	if err != nil {
		return nil, err
	}
	end := 0
	for _, k := range v.Plan.Tiles[n].Sources {
		end += cut[k].Cores[strconv.Itoa(n)]
		all = append(all, sourceEnd{k, end})
	}
	return all, nil
}
