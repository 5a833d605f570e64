// SPDX-License-Identifier: BSD-3-Clause

package scenes

// Material is an index into the table of surface properties.
type Material uint8

// The materials.
const (
	Grass Material = iota
	Soil
	Crop
	Asphalt
	Paving
	Plaster
	Brick
	RoofTile
	RoofSheet
	Glass
	Wood
	Metal
	Paint
	Leaf
	Needle
	Bark
	Cable
	Concrete
	Fabric
	Enamel
	Carpet
	Plastic
	Paper
	Tar // returns nothing
	Water
)

// Surface has the optical properties of a material. The values are plausible for a
// pulse of 1064 nm, not measured.
type Surface struct {
	Color   [3]uint8
	Reflect float32 // of the pulse, in [0, 1]
	Rough   float32 // m, standard deviation of the surface across
	Grain   float32 // m, size of the texture
	Vary    float32 // strength of the texture, relative
	Porous  float32 // share of the energy of a pulse that passes
}

// Of returns the properties of a material.
func (m Material) Of() Surface { return Surfaces()[m] }

// Surfaces returns the properties of all materials.
func Surfaces() [Water + 1]Surface {
	return [...]Surface{
		Grass:     {[3]uint8{96, 128, 62}, .55, .025, .9, .22, 0},
		Soil:      {[3]uint8{134, 108, 80}, .35, .03, .6, .18, 0},
		Crop:      {[3]uint8{150, 156, 70}, .6, .06, 1.5, .15, 0},
		Asphalt:   {[3]uint8{92, 92, 96}, .14, .004, .4, .10, 0},
		Paving:    {[3]uint8{158, 152, 144}, .3, .004, .3, .10, 0},
		Plaster:   {[3]uint8{222, 212, 190}, .62, .004, 1.2, .05, 0},
		Brick:     {[3]uint8{160, 92, 70}, .42, .006, .25, .14, 0},
		RoofTile:  {[3]uint8{166, 84, 58}, .45, .012, .35, .16, 0},
		RoofSheet: {[3]uint8{120, 124, 130}, .28, .006, 2, .06, 0},
		Glass:     {[3]uint8{62, 78, 96}, .06, .002, 1, .05, .6},
		Wood:      {[3]uint8{150, 112, 74}, .48, .003, .2, .15, 0},
		Metal:     {[3]uint8{138, 142, 146}, .3, .002, .5, .05, 0},
		Paint:     {[3]uint8{180, 30, 34}, .25, .002, 1, .04, 0},
		Leaf:      {[3]uint8{78, 122, 52}, .5, .02, .5, .3, .62},
		Needle:    {[3]uint8{54, 92, 58}, .42, .02, .4, .25, .58},
		Bark:      {[3]uint8{98, 82, 66}, .35, .008, .2, .2, 0},
		Cable:     {[3]uint8{70, 70, 72}, .2, .01, 1, .05, .8},
		Concrete:  {[3]uint8{176, 174, 168}, .4, .004, .8, .08, 0},
		Fabric:    {[3]uint8{74, 92, 134}, .5, .004, .15, .12, 0},
		Enamel:    {[3]uint8{244, 246, 248}, .8, .0005, 1, .01, 0},
		Carpet:    {[3]uint8{132, 128, 124}, .32, .003, .1, .12, 0},
		Plastic:   {[3]uint8{48, 50, 54}, .12, .001, .5, .04, 0},
		Paper:     {[3]uint8{210, 200, 180}, .6, .002, .08, .2, 0},
		Tar:       {[3]uint8{24, 24, 26}, .015, .004, .4, .05, 0},
		Water:     {[3]uint8{58, 76, 84}, .1, .03, 6, .3, 0},
	}
}

// Classes outdoors are codes of the ASPRS (LAS 1.4 R15, table 17) where it has
// one; a plant has one class as a whole. 64 and above are free for users. Those
// used here are multiples of 32, because LASzip up to 3.4 as PDAL 2.2 drives it
// refuses to write any other above 31.
const (
	Ground     = 2
	LowPlant   = 3
	Bush       = 4
	Tree       = 5
	Building   = 6
	LowNoise   = 7
	WaterClass = 9
	WireClass  = 14
	Tower      = 15
	Bridge     = 17
	HighNoise  = 18
	Car        = 64
	Fence      = 96
	Pole       = 128
	OtherItem  = 160
)

// Classes indoors are 20 plus the class numbers of S3DIS (Armeni et al. 2016).
const (
	LampClass = 19 // not in S3DIS
	Ceiling   = 20
	Floor     = 21
	Wall      = 22
	Window    = 25
	Door      = 26
	Table     = 27
	Chair     = 28
	Sofa      = 29
	Bookcase  = 30
	Board     = 31
	Clutter   = 32
)
