// SPDX-License-Identifier: BSD-3-Clause

// Package pdaltest runs the built plugins inside PDAL, as a user does: every test runs build/pdal, looks at
// its exit code, and reads what it wrote. The tests skip if build/pdal is missing, and fail if
// SUPERPOINT_PDAL names a launcher that is (make test sets it).
package pdaltest

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// utm is the spatial reference of the test clouds, WGS 84 / UTM zone 32N.
const utm = "EPSG:32632"

// TestMain runs twice as many tests at a time as there are processors: they wait for programs and for the
// disk.
func TestMain(m *testing.M) {
	flag.Parse()
	if p := flag.Lookup("test.parallel"); p.Value.String() == p.DefValue {
		_ = p.Value.Set(strconv.Itoa(2 * runtime.GOMAXPROCS(0)))
	}
	code := m.Run()
	stopForks()
	os.Exit(code)
}

// launcher returns build/pdal, or skips the test.
func launcher(t testing.TB) string {
	t.Helper()
	path, required := os.Getenv("SUPERPOINT_PDAL"), true
	if path == "" {
		path, required = filepath.Join("..", "..", "build", "pdal"), false
	}
	path = must.Get(filepath.Abs(path))(t)
	if _, err := os.Stat(path); err != nil {
		must.Need(t, !required, "SUPERPOINT_PDAL: %v", err)
		t.Skipf("%s is missing; run make first", path)
	}
	libraries := must.Get(filepath.Glob(filepath.Join(filepath.Dir(path), "*.so")))(t)
	notice(libraries...)
	return path
}

// notice checks the state of files that programs of a test read. Without it, go test would print the
// result of an earlier run after they have changed: it records only the files that the test itself
// opens or checks.
func notice(files ...string) {
	for _, file := range files {
		_, _ = os.Stat(file)
	}
}

// compile runs a compiler, or another program of a build.
func compile(t testing.TB, compiler string, args ...string) {
	t.Helper()
	notice(args...)
	out, err := exec.Command(compiler, args...).CombinedOutput()
	must.Need(t, err == nil, "%s: %v\n%s", compiler, err, out)
}

// scene writes a simulated village to plain.las in a new folder, and returns its points and the
// paths of names in the folder.
func scene(t testing.TB) (*las.Points, func(name string) string) {
	t.Helper()
	p, at := must.Get(village())(t), place(t)
	must.OK(t, las.WriteFile(at("plain.las"), p, 0.001))
	return p, at
}

// readJSON reads a file into a value.
func readJSON(t testing.TB, path string, to any) {
	t.Helper()
	must.OK(t, json.Unmarshal(must.Get(os.ReadFile(path))(t), to))
}

// outcome is what one run of pdal left.
type outcome struct {
	code           int
	stdout, stderr string
	stage          []map[string]any // metadata of each filters.superpoint, in order
}

// pdal runs pdal with further environment variables.
func pdal(t testing.TB, environment []string, args ...string) outcome {
	t.Helper()
	return outcomeOf(t, start(t, environment, args...))
}

// try runs a command of the program.
func try(t testing.TB, args ...string) outcome {
	t.Helper()
	return pdal(t, nil, append([]string{"superpoint"}, args...)...)
}

// do runs a command of the program, which has to succeed.
func do(t testing.TB, args ...string) outcome { t.Helper(); return try(t, args...).ok(t) }

// place returns the paths of names in a new folder.
func place(t testing.TB) func(name string) string {
	folder := t.TempDir()
	return func(name string) string { return filepath.Join(folder, filepath.FromSlash(name)) }
}

// put writes a file, in a new folder if need be.
func put(t testing.TB, path, text string) {
	t.Helper()
	must.OK(t, os.MkdirAll(filepath.Dir(path), 0o777))
	must.OK(t, os.WriteFile(path, []byte(text), 0o777))
}

// outcomeOf runs a command.
func outcomeOf(t testing.TB, command *exec.Cmd) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	code := ended(t, command.Run())
	return outcome{code: code, stdout: stdout.String(), stderr: stderr.String()}
}

// stage is one stage of a pipeline.
type stage map[string]any

// superpoint is the stage under test with the model that needs no training, unless its method takes none.
func superpoint(options stage) stage {
	s := stage{"type": "filters.superpoint", "model": "geometric"}
	if m := options["method"]; m == "vccs" || m == "lin" {
		delete(s, "model")
	}
	maps.Copy(s, options)
	return s
}

// pipeline runs stages.
func pipeline(t testing.TB, environment []string, stages ...any) outcome {
	t.Helper()
	metadata := filepath.Join(t.TempDir(), "metadata.json")
	o := pdal(t, environment, "pipeline", pipelineFile(t, stages...), "--metadata", metadata)
	if text, err := os.ReadFile(metadata); err == nil {
		o.stage = stageMetadata(t, text)
	}
	return o
}

// made runs stages and reads the points that they make, with all dimensions.
func made(t testing.TB, stages ...any) *las.Points {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.las")
	pipeline(t, nil, append(stages, writer(out))...).ok(t)
	return read(t, out)
}

// stageMetadata finds the metadata of the filter, which PDAL writes as an
// object for one stage and as a list for several.
func stageMetadata(t testing.TB, text []byte) []map[string]any {
	t.Helper()
	var document struct {
		Stages map[string]json.RawMessage `json:"stages"`
	}
	must.OK(t, json.Unmarshal(text, &document))
	raw := document.Stages["filters.superpoint"]
	if raw == nil {
		return nil
	}
	if raw[0] == '{' {
		raw = slices.Concat([]byte("["), raw, []byte("]"))
	}
	var list []map[string]any
	must.OK(t, json.Unmarshal(raw, &list))
	return list
}

