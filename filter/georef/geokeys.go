// SPDX-License-Identifier: BSD-3-Clause

package georef

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
)

// Keys of GeoTIFF (OGC 19-008r4) that a LAS file may have, and the lengths of units (EPSG) in metres.
const (
	keyGeographic, keyProjected = 2048, 3072
	keyLinearUnit               = 3076
	keyVertical, keyHeightUnit  = 4096, 4099
	userDefined                 = 32767
)

var lengths = map[uint16]float64{9001: 1, 9002: 0.3048, 9003: 1200. / 3937, 9005: 0.3047972654,
	9037: 0.9143984146,
	9041: 0.3047994715, 9094: 0.3047997101, 9095: 0.30480064, 9096: 0.9144}

// keys returns the keys whose value is one short number.
func (r Reference) keys() map[uint16]uint16 {
	raw, _ := base64.StdEncoding.DecodeString(r.GeoKeys)
	all := map[uint16]uint16{}
	for at := 8; at+8 <= len(raw); at += 8 { // after the header: key, where its value is, count, value
		short := func(k int) uint16 { return binary.LittleEndian.Uint16(raw[at+2*k:]) }
		if short(1) == 0 && short(2) == 1 {
			all[short(0)] = short(3)
		}
	}
	return all
}

// KeysName returns the code of the reference that GeoTIFF keys state, "EPSG:2263" or "EPSG:2263+5703"; "" if
// they state none.
func (r Reference) KeysName() string {
	k := r.keys()
	code := func(key uint16) uint16 {
		if k[key] >= userDefined {
			return 0
		}
		return k[key]
	}
	name := ""
	if c := code(keyProjected); c > 0 {
		name = fmt.Sprintf("EPSG:%d", c)
	} else if c := code(keyGeographic); c > 0 && k[keyProjected] == 0 {
		name = fmt.Sprintf("EPSG:%d", c)
	}
	// GeoTIFF 1.0 has ellipsoids as vertical systems, below 5100.
	if c := code(keyVertical); name != "" && c >= 5100 {
		name += fmt.Sprintf("+%d", c)
	}
	return name
}

// checkKeys fails if the GeoTIFF keys of a file state another reference or unit than the reference has. PDAL
// before 2.3 reads no keys of LAS 1.4, and all versions take units without a code for metres.
func (r Reference) checkKeys(u *units) error {
	k := r.keys()
	stated := cmp.Or(r.KeysName(), "no code")
	remedy := fmt.Sprintf("; set the right one with %s", Override)
	horizontal, hasUnit := lengths[k[keyLinearUnit]]
	height, hasHeightUnit := lengths[k[keyHeightUnit]]
	// PDAL assumes metres
	hasHeightsOnly := !hasUnit && hasHeightUnit && differ(height, 1)
	if hasHeightsOnly && strings.Contains(r.WKT, `LOCAL_CS["unnamed"`) {
		return errors.New("spatial reference: the file's GeoTIFF keys state a unit of heights only" + remedy)
	}
	hasReference := r.WKT != "" || r.HorizontalUnit != 0
	hasKeys := k[keyProjected] != 0 || k[keyGeographic] != 0 || hasUnit
	if hasKeys && !hasReference {
		return fmt.Errorf("spatial reference: PDAL does not read the one in the file's GeoTIFF keys (%s)%s",
			stated, remedy)
	}
	isLength := hasUnit && !u.geographic
	if isLength && differ(horizontal, u.horizontal) {
		return fmt.Errorf(
			"spatial reference: its unit is %.9g m, but the file's GeoTIFF keys (%s) state %.9g m%s",
			u.horizontal, stated, horizontal, remedy)
	}
	if hasHeightUnit && differ(height, u.vertical) {
		return fmt.Errorf(
			"spatial reference: its unit of heights is %.9g m, but the file's GeoTIFF keys (%s) state "+
				"%.9g m%s",
			u.vertical, stated, height, remedy)
	}
	return nil
}

// differ reports whether units differ by more than the kinds of feet.
func differ(a, b float64) bool { return math.Abs(a/b-1) > 1e-4 }
