// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/testdata/heights"
	"superpoint/testdata/must"
)

// filesOfMistakes writes the files that TestMistakes names, and returns their paths by name.
func filesOfMistakes(t *testing.T) (at func(name string) string) {
	at = place(t)
	translate := func(name string, x float64, srs string) {
		in, _ := houseFile(t, 500000+x, 5400000, 1)
		options := stage{"type": "writers.las", "filename": at(name), "offset_x": "auto"}
		if srs != "" {
			options["a_srs"] = srs
		}
		pipeline(t, nil, in, options).ok(t)
	}
	translate("a.las", 0, utm)
	translate("b.las", 24, "EPSG:25832")
	translate("none.las", 24, "")
	translate("near.las", 20, utm)
	house, _ := houseFile(t, 500024, 5400000, 1)
	pipeline(t, nil, house, stage{"type": "writers.ply", "filename": at("none.ply")}).ok(t)
	must.OK(t, os.Link(at("a.las"), at("copy.las")))
	must.OK(t, os.Symlink("nowhere.laz", at("link.laz")))
	for name, text := range map[string]string{"points.txt": "X,Y,Z\n1,2,3\n2,3,3\n3,3,4\n",
		"bad.txt": "X,Y,Z\n1,2,3\n2,inf,3\n3,3,4\n", "abc.txt": "A,B,C\n1,2,3\n2,3,4\n", "numbers.txt": "1,2,3\n2,3,4\n",
		"notes.md": "no cloud", "rules.laz": "no cloud", "rules.yaml": "name: x\nclasses: [{code: 2, name: a}, {code: 6, " +
			"name: b}]\nlabels: [{files: '*', codes: {77: [a]}}]\n"} {
		put(t, at(name), text)
	}
	must.OK(t, os.Link(heights.File(t), at("classes.safetensors")))
	for _, format := range []int{4, 9} {
		f := randomFile(rand.New(rand.NewPCG(1, 1)), format, -1, false)
		must.OK(t, f.Write(at(fmt.Sprintf("waves%d.las", format))))
	}
	return at
}

