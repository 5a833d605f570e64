// SPDX-License-Identifier: BSD-3-Clause

package georef

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

const surveyFoot = 1200.0 / 3937

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance*math.Max(1, math.Abs(b)) }

func TestUnitsFromText(t *testing.T) {
	const geog = `GEOGCS["NAD83",DATUM["North_American_Datum_1983",SPHEROID["GRS 1980",6378137,298.257222101,` +
		`AUTHORITY["EPSG","7019"]]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]`
	const ftus = `PROJCS["NAD83 / New York Long Island (ftUS)",` + geog +
		`,PROJECTION["Lambert_Conformal_Conic_2SP"],` +
		`PARAMETER["false_easting",984250],UNIT["US survey foot",0.304800609601219,AUTHORITY["EPSG","9003"]],AXIS["X",` +
		`EAST],AXIS["Y",NORTH]]`
	for _, c := range []struct {
		name, text           string
		horizontal, vertical float64
		geographic           bool
	}{
		{"WKT 1 metres", `PROJCS["RGF93 / Lambert-93",` + geog +
			`,PROJECTION["x"],UNIT["metre",1],AXIS["X",EAST],` +
			`AXIS["Y",NORTH]]`, 1, 1, false},
		{"WKT 1 survey feet", ftus, surveyFoot, surveyFoot, false},
		{"compound, feet and metres", `COMPD_CS["a + b",` + ftus +
			`,VERT_CS["NAVD88 height",VERT_DATUM["North American ` +
			`Vertical Datum 1988",2005],UNIT["metre",1],AXIS["Up",UP]]]`, surveyFoot, 1, false},
		{"compound, metres and feet", `COMPD_CS["x",PROJCS["u",` + geog +
			`,UNIT["metre",1]],VERT_CS["NAVD88 height (ft)",` +
			`VERT_DATUM["d",2005],UNIT["foot",0.3048]]]`, 1, 0.3048, false},
		{"WKT 1 degrees", geog, math.Pi / 180, 1, true},
		{"WKT 1 degrees with heights", strings.TrimSuffix(geog, "]") +
			`,AXIS["Lat",NORTH],AXIS["Long",EAST],AXIS["h",UP]]`,
			math.Pi / 180, 1, true},
		{"geographic and feet up", `COMPD_CS["x",` + geog +
			`,VERT_CS["h",VERT_DATUM["d",2005],UNIT["US survey foot",` +
			`0.304800609601219]]]`, math.Pi / 180, surveyFoot, true},
		{"WKT 2 projected",
			`PROJCRS["WGS 84 / UTM zone 31N", BASEGEOGCRS["WGS 84",DATUM["World Geodetic System 1984",` +
				`ELLIPSOID["WGS 84",6378137,298.257223563,LENGTHUNIT["metre",1]]]], CONVERSION["UTM",METHOD["TM"],PARAMETER["k",` +
				`0.9996,SCALEUNIT["unity",1]]], CS[Cartesian,2], AXIS["(E)",east,ORDER[1],LENGTHUNIT["foot",0.3048]], AXIS["(N)",` +
				`north,ORDER[2],LENGTHUNIT["foot",0.3048]], ID["EPSG",32631]]`, 0.3048, 0.3048, false},
		{"WKT 2 compound",
			`COMPOUNDCRS["c",PROJCRS["p",BASEGEOGCRS["g"],CS[Cartesian,2],AXIS["e",east],AXIS["n",north],` +
				`LENGTHUNIT["US survey foot",0.304800609601219]],VERTCRS["v",VDATUM["d"],CS[vertical,1],AXIS["up",up],` +
				`LENGTHUNIT["metre",1]]]`, surveyFoot, 1, false},
		{"WKT 2 geographic 3D",
			`GEOGCRS["WGS 84",ENSEMBLE["e",MEMBER["a"],ELLIPSOID["WGS 84",6378137,298.257223563]],` +
				`CS[ellipsoidal,3],AXIS["lat",north,ANGLEUNIT["degree",0.0174532925199433]],AXIS["lon",east,ANGLEUNIT["degree",` +
				`0.0174532925199433]],AXIS["h",up,LENGTHUNIT["metre",1]]]`, math.Pi / 180, 1, true},
		{"WKT 2 geodetic",
			`GEODCRS["WGS 84",DATUM["w",ELLIPSOID["WGS 84",6378137,298.2]],CS[ellipsoidal,2],AXIS["lat",` +
				`north],AXIS["lon",east],ANGLEUNIT["degree",0.0174532925199433]]`, math.Pi / 180, 1, true},
		{"bound", `BOUNDCRS[SOURCECRS[` + ftus + `],TARGETCRS[` + geog + `],ABRIDGEDTRANSFORMATION["t"]]`,
			surveyFoot,
			surveyFoot, false},
		{"local", `LOCAL_CS["site",UNIT["foot",0.3048]]`, 0.3048, 0.3048, false},
		{"doubled quotes and round brackets", `PROJCS("a ""b"" c",UNIT("metre",1))`, 1, 1, false},
	} {
		u, err := Reference{WKT: c.text}.units()
		if err != nil || u.warning != "" {
			t.Errorf("%s: %v %q", c.name, err, u.warning)
			continue
		}
		must.Hold(t, near(u.horizontal, c.horizontal, 1e-9),
			"%s: near(u.horizontal, c.horizontal, 1e-9) is false", c.name)
		must.Hold(t, near(u.vertical, c.vertical, 1e-9),
			"%s: near(u.vertical, c.vertical, 1e-9) is false", c.name)
		must.Equal(t, u.geographic, c.geographic, "%s: u.geographic", c.name)
	}
}

