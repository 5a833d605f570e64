// SPDX-License-Identifier: BSD-3-Clause

package scenes

import "math"

// shore is a scene with parallel rivers, canals or arms of the sea, which bridges cross. The
// ground falls to the level of the water within a bank; what stood there is gone.
type shore struct {
	Scene
	seed     uint64
	sin, cos float64 // of the water's direction
	bend     float64 // m, to each side
	half     float64 // m, half the width of the water
	apart    float64 // m, between the middles of two waters
	bank     float64 // m, width of a bank
	level    float64 // m, height of the water
	deck     float64 // m, half the width of a bridge
}

// Numbers of objects that other scenes do not use, and the distance of bridges.
const (
	waterObject = 900
	deckObject  = 901
	deckApart   = 70.0
)

// lowland is the share of a scene's relief that is left beside water.
const lowland = .2

// newShore adds water to a scene whose ground is within high of height 0.
func newShore(s Scene, seed uint64, high float64) *shore {
	r := Random(Hash(seed, 'w', 0))
	w := &shore{Scene: s, seed: seed, half: 3 * math.Pow(20, r.Float()), bank: r.Between(.5, 8),
		deck: r.Between(2, 6)}
	w.sin, w.cos = math.Sincos(r.Between(0, math.Pi))
	w.bend = float64(r.Pick(3)) * 4
	w.apart = 2*w.half + r.Between(25, 60)
	w.level = -high*r.Between(.3, 1) - r.Between(.3, 2)
	return w
}

// Locals returns the locals of the scene without water.
func (w *shore) Locals() int { return Locals(w.Scene) }

// distance returns the distance from the shore, negative in the water, and whether a bridge is there.
func (w *shore) distance(x, y float64) (d float64, bridge bool) {
	u, v := w.cos*x+w.sin*y, w.cos*y-w.sin*x
	v += w.bend * Noise(w.seed, u/60, 0)
	row := math.Floor(v / w.apart)
	u += deckApart * Noise(w.seed+1, row*7.3, 0)
	bridge = math.Abs(u-deckApart*math.Round(u/deckApart)) < w.deck
	return math.Abs(v-(row+.5)*w.apart) - w.half, bridge
}

// ground returns the height of ground that was at height z, at a distance from the shore.
func (w *shore) ground(z, d float64) float64 {
	return w.level + (z-w.level)*max(0, min(1, d/w.bank))
}

// Block makes the block without water, and adds it.
func (w *shore) Block(i, j int) *Block {
	b := w.Scene.Block(i, j)
	dx, dy := w.Size()
	at := func(x, y float32) (float64, bool) {
		return w.distance(float64(i)*dx+float64(x), float64(j)*dy+float64(y))
	}
	old, mesh := b.Mesh, &builder{mesh: &Mesh{Parts: []Part{}}}
	gone := map[uint16]bool{}
	for k, t := range old.Triangles {
		if p := old.Parts[old.Of[k]]; p.Class != Ground && p.Class != WireClass {
			for _, c := range t {
				d, _ := at(c[0], c[1])
				gone[p.Object] = gone[p.Object] || d < w.bank
			}
		}
	}
	for k, t := range old.Triangles {
		part, decks, wet := old.Parts[old.Of[k]], 0, 0
		if gone[part.Object] {
			continue
		}
		for c := range t {
			d, bridge := at(t[c][0], t[c][1])
			switch {
			case part.Class != Ground || d >= w.bank:
			case bridge:
				decks++
				t[c][2] = max(t[c][2], float32(w.level+1))
			default:
				t[c][2] = float32(w.ground(float64(t[c][2]), d))
				if d < 0 {
					wet++
				}
			}
		}
		switch {
		case wet > 0 && decks > 0: // open below the bridge's edge
			continue
		case decks > 0:
			part = Part{Class: Bridge, Material: Asphalt, Object: deckObject}
		case wet == 3:
			part = Part{Class: WaterClass, Material: Water, Object: waterObject}
		}
		mesh.use(part)
		mesh.mesh.Triangles, mesh.mesh.Of = append(mesh.mesh.Triangles, t), append(mesh.mesh.Of, mesh.part)
	}
	all := &Block{Mesh: mesh.mesh, Locals: b.Locals}
	for _, c := range b.Copies {
		if d, bridge := at(c.X, c.Y); d >= w.bank || d > 1 && !bridge {
			c.Z = float32(w.ground(float64(c.Z), d))
			all.Copies = append(all.Copies, c)
		}
	}
	return all
}
