// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// The reference system of UTM zone 32 in notations of OGC, ISO and Esri.
const (
	wktGeographic = `GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],` +
		`UNIT["degree",0.0174532925199433]]`
	wktParameters = `PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],` +
		`PARAMETER["central_meridian",9],PARAMETER["scale_factor",0.9996],` +
		`PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1]`
	wkt1 = `PROJCS["WGS 84 / UTM zone 32N",` + wktGeographic + `,` + wktParameters +
		`,AUTHORITY["EPSG","32632"]]`
	wktNoCode = `PROJCS["WGS84 / UTM 32",` + wktGeographic + `,` + wktParameters + `,AXIS["Easting",EAST],` +
		`AXIS["Northing",NORTH]]`
	wktEsri = `PROJCS["WGS_1984_UTM_Zone_32N",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,` +
		`298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],` +
		`PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",9.0],` +
		`PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]`
	wkt2 = `PROJCRS["WGS 84 / UTM zone 32N",BASEGEOGCRS["WGS 84",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",` +
		`6378137,298.257223563,LENGTHUNIT["metre",1]]],PRIMEM["Greenwich",0,ANGLEUNIT["degree",0.0174532925199433]]],` +
		`CONVERSION["UTM zone 32N",METHOD["Transverse Mercator",ID["EPSG",9807]],PARAMETER["Latitude of natural origin",0,` +
		`ANGLEUNIT["degree",0.0174532925199433],ID["EPSG",8801]],PARAMETER["Longitude of natural origin",9,` +
		`ANGLEUNIT["degree",0.0174532925199433],ID["EPSG",8802]],PARAMETER["Scale factor at natural origin",0.9996,` +
		`SCALEUNIT["unity",1],ID["EPSG",8805]],PARAMETER["False easting",500000,LENGTHUNIT["metre",1],ID["EPSG",8806]],` +
		`PARAMETER["False northing",0,LENGTHUNIT["metre",1],ID["EPSG",8807]]],CS[Cartesian,2],AXIS["(E)",east,ORDER[1],` +
		`LENGTHUNIT["metre",1]],AXIS["(N)",north,ORDER[2],LENGTHUNIT["metre",1]],ID["EPSG",32632]]`
	geocentric2 = `GEODCRS["WGS 84",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563]],` +
		`CS[Cartesian,3],AXIS["(X)",geocentricX,ORDER[1]],AXIS["(Y)",geocentricY,ORDER[2]],` +
		`AXIS["(Z)",geocentricZ,ORDER[3]],LENGTHUNIT["metre",1]]`
	geocentric1 = `GEOCCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],` +
		`UNIT["metre",1],AXIS["Geocentric X",OTHER],AXIS["Geocentric Y",OTHER],AXIS["Geocentric Z",NORTH]]`
	depth1 = `COMPD_CS["c",` + wkt1 +
		`,VERT_CS["MSL depth",VERT_DATUM["Mean Sea Level",2005],UNIT["metre",1],` +
		`AXIS["Depth",DOWN]]]`
	depth2 = `COMPOUNDCRS["c",` + wkt2 + `,VERTCRS["MSL depth",VDATUM["Mean Sea Level"],CS[vertical,1],` +
		`AXIS["depth (D)",down],LENGTHUNIT["metre",1]]]`
	feetUp = `COMPD_CS["c",` + wkt1 +
		`,VERT_CS["h",VERT_DATUM["Mean Sea Level",2005],UNIT["foot",0.3048],AXIS["Up",UP]]]`
	metresUp = `COMPD_CS["c",` + wkt1 +
		`,VERT_CS["h",VERT_DATUM["Mean Sea Level",2005],UNIT["metre",1],AXIS["Up",UP]]]`
)

// referenceFile writes a house whose reference is that text; the second one is beside the first.
func referenceFile(t *testing.T, wkt string, second bool) string {
	t.Helper()
	p, name := house(500000, 5400000, 1), "in.las"
	if second {
		p, name = house(500024, 5400000, 2), "second.las"
	}
	p.WKT = wkt
	path := filepath.Join(t.TempDir(), name)
	must.OK(t, las.WriteFile(path, p, 0.001))
	return path
}

