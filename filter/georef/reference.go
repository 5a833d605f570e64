// Package georef converts coordinates to metres: it reads units, ellipsoid and code of a spatial
// reference, and projects clouds in degrees to a plane. Results do not depend on the number of
// threads.
//
// Units are parsed from well-known text 1 or 2 by a small parser. PROJ is not available in all
// cases: in PDAL from 2.2 on, SpatialReference::getHorizontalUnits returns the name of a unit, not
// its length; 2.2 has no getPROJJSON; and plans of surveys and programs without PDAL have no GDAL.
package georef

import (
	"fmt"
	"math"
	"slices"
)

// Reference is the spatial reference of a view. The zero value means that there is none:
// coordinates are assumed to be metres, with a warning.
type Reference struct {
	WKT            string  // well-known text 1 or 2 of the spatial reference; "" if there is none
	Geographic     bool    // X and Y are degrees; also found in WKT
	HorizontalUnit float64 // metres per unit of X and Y; 0 = find in WKT
	VerticalUnit   float64 // metres per unit of Z; 0 = find in WKT
}

// units are the units of a view's coordinates.
type units struct {
	geographic bool
	horizontal float64 // metres, or radians if geographic, per unit of X and Y
	vertical   float64 // metres per unit of Z
	major      float64 // semi-major axis of the ellipsoid in metres
	flattening float64
	warning    string // assumption about units; "" for none
}

// WGS 84 (NGA.STND.0036): used where the reference names no ellipsoid.
const (
	wgs84Major      = 6378137.0
	wgs84Flattening = 1 / 298.257223563
)

// units returns the units: those of the host, else of the text, else metres with a warning.
func (r Reference) units() (units, error) {
	u := units{major: wgs84Major, flattening: wgs84Flattening}
	if r.WKT != "" {
		root, err := parseWKT(r.WKT)
		if err != nil {
			u.warning = fmt.Sprintf("the spatial reference cannot be read (%v)", err)
		} else {
			u.read(root)
		}
	}
	if r.Geographic && !u.geographic {
		u.geographic, u.horizontal = true, math.Pi/180
	}
	if r.HorizontalUnit != 0 && !u.geographic {
		u.horizontal = r.HorizontalUnit
	}
	if r.VerticalUnit != 0 {
		u.vertical = r.VerticalUnit
	}
	u.assume()
	for _, factor := range []float64{u.horizontal, u.vertical} {
		if !(factor > 1e-9 && factor < 1e9) {
			return u, fmt.Errorf("spatial reference: unit of %v m is not usable; set the reference with the reader's "+
				"override_srs", factor)
		}
	}
	return u, nil
}

// assume sets units that are not known.
func (u *units) assume() {
	if u.horizontal == 0 {
		u.horizontal = 1
		if u.warning == "" {
			u.warning = "the view has no spatial reference with a unit"
		}
		u.warning += "; coordinates are taken as metres (set it with the reader's override_srs)"
	}
	if u.vertical == 0 && u.geographic {
		u.vertical = 1
	}
	if u.vertical == 0 {
		u.vertical = u.horizontal // feet east and north mean feet up where no vertical system is named
	}
}

// holdsOthers reports whether a reference system is a compound or bound CRS.
func (n *wktNode) holdsOthers() bool {
	return slices.Contains([]string{"COMPD_CS", "COMPOUNDCRS", "BOUNDCRS", "SOURCECRS"}, n.word)
}

// read reads the units of a reference system, which may be a compound or bound CRS.
func (u *units) read(n *wktNode) {
	if n.holdsOthers() {
		for i := range n.list {
			u.read(&n.list[i])
		}
		return
	}
	switch n.word {
	case "PROJCS", "PROJCRS", "PROJECTEDCRS", "LOCAL_CS", "ENGCRS", "ENGINEERINGCRS", "GEOCCS", "DERIVEDPROJCRS":
		u.readLinear(n)
	case "GEOGCS", "GEOGCRS", "GEOGRAPHICCRS":
		u.readGeographic(n)
	case "GEODCRS", "GEODETICCRS":
		if cs := n.child("CS"); cs != nil && len(cs.list) > 0 && cs.list[0].word == "CARTESIAN" {
			u.readLinear(n)
		} else {
			u.readGeographic(n)
		}
	case "VERT_CS", "VERTCS", "VERTCRS", "VERTICALCRS":
		u.vertical = axisUnit(n, 0)
	}
	if n.word == "GEOCCS" {
		u.warning = "coordinates are geocentric, so up is not Z; reproject before segmenting"
	}
}

