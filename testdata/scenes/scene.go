// SPDX-License-Identifier: BSD-3-Clause

// Package scenes has the scenes that the simulated scanner measures: streets,
// fields, forests, construction sites and furnished rooms, as triangles with a
// class, a material and an object each. A scene is an unbounded grid of blocks.
// A block depends on the seed and its position only, so large surveys do not
// repeat and need no memory, and adjacent blocks meet without seams. Lengths are
// in metres, z points up.
package scenes

import (
	"fmt"
	"math"
	"strings"
)

// Scene is a grid of blocks.
type Scene interface {
	// Size returns the extent of a block. Block (i, j) begins at (i·dx, j·dy).
	Size() (dx, dy float64)
	// Block returns block (i, j), in coordinates from its corner, or nil if it is
	// empty. It may be called from several goroutines.
	Block(i, j int) *Block
	// Station returns the position of the n-th terrestrial scan, in coordinates of the
	// scene.
	Station(n int) (x, y, z float64)
	// Indoor reports whether there is a ceiling, so that the scene is hidden from the air.
	Indoor() bool
}

// blockSize is the side of a block outdoors, in metres.
const blockSize = 64.0

// open is what all scenes outdoors have in common.
type open struct{}

func (open) Size() (dx, dy float64) { return blockSize, blockSize }
func (open) Indoor() bool           { return false }

// Block is one cell of a scene: triangles, and copies of shared solids such as
// trees.
type Block struct {
	Mesh   *Mesh
	Copies []Copy
	Locals int // objects of this block, numbered from FirstLocal
}

// Copy places a shared solid in a block.
type Copy struct {
	Mesh    *Mesh
	X, Y, Z float32 // of the solid's origin, from the block's corner
	Scale   float32 // the same along the three axes
	Turn    float32 // radians about the vertical
	Object  uint16  // replaces the object of the solid's parts
	Tint    [3]float32
}

// FirstLocal is the first number of objects of one block; smaller numbers are of
// objects that cross many blocks, such as roads and wires.
const FirstLocal = 1000

// LocalsPerBlock is the most objects a block may have; the scanner numbers
// objects as block × LocalsPerBlock + object.
const LocalsPerBlock = 96

// Crowded is a scene with another maximum than LocalsPerBlock.
type Crowded interface{ Locals() int }

// Driven is a scene with a road: Drive returns a position on its surface, m metres
// along x from the first.
type Driven interface {
	Drive(m float64) (x, y, z float64)
}

// Walked is a scene of rooms: Walk returns the position of a handheld scanner after m metres.
type Walked interface {
	Walk(m float64) (x, y, z float64)
}

// Viewed is a scene for cameras: View returns the position of camera n and the
// centre of its picture, in block (n, 0).
type Viewed interface {
	View(n int) (eye, target [3]float64)
}

// Locals returns the maximum number of objects of a block of the scene.
func Locals(s Scene) int {
	if c, ok := s.(Crowded); ok {
		return c.Locals()
	}
	return LocalsPerBlock
}

// Names lists the scenes that New knows.
func Names() []string {
	return []string{"village", "field", "room", "street", "facade", "construction", "forest", "table",
		"home", "dry", "workshop", "rock", "oldtown"}
}

// Options are the parameters of a scene.
type Options struct {
	Seed   uint64
	Detail float64 // share of leaves, and resolution of the ground, in (0, 1]; 0 means 1
	Water  bool    // outdoors: lower relief, with rivers, canals or the sea
	Relief float64 // outdoors: factor on the height of hills; 0 means 1
}

// New returns the scene of that name.
func New(name string, o Options) (Scene, error) {
	if o.Detail == 0 {
		o.Detail = 1
	}
	if !(o.Detail > 0 && o.Detail <= 1) {
		return nil, fmt.Errorf("detail %g is outside (0, 1]", o.Detail)
	}
	if !(o.Relief >= 0) || math.IsInf(o.Relief, 1) {
		return nil, fmt.Errorf("relief %g: give a factor above 0", o.Relief)
	}
	var s Scene
	var r *relief
	switch name {
	case "village":
		v := newVillage(o)
		s, r = v, &v.relief
	case "field":
		f := newField(o)
		s, r = f, &f.relief
	case "street", "facade", "construction":
		t := newTown(o, town{name == "facade", name == "construction"})
		s, r = t, &t.relief
	case "forest":
		f := newForest(o)
		s, r = f, &f.relief
	case "dry":
		s = newDry(o)
	case "rock":
		s = newRock(o)
	case "oldtown":
		s = newOldtown(o)
	case "home":
		s = homes(o.Seed)
	case "workshop":
		s = workshops(o.Seed)
	case "table":
		s = &tables{o.Seed}
	case "room":
		s = rooms(o.Seed)
	default:
		return nil, fmt.Errorf("unknown scene %q: choose one of %s", name, strings.Join(Names(), ", "))
	}
	if r != nil && o.Relief > 0 {
		r.high *= o.Relief
	}
	if !o.Water {
		return s, nil
	}
	if r == nil {
		return nil, fmt.Errorf("there is no water in the scene %q: choose one outdoors", name)
	}
	r.high *= lowland
	return newShore(s, o.Seed, r.high), nil
}

// Hash mixes three numbers into one (splitmix64, Steele et al. 2014,
// doi:10.1145/2660193.2660195).
func Hash(a, b, c uint64) uint64 { return mix(mix(mix(a)+b) + c) }

func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// Random is a generator of random numbers; its value is its state.
type Random uint64

// Next returns 64 random bits.
func (r *Random) Next() uint64 {
	*r += 0x9E3779B97F4A7C15
	return mix(uint64(*r))
}

// Float returns a number in [0, 1).
func (r *Random) Float() float64 { return float64(r.Next()>>11) / (1 << 53) }

// Between returns a number in [low, high).
func (r *Random) Between(low, high float64) float64 { return low + (high-low)*r.Float() }

// Pick returns a number in [0, n).
func (r *Random) Pick(n int) int { return int(r.Next() % uint64(n)) }

// Chance returns true with probability p.
func (r *Random) Chance(p float64) bool { return r.Float() < p }

// Normal returns an approximately normal number of mean 0 and variance 1: the scaled
// sum of four uniform ones of 16 bits, at most 3.47.
func (r *Random) Normal() float64 {
	n := r.Next()
	sum := n&0xFFFF + n>>16&0xFFFF + n>>32&0xFFFF + n>>48
	return (float64(sum)/65536 - 2 + 2./65536) * math.Sqrt(3)
}

// Noise returns smooth noise in [−1, 1], with a wavelength of about one unit.
func Noise(seed uint64, x, y float64) float64 {
	fx, fy := math.Floor(x), math.Floor(y)
	u, v := fade(x-fx), fade(y-fy)
	at := func(dx, dy int64) float64 {
		h := Hash(seed, uint64(int64(fx)+dx), uint64(int64(fy)+dy))
		return float64(h>>11)/(1<<52) - 1
	}
	low := at(0, 0)*(1-u) + at(1, 0)*u
	high := at(0, 1)*(1-u) + at(1, 1)*u
	return low*(1-v) + high*v
}

func fade(t float64) float64 { return t * t * t * (t*(6*t-15) + 10) }
