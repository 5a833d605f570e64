// SPDX-License-Identifier: BSD-3-Clause

package georef

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
)

// longestHeightUnit is a length in metres. Longer units, such as kilometres and miles, are for maps and
// not for heights; the longest shorter unit is a yard.
const longestHeightUnit = 1.5

// units returns the units, metres with a warning if there is no reference. It fails if coordinates cannot be
// used: their unit is not known, or Z is not up.
func (r Reference) units() (units, error) {
	r = r.known()
	u := units{geographic: r.Kind == Geographic, horizontal: r.HorizontalUnit, vertical: r.VerticalUnit,
		major: wgs84Major, flattening: wgs84Flattening, mercator: r.mercator}
	if r.Major > 0 {
		u.major, u.flattening = r.Major, 0
		if r.InverseFlattening != 0 {
			u.flattening = 1 / r.InverseFlattening
		}
	}
	if u.geographic {
		u.horizontal = cmp.Or(u.horizontal, degree)
		u.vertical = cmp.Or(u.vertical, 1)
	}
	if u.horizontal == 0 && r.WKT == "" {
		u.horizontal = 1
		u.warning = "the view has no spatial reference; coordinates are taken as metres (set it with " +
			Default + ")"
	}
	if r.unitless {
		u.horizontal = 1
		u.warning = fmt.Sprintf(
			"the spatial reference '%.50s' has no unit; coordinates are taken as metres (set it with %s)",
			r.Name, Override)
	}
	switch {
	case u.vertical > 0:
	case u.horizontal > longestHeightUnit:
		u.vertical = 1
		u.warning = fmt.Sprintf(
			"the spatial reference has units of %.9g m across and none of heights, which are taken as "+
				"metres (set it with %s)", u.horizontal, Override)
	default:
		u.vertical = u.horizontal // feet east and north mean feet up where no vertical system is named
	}
	return u, cmp.Or(r.usable(&u), r.checkKeys(&u))
}

func (r Reference) usable(u *units) error {
	switch {
	case r.Kind == Geocentric:
		return errors.New("spatial reference: it is geocentric, so up is not Z; reproject the points " +
			"(filters.reprojection), for example to EPSG:32632, with a new scale and offset (see " +
			"troubleshooting.md)")
	case r.Kind == Depth:
		return errors.New(
			"spatial reference: Z is a depth, positive down; turn it by filters.assign (value \"Z = 0 - " +
				"Z\") and set the reference of heights with " + Override)
	case r.angular:
		return fmt.Errorf(
			"spatial reference: '%.50s' is projected, and its unit is an angle (a rotated pole?); "+
				"reproject the points, or set the right one with %s", r.Name, Override)
	case r.Kind == Invalid || u.horizontal == 0:
		return fmt.Errorf("spatial reference: its unit cannot be read in '%.50s'; set the right one with %s",
			r.WKT, Override)
	}
	for _, factor := range []float64{u.horizontal, u.vertical} {
		if !(factor > 1e-9 && factor < 1e9) {
			return fmt.Errorf("spatial reference: unit of %v m is not usable; set the right one with %s",
				factor, Override)
		}
	}
	return nil
}

// Describe returns the units in words, or why they cannot be used.
func (r Reference) Describe() string {
	u, err := r.units()
	switch {
	case err != nil:
		return err.Error()
	case u.geographic:
		return fmt.Sprintf("%.9g degrees across, %.9g m up", u.horizontal/degree, u.vertical)
	case u.warning != "":
		u.warning = " (" + u.warning + ")"
	}
	return fmt.Sprintf("%.9g m across, %.9g m up%s", u.horizontal, u.vertical, u.warning)
}

// Unit returns the metres per unit of X and Y, in a Mercator projection per unit of the map, and whether X
// and Y are degrees.
func (r Reference) Unit() (metres float64, geographic bool, err error) {
	u, err := r.units()
	return u.horizontal, u.geographic, err
}

// Code returns authority and code of the horizontal reference system, for example "EPSG" and
// "32632"; "" if there is none.
func (r Reference) Code() (authority, code string) {
	authority, code, _ = strings.Cut(r.known().Name, ":")
	code, _, _ = strings.Cut(code, "+")
	if code == "" || strings.Trim(code, "0123456789") != "" {
		return "", ""
	}
	return authority, code
}

// Same reports whether two references are known to be the same: by their text, else by codes and units. A
// host with PROJ knows more.
func (r Reference) Same(other Reference) bool {
	authority, code := r.Code()
	of, number := other.Code()
	return r.WKT == other.WKT || code != "" && authority == of && code == number && r.SameHeights(other)
}

// SameHeights reports whether the units of heights are known and equal.
func (r Reference) SameHeights(other Reference) bool {
	a, err := r.units()
	b, also := other.units()
	return err == nil && also == nil && math.Abs(a.vertical/b.vertical-1) < 1e-6
}

// Unnamed reports whether the reference is compound, of a horizontal one and a vertical one that has no name.
func (r Reference) Unnamed() bool { return unnamed.MatchString(r.WKT) }

var unnamed = regexp.MustCompile(`(COMPD_CS|COMPOUNDCRS|VERT_CS|VERTCRS)\["(unknown)?"`)

// Scale returns a function that returns the metres per unit of X, Y and Z at a given Y. It depends on
// Y in Mercator projections, and for angles, where it is a local approximation.
func (r Reference) Scale(warn func(text string)) (func(y float64) [3]float64, error) {
	u, err := r.units()
	if err != nil {
		return nil, err
	}
	if u.warning != "" && warn != nil {
		warn(u.warning)
	}
	if !u.geographic {
		return func(y float64) [3]float64 { return [3]float64{u.across(y), u.across(y), u.vertical} }, nil
	}
	return func(y float64) [3]float64 {
		sin, cos := math.Sincos(y * u.horizontal)
		east, north := u.radii(sin)
		return [3]float64{u.horizontal * east * cos, u.horizontal * north, u.vertical}
	}, nil
}