// TestUnusableReferences: clouds whose Z is not up, or whose unit cannot be read, are refused by every
// command and the stage, with the remedy, which works.
func TestUnusableReferences(t *testing.T) {
	t.Parallel()
	const override = "--override_srs"
	for _, c := range []struct{ name, wkt, want, remedy string }{
		{"WKT 1 geocentric", geocentric1, "geocentric", "filters.reprojection"},
		{"WKT 2 geocentric", geocentric2, "geocentric", "filters.reprojection"},
		{"WKT 1 depth", depth1, "depth", "filters.assign"},
		{"WKT 2 depth", depth2, "depth", "filters.assign"},
		{"a bracket too many", strings.Replace(metresUp, `UNIT["metre",1],AUTH`, `UNIT["metre",1]],AUTH`, 1),
			"cannot be read",
			override},
		{"a bracket too few", wkt1[:len(wkt1)-1], "cannot be read", override},
		{"an unknown keyword", strings.Replace(wkt1, "PROJCS", "PROJCX", 1), "cannot be read", override},
		{"a height only", `VERT_CS["h",VERT_DATUM["Mean Sea Level",2005],UNIT["metre",1],AXIS["Up",UP]]`,
			"cannot be read",
			override},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			one, other := referenceFile(t, c.wkt, false), referenceFile(t, c.wkt, true)
			out := filepath.Join(t.TempDir(), "out.las")
			refused(t, segment(t, "--default_srs", utm, one, out), out, "in.las", c.want, c.remedy)
			refused(t, try(t, "survey", "plan", one, other, "--output", out+".d"), out+".d/plan.json",
				"in.las", c.want)
			refused(t, pipeline(t, nil, one, superpoint(nil), writer(out)), out, c.want)
			if c.want == "depth" {
				heights := filepath.Join(t.TempDir(), "heights.las")
				pipeline(t, nil, one, stage{"type": "filters.assign", "value": "Z = 0 - Z"},
					writer(heights)).ok(t)
				z := read(t, heights).Z[5]
				must.Hold(t, math.Abs(z+read(t, one).Z[5]) <= 0.001, "the remedy makes the height %v", z)
				one = heights
			}
			segment(t, "--override_srs", utm, one, out).ok(t)
			got := read(t, out)
			must.Say(t, got.WKT, "32632")
			must.Hold(t, got.Extra["SuperpointID"] != nil, `got.Extra["SuperpointID"] is nil`)
		})
	}
}

// TestOverrideOfAllCommands: every command refuses a reference that cannot be read, and takes another one
// instead.
func TestOverrideOfAllCommands(t *testing.T) {
	folder := t.TempDir()
	p := house(500000, 5400000, 1)
	p.WKT, p.Extra = strings.Replace(wkt1, "PROJCS", "PROJCX", 1), map[string][]float64{"SuperpointID": nil}
	for i := range p.Len() {
		p.Classification[i] = uint8(2 + i%2*4)
		p.Extra["SuperpointID"] = append(p.Extra["SuperpointID"], float64(1+i%2))
	}
	in := filepath.Join(folder, "in.las")
	must.OK(t, las.WriteFile(in, p, 0.001))
	commands := everyCommand(t, folder, in)
	for _, name := range slices.Sorted(maps.Keys(commands)) {
		if name == "train" {
			continue
		}
		args := slices.Concat([]string{"superpoint"}, strings.Fields(name), commands[name])
		o := pdal(t, nil, args...)
		if name != "survey run" {
			must.Equal(t, o.code == 0, name == "info", "%s: o.code == 0", name)
			must.Hold(t, strings.Contains(o.stdout+o.stderr, "set the right one with --override_srs"),
				"%s: got %q, want %q in it",
				name, o.stdout+o.stderr, "set the right one with --override_srs")
		}
		if name == "compare" || name == "survey run" { // takes a minute, is done
			continue
		}
		o = pdal(t, nil, append(args, "--override_srs", utm)...).ok(t)
		must.Hold(t, !strings.Contains(o.stderr, "--default_srs"), "%s says %s", name, o.stderr)
	}
	for _, path := range []string{"tiles/out/in.las", "segment.las", "classified.las", "map/points/in.las"} {
		got := read(t, filepath.Join(folder, path)).WKT
		must.Hold(t, strings.Contains(got, "32632"), "%s: got %q, want %q in it", path, got, "32632")
		must.Hold(t, !strings.Contains(got, "PROJCX"),
			"%s: got %q, want no %q in it", path, got, "PROJCX")
	}
	unknown := filepath.Join(folder, "unknown.gpkg")
	refused(t, try(t, "outline", "--override_srs", "EPSG:999999", in, unknown), unknown, "is unknown")
}

