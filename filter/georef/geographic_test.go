// SPDX-License-Identifier: BSD-3-Clause

package georef

import (
	"math"
	"strings"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

func TestShortArc(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		longitudes []float64
		west, east float64
	}{
		{[]float64{5}, 5, 5},
		{[]float64{5, nan, 7, 6, math.Inf(1)}, 5, 7},
		{[]float64{-179.5, 179, 179.25}, 179, 180.5},
		{[]float64{359.5, 0.5}, -0.5, 0.5},
		{[]float64{-120, 0, 120, 60}, -120, 120},
	} {
		west, east := shortArc(c.longitudes, 360)
		off := math.Remainder(west-c.west, 360)
		if math.Abs(off) > 1e-9 || math.Abs(east-west-(c.east-c.west)) > 1e-9 {
			t.Errorf("%v: %v to %v, want %v to %v", c.longitudes, west, east, c.west, c.east)
		}
	}
}

// TestWideDegreesAreWarnedOf counts both directions, and longitudes by the
// length they have at their latitude.
func TestWideDegreesAreWarnedOf(t *testing.T) {
	for _, c := range []struct {
		longitude, latitude, wide, high float64
		warns                           bool
	}{
		{10, 0, 2.5, 0.1, false}, {10, 0, 3, 0.1, true}, {179, 0, 3, 0.1, true}, {10, 60, 3, 0.1, false}, {10, 60, 6, 0.1,
			true}, {10, 60, 0.1, 3, true},
	} {
		var warned []string
		degrees := Reference{Kind: Geographic, VerticalUnit: 1}
		x := []float64{c.longitude, math.Remainder(c.longitude+c.wide, 360)}
		y := []float64{c.latitude, c.latitude + c.high}
		warn := func(text string) { warned = append(warned, text) }
		_, _, _, err := degrees.Metres(parallel.Run{}, x, y, []float64{0, 0}, warn)
		must.OK(t, err)
		if got := strings.Contains(strings.Join(warned, " "), "300 km"); got != c.warns {
			t.Errorf("%+v: warnings %q", c, warned)
		}
	}
}

func TestScaleOfReferences(t *testing.T) {
	feet := `PROJCS["f",GEOGCS["g",UNIT["degree",0.0174532925199433]],UNIT["US survey foot",0.3048006096012192]]`
	for name, c := range map[string]struct {
		reference Reference
		y         float64
		want      [3]float64
	}{
		"none": {Reference{}, 5e6, [3]float64{1, 1, 1}},
		"feet": {Reference{WKT: feet}, 5e6, [3]float64{0.3048006096012192, 0.3048006096012192, 0.3048006096012192}},
		// a degree of WGS 84 (NIMA TR8350.2)
		"equator": {Reference{Kind: Geographic}, 0, [3]float64{111319.49, 110574.28, 1}},
		"60°":     {Reference{Kind: Geographic}, 60, [3]float64{55800.00, 111412.29, 1}},
	} {
		scale := must.Get(c.reference.Scale(nil))(t)
		for a, v := range scale(c.y) {
			if math.Abs(v-c.want[a]) > 1e-6*c.want[a] {
				t.Errorf("%s: %v, want %v", name, scale(c.y), c.want)
				break
			}
		}
	}
}

func TestCodeOfReferences(t *testing.T) {
	for text, want := range map[string][2]string{
		"": {}, "nonsense[": {}, `PROJCS["a",GEOGCS["b",AUTHORITY["EPSG","4326"]]]`: {},
		`PROJCS["a",GEOGCS["b",AUTHORITY["EPSG","4326"]],AUTHORITY["EPSG",` +
			`"2154"]]`: {"EPSG", "2154"},
		`COMPD_CS["c",PROJCS["a",AUTHORITY["EPSG","2154"]],VERT_CS["v",AUTHORITY["EPSG","5720"]],AUTHORITY["EPSG",` +
			`"5698"]]`: {"EPSG", "2154"},
		`PROJCRS["a",BASEGEOGCRS["b",ID["EPSG",4326]],ID["EPSG",` +
			`32632]]`: {"EPSG", "32632"},
		`BOUNDCRS[SOURCECRS[GEOGCRS["g",ID["EPSG",4258]]],TARGETCRS[GEOGCRS["w",ID["EPSG",` +
			`4326]]]]`: {"EPSG", "4258"},
	} {
		if authority, code := (Reference{WKT: text}).Code(); authority != want[0] || code != want[1] {
			t.Errorf("%q: %s:%s, want %v", text, authority, code, want)
		}
	}
}

// TestPrecisionNamesThePoint: the point that is far from all others, with its coordinates and its distance.
func TestPrecisionNamesThePoint(t *testing.T) {
	x, y, z := make([]float64, 500), make([]float64, 500), make([]float64, 500)
	for i := range x {
		x[i], y[i], z[i] = float64(i%25), float64(i/25), float64(i%3)
	}
	x[77], y[77], z[77] = 3e7, 11, 222
	cloud := must.Get(neighbor.New(x, y, z, parallel.Run{}))(t)
	silent := func(text string) { t.Errorf("it warns: %s", text) }
	must.Fail(CheckPrecision(cloud, x, y, z, silent))(t, "point 77 at (3e+07, 11, 222) lies 3e+07 m from the middle")
	x[77] = 12
	must.OK(t, CheckPrecision(must.Get(neighbor.New(x, y, z, parallel.Run{}))(t), x, y, z, silent))
	for width, words := range map[float64]string{2e5: "", 2.4e6: "is so large",
		4e7: "rounded to 0.1"} { // metres, no outlier
		for i := range x {
			x[i] = width * float64(i) / 500
		}
		said := ""
		cloud := must.Get(neighbor.New(x, y, z, parallel.Run{}))(t)
		if err := CheckPrecision(cloud, x, y, z, func(text string) { said = text }); err != nil {
			said = "error: " + err.Error()
		}
		if !strings.Contains(said, words) || words == "" && said != "" || strings.HasPrefix(said, "error") != (width > 3e7) {
			t.Errorf("%g m, unit %v: it says %q", width, cloud.Unit, said)
		}
	}
}
