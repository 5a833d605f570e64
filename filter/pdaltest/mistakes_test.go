// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"superpoint/filter/message"
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
		"bad.txt": "X,Y,Z\n1,2,3\n2,inf,3\n3,3,4\n", "abc.txt": "A,B,C\n1,2,3\n2,3,4\n",
		"numbers.txt": "1,2,3\n2,3,4\n",
		"notes.md":    "no cloud", "rules.laz": "no cloud",
		"rules.yaml": "name: x\nclasses: [{code: 2, name: a}, {code: 6, " +
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

// TestMistakes makes mistakes of users: each is refused before any work, with the user's file, the reason and
// the remedy, and leaves nothing behind or changed.
func TestMistakes(t *testing.T) {
	t.Parallel()
	at := filesOfMistakes(t)
	other := []string{"b.las: its spatial reference (EPSG:25832) is not that of ",
		"a.las (EPSG:32632)", "reproject"}
	missing := []string{"none.las: its spatial reference (none) is not that of ", "a.las", "--default_srs"}
	twice := []string{"a.las and ", "copy.las have the same points; leave one of them out"}
	for _, c := range []struct {
		args string // without superpoint; names of files have a dot, the output comes last
		want []string
	}{
		{"map a.las b.las new.d", other},
		{"map a.las none.las new.d", missing},
		{"map a.las none.las b.las new.d", append(other, "the same in 1 further file: none.las (none)")},
		{"survey plan a.las b.las none.las --output new.d",
			append(other, "the same in 1 further file: none.las (none)")},
		{"map a.las none.ply new.d", []string{"none.ply: its spatial reference (none) is not that of ",
			"--default_srs"}},
		{"map --default_srs EPSG:25832 a.las none.las new.d",
			[]string{"none.las: its spatial reference (EPSG:25832)"}},
		{"map a.las copy.las new.d", twice},
		{"objects a.las b.las new.gpkg", other},
		{"objects a.las copy.las new.gpkg", twice},
		{"outline a.las b.las new.gpkg", other},
		{"outline a.las copy.las new.gpkg", twice},
		{"outline a.las none.las new.gpkg", missing},
		{"survey plan a.las points.txt --output new.d",
			[]string{"points.txt: surveys are of LAS, LAZ and COPC", "pdal translate"}},
		{"survey plan a.las rules.laz points.txt --output new.d",
			[]string{"rules.laz: it is no LAS or LAZ file",
				"points.txt: surveys are of LAS",
				"2 of 3 files cannot be read; correct them or leave them out"}},
		{"map --strict a.las rules.laz waves4.las new.d", []string{"rules.laz: it is no LAS or LAZ file",
			"waves4.las: PDAL does not read", "2 of 3 files cannot be read; correct them or leave them out"}},
		{"outline a.las rules.laz new.gpkg", []string{"rules.laz: it is no LAS or LAZ file"}},
		{"objects a.las rules.laz new.gpkg", []string{"rules.laz: it is no LAS or LAZ file"}},
		{"segment bad.txt new.laz", []string{"bad.txt: line 3: 'inf' is not a number; remove the line"}},
		{"table bad.txt new.csv", []string{"bad.txt: line 3: 'inf' is not a number"}},
		{"segment waves4.las new.laz", []string{"waves4.las: PDAL does not read", "(LAS point format 4)",
			"format 1"}},
		{"info waves9.las new.laz", []string{"waves9.las: PDAL does not read", "(LAS point format 9)",
			"format 6"}},
		{"map waves4.las new.d", []string{"waves4.las: PDAL does not read"}},
		{"segment rules.laz new.laz", []string{"rules.laz: it is no LAS or LAZ file"}},
		{"segment --default_srs EPSG:999999 none.las new.laz",
			[]string{"reference 'EPSG:999999' is unknown"}},
		{"segment --where Foo>2 a.las new.laz", []string{"option where: Unknown dimension 'Foo'",
			"info lists"}},
		{"segment --where Z=2 a.las new.laz", []string{"option where: ", " is not an expression of PDAL",
			"like Classification == 2"}},
		{"classify --labels a.las near.las new.laz",
			[]string{"a.las: GDAL cannot read it; name a table (.csv)"}},
		{"segment abc.txt new.laz",
			[]string{"abc.txt: line 1: it has no columns X and Y", "the first line names the columns"}},
		{"info abc.txt", []string{"abc.txt: line 1: it has no columns X and Y"}},
		{"info numbers.txt", []string{"numbers.txt: line 1: it does not name the columns"}},
		{"info no.las", []string{"no.las: No such file or directory; check its name"}},
		{"segment link.laz new.laz", []string{"link.laz: no such file"}},
		{"info link.laz", []string{"link.laz: No such file"}},
		{"segment --area none.gpkg a.las new.laz", []string{"option area: ", "none.gpkg: no such file"}},
		{"segment notes.md new.laz", []string{"notes.md: PDAL knows no reader", "pdal --drivers"}},
		{"info classes.safetensors", []string{"PDAL knows no reader", "classifiers with --classifier"}},
		{"segment --model classes.safetensors a.las new.laz",
			[]string{"it is a classifier; name it with the option classes"}},
		{"segment --model a.las near.las new.laz",
			[]string{"a.las", "it is a point cloud; name a .safetensors file"}},
		{"outline new.gpkg a.las", []string{"a.las: the output, the last name, is a GeoPackage"}},
		{"outline a.las new.gpkg", []string{"a.las", "SuperpointID",
			"pdal superpoint segment IN OUT", "--id"}},
		{"outline a.las new.nothing", []string{"new.nothing", "is a GeoPackage (.gpkg) or GeoJSON"}},
		// pdal takes options with one dash apart, into -t -r -u -t, and keeps -h of
		{"eval -truth Classification new.laz", []string{"-t: options have two dashes, as --output"}},
		{"render --azimuth -400 a.las new.png", []string{`--azimuth "-400": give`, "from -360 to 360"}},
		{"nonsense new.laz", []string{"nonsense", "eval", "render"}},
		{"train --output new.safetensors", []string{"train", "--input"}},
		{"train --classes rules.yaml a.las new.safetensors",
			[]string{"a.las: the rules have no class for any of its labels"}},
		{"train --classes rules.yaml a.las near.las",
			[]string{"near.las does not end in .safetensors; name another"}},
		{"eval a.las --output b.las", []string{"b.las is not replaced",
			"name another output, or add --force"}},
		{"survey plan --tile 1e-2 a.las --output new.d", []string{"option tile: 0.01 m makes ",
			"take larger tiles"}},
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

// TestWarningsBesideResults: a possible mistake gives one warning.
func TestWarningsBesideResults(t *testing.T) {
	t.Parallel()
	at := filesOfMistakes(t)
	pipeline(t, nil, at("a.las"), stage{"type": "filters.range", "limits": "Z[9999:]"},
		writer(at("zero.las"))).ok(t)
	o := pipeline(t, nil, at("zero.las"), superpoint(nil), writer(at("still-zero.las"))).ok(t)
	must.Say(t, o.stderr, "nothing to segment: the input has no points")
	// of several views, in any order, one with points is enough
	for _, order := range [][]any{{at("a.las"), at("zero.las")}, {at("zero.las"), at("a.las")}} {
		o = pipeline(t, nil, append(order, superpoint(nil), stage{"type": "writers.null"})...).ok(t)
		must.Hold(t, !strings.Contains(o.stderr, "nothing to segment"), "%v: %s", order, o.stderr)
	}
	segment(t, at("zero.las"), at("zero-again.las")).ok(t)
	refused(t, try(t, "map", at("zero.las"), at("nothing")), at("nothing"),
		"zero.las: the input has no points")
	o = do(t, "survey", "plan", "--output", at("plan"), at("zero.las"), at("a.las"))
	must.Hold(t, strings.Contains(o.stdout, "1,200 points in 1 file"),
		"a survey with an empty file: no %q in %s", "1,200 points in 1 file", o.stdout)
	must.Hold(t, strings.Contains(o.stderr, "zero.las: it has no points"),
		"a survey with an empty file: no %q in %s", "zero.las: it has no points", o.stderr)
	mercator := reader(at("none.las"))
	mercator["default_srs"] = "EPSG:3857"
	o = pipeline(t, nil, mercator, stage{"type": "filters.ferry",
		"dimensions": "UserData=>Red, UserData=>Green, " +
			"UserData=>Blue"}, superpoint(stage{"model": "paper"}), stage{"type": "writers.null"}).ok(t)
	must.Hold(t, strings.Contains(o.stderr, "reads Red, Green, Blue, which the points have as 0 only"),
		"no warning of colours, or one of Mercator: no %q in %s",
		"reads Red, Green, Blue, which the points have as 0 only", o.stderr)
	must.Hold(t, !strings.Contains(o.stderr, "Mercator"),
		"no warning of colours, or one of Mercator: got %q, want no %q in it", o.stderr, "Mercator")
	want := "near.las overlap by 4 × 24 m (17 % of the area of all); points in both are counted twice"
	a, b := at("a.las"), at("near.las")
	must.Say(t, do(t, "map", a, b, at("map")).stderr, want)
	must.Say(t, do(t, "segment", a, b, at("tiles")+"/").stderr, want)
	must.Say(t, do(t, "survey", "plan", "--output", at("survey"), a, b).stderr, want)
	o = do(t, "map", at("none.las"), at("once"))
	const without = "has no spatial reference"
	must.Hold(t, strings.Count(o.stderr, without) == 1, "one warning is wanted of no reference: %s", o.stderr)
	must.Say(t, o.stderr, "none.las: the file "+without)
}

// refused fails the test unless pdal ended with exit code 1, printed every one of the words, and left nothing
// at path.
func refused(t *testing.T, o outcome, path string, words ...string) {
	t.Helper()
	must.Hold(t, o.code == 1, "exit code %d, want 1", o.code)
	must.Say(t, o.stderr, words...)
	_, err := os.Stat(path)
	must.Hold(t, err != nil, "an output file was left behind")
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
		{"missing labels", stage{"vote": "Klassification"}, []string{"vote", "Klassification",
			"Classification"}},
		{"missing model", stage{"model": filepath.Join(folder, "none.safetensors")},
			[]string{"model", "none.safetensors"}},
		{"corrupt model", stage{"model": corrupt}, []string{"corrupt.safetensors"}},
		{"option that the model sets", stage{"model": "aerial", "knn": 9},
			[]string{"option knn: 9", "aerial", "20 neighbours"}},
		{"no such device", stage{"method": "vccs", "device": "cuda:99"},
			[]string{"cuda:99", "not available"}},
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
	must.Say(t, do(t, "segment", path, filepath.Join(t.TempDir(), "b.laz")).stderr,
		"they are damaged, or the header is wrong")
}

// TestInputsOfAllCommands: every command refuses an input that PDAL would read otherwise than it is meant,
// names it, and writes nothing. Everyday tests give each input to a fifth of the commands, and each command
// two inputs.
func TestInputsOfAllCommands(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for i, given := range [][3]string{ // a name, the text of the file if it is one, the error
		{"comma.csv", "X;Y;Z\n1,5;2,5;3,5\n", "line 2: '1,5' is not a number"},
		{"short.txt", "X,Y,Z\n1,2,3\n4,5\n", "line 3: 2 fields"},
		{"fraction.csv", "X,Y,Z,Red\n1,2,3,.5\n", "line 2: Red is .5"},
		{"photo.png", "no picture", "a .png file is a picture"},
		{"root/ept.json", `{"points": 5, "dataType": "laszip"}`,
			"ept.json tile.laz --writers.las.minor_version=4"},
		{"root", "", "EPT is not read"},
		{"far.vpc", `{"features": [{"assets": {"data": {"href": "https://127.0.0.1:1/a.laz"}}}]}`,
			"not read over a network"},
		{"two.vpc", `{"features": [{"assets": {"data": {"href": "a.laz"}, "b": {"href": "b.laz", "roles": ["data"]}}}]}`,
			"2 data assets"},
		{"https://127.0.0.1:1/a.laz", "", "not read over a network"},
		{"no*.laz", "", "no file has a name of this pattern"},
	} {
		input, out := given[0], t.TempDir()
		if !strings.Contains(input, "://") {
			input = filepath.Join(folder, input)
		}
		if given[1] != "" {
			put(t, input, given[1])
		}
		commands := everyCommand(t, out, input)
		for k, name := range slices.Sorted(maps.Keys(commands)) {
			if name == "train" || name == "survey run" || full(0, 1) == 0 && (i+k)%5 != 0 {
				continue
			}
			o := pdal(t, nil, slices.Concat([]string{"superpoint"}, strings.Fields(name), commands[name])...)
			left := slices.DeleteFunc(must.Get(os.ReadDir(out))(t), func(e os.DirEntry) bool {
				return e.Name() == "labels.csv" || e.Name() == "compare" // which can be resumed
			})
			must.Hold(t, o.code == 1, "%s %s: exit code %d, want 1: %s", name, input, o.code, o.stderr)
			must.Hold(t, strings.Contains(o.stderr, given[2]),
				"%s %s: no %q in %s", name, input, given[2], o.stderr)
			must.Hold(t, strings.Contains(o.stderr, filepath.Base(input)),
				"%s %s: no %q in %s", name, input, filepath.Base(input), o.stderr)
			must.Equal(t, len(left), 0, "%s %s: len(left)", name, input)
		}
	}
}

// Points without finite coordinates keep their places in a pipeline, with id 0.
func TestUnusablePointsOfAPipeline(t *testing.T) {
	folder := t.TempDir()
	nan := math.NaN()
	points := [][3]float64{{nan, nan, nan}}
	for i := range 400 {
		points = append(points, [3]float64{float64(i % 20), float64(i / 20), 0})
	}
	points = append(points, [3]float64{1, 2, math.Inf(1)})
	var ply bytes.Buffer
	fmt.Fprintf(&ply,
		"ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty double x\nproperty double y\n"+
			"property double z\nend_header\n", len(points))
	must.OK(t, binary.Write(&ply, binary.LittleEndian, points))
	must.OK(t, os.WriteFile(filepath.Join(folder, "nan.ply"), ply.Bytes(), 0o666))
	o := pipeline(t, nil, filepath.Join(folder, "nan.ply"), stage{"type": "filters.ferry",
		"dimensions": "Y=>Embedding0"},
		superpoint(stage{"where": "X > 10"}), superpoint(stage{"where": "!(X > 10)"}),
		stage{"type": "writers.text",
			"filename": filepath.Join(folder, "out.txt"), "order": "SuperpointID,Embedding0",
			"keep_unspecified": false})
	must.Hold(t, strings.Count(o.ok(t).stderr,
		"2 of 222 points without finite coordinates left out: id 0") == 1,
		"it said %s", o.stderr)
	// LAS cannot hold them: an error with a remedy that works
	out := filepath.Join(folder, "out.laz")
	refused(t, try(t, "segment", filepath.Join(folder, "nan.ply"), out), out, "nan.ply",
		`leave them out with pdal superpoint segment --where "X > -1e30"`)
	o = do(t, "segment", "--where", "X > -1e30", filepath.Join(folder, "nan.ply"), out)
	must.Say(t, o.stderr, "2 points without finite coordinates left out")
	must.Say(t, o.stdout, "400 points")
	ids := strings.Fields(string(must.Get(os.ReadFile(filepath.Join(folder, "out.txt")))(t)))[1:]
	must.Need(t, len(ids) == 402, "%d of 402 points", len(ids))
	for i, row := range ids {
		id, other, _ := strings.Cut(row, ",")
		must.Hold(t, strings.Trim(id, "0.") == "" == (i == 0 || i == 401),
			`point %d has id %s, %s: strings.Trim(id, "0.") == "" is not i == 0 || i == 401`, i, id, other)
		if i == 401 {
			must.Hold(t, other == "2.000", `point %d has id %s, %s: other is not "2.000"`, i, id, other)
		}
	}
}

// Text without heights lies in a plane; integers of text stay as they are, without further columns.
func TestPlanarInputs(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	text := "X Y Intensity\n"
	for i := range 900 {
		text += fmt.Sprintf("%d %d %d\n", i%30, i/30, i%30/20*200)
	}
	flat, out := filepath.Join(folder, "flat.txt"), filepath.Join(folder, "flat.las")
	must.OK(t, os.WriteFile(flat, []byte(text), 0o666))
	o := do(t, "segment", "--model", "geometric", flat, out)
	p := read(t, out)
	must.Need(t, p.Len() == 900, "points: got %v, want 900", p.Len())
	must.Equal(t, slices.Max(p.Z), 0, "slices.Max(p.Z)")
	must.Equal(t, slices.Min(p.Z), 0, "slices.Min(p.Z)")
	must.Hold(t, p.Extra["Intensity_value"] == nil,
		`p.Extra["Intensity_value"] is %v, want nil`, p.Extra["Intensity_value"])
	must.Hold(t, !strings.Contains(o.stderr, "rounds"), "got %q, want no %q in it", o.stderr, "rounds")
	dense(t, ids(t, p, "SuperpointID"))
}

// hostileNames are names of files and folders with everything that a shell, make, sed, JSON, CSV, PDAL or an
// option parser may take for its own. Some of them are tried in the long form only.
func hostileNames() map[string]string {
	all := map[string]string{
		"signs":       "a'b\"c$(touch PWNED)`touch PWNED`;touch PWNED;#&|<>*?[x]{}~\\ %d =,!",
		"make":        "$(shell touch PWNED)${shell touch PWNED}$$",
		"JSON":        `","type":"filters.stats"},{"type":"writers.las","filename":"PWNED`,
		"stage":       `x"stage":{"points":1},"output":"out`,
		"a new line":  "new\nline\ttab",
		"not UTF-8":   "\xff\xfe\x80",
		"an option":   "--output=PWNED",
		"a short one": "-x",
		"formula":     "=HYPERLINK(1)",
		"a home":      "~root",
	}
	if full(0, 1) == 0 {
		for _, kind := range []string{"stage", "a short one", "formula"} {
			delete(all, kind)
		}
	}
	return all
}

// checkNotExecuted fails the test if a name was run or written to.
func checkNotExecuted(t *testing.T, folders ...string) {
	t.Helper()
	for _, folder := range folders {
		must.OK(t, filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
			if err == nil {
				must.Hold(t, strings.TrimSuffix(e.Name(), ".las") != "PWNED",
					`%s is there: strings.TrimSuffix(e.Name(), ".las") is "PWNED"`, path)
			}
			return err
		}))
	}
}

