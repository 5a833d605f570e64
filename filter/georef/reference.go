// SPDX-License-Identifier: BSD-3-Clause

// Package georef converts coordinates to metres: by units and ellipsoid of a spatial reference, and
// clouds in degrees by a projection to a plane. Results do not depend on the number of threads.
//
// Reference systems are compared by the host, which has PROJ and writes any notation as well-known
// text, from which units, kind and code are read. Without such a host (Python, C) they are read from
// the text of the file as far as it states them. Anything else is unknown, and a reference whose
// unit is unknown is refused.
package georef

import (
	"math"
)

// Kind is the kind of a reference system.
type Kind int32

// Kinds.
const (
	Unknown    Kind = iota // is read from the text
	Projected              // X and Y are lengths; also of local systems
	Geographic             // X and Y are longitude and latitude
	Geocentric             // up is not Z
	Depth                  // Z is down
	Invalid                // cannot be read, or has another kind
)

// Reference is the spatial reference of a view. The zero value means that there is none:
// coordinates are assumed to be metres, with a warning.
type Reference struct {
	WKT               string // well-known text; "" if there is none
	Name              string // code ("EPSG:32632", "EPSG:32632+5773"), else a name in words; "" = find in WKT
	Kind              Kind
	HorizontalUnit    float64 // metres, or radians if geographic, per unit of X and Y; 0 = unknown
	VerticalUnit      float64 // metres per unit of Z; 0 = unknown
	Major             float64 // semi-major axis of the ellipsoid in metres; 0 = of WGS 84
	InverseFlattening float64
	GeoKeys           string // GeoTIFF keys of a LAS file (base64 of GeoKeyDirectoryTag)
	OnlyWKT2          bool   // well-known text 1, which PDAL writes into LAS, has no such reference
	mercator          mercator
	unitless          bool // local without a unit
	angular           bool // projected in angles
}

// Override and Default are the options of PDAL's readers that errors name as remedies. Commands replace them
// by their own.
const (
	Override = "the reader's override_srs"
	Default  = "the reader's default_srs"
)

// units are the units of a view's coordinates.
type units struct {
	geographic bool
	horizontal float64 // metres, or radians if geographic, per unit of X and Y
	vertical   float64 // metres per unit of Z
	major      float64 // semi-major axis of the ellipsoid in metres
	flattening float64
	mercator   mercator
	warning    string // assumption about units; "" for none
}

// WGS 84 (NGA.STND.0036): used where the reference names no ellipsoid.
const (
	wgs84Major      = 6378137.0
	wgs84Flattening = 1 / 298.257223563
)

const degree = math.Pi / 180

// mercator has the parameters of a Mercator projection; the scale of other projections is 0.
type mercator struct {
	scale   float64 // lengths on the map per length on the equator
	equator float64 // its Y
}

// across returns the metres per unit of X and Y at a given Y. In Mercator projections it computes them on
// the sphere, not on the ellipsoid: up to latitude 60 lengths are off by up to 0.5 %. Latitudes are
// rounded as in a geographicFrame.
func (u *units) across(y float64) float64 {
	if u.mercator.scale == 0 {
		return u.horizontal
	}
	latitude := (y - u.mercator.equator) * u.horizontal / (u.mercator.scale * u.major) // isometric, radians
	latitude = math.Round(latitude/degree/centreGrid) * centreGrid * degree
	return u.horizontal / (u.mercator.scale * math.Cosh(latitude))
}

// radii returns the radii of curvature, in metres, at a latitude of which the sine is given.
func (u *units) radii(sin float64) (primeVertical, meridian float64) {
	squared := u.flattening * (2 - u.flattening) // first eccentricity, squared
	w := 1 - squared*sin*sin
	return u.major / math.Sqrt(w), u.major * (1 - squared) / (w * math.Sqrt(w))
}

// centreGrid is the step in degrees to which the centre is rounded, so that adjacent tiles share a
// frame.
const centreGrid = 0.1
