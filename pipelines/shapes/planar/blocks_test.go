// SPDX-License-Identifier: BSD-3-Clause

package planar

import (
	"image"
	"math/rand/v2"
	"reflect"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

// scattered returns an area of 520 × 420 cells, and some cells in it.
func scattered(r *rand.Rand) (area image.Rectangle, cells []image.Point) {
	area = image.Rect(-260, -110, 260, 310)
	for range 40 {
		x, y := r.IntN(480)-240, r.IntN(380)-90
		cells = append(cells, image.Pt(x, y), image.Pt(x+1, y+1))
	}
	return area, cells
}

// TestOrderOfBlocks: cells that are held have the order of rows, and those within the margin are held.
func TestOrderOfBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 4 {
		area, cells := scattered(r)
		occupied := new(Occupied)
		for _, cell := range cells {
			occupied.Add(cell)
		}
		b := must.Get(occupied.Blocks(3))(t)
		must.Equal(t, b.Area, Grown(Bounds(cells...), image.Pt(3, 3)), "area")
		next := 0
		for y := area.Min.Y; y < area.Max.Y; y++ {
			for x := area.Min.X; x < area.Max.X; x++ {
				k := b.Index(image.Pt(x, y))
				if k < 0 {
					continue
				}
				must.Need(t, k == next, "cell %d %d has index %d, not %d", x, y, k, next)
				must.Need(t, b.At(k) == image.Pt(x, y), "index %d is of cell %v", k, b.At(k))
				south, north := b.Beside(k)
				must.Need(t, south == b.Index(image.Pt(x, y-1)), "south of %d %d", x, y)
				must.Need(t, north == b.Index(image.Pt(x, y+1)), "north of %d %d", x, y)
				next++
			}
		}
		must.Equal(t, b.Len(), next, "cells")
		for _, cell := range cells {
			for _, to := range []image.Point{{-3, -3}, {3, -3}, {-3, 3}, {3, 3}} {
				must.Hold(t, b.Index(cell.Add(to)) >= 0, "cell %v is not held", cell.Add(to))
			}
		}
	}
}

// TestDenseBlocks: the order of a raster of which all cells are held is that of a dense one.
func TestDenseBlocks(t *testing.T) {
	area := image.Rect(-70, 5, 150, 99)
	b := must.Get(AllOf(area).Blocks(0))(t)
	must.Equal(t, b.Len(), area.Dx()*area.Dy(), "cells")
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			want := (y-area.Min.Y)*area.Dx() + x - area.Min.X
			must.Need(t, b.Index(image.Pt(x, y)) == want, "index of %d %d", x, y)
		}
	}
	must.Equal(t, b.Index(image.Pt(area.Max.X, 5)), -1, "index outside")
}

// TestRectanglesOfBlocks: the rectangles and the runs have each cell once, and Dense has the values of all.
func TestRectanglesOfBlocks(t *testing.T) {
	area, cells := scattered(rand.New(rand.NewPCG(3, 4)))
	occupied := new(Occupied)
	for _, cell := range cells {
		occupied.Add(cell)
	}
	b := must.Get(occupied.Blocks(0))(t)
	values := make([]int, b.Len())
	for k := range values {
		values[k] = k + 1
	}
	dense := Dense(b, values, area, 0)
	seen := make([]int, b.Len())
	for _, r := range b.Rectangles() {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				k := r.First + (y-r.Min.Y)*r.Stride + x - r.Min.X
				must.Need(t, b.At(k) == image.Pt(x, y), "value %d of %v", k, r)
				seen[k]++
			}
		}
	}
	for _, run := range b.Runs() {
		for k := run.First; k < run.First+run.Len(); k++ {
			must.Need(t, run.Cell(k) == b.At(k), "value %d of %v", k, run)
			seen[k]++
		}
	}
	for k := range values {
		must.Need(t, seen[k] == 2, "cell %v is %d times in rectangles and runs", b.At(k), seen[k])
	}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			want := 1 + b.Index(image.Pt(x, y))
			got := dense[(y-area.Min.Y)*area.Dx()+x-area.Min.X]
			must.Need(t, got == want, "dense value of %d %d is %d, not %d", x, y, got, want)
		}
	}
}

// labelled is a cell with a label.
type labelled struct {
	image.Point
	label int32
}

// shapes returns cells of full squares, rings, diagonals and squares with holes, of some labels: along a
// diagonal, so that many cross blocks, and labels have several parts.
func shapes(r *rand.Rand) (all []labelled) {
	for range 40 {
		x := r.IntN(400) - 200
		y := x + r.IntN(40)
		size, kind, label := 1+r.IntN(20), r.IntN(4), int32(1+r.IntN(5))
		for i := range size {
			for j := range size {
				isInside := min(i, j) > 2 && max(i, j) < size-3
				isLeft := kind == 1 && isInside || kind == 2 && i != j || kind == 3 && r.IntN(3) == 0
				if !isLeft {
					all = append(all, labelled{image.Pt(x+i, y+j), label})
				}
			}
		}
	}
	return all
}

// TestPartitionOfBlocks: polygons are the same whether all cells are held or those near labels alone.
func TestPartitionOfBlocks(t *testing.T) {
	polygons := 0
	for seed := range uint64(12) {
		cells := shapes(rand.New(rand.NewPCG(seed, 5)))
		occupied := new(Occupied)
		for _, c := range cells {
			occupied.Add(c.Point)
		}
		sparse := must.Get(NewView(occupied, int(seed%3)))(t)
		dense := must.Get(NewView(AllOf(sparse.Area), 0))(t)
		must.Hold(t, sparse.Len() < dense.Len()*3/4, "%d of %d cells are held", sparse.Len(), dense.Len())
		for k, c := range cells {
			sparse.Add(c.Point, float64(k%7), c.label)
			dense.Add(c.Point, float64(k%7), c.label)
		}
		radius := []float64{0, 1, 2, 3.5}[seed%4]
		got := must.Get(Partition(parallel.Run{}, sparse, 5, radius, seed%2 == 0))(t)
		want := must.Get(Partition(parallel.Run{}, dense, 5, radius, seed%2 == 0))(t)
		must.Hold(t, reflect.DeepEqual(got, want), "seed %d: other polygons", seed)
		must.Equal(t, sparse.Area, dense.Area, "area")
		for _, of := range got {
			polygons += len(of)
		}
	}
	must.Hold(t, polygons > 150, "%d polygons", polygons)
}

// TestDiagonalStrip: the number of cells that are held for a strip of 20 m along a diagonal, in cells of a
// metre, grows with its length and not with the area around it.
func TestDiagonalStrip(t *testing.T) {
	held := func(side int) int {
		occupied := new(Occupied)
		for x := range side {
			for across := range 20 {
				occupied.Add(image.Pt(x, x+across))
			}
		}
		b := must.Get(occupied.Blocks(7))(t)
		must.Equal(t, b.Area.Dx(), side+14, "columns")
		return b.Len()
	}
	short := held(2100)
	long := held(8400)
	must.Hold(t, long < 41*short/10, "%d cells of 3 km, and %d of 12 km", short, long)
	must.Hold(t, short < 16*2100*20, "%d cells, and %d in the strip", short, 2100*20)
	must.Hold(t, long < 8400*8400/20, "%d cells of %d", long, 8400*8400)
}
