package scenes

// Classes outdoors are those of the ASPRS (LAS 1.4 R15, table 17) where it has
// one; a plant has one class as a whole. 64 and above are free for users. Those
// used here are multiples of 32, because LASzip up to 3.4 as PDAL 2.2 drives it
// refuses to write any other above 31.
const (
	Ground    = 2
	LowPlant  = 3
	Bush      = 4
	Tree      = 5
	Building  = 6
	LowNoise  = 7
	WireClass = 14
	Tower     = 15
	HighNoise = 18
	Car       = 64
	Fence     = 96
	Pole      = 128
	OtherItem = 160
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
