// SPDX-License-Identifier: BSD-3-Clause

package train

import (
	"math"
	"math/rand/v2"

	"superpoint/embed/train/backprop"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"

	"github.com/golang/geo/r3"
)

// batch is the data of one step: several subgraphs as one graph.
type batch struct {
	backprop.Batch[float32]
	graph    *neighbor.Graph
	object   []uint32  // objects of different subgraphs have different numbers
	position []float32 // points × 3, metres as the network reads them
	ends     []int     // where the pieces of files end, in ascending order
}

// batcher makes batches. Step and slot determine a batch, so training can continue
// from any step.
type batcher struct {
	recipe  *Recipe
	loader  *loader
	augment *augmenter
	seed    uint64
	growers []grower
	places  [][]int32 // per slot: a point's place in the batch, −1 outside
	next    batch
	slots   []slot
}

// slot is one subgraph while it is made.
type slot struct {
	degree []uint32
	head   []uint32
	object []uint32
	ends   []int
}

func newBatcher(r *Recipe, l *loader, seed uint64) *batcher {
	b := &batcher{recipe: r, loader: l, seed: seed, augment: newAugmenter(r.Augment, &r.Inputs)}
	c := r.Batch.Clouds
	b.growers = make([]grower, c)
	b.places = make([][]int32, c)
	b.slots = make([]slot, c)
	n := c * r.Batch.Points
	b.next.Points = n
	b.next.Set = make([]float32, n*r.Inputs.Neighbors*len(r.Inputs.Neighbor))
	b.next.Point = make([]float32, n*len(r.Inputs.Point))
	b.next.object = make([]uint32, n)
	b.next.position = make([]float32, 3*n)
	return b
}

// make builds the batch of a step; it is valid until the next call.
func (b *batcher) make(run parallel.Run, step int) (*batch, error) {
	err := run.ForEach(len(b.slots), 1, func(s int) {
		b.fill(s, rand.New(rand.NewPCG(b.seed, uint64(step)<<16|uint64(s))))
	})
	if err != nil {
		return nil, err
	}
	g := &neighbor.Graph{Start: make([]uint32, 1, b.next.Points+1)}
	var objects uint32
	b.next.ends = b.next.ends[:0]
	for s := range b.slots {
		slot := &b.slots[s]
		b.next.ends = append(b.next.ends, slot.ends...)
		for _, d := range slot.degree {
			g.Start = append(g.Start, g.Start[len(g.Start)-1]+d)
		}
		g.Head = append(g.Head, slot.head...)
		most := uint32(0)
		for i, o := range slot.object {
			at := s*b.recipe.Batch.Points + i
			b.next.object[at] = o
			if o != ^uint32(0) {
				b.next.object[at] += objects
				most = max(most, o+1)
			}
		}
		objects += most
	}
	b.next.graph = g
	return &b.next, nil
}

// fill makes one subgraph, of as many files as it takes to reach its size.
func (b *batcher) fill(s int, rng *rand.Rand) {
	slot, size := &b.slots[s], b.recipe.Batch.Points
	slot.degree = slot.degree[:0]
	slot.head = slot.head[:0]
	slot.object = slot.object[:0]
	slot.ends = slot.ends[:0]
	objects := uint32(0)
	for done := 0; done < size; {
		t := b.loader.draw(rng)
		points := b.growers[s].grow(t, b.recipe.Loss.KNN, size-done, rng)
		b.gather(t, points, s*size+done, rng)
		b.edges(t, points, s, s*size+done)
		most := uint32(0)
		for _, i := range points {
			o := t.object[i]
			if o != ^uint32(0) {
				o += objects
				most = max(most, o+1)
			}
			slot.object = append(slot.object, o)
		}
		objects = max(objects, most)
		done += len(points)
		slot.ends = append(slot.ends, s*size+done)
	}
	slot.object = dense(slot.object)
}

// dense renumbers objects from 0, keeping None.
func dense(object []uint32) []uint32 {
	values := arrays.Values(object, func(o uint32) bool { return o == arrays.None })
	for i, o := range object {
		object[i] = arrays.Rank(values, o)
	}
	return object
}

// gather writes the channels and positions of some points of a file.
func (b *batcher) gather(t *labelled, points []uint32, at int, rng *rand.Rand) {
	ch := &b.recipe.Inputs
	rows, width := ch.Neighbors*len(ch.Neighbor), len(ch.Point)
	set, point := b.next.Set[at*rows:(at+len(points))*rows], b.next.Point[at*width:(at+len(points))*width]
	t.channels.GatherBatch(points, set, point)
	b.augment.apply(set, rng)
	for i, p := range points {
		q := t.channels.Cloud().Position(p)
		copy(b.next.position[3*(at+i):], []float32{float32(q.X), float32(q.Y), float32(q.Z)})
	}
}

// edges adds the edges of the file's graph that join two of the points.
func (b *batcher) edges(t *labelled, points []uint32, s, at int) {
	if len(b.places[s]) < t.cloud.Len() {
		b.places[s] = make([]int32, t.cloud.Len())
		for i := range b.places[s] {
			b.places[s][i] = -1
		}
	}
	place, slot := b.places[s], &b.slots[s]
	for i, p := range points {
		place[p] = int32(at + i)
	}
	for _, p := range points {
		degree := uint32(0)
		for _, q := range t.graph.Of(int(p)) {
			if v := place[q]; v >= 0 {
				slot.head = append(slot.head, uint32(v))
				degree++
			}
		}
		slot.degree = append(slot.degree, degree)
	}
	for _, p := range points {
		place[p] = -1
	}
}

// at is the position of a vertex in metres as the network reads them.
func (b *batch) at(v uint32) r3.Vector {
	p := b.position[3*v : 3*v+3]
	return r3.Vector{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}
}

// cloud is some points of the batch as a cloud without neighbours.
func (b *batch) cloud(from, to int) *neighbor.Cloud {
	c := &neighbor.Cloud{Unit: clusterUnit, XYZ: make([][3]int32, to-from)}
	for i := range c.XYZ {
		for a := range 3 {
			c.XYZ[i][a] = int32(math.Round(float64(b.position[3*(from+i)+a]) / clusterUnit))
		}
	}
	return c
}

// clusterUnit is the step of positions in clusters, in metres as the network reads
// them.
const clusterUnit = 1e-4

// own numbers the objects of some points from 0; −1 is none.
func own(object []uint32) (label []int32, labels int) {
	object = dense(append([]uint32(nil), object...))
	label = make([]int32, len(object))
	for i, o := range object {
		label[i] = -1
		if o != arrays.None {
			label[i] = int32(o)
			labels = max(labels, int(o)+1)
		}
	}
	return label, labels
}
