// SPDX-License-Identifier: BSD-3-Clause

package scan

import (
	"math"
	"sync"

	"superpoint/testdata/scenes"
)

// place names a site: the blocks about block (i, j).
type place struct{ i, j int }

// world caches the blocks near the scanner.
type world struct {
	scenes.Scene
	Options
	dx, dy   float64
	surfaces [scenes.Water + 1]scenes.Surface
	around   int // blocks on each side that belong to a site

	mutex  sync.Mutex
	blocks map[place]*entry[block]
	sites  map[place]*entry[site]
	solids map[*scenes.Mesh]*entry[solid] // of the solids that blocks share
	first  place                          // block that object numbers count from
	wide   int                            // blocks in a row of the count
	locals int                            // objects a block may have
}

type entry[T any] struct {
	once  sync.Once
	value *T
}

type block struct {
	solid *solid
	*scenes.Block
}

// item is a solid placed in a site.
type item struct {
	solid     *solid
	origin    [3]float32
	cos, sin  float32
	unscale   float32 // 1/scale; 1 and no turn for a block's own mesh
	copied    bool
	object    uint16 // of a copy, before numbering
	tint      [3]float32
	at        place
	container box
}

// site has the visible items around one block, in coordinates from its corner.
type site struct {
	items []item
	nodes []node
	order []int32
	top   float32 // m, of the highest thing
}

func newWorld(s scenes.Scene, o Options) *world {
	w := &world{Scene: s, Options: o, around: 1, wide: 64, blocks: map[place]*entry[block]{},
		sites: map[place]*entry[site]{}, solids: map[*scenes.Mesh]*entry[solid]{}}
	w.dx, w.dy = s.Size()
	w.surfaces, w.locals = scenes.Surfaces(), scenes.Locals(s)
	if sight := o.sight(); sight > 0 && !s.Indoor() {
		w.around = int(math.Ceil(sight / min(w.dx, w.dy)))
	}
	if s.Indoor() {
		w.around = 0
	}
	return w
}

// look returns the value of a key, which the first caller computes.
func look[K comparable, T any](w *world, of map[K]*entry[T], key K, make func() *T) *T {
	w.mutex.Lock()
	e := of[key]
	if e == nil {
		e = &entry[T]{}
		of[key] = e
	}
	w.mutex.Unlock()
	e.once.Do(func() { e.value = make() })
	return e.value
}

func (w *world) shared(m *scenes.Mesh) *solid {
	return look(w, w.solids, m, func() *solid { return newSolid(m) })
}

func (w *world) block(at place) *block {
	return look(w, w.blocks, at, func() *block {
		b := w.Block(at.i, at.j)
		if b == nil {
			return nil
		}
		return &block{newSolid(b.Mesh), b}
	})
}

// forget removes blocks that are rows behind, or columns behind in a row of stations.
func (w *world) forget(at place) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	far := w.around
	gone := func(p place) bool {
		return p.j < at.j-far || !w.airborne() && p.i < at.i-far
	}
	for p := range w.blocks {
		if gone(p) {
			delete(w.blocks, p)
		}
	}
	for p := range w.sites {
		if gone(p) || w.airborne() && p.j < at.j {
			delete(w.sites, p)
		}
	}
}

func (w *world) site(at place) *site {
	return look(w, w.sites, at, func() *site {
		s := &site{}
		for dj := -w.around; dj <= w.around; dj++ {
			for di := -w.around; di <= w.around; di++ {
				if b := w.block(place{at.i + di, at.j + dj}); b != nil {
					s.place(w, b, place{at.i + di, at.j + dj}, float32(float64(di)*w.dx),
						float32(float64(dj)*w.dy))
				}
			}
		}
		boxes := make([]box, len(s.items))
		for i := range s.items {
			boxes[i] = s.items[i].container
			s.top = max(s.top, boxes[i].max[2])
		}
		if len(boxes) > 0 {
			s.nodes, s.order = grow(boxes, 1)
		}
		return s
	})
}

// place adds the items of a block whose corner is at (x, y).
func (s *site) place(w *world, b *block, at place, x, y float32) {
	own := item{solid: b.solid, origin: [3]float32{x, y, 0}, cos: 1, unscale: 1, at: at,
		tint: [3]float32{1, 1, 1}}
	if len(b.solid.triangles) > 0 {
		own.container = b.solid.nodes[0].box
		for k := range 3 {
			own.container.min[k] += own.origin[k]
			own.container.max[k] += own.origin[k]
		}
		s.items = append(s.items, own)
	}
	for _, c := range b.Copies {
		sin, cos := math.Sincos(float64(c.Turn))
		it := item{solid: w.shared(c.Mesh), origin: [3]float32{x + c.X, y + c.Y, c.Z}, cos: float32(cos),
			sin:     float32(sin),
			unscale: 1 / c.Scale, copied: true, object: c.Object, tint: c.Tint, at: at, container: emptyBox()}
		inner := it.solid.nodes[0].box
		for k := range 8 {
			var p [3]float32
			for a := range 3 {
				p[a] = inner.min[a] * c.Scale
				if k>>a&1 == 1 {
					p[a] = inner.max[a] * c.Scale
				}
			}
			it.container.add([3]float32{it.origin[0] + it.cos*p[0] - it.sin*p[1], it.origin[1] +
				it.sin*p[0] + it.cos*p[1],
				it.origin[2] + p[2]})
		}
		s.items = append(s.items, it)
	}
}

// inside returns the ray in an item's own coordinates; t stays the same.
func (it *item) inside(r *ray) ray {
	o := sub(r.origin, it.origin)
	if !it.copied {
		inner := *r
		inner.origin = o
		return inner
	}
	turn := func(p [3]float32) [3]float32 {
		return [3]float32{(it.cos*p[0] + it.sin*p[1]) * it.unscale, (it.cos*p[1] - it.sin*p[0]) * it.unscale,
			p[2] * it.unscale}
	}
	return newRay(turn(o), turn(r.along), r.from)
}

// trace returns the first hit of the ray before limit.
func (s *site) trace(r *ray, limit float32) hit {
	h := hit{t: limit, item: -1}
	walk(s.nodes, r, &h, true, func(first, count int32) {
		for _, i := range s.order[first : first+count] {
			it := &s.items[i]
			inner := it.inside(r)
			it.solid.trace(&inner, i, &h)
		}
	})
	return h
}
