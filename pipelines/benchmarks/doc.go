// Package benchmarks reads the layouts of the two data sets of Landrieu and
// Boussaha 2019, which no reader of PDAL knows:
//
//	S3DIS      Area_1/office_1/office_1.txt beside Area_1/office_1/Annotations/chair_3.txt, …:
//	           an object a file, a point a line, "x y z r g b" in metres and 0 to 255
//	vKITTI3D   01/0001_00000.npy: an array of numpy, a row a point, x y z r g b class
//
// Classes are those of the authors' programs: 1 to 13, and 0 for none. Objects of
// S3DIS are numbered in PointSourceId from 1, in the order of their names. Every
// other path is left to the host.
package benchmarks

import (
	"math"
	"os"
	"path/filepath"
	"strings"

	"superpoint/filter/georef"
	"superpoint/filter/host"
)

// Reader is a host that reads these layouts beside what it reads anyway.
type Reader struct{ host.Host }

// Read implements host.Host.
func (r Reader) Read(path string, dimensions []string) (*host.Columns, error) {
	if folder := annotations(path); folder != "" {
		return readS3DIS(folder)
	}
	if strings.EqualFold(filepath.Ext(path), ".npy") {
		return readVKITTI(path)
	}
	return r.Host.Read(path, dimensions)
}

// annotations returns the folder of objects that belongs to a room, to a file of
// that name beside it, or to itself; "" for any other path.
func annotations(path string) string {
	const name = "Annotations"
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return ""
	case info.IsDir() && filepath.Base(path) == name:
		return path
	case info.IsDir():
		path = filepath.Join(path, name)
	case !strings.EqualFold(filepath.Ext(path), ".txt"):
		return ""
	default:
		path = filepath.Join(filepath.Dir(path), name)
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return ""
	}
	return path
}

// numbered is the dimension with the objects of S3DIS.
const numbered = "PointSourceId"

// newCloud returns a cloud without points.
func newCloud() *host.Columns {
	return &host.Columns{Dimensions: map[string][]float64{},
		Available: []string{"X", "Y", "Z", "Red", "Green", "Blue", "Classification"},
		Reference: georef.Reference{HorizontalUnit: 1, VerticalUnit: 1}}
}

// add appends a point: x y z r g b.
func add(c *host.Columns, p *[6]float64, class float64) {
	c.X, c.Y, c.Z = append(c.X, p[0]), append(c.Y, p[1]), append(c.Z, p[2])
	for i, name := range c.Available[3:6] {
		c.Dimensions[name] = append(c.Dimensions[name], math.Round(p[3+i]))
	}
	c.Dimensions["Classification"] = append(c.Dimensions["Classification"], class)
}
