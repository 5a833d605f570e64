package pdaltest

import (
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// What only newer PDALs can do is done where this one can, and refused in words
// where it cannot.

// hasDriver reports whether this PDAL has a stage.
func hasDriver(t *testing.T, name string) bool {
	t.Helper()
	return strings.Contains(pdal(t, nil, "--drivers").ok(t).stdout, name+" ")
}

// TestCOPC writes COPC by the recipe, reads its superpoints back, and takes the
// file as input of the stage and of the commands.
func TestCOPC(t *testing.T) {
	t.Parallel()
	points, err := village()
	dir := workplace(t, points, err)
	o := in(t, dir, launcher(t), "pipeline", file(t, "copc.json"))
	if !hasDriver(t, "writers.copc") {
		if o.code != 1 || !strings.Contains(o.stderr, "writers.copc") {
			t.Errorf("exit code %d: %s", o.code, o.stderr)
		}
		refused(t, in(t, dir, launcher(t), "superpoint", "segment", "input.laz", "x.copc.laz"), "",
			"PDAL 2.4 and newer can; choose an output that ends in .laz")
		return
	}
	o.ok(t)
	copc, back, again := filepath.Join(dir, "output.copc.laz"), filepath.Join(dir, "back.las"), filepath.Join(dir,
		"again.las")
	pipeline(t, nil, copc, writer(back)).ok(t)
	p := read(t, back)
	dense(t, ids(t, p, "SuperpointID"))
	if p.Len() != points.Len() || len(p.Extra["Embedding3"]) != points.Len() {
		t.Errorf("%d points with %d embeddings came back of %d", p.Len(), len(p.Extra["Embedding3"]), points.Len())
	}
	pipeline(t, nil, copc, superpoint(nil), writer(again)).ok(t)
	dense(t, ids(t, read(t, again), "SuperpointID"))
	for _, args := range [][]string{
		{"table", copc, filepath.Join(dir, "table.csv")},
		{"segment", "--model", "geometric", copc, filepath.Join(dir, "twice.copc.laz")},
		{"table", filepath.Join(dir, "twice.copc.laz"), filepath.Join(dir, "twice.csv")},
	} {
		pdal(t, nil, append([]string{"superpoint"}, args...)...).ok(t)
	}
	table, err := os.ReadFile(filepath.Join(dir, "table.csv"))
	if n := strings.Count(string(table), "\n") - 1; err != nil || n != len(ids(t, p, "SuperpointID")) {
		t.Errorf("%d rows for %d superpoints, %v", n, len(ids(t, p, "SuperpointID")), err)
	}
}

// TestCOPCInFolders writes folders and surveys as COPC: the points of the LAS file, in another order.
func TestCOPCInFolders(t *testing.T) {
	t.Parallel()
	points, err := village()
	dir := workplace(t, points, err)
	at := func(name string) string { return filepath.Join(dir, name) }
	las, folder, mapped, planned := at("out.las"), at("folder"), at("mapped"), at("survey")
	for _, args := range [][]string{
		{"segment", "--copc", at("input.laz"), folder},
		{"map", "--copc", "--default_srs", "EPSG:32632", at("input.laz"), mapped},
		{"survey", "plan", "--copc", "--tile", "40", "--output", planned, at("input.laz")},
	} {
		o := pdal(t, nil, append([]string{"superpoint"}, args...)...)
		if hasDriver(t, "writers.copc") {
			o.ok(t)
			continue
		}
		refused(t, o, "", "PDAL 2.4 and newer can")
		if left, err := os.ReadDir(args[len(args)-1]); err == nil && len(left) > 0 {
			t.Errorf("%s left %v", args[0], left)
		}
	}
	if !hasDriver(t, "writers.copc") {
		return
	}
	plain := at("plain") // a survey numbers its superpoints in another order than segment does
	pdal(t, nil, "superpoint", "survey", "plan", "--tile", "40", "--output", plain, at("input.laz")).ok(t)
	pdal(t, nil, "superpoint", "survey", "run", planned).ok(t)
	pdal(t, nil, "superpoint", "survey", "run", plain).ok(t)
	pdal(t, nil, "superpoint", "segment", at("input.laz"), las).ok(t)
	for name, like := range map[string]string{folder + "/input.copc.laz": las, mapped + "/points/input.copc.laz": las,
		planned + "/out/input.copc.laz": plain + "/out/input.laz"} {
		all := [2]map[[4]float64]int{}
		for k, path := range []string{name, like} {
			back := at("back.las")
			pipeline(t, nil, path, writer(back)).ok(t)
			all[k] = idsByPlace(t, back)
		}
		if !maps.Equal(all[0], all[1]) {
			t.Errorf("%s: other points or ids", name)
		}
	}
}

// idsByPlace returns how often an id is at a place, in millimetres.
func idsByPlace(t *testing.T, path string) map[[4]float64]int {
	t.Helper()
	p, all := read(t, path), map[[4]float64]int{}
	for i, id := range p.Extra["SuperpointID"] {
		all[[4]float64{math.Round(1000 * p.X[i]), math.Round(1000 * p.Y[i]), math.Round(1000 * p.Z[i]), id}]++
	}
	return all
}

// TestClassesAbove31InLAZ: PDAL 2.2 cannot write some.
func TestClassesAbove31InLAZ(t *testing.T) {
	t.Parallel()
	in, points := houseFile(t, 0, 0, 1)
	dir := t.TempDir()
	laz, las := filepath.Join(dir, "out.laz"), filepath.Join(dir, "out.las")
	change := stage{"type": "filters.assign", "value": "Classification = 66 WHERE Classification == 6"}
	version := pdal(t, nil, "--version").ok(t).stdout
	old := strings.Contains(version, "pdal 2.2.")
	if old { // it has no expressions either
		change = stage{"type": "filters.assign", "assignment": "Classification[6:6]=66"}
	}
	o := pipeline(t, nil, reader(in), change, superpoint(nil), writer(laz))
	if old {
		if o.code != 1 || !strings.Contains(o.stderr, "legacy classification") {
			t.Errorf("exit code %d\n%s", o.code, o.stderr)
		}
		return
	}
	o.ok(t)
	pipeline(t, nil, laz, writer(las)).ok(t)
	p := read(t, las)
	dense(t, ids(t, p, "SuperpointID"))
	for i, c := range points.Classification {
		if c == 6 {
			c = 66
		}
		if p.Classification[i] != c {
			t.Fatalf("point %d has class %d, not %d", i, p.Classification[i], c)
		}
	}
}

// TestCompareWithSegmentsOfPDAL puts what filters.supervoxel finds, or where there
// is none filters.cluster, into one table with a method of ours.
func TestCompareWithSegmentsOfPDAL(t *testing.T) {
	t.Parallel()
	in, _ := houseFile(t, 0, 0, 1)
	dir := t.TempDir()
	segmented, report := filepath.Join(dir, "segmented.las"), filepath.Join(dir, "report")
	theirs := []any{stage{"type": "filters.normal"}, stage{"type": "filters.supervoxel", "resolution": 3},
		stage{"type": "filters.assign", "value": "ClusterID = ClusterID + 1"}} // its ids begin at 0, which is none of ours
	if !hasDriver(t, "filters.supervoxel") {
		if o := pipeline(t, nil, reader(in), theirs[0], theirs[1]); o.code != 1 ||
			!strings.Contains(o.stderr, "filters.supervoxel") {
			t.Errorf("exit code %d: %s", o.code, o.stderr)
		}
		theirs = []any{stage{"type": "filters.cluster", "tolerance": 0.8}}
	}
	pipeline(t, nil, append(append([]any{reader(in)}, theirs...), writer(segmented))...).ok(t)
	pdal(t, nil, "superpoint", "compare", "--systems", "geom-graph,id:ClusterID", "--sweep", "none", "--targets", "100",
		"--picture", "0",
		"--output", report, segmented).ok(t)
	text := must.Get(os.ReadFile(filepath.Join(report, "results.csv")))(t)
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil || len(rows) != 4 { // ours at equal superpoints and at equal components, and theirs
		t.Fatalf("%v\n%s", err, text)
	}
	given := slices.IndexFunc(rows, func(r []string) bool { return slices.Contains(r, "id:ClusterID") })
	segments := rows[given][slices.Index(rows[0], "segments")]
	count := ids(t, read(t, segmented), "ClusterID")
	if count[0] > 0 {
		t.Errorf("%d points have no segment", count[0])
	}
	if segments != fmt.Sprint(len(count)) || len(count) == 0 {
		t.Errorf("%s segments measured of %d", segments, len(count))
	}
}
