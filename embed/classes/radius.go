package classes

import (
	"fmt"
	"math"
	"slices"

	"superpoint/partition/arrays"
)

// Radius returns how far from each other a cloud's points are: the radius, metres, of
// the neighbourhoods that form is taken from, as its median over superpoints.
func (f *Features) Radius() float64 {
	at := slices.Index(f.Names, "log_radius_mean")
	all := make([]float64, f.Len())
	for k := range all {
		all[k] = math.Exp(float64(f.Row(k)[at]))
	}
	return arrays.Median(all)
}

// Learned notes the radius of a cloud that is learned from.
func (c *Card) Learned(radius float64) {
	radius = max(math.Round(100*radius)/100, shortest)
	if c.Radius == nil {
		c.Radius = []float64{radius, radius}
	}
	c.Radius[0], c.Radius[1] = min(c.Radius[0], radius), max(c.Radius[1], radius)
}

// tolerance is the factor by which clouds may be denser or sparser than those that
// were learned from.
const tolerance = 2

// Warning says what to expect of a cloud whose points are nearer to each other, or
// farther, than those of all clouds that were learned from; "" if they are not.
func (c *Card) Warning(radius float64) string {
	if c.Radius == nil || radius >= c.Radius[0]/tolerance && radius <= c.Radius[1]*tolerance {
		return ""
	}
	return fmt.Sprintf("classes %s learned clouds whose %d nearest points are within %.2g to %.2g m, those of this one "+
		"are within %.2g m: many classes may be wrong; see that lengths are read as metres, or teach it this cloud by "+
		"labels (pdal superpoint classify)", c.Name, ShapeNeighbors, c.Radius[0], c.Radius[1], radius)
}