// TestMistakes makes mistakes of users: each is refused before any work, with the user's file, the reason and the
// remedy, and leaves nothing behind or changed.
func TestMistakes(t *testing.T) {
	t.Parallel()
	at := filesOfMistakes(t)
	other := []string{"b.las: its spatial reference (EPSG:25832) is not that of ", "a.las (EPSG:32632)", "reproject"}
	missing := []string{"none.las: its spatial reference (none) is not that of ", "a.las", "--default_srs"}
	twice := []string{"a.las and ", "copy.las have the same points; leave one of them out"}
	for _, c := range []struct {
		args string // without superpoint; names of files have a dot, that of the output comes last
		want []string
	}{
		{"map a.las b.las new.d", other},
		{"map a.las none.las new.d", missing},
		{"map a.las none.ply new.d", []string{"none.ply: its spatial reference (none) is not that of ", "--default_srs"}},
		{"map --default_srs EPSG:25832 a.las none.las new.d", []string{"none.las: its spatial reference (EPSG:25832)"}},
		{"map a.las copy.las new.d", twice},
		{"objects a.las b.las new.gpkg", other},
		{"objects a.las copy.las new.gpkg", twice},
		{"outline a.las b.las new.gpkg", other},
		{"survey plan a.las points.txt --output new.d",
			[]string{"points.txt: surveys are of LAS, LAZ and COPC", "pdal translate"}},
		{"survey plan a.las rules.laz points.txt --output new.d", []string{"rules.laz: it is no LAS or LAZ file",
			"points.txt: surveys are of LAS", "2 of 3 files cannot be read; correct them or leave them out"}},
		{"map a.las rules.laz waves4.las new.d", []string{"rules.laz: it is no LAS or LAZ file",
			"waves4.las: PDAL does not read", "2 of 3 files cannot be read; correct them or leave them out"}},
		{"outline a.las rules.laz new.gpkg", []string{"rules.laz: it is no LAS or LAZ file"}},
		{"objects a.las rules.laz new.gpkg", []string{"rules.laz: it is no LAS or LAZ file"}},
		{"segment bad.txt new.laz", []string{"bad.txt: line 3: 'inf' is not a number; remove the line"}},
		{"table bad.txt new.csv", []string{"bad.txt: line 3: 'inf' is not a number"}},
		{"segment waves4.las new.laz", []string{"waves4.las: PDAL does not read", "(LAS point format 4)", "format 1"}},
		{"info waves9.las new.laz", []string{"waves9.las: PDAL does not read", "(LAS point format 9)", "format 6"}},
		{"map waves4.las new.d", []string{"waves4.las: PDAL does not read"}},
		{"segment rules.laz new.laz", []string{"rules.laz: it is no LAS or LAZ file"}},
		{"segment --default_srs EPSG:999999 none.las new.laz", []string{"reference 'EPSG:999999' is unknown"}},
		{"segment --where Foo>2 a.las new.laz", []string{"option where: Unknown dimension 'Foo'", "info lists"}},
		{"segment --where Z=2 a.las new.laz", []string{"option where: ", " is not an expression of PDAL",
			"like Classification == 2"}},
		{"classify --labels a.las near.las new.laz", []string{"a.las: GDAL cannot read it; name a table (.csv)"}},
		{"segment abc.txt new.laz",
			[]string{"abc.txt: line 1: it has no columns X and Y", "the first line names the columns"}},
		{"info abc.txt", []string{"abc.txt: line 1: it has no columns X and Y"}},
		{"info numbers.txt", []string{"numbers.txt: line 1: it does not name the columns"}},
		{"info no.las", []string{"no.las: No such file or directory; check its name"}},
		{"segment link.laz new.laz", []string{"link.laz: no such file"}},
		{"info link.laz", []string{"link.laz: No such file"}},
		{"segment --area none.gpkg a.las new.laz", []string{"option area: ", "none.gpkg: no such file"}},
		{"segment notes.md new.laz", []string{"notes.md: PDAL knows no reader", "pdal --drivers"}},
		{"info classes.safetensors", []string{"PDAL knows no reader", "classifiers with --classes"}},
		{"segment --model classes.safetensors a.las new.laz",
			[]string{"it is a classifier; name it with the option classes"}},
		{"segment --model a.las near.las new.laz", []string{"a.las", "it is a point cloud; name a .safetensors file"}},
		{"outline new.gpkg a.las", []string{"a.las: the output, the last name, is a GeoPackage"}},
		{"outline a.las new.gpkg", []string{"a.las", "SuperpointID", "pdal superpoint segment IN OUT", "--id"}},
		{"outline a.las new.nothing", []string{"new.nothing", "is a GeoPackage (.gpkg) or GeoJSON"}},
		// pdal takes options with one dash apart, into -t -r -u -t, and keeps -h of
		{"eval -truth Classification new.laz", []string{"-t: options have two dashes, as --output"}},
		{"render --azimuth -400 a.las new.png", []string{`"-400" for "--azimuth"`, "from -360 to 360"}},
		{"nonsense new.laz", []string{"nonsense", "eval", "render"}},
		{"train --output new.safetensors", []string{"train", "--input"}},
		{"train --classes rules.yaml a.las new.safetensors",
			[]string{"a.las: the rules have no class for any of its labels"}},
		{"train --classes rules.yaml a.las near.las", []string{"near.las does not end in .safetensors; name another"}},
		{"eval a.las --output b.las", []string{"b.las is not replaced", "name another output, or add --force"}},
		{"survey plan --tile 1e-2 a.las --output new.d", []string{"option tile: 0.01 m makes ", "take larger tiles"}},
	} {
		args := append([]string{"superpoint"}, strings.Fields(c.args)...)
		for k, name := range args {
			if strings.Contains(name, ".") {
				args[k] = at(name)
			}
		}
		t.Run(c.args, func(t *testing.T) {
			out := args[len(args)-1]
			before, _ := os.ReadFile(out) // of a file that is no output
			o := pdal(t, nil, args...)
			if after, _ := os.ReadFile(out); before != nil && bytes.Equal(after, before) {
				out += ".none"
			}
			refused(t, o, out, c.want...)
		})
	}
}

