// Package scenes makes the worlds that the simulated scanner measures: a
// village street, a rolling field with trees and a power line, and furnished
// rooms, as triangles with a class, a material and an object each. A world is
// an endless grid of blocks; every block is made from the scene's seed and its
// own place alone, so a survey of any size is neither a copy of one tile nor
// kept in memory, and neighbouring blocks meet without seams. Lengths are in
// metres, z points up.
package scenes

import (
	"fmt"
	"math"
	"strings"
)

// Scene is a world made of blocks.
type Scene interface {
	// Size returns the extent of a block. Block (i, j) begins at (i·dx, j·dy).
	Size() (dx, dy float64)
	// Block makes block (i, j) in coordinates from its own corner, or returns
	// nil where there is nothing. It may be called from several goroutines.
	Block(i, j int) *Block
	// Station returns where the n-th terrestrial scan is taken, in world
	// coordinates.
	Station(n int) (x, y, z float64)
	// Indoor reports that there is a ceiling: nothing is seen from the air.
	Indoor() bool
}

// Block is one cell of a world: its own triangles, and copies of shared
// solids such as trees.
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

// FirstLocal divides object numbers: smaller ones name objects that run through
// many blocks (a road, a wire), the others count the objects of one block.
const FirstLocal = 1000

// LocalsPerBlock is the most objects a block may have; the scanner numbers
// objects as block × LocalsPerBlock + object.
const LocalsPerBlock = 96

// Crowded is a scene with room for other than LocalsPerBlock objects a block.
type Crowded interface{ Locals() int }

// Driven is a scene with a road: Drive returns a place on its surface, m metres
// along x from the first.
type Driven interface {
	Drive(m float64) (x, y, z float64)
}

// Walked is a scene of rooms: Walk returns where a hand is after m metres.
type Walked interface {
	Walk(m float64) (x, y, z float64)
}

// Viewed is a scene that cameras look at: View returns where camera n is and
// what is in the middle of its picture, in block (n, 0).
type Viewed interface {
	View(n int) (eye, target [3]float64)
}

// Locals is the most objects that a block of the scene may have.
func Locals(s Scene) int {
	if c, ok := s.(Crowded); ok {
		return c.Locals()
	}
	return LocalsPerBlock
}

// Names lists the scenes that New knows.
func Names() []string {
	return []string{"village", "field", "room", "street", "facade", "construction", "forest", "table", "home"}
}

// Options shape a generated scene.
type Options struct {
	Seed   uint64
	Detail float64 // leaves a plant keeps and fineness of the ground, in (0, 1]; 0 means 1
	Water  bool    // outdoors: lower relief, with rivers, canals or the sea
}

// New returns the scene of that name.
func New(name string, o Options) (Scene, error) {
	if o.Detail == 0 {
		o.Detail = 1
	}
	if !(o.Detail > 0 && o.Detail <= 1) {
		return nil, fmt.Errorf("detail %g is outside (0, 1]", o.Detail)
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
	case "home":
		s = &homes{o.Seed}
	case "table":
		s = &tables{o.Seed}
	case "room":
		s = &rooms{o.Seed}
	default:
		return nil, fmt.Errorf("unknown scene %q: choose one of %s", name, strings.Join(Names(), ", "))
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

// Random is a small sequence of random numbers; its value is its state.
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

// Chance is true with probability p.
func (r *Random) Chance(p float64) bool { return r.Float() < p }

// Normal returns a number of mean 0 and variance 1 that is nearly normal: the
// sum of four even ones, of 16 bits each, which never passes ±3.47.
func (r *Random) Normal() float64 {
	n := r.Next()
	sum := n&0xFFFF + n>>16&0xFFFF + n>>32&0xFFFF + n>>48
	return (float64(sum)/65536 - 2 + 2./65536) * math.Sqrt(3)
}

// Noise is smooth in x and y, in [−1, 1], with features of about one unit.
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