// TestWarningsNameTheirFile: every warning of every command about a cloud names its file, or the folder of
// its survey.
func TestWarningsNameTheirFile(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	p := house(500000, 5400000, 1)
	p.Extra = map[string][]float64{"SuperpointID": nil}
	for i := range p.Len() {
		p.Extra["SuperpointID"] = append(p.Extra["SuperpointID"], float64(1+i%2))
	}
	in := filepath.Join(folder, "in.las")
	must.OK(t, las.WriteFile(in, p, 0.001))
	commands := everyCommand(t, folder, in)
	named := regexp.MustCompile(`\b(in\.las|tiles)\b`)
	for _, name := range slices.Sorted(maps.Keys(commands)) {
		if name == "train" || name == "compare" { // take minutes
			continue
		}
		o := pdal(t, nil, slices.Concat([]string{"superpoint"}, strings.Fields(name), commands[name])...)
		warnings := 0
		for line := range strings.Lines(o.ok(t).stderr) {
			if strings.Contains(line, "Warning)") {
				warnings++
				must.Hold(t, named.MatchString(line), "%s: a warning names no file: %s", name, line)
				must.Hold(t, !strings.Contains(line, "further file"), "%s has one file: %s", name, line)
			}
		}
		if name != "table" && name != "graph" && name != "info" {
			must.Hold(t, warnings > 0, "%s does not say that the file has no reference", name)
		}
	}
}

// TestNotations: one reference system in several notations is one; systems that differ in heights are not.
func TestNotations(t *testing.T) {
	t.Parallel()
	one := referenceFile(t, wkt1, false)
	for name, c := range map[string]struct {
		wkt  string
		want string // of the error; "" = the same
	}{
		"WKT 2": {wkt2, ""}, "no code": {wktNoCode, ""}, "Esri": {wktEsri, ""},
		"heights in metres": {metresUp, ""},
		"transformation": {strings.Replace(wktNoCode, "298.257223563]",
			"298.257223563],\n TOWGS84[1,2,3,0,0,0,0]", 1), ""},
		"other zone": {strings.NewReplacer(`meridian",9]`, `meridian",15]`, "32632", "32633").Replace(wkt1),
			"EPSG:32633"},
		"heights in feet": {feetUp, "spatial reference"}, "none": {"", "--default_srs"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			other := referenceFile(t, c.wkt, true)
			folder := t.TempDir()
			plan := try(t, "survey", "plan", one, other, "--output", folder)
			outlines := try(t, "outline", "--id", "Classification", one, other,
				filepath.Join(folder, "o.geojson"))
			if c.want == "" {
				plan.ok(t)
				outlines.ok(t)
				return
			}
			refused(t, plan, filepath.Join(folder, "plan.json"), "spatial reference")
			refused(t, outlines, filepath.Join(folder, "o.geojson"), c.want)
		})
	}
}

