// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/peterstace/simplefeatures/geom"

	"superpoint/testdata/must"
)

// TestOverlap: the areas that polygons have in common are those that one computes by hand.
func TestOverlap(t *testing.T) {
	square := `POLYGON((0 0,10 0,10 10,0 10,0 0))`
	for name, c := range map[string]struct {
		other string
		area  float64
	}{
		"itself":           {square, 100},
		"beside it":        {`POLYGON((10 0,20 0,20 10,10 10,10 0))`, 0},
		"a corner":         {`POLYGON((8 7,18 7,18 17,8 17,8 7))`, 6},
		"a triangle":       {`POLYGON((5 5,15 -5,15 15,5 5))`, 25},
		"within":           {`POLYGON((2 2,4 2,4 4,2 4,2 2))`, 4},
		"around":           {`POLYGON((-5 -5,15 -5,15 15,-5 15,-5 -5))`, 100},
		"with a courtyard": {`POLYGON((-5 -5,15 -5,15 15,-5 15,-5 -5),(2 2,2 8,8 8,8 2,2 2))`, 64},
		"two parts":        {`MULTIPOLYGON(((-1 -1,1 -1,1 1,-1 1,-1 -1)),((9 9,12 9,12 12,9 12,9 9)))`, 2},
		"a cross":          {`POLYGON((-1 4,11 5,11 6,-1 5,-1 4))`, 10},
	} {
		t.Run(name, func(t *testing.T) {
			a := ringsOf(must.Get(geom.UnmarshalWKT(square))(t))
			b := ringsOf(must.Get(geom.UnmarshalWKT(c.other))(t))
			isArea(t, overlap(a, b), c.area)
			isArea(t, overlap(b, a), c.area)
		})
	}
}

// isArea checks an area of up to a few hundred square metres.
func isArea(t *testing.T, got, want float64) {
	t.Helper()
	must.Hold(t, math.Abs(got-want) < 1e-6, "area %v, want %v", got, want)
}

// TestOverlapOfLibrary: the area that stars have in common is that of their intersection by simplefeatures.
func TestOverlapOfLibrary(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		a := star(random, 0)
		b := star(random, 8*random.Float64())
		both := must.Get(geom.Intersection(a, b))(t)
		isArea(t, overlap(ringsOf(a), ringsOf(b)), both.Area())
	}
}

// star returns a polygon of 12 corners around a centre, in coordinates as large as those of maps.
func star(random *rand.Rand, centre float64) geom.Geometry {
	const corners = 12
	var at []float64
	for k := range corners {
		angle := 2 * math.Pi * float64(k) / corners
		radius := 2 + 6*random.Float64()
		at = append(at, 500000+centre+radius*math.Cos(angle), 4e6+radius*math.Sin(angle))
	}
	at = append(at, at[0], at[1])
	ring := geom.NewLineString(geom.NewSequence(at, geom.DimXY))
	return geom.NewPolygon([]geom.LineString{ring}).AsGeometry()
}