// TestMercatorLengths: the unit in Mercator projections, also in their notations by PROJ, GDAL and ESRI, is
// the unit on their ellipsoid at latitude 60 (IOGP 373-7-2), and no other projection with such a name has
// one.
func TestMercatorLengths(t *testing.T) {
	const sphere, ellipsoid = 8399737.89, 8362698.55
	const old1 = `,PARAMETER["scale_factor",0.997],PARAMETER["false_northing",900000]`
	const old2 = `,PARAMETER["Scale factor at natural origin",0.997],PARAMETER["False northing",900000]`
	const caspian1, caspian2 = `,PARAMETER["Standard_Parallel_1",42.0]`,
		`,PARAMETER["Latitude of 1st standard parallel",42,ANGLEUNIT["degree",0.0174532925199433]]`
	for _, c := range []struct {
		method, parameters string
		y, want            float64
	}{
		{"Mercator_1SP", "", sphere, 0.5}, {"Popular Visualisation Pseudo Mercator", "", sphere, 0.5},
		{"Mercator_Auxiliary_Sphere", "", sphere, 0.5}, {"Mercator (Spherical)", "", sphere, 0.5},
		{"Mercator", "", ellipsoid, 0.50126}, {"Mercator (variant A)", "", -ellipsoid, 0.50126},
		{"Mercator_1SP", old1, 9236753.86, 0.50276}, {"Mercator (variant A)", old2, 9236753.86, 0.50276},
		{"Mercator_2SP", caspian1, 6224138.84, 0.6735}, {"Mercator", caspian1, 6224138.84, 0.6735},
		{"Mercator (variant B)", caspian2, 6224138.84, 0.6735}, {"Transverse_Mercator", old1, sphere, 1},
		{"Hotine_Oblique_Mercator", old1, sphere, 1}, {"Transverse Mercator", old2, sphere, 1},
	} {
		for _, text := range []string{`PROJCS["p",PROJECTION["` + c.method + `"]` + c.parameters +
			`,UNIT["metre",1]]`,
			`COMPOUNDCRS["c",PROJCRS["p",CONVERSION["c",METHOD["` + c.method + `"]` + c.parameters +
				`],CS[Cartesian,2],` +
				`LENGTHUNIT["metre",1]]]`} {
			got := must.Get(Reference{WKT: text}.Scale(nil))(t)(c.y)
			must.Need(t, near(got[0], c.want, 5e-3), "%s: near(got[0], c.want, 5e-3) is false", text)
			must.Equal(t, got[1], got[0], "%s: got[1]", text)
			must.Equal(t, got[2], 1, "%s: got[2]", text)
		}
	}
	moon := Reference{WKT: `PROJCS["p",GEOGCS["g",DATUM["d",SPHEROID["m",1737400,0]]],PROJECTION["Mercator"],UNIT["m",1]]`}
	must.Hold(t, near(must.Get(moon.Scale(nil))(t)(2288105.86)[0], 0.5, 5e-3), "the Moon has another unit")
}

