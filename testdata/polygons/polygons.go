// SPDX-License-Identifier: BSD-3-Clause

// Package polygons checks polygons by the rules of OGC 06-103r4, as package simplefeatures implements them.
package polygons

import (
	"testing"

	"github.com/peterstace/simplefeatures/geom"
)

type position interface{ ~struct{ X, Y int32 } }

// Valid fails the test at once unless polygons are valid and do not overlap: rings are simple, outer ones
// counter-clockwise and holes clockwise, holes are in their outer ring, and rings share single points at most.
func Valid[P ~[]R, R ~[]T, T position](t testing.TB, all []P) {
	t.Helper()
	made := make([]geom.Polygon, len(all))
	for i, p := range all {
		var rings []geom.LineString
		for _, r := range p {
			rings = append(rings, Line(append(r[:len(r):len(r)], r[0])...))
		}
		made[i] = geom.NewPolygon(rings)
	}
	if m := geom.NewMultiPolygon(made); m.Validate() != nil || !m.IsCCW() {
		t.Fatalf("%v, counter-clockwise: %v\n%v", m.Validate(), m.IsCCW(), all)
	}
}

// Line returns the line through points.
func Line[T position](points ...T) geom.LineString {
	var coordinates []float64
	for _, p := range points {
		at := struct{ X, Y int32 }(p)
		coordinates = append(coordinates, float64(at.X), float64(at.Y))
	}
	return geom.NewLineString(geom.NewSequence(coordinates, geom.DimXY))
}