// TestReferencesOfWKT2: references that well-known text 1 does not have are read, and results keep their
// record.
func TestReferencesOfWKT2(t *testing.T) {
	t.Parallel()
	const axes = `CS[ellipsoidal,3],AXIS["latitude",north,ORDER[1],ANGLEUNIT["degree",0.0174532925199433]],AXIS["longitude",` +
		`east,ORDER[2],ANGLEUNIT["degree",0.0174532925199433]],AXIS["ellipsoidal height (h)",up,ORDER[3],LENGTHUNIT["metre",1]]`
	const space = `GEOGCRS["WGS 84",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563,LENGTHUNIT[` +
		`"metre",1]]],PRIMEM["Greenwich",0],` + axes + `,ID["EPSG",4979]]`
	p := &las.Points{WKT: space}
	for i := range 900 {
		p.X, p.Y, p.Z = append(p.X, 9+float64(i%30)*1e-5), append(p.Y, 49+float64(i/30)*1e-5),
			append(p.Z, float64(i%7))
	}
	folder := t.TempDir()
	in := filepath.Join(folder, "space.las")
	f := must.Get(p.File(las.Layout{Scale: 1e-7}))(t)
	must.OK(t, f.Write(in))
	for _, name := range []string{"out.las", "out.laz"} {
		out := filepath.Join(folder, name)
		o := do(t, "segment", "--model", "geometric", in, out)
		must.Hold(t, !strings.Contains(o.stderr, "ERROR"),
			"%s: got %q, want no %q in it", name, o.stderr, "ERROR")
		must.Hold(t, !strings.Contains(o.stderr, "WKT"),
			"%s: got %q, want no %q in it", name, o.stderr, "WKT")
		kept := strings.Contains(string(must.Get(os.ReadFile(out))(t)), space)
		must.Hold(t, kept, "%s does not have the record of the reference", name)
	}
	checkOverrideOfWKT2(t, in, filepath.Join(folder, "set.las"))
	unitless := filepath.Join(folder, "local.las")
	p.WKT = `LOCAL_CS["site"]`
	must.OK(t, las.WriteFile(unitless, p, 0.001))
	o := do(t, "segment", "--model", "geometric", unitless, filepath.Join(folder, "site.las"))
	must.Say(t, o.stderr, "'site' has no unit; coordinates are taken as metres", "--override_srs")
}

// checkOverrideOfWKT2 sets a reference that well-known text 1 does not have: GDAL 3.10 writes it as a
// compound one with heights above the ellipsoid, which it reads as the same; GDAL before refuses.
func checkOverrideOfWKT2(t *testing.T, in, out string) {
	t.Helper()
	o := try(t, "segment", "--override_srs", "EPSG:4979", in, out)
	if o.code != 0 {
		refused(t, o, out, "space.las", "EPSG:4326 in place of")
		return
	}
	got := read(t, out).WKT
	must.Say(t, got, `AUTHORITY["EPSG","4326"]`, `VERT_CS["Ellipsoid (metre)"`)
}

// withKeys adds GeoTIFF keys (OGC 19-008r4) to a LAS 1.4 file.
func withKeys(t *testing.T, path string, text bool, keys ...uint16) {
	t.Helper()
	b := must.Get(os.ReadFile(path))(t)
	record := make([]byte, 54)
	copy(record[2:], "LASF_Projection")
	le.PutUint16(record[18:], 34735)
	le.PutUint16(record[20:], uint16(8+4*len(keys)))
	for _, v := range []uint16{1, 1, 0, uint16(len(keys) / 2)} {
		record = le.AppendUint16(record, v)
	}
	for k := 0; k < len(keys); k += 2 {
		for _, v := range []uint16{keys[k], 0, 1, keys[k+1]} {
			record = le.AppendUint16(record, v)
		}
	}
	head := int(le.Uint16(b[94:]))
	if !text { // the reference is not well-known text
		le.PutUint16(b[6:], le.Uint16(b[6:])&^16)
	}
	le.PutUint32(b[96:], le.Uint32(b[96:])+uint32(len(record)))
	le.PutUint32(b[100:], le.Uint32(b[100:])+1)
	must.OK(t, os.WriteFile(path, append(append(append([]byte{}, b[:head]...), record...), b[head:]...),
		0o666))
}