// TestLocalUnits: parts of a cloud have the units in its middle, in steps of 0.1 degrees, with a warning if
// they vary.
func TestLocalUnits(t *testing.T) {
	web := Reference{WKT: `PROJCS["p",PROJECTION["Mercator_1SP"],UNIT["metre",1]]`,
		GeoKeys: "AQABAAAAAQAEDAAAAQApIw=="}
	// metres from south to north
	for high, want := range map[float64]string{60e3: "", 200e3: "off by up to 1 %"} {
		y, warned := []float64{8.4e6 - high/2, math.NaN(), 8.4e6 + high/2}, ""
		whole := web.Local(y, func(text string) { warned += text })
		must.Hold(t, strings.Contains(warned, want), "%v m: got %q, want %q in it", high, warned, want)
		must.Equal(t, warned == "", want == "", `%v m: warned == ""`, high)
		must.Equal(t, whole, whole.Local(y[:1], nil), "%v m: reference of a part", high)
		must.Equal(t, whole.Describe(), "0.499668521 m across, 1 m up", "%v m: units", high)
	}
	warned := ""
	// the unit is largest between the ends
	web.Local([]float64{-2e6, 2e6}, func(text string) { warned = text })
	must.Hold(t, strings.Contains(warned, "off by up to 5 %"), "across the equator: warned of %q", warned)
	for _, none := range [][]float64{nil, {math.NaN()}, {math.Inf(1), 0}} {
		must.Get(web.Local(none, nil).units())(t)
	}
	must.Fail(web.Local([]float64{1e9}, nil).units())(t, "is not usable")
}

// TestHostKnowsMore: what PROJ found in a text counts, also where the text says something else or cannot be
// read here.
func TestHostKnowsMore(t *testing.T) {
	for _, text := range []string{`PROJCS["x",UNIT["metre",1]]`, "+proj=utm +zone=32 +units=ft",
		"EPSG:32632"} {
		r := Reference{WKT: text, Name: "EPSG:2263", Kind: Projected, HorizontalUnit: surveyFoot,
			VerticalUnit: 0.3048}
		unit, geographic, err := r.Unit()
		_, code := r.Code()
		must.Equal(t, unit, surveyFoot, "%s: unit", text)
		must.Hold(t, !geographic, "%s: geographic is true", text)
		must.Need(t, err == nil, "%s: %v", text, err)
		must.Equal(t, code, "2263", "%s: code", text)
	}
}

func TestUnitsWithoutReference(t *testing.T) {
	u, err := Reference{}.units()
	must.OK(t, err)
	must.Equal(t, u.horizontal, 1, "u.horizontal")
	must.Equal(t, u.vertical, 1, "u.vertical")
	must.Say(t, u.warning, "taken as metres")
	u, err = Reference{HorizontalUnit: 0.3048, VerticalUnit: 1}.units()
	must.Need(t, err == nil, "numbers of the host: %v", err)
	must.Equal(t, u.horizontal, 0.3048, "numbers of the host: u.horizontal")
	must.Equal(t, u.vertical, 1, "numbers of the host: u.vertical")
	must.Equal(t, u.warning, "", "numbers of the host: u.warning")
}

