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
)

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
func (v *Survey) classify(_ int, m *Mark) error {
	f, err := v.newFilter()
	if err != nil {
		return err
	}
	m.Points = v.plan.Points
	_, names := v.divideOutputs(f)
	if len(names) == 0 {
		return nil
	}
	all := v.classBlocks()
	for k := range all {
		if err := v.classifyBlock(&all[k], f, names, m); err != nil {
			return fmt.Errorf("%s: %w", all[k].describe(v), err)
		}
		v.progress(classifyStep, float64(k+1)/float64(len(all)))
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
func (v *Survey) classBlocks() (all []classBlock) {
	if v.plan.Points <= classifiedAtOnce {
		return []classBlock{{tiles: v.all(Tiles)}}
	}
	g := &v.plan.Grid
	for n := range v.plan.Tiles {
		t := &v.plan.Tiles[n]
		all = append(all, classBlock{[]int{n}, g.Core(t.Column, t.Row).Grow(classHalo / v.plan.Unit)})
	}
	return all
}

// describe returns the block for messages.
func (b *classBlock) describe(v *Survey) string {
	if len(b.tiles) == 1 {
		return v.plan.Tiles[b.tiles[0]].String()
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
func (v *Survey) classifyBlock(b *classBlock, f *filter.Filter, names []string, m *Mark) error {
	c := new(classified)
	for n := range v.plan.Tiles {
		t := &v.plan.Tiles[n]
		if !b.reads(v.plan.Grid.Core(t.Column, t.Row)) {
			continue
		}
		if err := v.addClassified(c, b, n); err != nil {
			return err
		}
	}
	if len(c.of) == 0 {
		return nil
	}
	run := steps.Run{Context: v.host.Context(), Step: v.progress}
	result, err := f.Classify(run, v.plan.View(&c.columns), c.known)
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
		sum, err := v.save(m, v.file(classifyStep, n, "classes"), blocks.Pointers(values))
		if err != nil {
			return err
		}
		sums = append(sums, sum)
	}
	m.Sum = blocks.Checksum(append(sums, m.Sum)...)
	return nil
}

// addClassified adds the points of tile n that a block reads, in the order of the tile's records.
func (v *Survey) addClassified(c *classified, b *classBlock, n int) error {
	columns, err := v.readTile(n)
	if err != nil || len(columns.X) == 0 {
		return err
	}
	id, err := v.tileIDs(n)
	if err != nil {
		return err
	}
	dim, embedding, err := v.tileEmbedding(n, len(columns.X))
	if err != nil {
		return err
	}
	if len(id) != len(columns.X) {
		return blocks.Damaged(v.file("refine", n, "pieces"), blocks.ErrMisfit)
	}
	c.known.Dim = dim
	var kept []int32
	for i := range columns.X {
		if b.holds(columns.X[i], columns.Y[i]) {
			kept = append(kept, int32(i))
		}
	}
	part := v.plan.View(columns).Part(kept)
	addColumns(&c.columns, &host.Columns{X: part.X, Y: part.Y, Z: part.Z, Dimensions: part.Dimensions,
		Reference: columns.Reference})
	for _, i := range kept {
		c.known.ID = append(c.known.ID, id[i])
		c.known.Embedding = append(c.known.Embedding, embedding[int(i)*dim:int(i+1)*dim]...)
		c.of = append(c.of, int32(n))
	}
	return nil
}

// tileIDs returns the ids of the points of a tile.
func (v *Survey) tileIDs(n int) ([]uint32, error) {
	ids := make([][]uint32, v.plan.IDs()) // by level
	if err := v.readArrays(v.file("number", n, "ids"), blocks.Pointers(ids)); err != nil {
		return nil, err
	}
	r, err := v.readRefined(n)
	if err != nil {
		return nil, err
	}
	all := make([]uint32, len(r.CoreOf))
	for i, core := range r.CoreOf {
		if int(core) >= len(ids[0]) {
			return nil, blocks.Damaged(v.file("refine", n, "pieces"), blocks.ErrMisfit)
		}
		all[i] = ids[0][core]
	}
	return all, nil
}

// tileEmbedding returns the embedding of the points of a tile.
func (v *Survey) tileEmbedding(n, count int) (dim int, all []float32, err error) {
	mark, err := v.mark("embed", n)
	if err != nil {
		return 0, nil, err
	}
	dim = mark.Dim
	all = make([]float32, count*dim)
	var p points
	every := func(int, []float64) bool { return true }
	err = v.readBlocks(v.file("embed", n, "points"), pointsSummary, every, p.arrays(), func(int) error {
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
