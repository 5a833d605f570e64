// SPDX-License-Identifier: BSD-3-Clause

package host

import (
	"fmt"

	"superpoint/filter/georef"
)

// References are options of all commands that replace the spatial references of files.
type References struct {
	Default  string `json:"default_srs,omitempty"`
	Override string `json:"override_srs,omitempty"`
}

// Of returns the spatial reference of the points of a file whose metadata state one. given is what a reader
// must be given for it: the reference of an option, or the code of GeoTIFF keys that PDAL does not read; "" =
// nothing.
func (o References) Of(h Host, stated georef.Reference) (r georef.Reference, given string, err error) {
	isStated := stated.WKT != "" || stated.GeoKeys != ""
	switch {
	case o.Override != "":
		given = o.Override
	case !isStated:
		given = o.Default
	}
	if given == "" {
		return replaceKeys(h, stated)
	}
	if r, err = h.Reference(given); err == nil && (r.WKT == "" || r.Kind == georef.Invalid) {
		err = fmt.Errorf("the spatial reference '%s' is unknown; give one such as EPSG:32632", given)
	}
	return r, given, err
}

// replaceKeys replaces a reference if PDAL does not read the GeoTIFF keys of the file, or turns a unit of
// heights alone into a compound reference without a code.
func replaceKeys(h Host, stated georef.Reference) (r georef.Reference, code string, err error) {
	code = stated.KeysName()
	if _, _, err := stated.Unit(); code == "" || err == nil && stated.WKT != "" && !stated.Unnamed() {
		return stated, "", nil
	}
	if r, err = h.Reference(code); err != nil {
		return r, "", err
	}
	withKeys := r
	withKeys.GeoKeys = stated.GeoKeys
	if _, _, err := withKeys.Unit(); err != nil { // other units than the code has
		return stated, "", nil
	}
	return r, code, nil
}
