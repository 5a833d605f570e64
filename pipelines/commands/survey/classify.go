// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"fmt"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/filter/land"
	"superpoint/filter/message"
	"superpoint/filter/steps"
	"superpoint/partition/base/tile"
	"superpoint/pipelines/commands/survey/blocks"
	"superpoint/pipelines/commands/survey/folder"
	"superpoint/pipelines/files/las"
)

// classifyStep is the step that a survey with classes has.
const classifyStep = "classify"

// The classes of a point depend on the terrain, the level bodies and the superpoints around it, which have no
// bound. So a survey of at most classifiedAtOnce points is classified as one cloud, and its classes equal the
// stage's. Of a larger one, each tile is classified with a halo, with the superpoints of the survey. Its
// classes may differ from the full cloud's near borders, where a body, a roof or a bridge goes on beyond the
// halo.
const (
	classifiedAtOnce = 1 << 24 // points; about 6 GB
	classHalo        = 100     // metres
)

// classify computes the classes of the points of all tiles.
func classify(v *folder.Survey, _ int, m *folder.Mark) error {
	f, err := v.NewFilter()
	if err != nil {
		return err
	}
	m.Points = v.Plan.Points
	_, names := divideOutputs(v, f)
	if len(names) == 0 {
		return nil
	}
	all := classBlocks(v)
	for k := range all {
		if err := classifyBlock(v, &all[k], f, names, m); err != nil {
			return fmt.Errorf("%s: %w", all[k].describe(v), err)
		}
		v.Progress(classifyStep, float64(k+1)/float64(len(all)))
	}
	m.Classes = f.Classes()
	return nil
}

// classBlock is tiles that are classified together.
type classBlock struct {
	tiles []int
	box   tile.Box // of the points that are read; all if it is empty
}

// classBlocks divides the tiles.
func classBlocks(v *folder.Survey) (all []classBlock) {
	if v.Plan.Points <= classifiedAtOnce {
		return []classBlock{{tiles: v.Numbers(folder.Tiles)}}
	}
	g := &v.Plan.Grid
	for n := range v.Plan.Tiles {
		t := &v.Plan.Tiles[n]
		all = append(all, classBlock{[]int{n}, g.Core(t.Column, t.Row).Grow(classHalo / v.Plan.Unit)})
	}
	return all
}

// describe returns the block for messages.
func (b *classBlock) describe(v *folder.Survey) string {
	if len(b.tiles) == 1 {
		return v.Plan.Tiles[b.tiles[0]].String()
	}
	return message.Count(len(b.tiles), "tile")
}

// reads reports whether points of a tile are read.
func (b *classBlock) reads(core tile.Box) bool { return b.box == (tile.Box{}) || core.Touches(b.box) }

// holds reports whether a point is read.
func (b *classBlock) holds(x, y float64) bool { return b.box == (tile.Box{}) || b.box.Contains(x, y) }

// classified are the points of a block, with the superpoints and embeddings that are known of them.
type classified struct {
	columns host.Columns
	known   land.Known
	of      []int32 // tile of each point; points of the halo have a tile outside the block
}

// classifyBlock classifies the points of a block, and writes the classes of its tiles.
func classifyBlock(v *folder.Survey, b *classBlock, f *filter.Filter, names []string,
	m *folder.Mark) error {
	c := new(classified)
	for n := range v.Plan.Tiles {
		t := &v.Plan.Tiles[n]
		if !b.reads(v.Plan.Grid.Core(t.Column, t.Row)) {
			continue
		}
		if err := addClassified(v, c, b, n); err != nil {
			return err
		}
	}
	if len(c.of) == 0 {
		return nil
	}
	run := steps.Run{Context: v.Host.Context(), Step: v.Progress}
	result, err := f.Classify(run, v.Plan.View(&c.columns), c.known)
	if err != nil {
		return err
	}
	var sums []uint32
	for _, n := range b.tiles {
		core := make([]bool, len(c.of))
		for i, of := range c.of {
			core[i] = int(of) == n
		}
		values, err := outputs(names, core, result)
		if err != nil {
			return err
		}
		sum, err := v.Save(m, v.File(classifyStep, n, "classes"), blocks.Pointers(values))
		if err != nil {
			return err
		}
		sums = append(sums, sum)
	}
	m.Sum = blocks.Checksum(append(sums, m.Sum)...)
	return nil
}

