// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
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
	points := must.Get(village())(t)
	dir := workplace(t, points)
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
	copc, back := filepath.Join(dir, "output.copc.laz"), filepath.Join(dir, "back.las")
	pipeline(t, nil, copc, writer(back)).ok(t)
	p := read(t, back)
	dense(t, ids(t, p, "SuperpointID"))
	if p.Len() != points.Len() || len(p.Extra["Embedding3"]) != points.Len() {
		t.Errorf("%d points with %d embeddings came back of %d", p.Len(), len(p.Extra["Embedding3"]), points.Len())
	}
	pipeline(t, nil, copc, superpoint(nil), writer(back)).ok(t)
	dense(t, ids(t, read(t, back), "SuperpointID"))
	do(t, "table", copc, filepath.Join(dir, "table.csv"))
	table, err := os.ReadFile(filepath.Join(dir, "table.csv"))
	if n := strings.Count(string(table), "\n") - 1; err != nil || n != len(ids(t, p, "SuperpointID")) {
		t.Errorf("%d rows for %d superpoints, %v", n, len(ids(t, p, "SuperpointID")), err)
	}
}

// TestCOPCInFolders writes folders as COPC: the points of the LAS file, in another order.
func TestCOPCInFolders(t *testing.T) {
	t.Parallel()
	dir := workplace(t, must.Get(village())(t))
	at := func(name string) string { return filepath.Join(dir, name) }
	las, folder, mapped := at("out.las"), at("folder"), at("mapped")
	for _, args := range [][]string{
		{"segment", "--copc", at("input.laz"), folder},
		{"map", "--copc", "--default_srs", "EPSG:32632", at("input.laz"), mapped},
	} {
		o := try(t, args...)
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
	do(t, "segment", at("input.laz"), las)
	for name, like := range map[string]string{folder + "/input.copc.laz": las, mapped + "/points/input.copc.laz": las} {
		places, want := partition(t, []string{like})
		if at, got := partition(t, []string{name}); !slices.Equal(at, places) || !slices.Equal(got, want) {
			t.Errorf("%s: other points or ids", name)
		}
	}
}