// TestAssumedUnits: where a reference states no unit of heights, or no unit at all, a warning names the
// assumed unit.
func TestAssumedUnits(t *testing.T) {
	t.Parallel()
	const up = `,VERT_CS["h",VERT_DATUM["d",2005],UNIT["foot",0.3048]]]`
	for _, c := range []struct {
		name, text           string
		horizontal, vertical float64
		words                string // of the warning; "" = none
	}{
		{"kilometres", `PROJCS["UTM km",GEOGCS["g"],UNIT["kilometre",1000]]`, 1000, 1,
			"units of 1000 m across and none of heights"},
		{"miles", `PROJCS["m",GEOGCS["g"],UNIT["US survey mile",1609.347]]`, 1609.347, 1, "taken as metres"},
		{"chains", `PROJCS["m",GEOGCS["g"],UNIT["chain",20.1168]]`, 20.1168, 1, "taken as metres"},
		{"kilometres in WKT 2",
			`PROJCRS["p",BASEGEOGCRS["g"],CS[Cartesian,2],AXIS["e",east],AXIS["n",north],LENGTHUNIT["km",` +
				`1000]]`, 1000, 1, "taken as metres"},
		{"kilometres and feet up", `COMPD_CS["c",PROJCS["p",GEOGCS["g"],UNIT["kilometre",1000]]` + up,
			1000, 0.3048, ""},
		{"kilometres, also up",
			`PROJCRS["p",BASEGEOGCRS["g"],CS[Cartesian,3],AXIS["e",east],AXIS["n",north],AXIS["h",up],` +
				`LENGTHUNIT["km",1000]]`, 1000, 1000, ""},
		{"yards", `PROJCS["y",GEOGCS["g"],UNIT["yard",0.9144]]`, 0.9144, 0.9144, ""},
		{"millimetres of a scanned object", `LOCAL_CS["l",UNIT["millimetre",0.001]]`, 0.001, 0.001, ""},
		{"local without a unit", `LOCAL_CS["site"]`, 1, 1,
			"'site' has no unit; coordinates are taken as metres"},
		{"local without a unit, WKT 2",
			`ENGCRS["site",EDATUM["d"],CS[Cartesian,2],AXIS["x",east],AXIS["y",north]]`, 1, 1,
			"'site' has no unit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			u, err := Reference{WKT: c.text}.units()
			must.OK(t, err)
			must.Equal(t, u.horizontal, c.horizontal, "m across")
			must.Equal(t, u.vertical, c.vertical, "m up")
			must.Say(t, u.warning, c.words)
			if c.words == "" {
				must.Equal(t, u.warning, "", "warning")
			}
		})
	}
	read := Reference{WKT: `LOCAL_CS["site"]`}.As(`LOCAL_CS["site",UNIT["metre",1]]`) // as GDAL reads it
	u, err := read.units()
	must.Need(t, err == nil, "GDAL's unit: %v", err)
	must.Hold(t, strings.Contains(u.warning, "has no unit"),
		"GDAL's unit: got %q, want %q in it", u.warning, "has no unit")
}

// TestIsWKT2: WKT 2 is recognised by its keyword.
func TestIsWKT2(t *testing.T) {
	for text, is := range map[string]bool{`GEOGCRS["w",CS[ellipsoidal,3]]`: true, `COMPOUNDCRS["c"]`: true,
		`BOUNDCRS[SOURCECRS[GEOGCRS["w"]]]`: true, `GEOGCS["w"]`: false, `COMPD_CS["c"]`: false,
		`LOCAL_CS["l"]`: false,
		"":              false, "CRS": false} {
		must.Hold(t, IsWKT2(text) == is, "%q: %v", text, !is)
	}
}

// TestUnusable: no unit is guessed of a text that states none, and Z must be up. It has notations of WKT 1
// and 2.
func TestUnusable(t *testing.T) {
	const local = `LOCAL_CS["l",UNIT["metre",1]]`
	for text, want := range map[string]string{
		"EPSG:2263": "cannot be read", `PROJCS["broken`: "cannot be read",
		`PROJCS["no unit"]`: "cannot be read",
		local + "]":         "cannot be read", `VERT_CS["h",UNIT["metre",1]]`: "cannot be read",
		`PROJCS["Rotated_pole",GEOGCS["g"],UNIT["Degree",0.0174532925199433]]`: "its unit is an angle (a " +
			"rotated pole?)",
		`PROJCRS["r",BASEGEOGCRS["g"],ANGLEUNIT["degree",0.0174532925199433]]`: "is an angle",
		`GEOCCS["g",UNIT["metre",1]]`:                                          "geocentric",
		`GEODCRS["g",CS[Cartesian,3],AXIS["(X)",geocentricX],AXIS["(Y)",geocentricY],AXIS["(Z)",geocentricZ],` +
			`LENGTHUNIT["metre",1]]`: "geocentric",
		`COMPD_CS["c",` + local +
			`,VERT_CS["d",UNIT["metre",1],AXIS["Depth",DOWN]]]`: "depth",
		`COMPOUNDCRS["c",` + local +
			`,VERTCRS["d",CS[vertical,1],AXIS["depth (D)",down,LENGTHUNIT["m",1]]]]`: "depth",
	} {
		must.Fail(Reference{WKT: text}.units())(t, want)
		got := (Reference{WKT: text}).Describe()
		must.Hold(t, strings.Contains(got, want), "%s: described as %q", text, got)
	}
	for _, r := range []Reference{{WKT: "x", Kind: Geocentric, HorizontalUnit: 1}, {WKT: "x", Kind: Depth,
		HorizontalUnit: 1}, {WKT: "x", Kind: Invalid}, {HorizontalUnit: -1}} {
		must.Fail(r.units())(t, "spatial reference")
	}
}

