package scenes

// Classes outdoors are those of the ASPRS (LAS 1.4 R15, table 17) where it has
// one; a plant has one class as a whole. 64 and above are free for users; those
// used are multiples of 32, the only ones that PDAL 2.2 can write to LAZ.
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

// Classes indoors are 70 plus the class numbers of S3DIS (Armeni et al. 2016).
const (
	Ceiling   = 70
	Floor     = 71
	Wall      = 72
	Window    = 75
	Door      = 76
	Table     = 77
	Chair     = 78
	Sofa      = 79
	Bookcase  = 80
	Board     = 81
	Clutter   = 82
	LampClass = 83 // not in S3DIS
)
