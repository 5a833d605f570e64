package filter

import (
	"fmt"
	"math"

	"github.com/golang/geo/r3"
	"github.com/golang/geo/s1"
	"github.com/golang/geo/s2"

	"superpoint/partition/parallel"
)

// metres returns the coordinates of a view in metres. Where they are metres
// already the view's own arrays are returned, else new ones (24 bytes a point,
// freed once the neighbour search has its fixed-point copy).
func metres(run parallel.Run, view *View, log Log) (x, y, z []float64, err error) {
	if len(view.Y) != len(view.X) || len(view.Z) != len(view.X) {
		return nil, nil, nil, fmt.Errorf("view: %d X, %d Y and %d Z coordinates", len(view.X), len(view.Y), len(view.Z))
	}
	u, err := view.Reference.units()
	if err != nil {
		return nil, nil, nil, err
	}
	if u.warning != "" {
		log(LogWarning, u.warning)
	}
	if u.geographic {
		return geographicToMetres(run, view, u, log)
	}
	if x, err = scaled(run, view.X, u.horizontal); err != nil {
		return nil, nil, nil, err
	}
	if y, err = scaled(run, view.Y, u.horizontal); err != nil {
		return nil, nil, nil, err
	}
	z, err = scaled(run, view.Z, u.vertical)
	return x, y, z, err
}

const grain = 1 << 14 // points in a block of a light loop

func scaled(run parallel.Run, values []float64, factor float64) ([]float64, error) {
	if factor == 1 {
		return values, nil
	}
	out := make([]float64, len(values))
	err := run.For(len(values), grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			out[i] = values[i] * factor
		}
	})
	return out, err
}

// geographicFrame maps degrees to a plane that touches the ellipsoid: east and
// north by the azimuthal equidistant projection on the sphere, stretched to the
// ellipsoid's two radii of curvature at the centre. Heights stay heights, so up
// is up everywhere. Lengths are right to 2 in 100,000 within 10 km of the
// centre, and to 3 in 10,000 within 100 km.
type geographicFrame struct {
	east, north, up r3.Vector // unit vectors
	eastRadius      float64   // prime vertical radius of curvature, metres
	northRadius     float64   // meridian radius of curvature, metres
	radians         float64   // per unit of the input
}

// centreGrid is the step, in degrees, to which the centre of the frame is
// rounded, so that tiles near each other share a frame.
const centreGrid = 0.1

func newGeographicFrame(longitude, latitude float64, u units) geographicFrame {
	round := func(v float64) float64 { // degrees, on the grid
		return math.Round(v*u.horizontal*180/math.Pi/centreGrid) * centreGrid
	}
	centre := s2.LatLngFromDegrees(round(latitude), round(longitude))
	up := s2.PointFromLatLng(centre).Vector
	east := r3.Vector{X: -math.Sin(centre.Lng.Radians()), Y: math.Cos(centre.Lng.Radians())}
	squared := u.flattening * (2 - u.flattening) // first eccentricity, squared
	sin := math.Sin(centre.Lat.Radians())
	w := 1 - squared*sin*sin
	return geographicFrame{
		east: east, north: up.Cross(east), up: up,
		eastRadius:  u.major / math.Sqrt(w),
		northRadius: u.major * (1 - squared) / (w * math.Sqrt(w)),
		radians:     u.horizontal,
	}
}

// position returns metres east and north of the centre.
func (f *geographicFrame) position(longitude, latitude float64) (x, y float64) {
	p := s2.PointFromLatLng(s2.LatLng{Lat: s1.Angle(latitude * f.radians), Lng: s1.Angle(longitude * f.radians)}).Vector
	e, n := p.Dot(f.east), p.Dot(f.north)
	sin := math.Hypot(e, n)
	stretch := 1.0 // angle from the centre over its sine
	if sin > 0 {
		stretch = math.Atan2(sin, p.Dot(f.up)) / sin
	}
	return e * stretch * f.eastRadius, n * stretch * f.northRadius
}

// wideFrame is the half width, in metres, above which the frame's error is
// worth a warning.
const wideFrame = 150e3

func geographicToMetres(run parallel.Run, view *View, u units, log Log) (x, y, z []float64, err error) {
	west, east := bounds(view.X)
	south, north := bounds(view.Y)
	quarter := math.Pi / 2 / u.horizontal
	if !(south >= -quarter*1.0001 && north <= quarter*1.0001 && west >= -8*quarter && east <= 8*quarter) {
		return nil, nil, nil, fmt.Errorf("coordinates: longitudes %v to %v and latitudes %v to %v are not angles, though the spatial reference is geographic; set the right one with the reader's override_srs",
			west, east, south, north)
	}
	frame := newGeographicFrame((west+east)/2, (south+north)/2, u)
	x, y = make([]float64, view.Len()), make([]float64, view.Len())
	err = run.For(view.Len(), grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			x[i], y[i] = frame.position(view.X[i], view.Y[i])
		}
	})
	if err != nil {
		return nil, nil, nil, err
	}
	if (north-south)/2*u.horizontal*frame.northRadius > wideFrame {
		log(LogWarning, "the view is wider than 300 km; reproject it, lengths far from its centre are off")
	}
	z, err = scaled(run, view.Z, u.vertical)
	return x, y, z, err
}

// bounds returns the smallest and largest value; NaN counts as neither.
func bounds(values []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if v < lo {
			lo = v
		}
		if v > hi {
			hi = v
		}
	}
	return lo, hi
}