// TestGeoKeys: the unit that keys of a LAS file state is not taken as another one.
func TestGeoKeys(t *testing.T) {
	keys := func(pairs ...uint16) string {
		raw := []byte{1, 0, 1, 0, 0, 0, byte(len(pairs) / 2), 0}
		for k := 0; k < len(pairs); k += 2 {
			for _, v := range []uint16{pairs[k], 0, 1, pairs[k+1]} {
				raw = binary.LittleEndian.AppendUint16(raw, v)
			}
		}
		return base64.StdEncoding.EncodeToString(raw)
	}
	metre := Reference{WKT: `LOCAL_CS["l",UNIT["metre",1]]`}
	for _, c := range []struct {
		keys string
		of   Reference
		name string // that the keys state
		want string // of the error
	}{
		{keys(1024, 1, 3072, 2263, 3076, 9003), Reference{}, "EPSG:2263", "(EPSG:2263)"},
		{keys(1024, 2, 2048, 4326), Reference{}, "EPSG:4326", "(EPSG:4326)"},
		{keys(1024, 1, 3072, 2263, 4096, 6360), Reference{}, "EPSG:2263+6360", "(EPSG:2263+6360)"},
		{keys(3072, 32767, 2048, 4269, 3076, 9002), metre, "", "0.3048 m"},
		{keys(3076, 9003), metre, "", "0.304800610 m"},
		{keys(3076, 9003), Reference{}, "", "no code"},
		{keys(4099, 9003), Reference{WKT: `LOCAL_CS["unnamed",UNIT["metre",1]]`}, "", "heights only"},
		{keys(3072, 26917, 3076, 9001, 4099, 9003), metre, "EPSG:26917", "heights"},
		{keys(3072, 26917, 3076, 9001, 4099, 9001, 4096, 5030), metre, "EPSG:26917", ""},
		{keys(3076, 9002), Reference{HorizontalUnit: surveyFoot}, "", ""},
		{keys(3076, 9001), Reference{WKT: "g", Kind: Geographic}, "", ""}, // of what else the file has
		{keys(1024, 0), Reference{}, "", ""},
		{"AQ==", Reference{}, "", ""}, {"no base64", metre, "", ""},
	} {
		c.of.GeoKeys = c.keys
		must.Equal(t, c.of.KeysName(), c.name, "keys of %+v", c)
		_, err := c.of.units()
		if c.want == "" {
			must.OK(t, err)
		} else if err == nil || !strings.Contains(err.Error(), strings.TrimSuffix(c.want, "0 m")) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// ecef is the oracle: geodetic coordinates to earth-centred metres.
func ecef(longitude, latitude, height float64) [3]float64 {
	const e2 = wgs84Flattening * (2 - wgs84Flattening)
	l, p := longitude*math.Pi/180, latitude*math.Pi/180
	n := wgs84Major / math.Sqrt(1-e2*math.Sin(p)*math.Sin(p))
	return [3]float64{(n + height) * math.Cos(p) * math.Cos(l), (n + height) * math.Cos(p) * math.Sin(l),
		(n*(1-e2) + height) * math.Sin(p)}
}

func TestGeographicFrameKeepsLengths(t *testing.T) {
	u := units{horizontal: math.Pi / 180, major: wgs84Major, flattening: wgs84Flattening}
	for _, centre := range [][2]float64{{2.3, 48.9}, {-70, 0}, {179.99, -33}, {10, 78}} {
		frame := newGeographicFrame(centre[0], centre[1], u)
		for _, c := range []struct{ degrees, tolerance float64 }{{0.03, 2e-5}, {0.09, 2e-5}, {0.9, 3e-4}} {
			for angle := 0.0; angle < 6; angle += 0.5 {
				lat := centre[1] + c.degrees*math.Sin(angle)
				lon := centre[0] + c.degrees*math.Cos(angle)/math.Cos(centre[1]*math.Pi/180)
				for bearing := 0.0; bearing < 3; bearing += 0.7 { // a step of about 10 m
					const step = 1e-4
					lat2 := lat + step*math.Sin(bearing)
					lon2 := lon + step*math.Cos(bearing)/math.Cos(lat*math.Pi/180)
					p, q := ecef(lon, lat, 0), ecef(lon2, lat2, 0)
					want := math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) +
						(p[2]-q[2])*(p[2]-q[2]))
					x1, y1 := frame.position(lon, lat)
					x2, y2 := frame.position(lon2, lat2)
					got := math.Hypot(x2-x1, y2-y1)
					must.Need(t, math.Abs(got/want-1) <= c.tolerance,
						"centre %v, %v degrees off: %v m, want %v", centre, c.degrees, got, want)
				}
			}
		}
	}
}

