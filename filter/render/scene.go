package render

// RGB is a colour.
type RGB [3]uint8

// Scene is a cloud to draw.
type Scene struct {
	X, Y, Z []float64
}

// Camera says where the cloud is seen from and how large a panel is.
type Camera struct {
	Azimuth  float64 // degrees, direction that the viewer looks to, clockwise from +y
	Tilt     float64 // degrees below the horizon, in (0, 90]; 90 is a map
	Width    int     // pixels of a panel
	Height   int     // pixels of a panel; 0 fits the cloud
	Columns  int     // panels in a row; 0 puts up to three in one
	Zoom     float64 // magnifies the middle of the cloud; 0 means 1, all of it
	Splat    float64 // factor on the size of points; 0 means 1
	Caption  string  // line below the panels
	NoShade  bool    // leave out the shading by depth
	Headline string  // line above the panels
	Scale    bool    // draw a scale bar below the panels
}

// DefaultCamera looks north-east from 38° above the horizon.
func DefaultCamera() Camera { return Camera{Azimuth: 30, Tilt: 38, Width: 960} }

// Panel is one way of colouring the cloud. Exactly one of Color and Group is set.
type Panel struct {
	Title      string
	Color      func(point int) RGB
	Group      func(point int) uint32 // neighbouring groups get different colours; 0 is grey
	Boundaries bool                   // draw lines where groups meet; Group or Edges tells them
	Edges      func(point int) uint32 // groups whose boundaries are drawn over Color
	Legend     []Entry                // drawn below the panel
}

// Entry is a line of a legend.
type Entry struct {
	Text  string
	Color RGB
}
