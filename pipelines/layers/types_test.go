// SPDX-License-Identifier: BSD-3-Clause

package layers

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"superpoint/filter/georef"
	"superpoint/testdata/must"
)

// TestTypesOfColumns: a feature without a geometry has a value of the type of each column, also where no
// other feature has one, and GDAL leaves it out.
func TestTypesOfColumns(t *testing.T) {
	columns := []Column{{Name: "id"}, {Name: "level", Digits: 2, Values: []float64{math.NaN()}},
		{Name: "points", Values: []float64{5}}, {Name: "roof", Words: []string{}}}
	var feature struct {
		Geometry   any
		Properties struct {
			ID, Points json.Number
			Level      json.Number
			Roof       string
		}
	}
	must.OK(t, json.Unmarshal(typesFeature(columns), &feature))
	must.Hold(t, feature.Geometry == nil, "geometry %v", feature.Geometry)
	must.Equal(t, feature.Properties.ID.String(), "-1", "id")
	must.Equal(t, feature.Properties.Points.String(), "0", "integer")
	must.Equal(t, feature.Properties.Level.String(), "0.50", "number with digits")
	must.Equal(t, feature.Properties.Roof, "word", "word")

	layer := &Layer{Name: "a", Geometry: "POINT", Columns: columns}
	arguments := gdalArguments(layer, false, georef.Reference{})
	k := slices.Index(arguments, "-where")
	must.Need(t, k >= 0, "no -where in %q", arguments)
	must.Equal(t, arguments[k+1], "id <> -1", "features that GDAL writes")
	must.Equal(t, len(typesFeature(nil)), 0, "length of the feature of a layer without types")
}