func TestGeographicFrameDirections(t *testing.T) {
	u := units{horizontal: math.Pi / 180, major: wgs84Major, flattening: wgs84Flattening}
	frame := newGeographicFrame(2.3, 48.9, u)
	x, y := frame.position(2.3, 48.9)
	must.Hold(t, math.Hypot(x, y) <= 1e-6, "centre at %v %v", x, y)
	x, y = frame.position(2.301, 48.9)
	must.Hold(t, x >= 73, "x is %v, want at least 73", x)
	must.Hold(t, x <= 74, "x is %v, want at most 74", x)
	must.Hold(t, math.Abs(y) <= 0.01, "math.Abs(y) is %v, want at most 0.01", math.Abs(y))
	x, y = frame.position(2.3, 48.901)
	must.Hold(t, math.Abs(x) <= 0.01, "math.Abs(x) is %v, want at most 0.01", math.Abs(x))
	must.Hold(t, y >= 111, "y is %v, want at least 111", y)
	must.Hold(t, y <= 112, "y is %v, want at most 112", y)
}

func TestMetres(t *testing.T) {
	quiet := func(string) {}
	across, along, up := []float64{1000, 1001}, []float64{0, 2}, []float64{10, 11}
	x, y, z, err := Reference{HorizontalUnit: surveyFoot, VerticalUnit: 1}.Metres(parallel.Run{}, across,
		along, up, quiet)
	must.OK(t, err)
	must.Hold(t, near(x[1]-x[0], surveyFoot, 1e-12), "near(x[1]-x[0], surveyFoot, 1e-12) is false")
	must.Hold(t, near(y[1], 2*surveyFoot, 1e-12), "near(y[1], 2*surveyFoot, 1e-12) is false")
	must.Equal(t, z[1], 11, "z[1]")
	degrees := Reference{Kind: Geographic}
	must.Fail(degrees.Metres(parallel.Run{}, across, along, up, quiet))(t, "not angles")
	must.Fail(degrees.Metres(parallel.Run{}, across, along[:1], up, quiet))(t, "coordinates")
}

// TestSame: references are the same by text, else by authority, code and the unit of heights.
func TestSame(t *testing.T) {
	metre := `LOCAL_CS["l",UNIT["metre",1]]`
	one := Reference{WKT: "a", Name: "EPSG:32632", Kind: Projected, HorizontalUnit: 1}
	for change, want := range map[*Reference]bool{
		{WKT: "b", Name: "EPSG:32632", Kind: Projected, HorizontalUnit: 1}:      true,
		{WKT: "b", Name: "EPSG:32632+5773", Kind: Projected, HorizontalUnit: 1}: true,
		{WKT: "a"}: true,
		{WKT: "b", Name: "EPSG:32631", Kind: Projected, HorizontalUnit: 1}:                       false,
		{WKT: "b", Name: "ESRI:32632", Kind: Projected, HorizontalUnit: 1}:                       false,
		{WKT: "b", Name: "EPSG:32632", Kind: Projected, HorizontalUnit: 1, VerticalUnit: 0.3048}: false,
		{WKT: "b", Name: "EPSG:32632", Kind: Geocentric, HorizontalUnit: 1}:                      false,
		{WKT: metre}: false,
		{}:           false,
	} {
		must.Equal(t, one.Same(*change), want, "%+v is the same: one.Same(*change)", change)
		must.Equal(t, change.Same(one), want, "%+v is the same: change.Same(one)", change)
	}
	local := Reference{WKT: metre}
	must.Hold(t, !local.Same(Reference{WKT: metre + " "}), "references without a code are the same")
	for name, want := range map[string]string{"EPSG:32632+5773": "EPSG 32632", "my site": " ",
		"EPSG:x": " ", "": " "} {
		authority, code := Reference{Name: name}.Code()
		must.Hold(t, authority+" "+code == want, "%s: authority %q, code %q", name, authority, code)
	}
}