func (u *units) readLinear(n *wktNode) {
	u.horizontal = axisUnit(n, 0)
	if len(n.children("AXIS")) > 2 {
		u.vertical = axisUnit(n, 2)
	}
}

func (u *units) readGeographic(n *wktNode) {
	u.geographic = true
	if u.horizontal = axisUnit(n, 0); u.horizontal == 0 {
		u.horizontal = math.Pi / 180
	}
	if len(n.children("AXIS")) > 2 {
		u.vertical = axisUnit(n, 2)
		if u.vertical == u.horizontal { // WKT 1 has one unit, that of the angles
			u.vertical = 0
		}
	}
	datum := n.child("DATUM", "GEODETICDATUM", "TRF", "ENSEMBLE")
	if datum == nil {
		return
	}
	if e := datum.child("SPHEROID", "ELLIPSOID"); e != nil && e.number(1) > 0 {
		u.major, u.flattening = e.number(1), 0
		if inverse := e.number(2); inverse != 0 {
			u.flattening = 1 / inverse
		}
	}
}

// axisUnit returns the unit of an axis or else of the system, in metres or radians; 0 if there is
// none.
func axisUnit(n *wktNode, axis int) float64 {
	keywords := []string{"LENGTHUNIT", "ANGLEUNIT", "UNIT"}
	if all := n.children("AXIS"); axis < len(all) {
		if u := all[axis].child(keywords...); u != nil {
			return u.number(1)
		}
	}
	if u := n.child(keywords...); u != nil {
		return u.number(1)
	}
	return 0
}

// Describe returns the units in words.
func (r Reference) Describe() (string, error) {
	u, err := r.units()
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("%.9g m across, %.9g m up", u.horizontal, u.vertical)
	if u.geographic {
		text = fmt.Sprintf("%.9g degrees across, %.9g m up", u.horizontal*180/math.Pi, u.vertical)
	}
	if u.warning != "" {
		text += " (" + u.warning + ")"
	}
	return text, nil
}

// Unit returns the metres per unit of X and Y, and whether they are degrees.
func (r Reference) Unit() (metres float64, geographic bool, err error) {
	u, err := r.units()
	return u.horizontal, u.geographic, err
}

// Code returns authority and code of the horizontal reference system, for example "EPSG" and
// "32632"; "" if there is none.
func (r Reference) Code() (authority, code string) {
	root, err := parseWKT(r.WKT)
	if r.WKT == "" || err != nil {
		return "", ""
	}
	for root.holdsOthers() {
		inner := root.child("PROJCS", "PROJCRS", "PROJECTEDCRS", "GEOGCS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS",
			"GEODETICCRS", "COMPOUNDCRS", "SOURCECRS")
		if inner == nil {
			break
		}
		root = inner
	}
	id := root.child("AUTHORITY", "ID")
	if id == nil || len(id.list) < 2 {
		return "", ""
	}
	return id.list[0].word, id.list[1].word
}

// Scale returns a function that returns the metres per unit of X, Y and Z at a given Y. It depends on
// Y for angles only, where it is a local approximation.
func (r Reference) Scale(warn func(text string)) (func(y float64) [3]float64, error) {
	u, err := r.units()
	if err != nil {
		return nil, err
	}
	if u.warning != "" && warn != nil {
		warn(u.warning)
	}
	if !u.geographic {
		return func(float64) [3]float64 { return [3]float64{u.horizontal, u.horizontal, u.vertical} }, nil
	}
	return func(y float64) [3]float64 {
		sin, cos := math.Sincos(y * u.horizontal)
		east, north := u.radii(sin)
		return [3]float64{u.horizontal * east * cos, u.horizontal * north, u.vertical}
	}, nil
}