// TestWarningsBesideResults: what is no mistake, but may be one, is said once.
func TestWarningsBesideResults(t *testing.T) {
	t.Parallel()
	at := filesOfMistakes(t)
	pipeline(t, nil, at("a.las"), stage{"type": "filters.range", "limits": "Z[9999:]"}, writer(at("zero.las"))).ok(t)
	o := pipeline(t, nil, at("zero.las"), superpoint(nil), writer(at("still-zero.las"))).ok(t)
	if !strings.Contains(o.stderr, "nothing to segment: the input has no points") {
		t.Errorf("no warning of an empty view: %q", o.stderr)
	}
	segment(t, at("zero.las"), at("zero-again.las")).ok(t)
	o = do(t, "survey", "plan", "--output", at("plan"), at("zero.las"), at("a.las"))
	if !strings.Contains(o.stdout, "3,000 points in 1 file") || !strings.Contains(o.stderr, "zero.las: it has no points") {
		t.Errorf("a survey with an empty file: %s%s", o.stdout, o.stderr)
	}
	want := "near.las overlap by 4 × 24 m (17 % of the area of all); points in both are counted twice"
	a, b := at("a.las"), at("near.las")
	for _, args := range [][]string{
		{"map", a, b, at("map")}, {"segment", a, b, at("tiles") + "/"}, {"survey", "plan", "--output", at("survey"), a, b},
	} {
		if o = do(t, args...); !strings.Contains(o.stderr, want) {
			t.Errorf("%v: %s\nlacks %q", args, o.stderr, want)
		}
	}
	o = do(t, "map", at("none.las"), at("once"))
	if strings.Count(o.stderr, "none.las: the view has no spatial reference") != 1 ||
		strings.Count(o.stderr, "the view") != 1 {
		t.Errorf("one warning is wanted of no reference: %s", o.stderr)
	}
}

// refused fails the test unless pdal ended with exit code 1, said every one of
// the words, and left nothing at path.
func refused(t *testing.T, o outcome, path string, words ...string) {
	t.Helper()
	if o.code != 1 {
		t.Errorf("exit code %d, want 1", o.code)
	}
	for _, word := range words {
		if !strings.Contains(o.stderr, word) {
			t.Errorf("the message does not say %q: %s", word, strings.TrimSpace(o.stderr))
		}
	}
	if _, err := os.Stat(path); err == nil {
		t.Errorf("an output file was left behind")
	}
}

// TestWrongOptions has an option of each kind of error; all others are in the tests of filter.
func TestWrongOptions(t *testing.T) {
	t.Parallel()
	in, _ := houseFile(t, 0, 0, 1)
	folder := t.TempDir()
	corrupt := filepath.Join(folder, "corrupt.safetensors")
	must.OK(t, os.WriteFile(corrupt, []byte("this is not a model"), 0o666))
	for _, c := range []struct {
		name    string
		options stage
		words   []string // what was wrong, and the remedy
	}{
		{"unknown option", stage{"colour": true}, []string{"colour"}},
		{"unknown method", stage{"method": "spp"}, []string{"method", "spp", "ssp, "}},
		{"coordinates as ids", stage{"dimension": "X"}, []string{"dimension", "X", "ClusterID"}},
		{"quotes", stage{"model": `a "quoted" \ model` + "\t\n"}, []string{"model", "quoted"}},
		{"missing labels", stage{"vote": "Klassification"}, []string{"vote", "Klassification", "Classification"}},
		{"missing model", stage{"model": filepath.Join(folder, "none.safetensors")}, []string{"model", "none.safetensors"}},
		{"corrupt model", stage{"model": corrupt}, []string{"corrupt.safetensors"}},
		{"option that the model sets", stage{"model": "aerial", "knn": 9},
			[]string{"option knn: 9", "aerial", "20 neighbours"}},
		{"no such device", stage{"method": "vccs", "device": "cuda:99"}, []string{"cuda:99", "not available"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(folder, "out.las")
			refused(t, pipeline(t, nil, reader(in), superpoint(c.options), writer(out)), out,
				append(c.words, "filters.superpoint")...)
		})
	}
}

// TestPointsOutsideBounds: points that the header does not bound are warned of, as they may be damaged.
func TestPointsOutsideBounds(t *testing.T) {
	t.Parallel()
	path, p := houseFile(t, 0, 0, 1)
	text := must.Get(os.ReadFile(path))(t)
	const largestX = 179
	binary.LittleEndian.PutUint64(text[largestX:], math.Float64bits(slices.Max(p.X)-3))
	must.OK(t, os.WriteFile(path, text, 0o666))
	o := do(t, "segment", path, filepath.Join(t.TempDir(), "b.laz"))
	if !strings.Contains(o.stderr, "they are damaged, or the header is wrong") {
		t.Error(o.stderr)
	}
}