// TestRecipesOfMakeHaveNoVariables reads the Makefile: what users give reaches
// recipes through the environment, never as text of the shell.
func TestRecipesOfMakeHaveNoVariables(t *testing.T) {
	text := must.Get(os.ReadFile(filepath.Join("..", "..", "Makefile")))(t)
	recipes := 0
	for i, line := range strings.Split(string(text), "\n") {
		if !strings.HasPrefix(line, "\t") {
			continue
		}
		recipes++
		must.Equal(t, regexp.MustCompile(`\$[^@<^*]?`).FindString(strings.ReplaceAll(line, "$$", "")), "",
			"Makefile:%d, where it has to be $$NAME, quoted", i+1)
	}
	must.Hold(t, recipes >= 20, "only %d lines of recipes", recipes)
}

// TestDemoOfHostileNames runs make demo INPUT=… on files with such names.
func TestDemoOfHostileNames(t *testing.T) {
	in, points := houseFile(t, 0, 0, 1)
	text := must.Get(os.ReadFile(in))(t)
	dir := checkout(t, launcher(t), nil)
	for kind, name := range hostileNames() {
		if full(0, 1) == 0 && (kind == "JSON" || kind == "not UTF-8") {
			continue // which only pdal sees: TestSegmentOfManyFiles
		}
		name = strings.ReplaceAll(name, "/", "") + ".las"
		must.OK(t, os.WriteFile(filepath.Join(dir, name), text, 0o666))
		for _, how := range []string{"argument", "environment"} {
			if full(0, 1) == 0 && (how == "environment") != (kind == "make") {
				continue // both ways for all of them take a while
			}
			os.Remove(filepath.Join(dir, "out", "demo.laz"))
			c := exec.Command("make", "-o", "plugin", "demo")
			c.Dir, c.Env = dir, append(os.Environ(), "INPUT="+name)
			if how == "argument" {
				c.Args, c.Env = append(c.Args, "INPUT="+name), os.Environ()
			}
			o := outcomeOf(t, c)
			_, err := os.Stat(filepath.Join(dir, "out", "demo.laz"))
			all := o.stdout + o.stderr
			must.Hold(t, o.code == 0, "%s, as %s: exit code %d, want 0: %s", kind, how, o.code, o.stderr)
			must.Need(t, err == nil, "%s, as %s: %v", kind, how, err)
			must.Hold(t, strings.Contains(all, ": "+message.Count(points.Len(), "point")+", "),
				`%s, as %s: all lacks ": "+message.Count(points.Len(), "point")+", "`, kind, how)
		}
	}
	checkNotExecuted(t, dir)
}