// addClassified adds the points of tile n that a block reads, in the order of the tile's records.
func addClassified(v *folder.Survey, c *classified, b *classBlock, n int) error {
	columns, err := readTile(v, n)
	if err != nil || len(columns.X) == 0 {
		return err
	}
	id, err := tileIDs(v, n)
	if err != nil {
		return err
	}
	dim, embedding, err := tileEmbedding(v, n, len(columns.X))
	if err != nil {
		return err
	}
	if len(id) != len(columns.X) {
		return blocks.Damaged(v.File("refine", n, "pieces"), blocks.ErrMisfit)
	}
	c.known.Dim = dim
	var kept []int32
	for i := range columns.X {
		if b.holds(columns.X[i], columns.Y[i]) {
			kept = append(kept, int32(i))
		}
	}
	part := v.Plan.View(columns).Part(kept)
	addColumns(&c.columns, &host.Columns{X: part.X, Y: part.Y, Z: part.Z, Dimensions: part.Dimensions,
		Reference: columns.Reference})
	for _, i := range kept {
		c.known.ID = append(c.known.ID, id[i])
		c.known.Embedding = append(c.known.Embedding, embedding[int(i)*dim:int(i+1)*dim]...)
		c.of = append(c.of, int32(n))
	}
	return nil
}

// readTile reads the points of a tile, in the order of its records.
func readTile(v *folder.Survey, n int) (*host.Columns, error) {
	t := &v.Plan.Tiles[n]
	sums, err := cutFor(v, t)
	if err != nil {
		return nil, err
	}
	marks, _, err := v.Marks("cut")
	if err != nil {
		return nil, err
	}
	columns := new(host.Columns)
	for _, k := range t.Sources {
		if marks[k].Cores[fmt.Sprint(n)] == 0 {
			continue // cut writes no empty slices
		}
		if err := checkSlice(v.Slice(n, k), sums[k]); err != nil {
			return nil, err
		}
		more, err := v.Host.Read(v.Slice(n, k), v.Plan.Reads)
		if err != nil {
			return nil, err
		}
		addColumns(columns, more)
	}
	return columns, nil
}

// tileIDs returns the ids of the points of a tile.
func tileIDs(v *folder.Survey, n int) ([]uint32, error) {
	ids := make([][]uint32, v.Plan.IDs()) // by level
	if err := v.ReadArrays(v.File("number", n, "ids"), blocks.Pointers(ids)); err != nil {
		return nil, err
	}
	r, err := readRefined(v, n)
	if err != nil {
		return nil, err
	}
	all := make([]uint32, len(r.CoreOf))
	for i, core := range r.CoreOf {
		if int(core) >= len(ids[0]) {
			return nil, blocks.Damaged(v.File("refine", n, "pieces"), blocks.ErrMisfit)
		}
		all[i] = ids[0][core]
	}
	return all, nil
}

// tileEmbedding returns the embedding of the points of a tile.
func tileEmbedding(v *folder.Survey, n, count int) (dim int, all []float32, err error) {
	mark, err := v.Mark("embed", n)
	if err != nil {
		return 0, nil, err
	}
	dim = mark.Dim
	all = make([]float32, count*dim)
	var p points
	every := func(int, []float64) bool { return true }
	err = v.ReadBlocks(v.File("embed", n, "points"), pointsSummary, every, p.arrays(), func(int) error {
		if err := p.check(dim); err != nil {
			return err
		}
		for i, record := range p.Record {
			if int(record) >= count {
				return blocks.ErrMisfit
			}
			copy(all[int(record)*dim:int(record+1)*dim], p.Embedding[i*dim:])
		}
		return nil
	})
	return dim, all, err
}

// checkSlice fails if a slice has not the checksum of its mark.
func checkSlice(path string, want uint32) error {
	l, err := las.Read(path)
	if err != nil {
		return err
	}
	sum := uint32(0)
	err = l.Each(func(_ int, record []byte) error {
		sum = las.Sum(sum, record)
		return nil
	})
	if err == nil && las.Sum(sum, l.Head) != want {
		err = blocks.Damaged(path, blocks.ErrSum)
	}
	return err
}
