package benchmarks

import (
	"math"

	"superpoint/filter/host"
)

// names are the dimensions of both layouts.
func names() []string { return []string{"Red", "Green", "Blue", "Classification"} }

// Numbered is the dimension with the objects of S3DIS.
const Numbered = "PointSourceId"

// cloud is a cloud that grows by points.
type cloud struct {
	x, y, z []float64
	values  map[string][]float64
}

func newCloud() *cloud { return &cloud{values: map[string][]float64{}} }

// add appends a point: x y z r g b.
func (c *cloud) add(p *[6]float64, class float64) {
	c.x, c.y, c.z = append(c.x, p[0]), append(c.y, p[1]), append(c.z, p[2])
	for i, name := range names()[:3] {
		c.values[name] = append(c.values[name], math.Round(p[3+i]))
	}
	c.values["Classification"] = append(c.values["Classification"], class)
}

func (c *cloud) columns() *host.Columns {
	all := &host.Columns{X: c.x, Y: c.y, Z: c.z, Dimensions: c.values,
		Available: append([]string{"X", "Y", "Z"}, names()...)}
	all.Reference.HorizontalUnit, all.Reference.VerticalUnit = 1, 1
	if c.values[Numbered] != nil {
		all.Available = append(all.Available, Numbered)
	}
	return all
}