// FuzzWKT parses spatial references and everything that is read from them.
func FuzzWKT(f *testing.F) {
	f.Add(`COMPD_CS["a",PROJCS["b",UNIT["US survey foot",0.30480060960121924]],VERT_CS["c",UNIT["metre",1]]]`)
	f.Add(`GEOGCRS["WGS 84",DATUM["d",ELLIPSOID["e",6378137,298.2572236]],CS[ellipsoidal,2],AXIS["lat",north],` +
		`UNIT["degree",0.0174532925]]`)
	f.Add(`GEODCRS["x",CS[Cartesian,3],LENGTHUNIT["m","1"]]`)
	f.Add(`BOUNDCRS[SOURCECRS[PROJCRS["x""y",UNIT("m",1)]]]`)
	f.Fuzz(func(t *testing.T, text string) {
		u, err := Reference{WKT: text}.units()
		if err == nil {
			must.Hold(t, u.horizontal > 0, "u.horizontal is %v, want more than 0", u.horizontal)
			must.Hold(t, u.vertical > 0, "u.vertical is %v, want more than 0", u.vertical)
			must.Hold(t, u.horizontal < 1e10, "u.horizontal is %v, want less than 1e10", u.horizontal)
			must.Hold(t, u.vertical < 1e10, "u.vertical is %v, want less than 1e10", u.vertical)
		}
		must.Hold(t, (Reference{WKT: text}).Describe() != "", "no description")
	})
}

// A vertical system has no name if PDAL made it of its unit alone: as PDAL 2.2 and 2.10 write it.
func TestUnnamed(t *testing.T) {
	for wkt, want := range map[string]bool{
		`COMPD_CS["unknown",PROJCS["a"],VERT_CS["unknown",UNIT["metre",1]]]`:    true,
		`COMPD_CS["a + unknown",PROJCS["a"],VERT_CS["",VERT_DATUM["unknown"]]]`: true,
		`COMPD_CS["a + b",PROJCS["a"],VERT_CS["b",VERT_DATUM["unknown"]]]`:      false,
		`PROJCS["unknown",GEOGCS["unknown"]]`:                                   false,
	} {
		must.Equal(t, (Reference{WKT: wkt}).Unnamed(), want, "%s: unnamed", wkt)
	}
}

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
		must.Hold(t, math.Abs(off) <= 1e-9,
			"%v: math.Abs(off) is %v, want at most 1e-9", c.longitudes, math.Abs(off))
		must.Hold(t, math.Abs(east-west-(c.east-c.west)) <= 1e-9,
			"%v: east-west is %v, want %v within 1e-9", c.longitudes, east-west, (c.east - c.west))
	}
}

// TestWideDegreesAreWarnedOf counts both directions, and longitudes by the length they have at their
// latitude.
func TestWideDegreesAreWarnedOf(t *testing.T) {
	for _, c := range []struct {
		longitude, latitude, wide, high float64
		warns                           bool
	}{
		{10, 0, 2.5, 0.1, false}, {10, 0, 3, 0.1, true}, {179, 0, 3, 0.1, true}, {10, 60, 3, 0.1, false},
		{10, 60, 6, 0.1,
			true}, {10, 60, 0.1, 3, true},
	} {
		var warned []string
		degrees := Reference{Kind: Geographic, VerticalUnit: 1}
		x := []float64{c.longitude, math.Remainder(c.longitude+c.wide, 360)}
		y := []float64{c.latitude, c.latitude + c.high}
		warn := func(text string) { warned = append(warned, text) }
		_, _, _, err := degrees.Metres(parallel.Run{}, x, y, []float64{0, 0}, warn)
		must.OK(t, err)
		must.Equal(t, strings.Contains(strings.Join(warned, " "), "300 km"), c.warns,
			"%+v: warned of 300 km, %q", c, warned)
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
		"feet": {Reference{WKT: feet}, 5e6, [3]float64{0.3048006096012192, 0.3048006096012192,
			0.3048006096012192}},
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
		authority, code := (Reference{WKT: text}).Code()
		must.Equal(t, authority, want[0], "%q: authority", text)
		must.Equal(t, code, want[1], "%q: code", text)
	}
}