// TestGeoTIFFKeys: the result has the reference that keys state by a code, also where PDAL does not read it;
// units without a code, which PDAL takes as metres or not at all, are refused.
func TestGeoTIFFKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		keys []uint16
		code string // of the result; "" = refused
		wkt  string // of the file too
	}{
		{"unit only, beside text", []uint16{1024, 1, 3076, 9003}, "32632", wkt1},
		{"code", []uint16{1024, 1, 3072, 32632}, "32632", ""},
		{"code and units", []uint16{1024, 1, 3072, 32632, 3076, 9001, 4099, 9001}, "32632", ""},
		{"code in feet", []uint16{1024, 1, 3072, 2263, 3076, 9003}, "2263", ""},
		{"unit only", []uint16{1024, 1, 3076, 9003}, "", ""},
		{"no code", []uint16{1024, 1, 3072, 32767, 3076, 9002}, "", ""},
		{"unit of heights only", []uint16{1024, 1, 4099, 9003}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := referenceFile(t, c.wkt, false)
			withKeys(t, in, c.wkt != "", c.keys...)
			out := filepath.Join(t.TempDir(), "out.las")
			o := segment(t, in, out)
			if c.code == "" {
				refused(t, o, out, "in.las", "GeoTIFF keys", "--override_srs")
				segment(t, "--override_srs", "EPSG:2263", in, out).ok(t)
				c.code = "2263"
			}
			got := read(t, out)
			must.Hold(t, strings.Contains(got.WKT, `"EPSG","`+c.code+`"]]`),
				"%s: got %q, want %q in it", o.stderr, got.WKT, `"EPSG","`+c.code+`"]]`)
			must.Hold(t, !strings.Contains(got.WKT, "unknown"),
				"%s: got %q, want no %q in it", o.stderr, got.WKT, "unknown")
		})
	}
}

// TestNoFlagOfWKT: files of point format 6 without the flag of WKT, as laspy writes them, are read without a
// message.
func TestNoFlagOfWKT(t *testing.T) {
	t.Parallel()
	at := place(t)
	in, _ := houseFile(t, 0, 0, 1)
	pipeline(t, nil, in, stage{"type": "writers.las", "filename": at("a.las"), "minor_version": 4,
		"dataformat_id": 6,
		"a_srs":         "EPSG:32632"}).ok(t)
	text := must.Get(os.ReadFile(at("a.las")))(t)
	const encoding, flag = 6, 1 << 4
	must.Need(t, text[encoding]&flag != 0, "the flag is not set")
	text[encoding] &^= flag
	must.OK(t, os.WriteFile(at("a.las"), text, 0o666))
	for _, args := range []string{"info IN", "segment IN OUT.laz", "render IN OUT.png",
		"eval IN --truth Intensity",
		"survey plan IN --output OUT"} {
		args = strings.NewReplacer("IN", at("a.las"), "OUT", at("out")).Replace(args)
		o := do(t, strings.Fields(args)...)
		must.Hold(t, !strings.Contains(o.stderr, "flag not set"), "%s: %s", args, o.stderr)
	}
}

// TestOverrideOfKeys: the stage measures in the unit of override_srs, whatever GeoTIFF keys the file has.
func TestOverrideOfKeys(t *testing.T) {
	t.Parallel()
	weight := func(t *testing.T, in stage) any {
		o := pipeline(t, nil, in, superpoint(nil), stage{"type": "writers.null"}).ok(t)
		must.Need(t, o.stage[0]["spatial_weight"] != nil, "no weight, which depends on the spacing in metres")
		return o.stage[0]["spatial_weight"]
	}
	want := weight(t, reader(referenceFile(t, wkt1, false)))
	for _, c := range []struct {
		name string
		keys []uint16
	}{
		{"code in feet", []uint16{1024, 1, 3072, 2263, 3076, 9003}},
		{"unit only", []uint16{1024, 1, 3076, 9003}},
		{"unit without a code", []uint16{1024, 1, 3072, 32767, 3076, 9002}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := referenceFile(t, "", false)
			withKeys(t, in, false, c.keys...)
			must.Equal(t, weight(t, stage{"type": "readers.las", "filename": in, "override_srs": utm}), want,
				"spatial_weight, as with the reference in the file")
		})
	}
}