// ok fails the test unless the exit code is 0.
func (o outcome) ok(t testing.TB) outcome {
	t.Helper()
	must.Need(t, o.code == 0, "exit code %d\n%s%s", o.code, o.stdout, o.stderr)
	return o
}

// writer is a writers.las stage that keeps every dimension.
func writer(path string) stage {
	return stage{"type": "writers.las", "filename": path, "forward": "all", "minor_version": 4,
		"dataformat_id": 7,
		"extra_dims":    "all"}
}

// read reads a LAS file that pdal wrote.
func read(t testing.TB, path string) *las.Points {
	t.Helper()
	return must.Get(las.ReadFile(path))(t)
}

// gathered reads LAS and LAZ files as one cloud.
func gathered(t testing.TB, files ...string) *las.Points {
	t.Helper()
	if len(files) == 1 && filepath.Ext(files[0]) == ".las" {
		return read(t, files[0])
	}
	raw := filepath.Join(t.TempDir(), "all.las")
	out := writer(raw)
	for _, axis := range []string{"x", "y", "z"} {
		out["scale_"+axis], out["offset_"+axis] = .001, "auto"
	}
	pipeline(t, nil, append(merged(files), out)...).ok(t)
	return read(t, raw)
}

// merged reads files into one view.
func merged(files []string) (stages []any) {
	for _, path := range files {
		stages = append(stages, path)
	}
	return append(stages, stage{"type": "filters.merge"})
}

// housePoints is the number of points of a house. Problems of some thousand points are solved exactly, in
// most of the time of a command; claims about files and messages need no more points than these.
const housePoints = 1200

// house is a rough cloud of a box of side 8 m on flat ground of side 24 m with
// its south-west corner at (x, y), every dimension filled.
func house(x, y float64, seed uint64) *las.Points { return denseHouse(housePoints, x, y, seed) }

// denseHouse is a house of a number of points.
func denseHouse(points int, x, y float64, seed uint64) *las.Points {
	random := rand.New(rand.NewPCG(seed, 1))
	p := new(las.Points)
	for i := range points {
		px, py, pz, class := 24*random.Float64(), 24*random.Float64(), 0.0, uint8(2)
		inside := math.Abs(px-12) < 4 && math.Abs(py-12) < 4
		switch {
		case inside && i%2 == 0: // roof
			pz, class = 5, 6
		case inside: // south wall
			py, pz, class = 8, 5*random.Float64(), 6
		}
		p.X = append(p.X, x+px)
		p.Y = append(p.Y, y+py)
		p.Z = append(p.Z, 100+pz+0.02*random.NormFloat64())
		p.Intensity = append(p.Intensity, uint16(random.IntN(65536)))
		p.ReturnNumber = append(p.ReturnNumber, uint8(1+i%2))
		p.NumberOfReturns = append(p.NumberOfReturns, 2)
		p.Classification = append(p.Classification, class)
		p.ScanAngle = append(p.ScanAngle, float32(i%60-30))
		p.PointSourceID = append(p.PointSourceID, uint16(i%7))
		p.GPSTime = append(p.GPSTime, 1e6+float64(i)/100)
		p.Red = append(p.Red, uint16(random.IntN(65536)))
		p.Green = append(p.Green, uint16(random.IntN(65536)))
		p.Blue = append(p.Blue, uint16(random.IntN(65536)))
	}
	return p
}

// houseFile writes a house and returns its file and the points.
func houseFile(t testing.TB, x, y float64, seed uint64) (string, *las.Points) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "house.las")
	p := house(x, y, seed)
	must.OK(t, las.WriteFile(path, p, 0.001))
	return path, read(t, path)
}

// reader is a readers.las stage with the test clouds' spatial reference.
func reader(path string) stage {
	return stage{"type": "readers.las", "filename": path, "default_srs": utm}
}

// ids returns a dimension of ids and how many points have each.
func ids(t testing.TB, p *las.Points, dimension string) map[int]int {
	t.Helper()
	column := p.Extra[dimension]
	must.Need(t, len(column) == p.Len(), "%d values of %s for %d points", len(column), dimension, p.Len())
	count := make(map[int]int)
	for _, v := range column {
		count[int(v)]++
	}
	return count
}

// dense fails the test unless the ids are 1..n, all of them used.
func dense(t testing.TB, count map[int]int) {
	t.Helper()
	for id := range count {
		must.Need(t, id >= 1,
			"id %d among %d superpoints: not dense from 1, want at least 1", id, len(count))
		must.Need(t, id <= len(count),
			"id %d among %d superpoints: not dense from 1, want at most %v", id, len(count), len(count))
	}
}

// sameColumns fails the test unless two clouds agree in everything but extra dimensions and the reference.
func sameColumns(t testing.TB, want, got *las.Points) {
	t.Helper()
	a, b := reflect.ValueOf(*want), reflect.ValueOf(*got)
	for k := range a.NumField() {
		name := a.Type().Field(k).Name
		if name != "Extra" && name != "WKT" {
			must.Equal(t, a.Field(k).Interface(), b.Field(k).Interface(), "points: %s", name)
		}
	}
}