// TestPrecisionOfFarGroups: a group of any size on any side that makes positions less exact is an error that
// names it and a command that leaves it out; one that does not is a warning.
func TestPrecisionOfFarGroups(t *testing.T) {
	for name, c := range map[string]struct {
		far         int     // points of the group
		at          float64 // its Y
		offset      float64 // of the others: 0.001 is less than the unit of the cloud
		fails       bool
		group, kept string
	}{
		"one point":                      {1, 3e7, 0.25, true, "1 of 500 points", `Y[:15000010`},
		"a few that round the others":    {9, -5.5e6, 0.001, true, "9 of 500 points", `Y[-27`},
		"many that round the others":     {200, -5.5e6, 0.001, true, "200 of 500 points", `Y[-27`},
		"many on the other side":         {200, 5.5e6, 0.001, true, "200 of 500 points", `Y[:27500`},
		"a few that round nothing":       {9, -5.5e6, 0.25, false, "9 of 500 points", `Y[-27`},
		"most of them that round none":   {300, -5.5e6, 0.25, false, "200 of 500 points", `Y[:-2749`},
		"a second site near enough to 0": {100, 3e5, 0.001, false, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			x, y, z := make([]float64, 500), make([]float64, 500), make([]float64, 500)
			for i := range x {
				x[i], y[i], z[i] = float64(i%25)+c.offset, float64(i/25)+c.offset, float64(i%3)
				if i < c.far {
					y[i] = c.at + float64(i%2)
				}
			}
			cloud := must.Get(neighbor.New(x, y, z, parallel.Run{}))(t)
			said := ""
			at := [3][]float64{x, y, z}
			err := CheckPrecision(cloud, at, at, func(text string) { said = text })
			must.Equal(t, err != nil, c.fails, "error %v", err)
			if err != nil {
				said = err.Error()
			}
			must.Say(t, said, c.group, c.kept)
			must.Equal(t, said == "", c.group == "", "it says %q", said)
		})
	}
}

// TestPrecisionAtOnePlace: one point, or several at one place, are no groups, wherever they are.
func TestPrecisionAtOnePlace(t *testing.T) {
	for _, points := range []int{1, 2, 50} {
		for _, at := range []float64{0, 1e7 + 0.1, 1e12 + 0.1, 1e15, -1e300} {
			values := slices.Repeat([]float64{at}, points)
			place := [3][]float64{values, values, values}
			group, command := FarGroup(place, place)
			must.Equal(t, group, "", "%d points at %g: group", points, at)
			must.Equal(t, command, "", "%d points at %g: command", points, at)
		}
	}
}

// TestPrecisionOfLargeViews: a view that is large as a whole is no group.
func TestPrecisionOfLargeViews(t *testing.T) {
	x, y, z := make([]float64, 500), make([]float64, 500), make([]float64, 500)
	for width, words := range map[float64]string{2e5: "", 2.4e6: "is so large", 4e7: "rounded to 0.1"} {
		for i := range x {
			x[i], y[i], z[i] = width*float64(i)/500+0.0013, float64(i/25), float64(i%3)
		}
		said := ""
		cloud := must.Get(neighbor.New(x, y, z, parallel.Run{}))(t)
		at := [3][]float64{x, y, z}
		err := CheckPrecision(cloud, at, at, func(text string) { said = text })
		must.Equal(t, err != nil, width > 3e7, "%g m, unit %v: error %v", width, cloud.Unit, err)
		if err != nil {
			said = err.Error()
		}
		must.Say(t, said, words)
		must.Equal(t, said == "", words == "", "%g m, unit %v: it says %q", width, cloud.Unit, said)
	}
}

// TestRoundedAxes: positions count as rounded if the coordinates of one axis are, also of the
// vertical axis.
func TestRoundedAxes(t *testing.T) {
	for axis, name := range []string{"X", "Y", "Z"} {
		for offset, want := range map[float64]bool{0: false, 0.0013: true} {
			var at [3][]float64
			for a := range at {
				at[a] = []float64{0, 1, 2, 4e7}
			}
			at[axis][1] += offset
			cloud := must.Get(neighbor.New(at[0], at[1], at[2], parallel.Run{}))(t)
			must.Equal(t, isRounded(cloud, at), want,
				"%s of a point is %v m beside whole metres", name, offset)
		}
	}
}