// TestInstallOfHostileNames links the QGIS plugin into profiles of such names.
func TestInstallOfHostileNames(t *testing.T) {
	dir := checkout(t, launcher(t), nil)
	for kind, name := range hostileNames() {
		home := t.TempDir()
		folder := filepath.Join(home, strings.ReplaceAll(name, "/", ""))
		must.OK(t, os.Mkdir(folder, 0o777))
		run := exec.Command(filepath.Join(dir, "pipelines", "qgis", "install.sh"), filepath.Base(folder))
		run.Dir, run.Env = home, append(os.Environ(), "HOME="+folder, "XDG_DATA_HOME="+folder)
		o := outcomeOf(t, run)
		must.Hold(t, o.code == 0, "%s: exit code %d\n%s%s", kind, o.code, o.stdout, o.stderr)
		checkNotExecuted(t, home)
	}
	checkNotExecuted(t, dir)
}

// TestNamesOfHomes has names in the working folder that PDAL takes for names of home folders.
func TestNamesOfHomes(t *testing.T) {
	t.Parallel()
	house, points := houseFile(t, 0, 0, 1)
	dir := t.TempDir()
	must.OK(t, os.WriteFile(filepath.Join(dir, "~root.las"), must.Get(os.ReadFile(house))(t), 0o666))
	for _, args := range []string{"info ~root.las", "segment --classes aerial ~root.las ~out.las",
		"table ~out.las ~t.csv",
		"objects ~out.las ~o.geojson", "render ~root.las ~p.png", "map ~*root.las ~map",
		"survey plan --output ~plan ~root.las", "survey run ~plan"} {
		in(t, dir, launcher(t), append([]string{"superpoint"}, strings.Fields(args)...)...).ok(t)
	}
	for _, name := range []string{"~out.las", "~map/points/~root.las", "~plan/out/~root.las"} {
		must.Equal(t, read(t, filepath.Join(dir, name)).Len(), points.Len(), "%s: points", name)
	}
}
