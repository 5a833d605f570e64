package pdaltest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
	"superpoint/testdata/realdata"
)

// TestTiles holds what the stage promises against whole tiles: real ones, if
// the labelled clouds are there, and those that SUPERPOINT_TILES lists (as
// PATH lists folders).
func TestTiles(t *testing.T) {
	t.Parallel()
	launcher(t)
	tiles := filepath.SplitList(os.Getenv("SUPERPOINT_TILES"))
	if folder, err := realdata.Folder(); err == nil {
		tiles = append(tiles, filepath.Join(folder, "val", "lidarhd_77060_627760.laz"))
		if !testing.Short() {
			tiles = append(tiles, filepath.Join(folder, "train", "ign_689400_6735450_crop_2_water.laz"))
		}
	} else if len(tiles) == 0 {
		t.Skip(err)
	}
	for _, tile := range tiles {
		t.Run(strings.TrimSuffix(filepath.Base(tile), filepath.Ext(tile)), func(t *testing.T) { testTile(t, tile) })
	}
}

func testTile(t *testing.T, tile string) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain.las")
	pipeline(t, nil, tile, writer(plain)).ok(t)
	before := read(t, plain)

	out := filepath.Join(dir, "out.las")
	stage := stage{"type": "filters.superpoint", "threads": 1}
	pipeline(t, nil, tile, stage, writer(out)).ok(t)
	after := read(t, out)
	sameColumns(t, before, after)
	if before.WKT != after.WKT {
		t.Errorf("the spatial reference was %q and is %q", before.WKT, after.WKT)
	}
	column := after.Extra["SuperpointID"]
	count := ids(t, after, "SuperpointID")
	dense(t, count)
	connected(t, after, column)

	stage["threads"] = 2
	pipeline(t, nil, tile, stage, writer(out)).ok(t)
	if again := read(t, out); !slices.Equal(column, again.Extra["SuperpointID"]) {
		t.Error("2 threads: other ids than with 1 thread")
	}
	t.Logf("%d points, %d superpoints", after.Len(), len(count))
	energies(t, tile)
}

// energies compares the solvers: the energy of the default is at most 1.005 times
// that of cut pursuit with `aerial` and 1.04 times with `any`, whose differences are
// smaller and whose λ̃ is ten times as large.
func energies(t *testing.T, tile string) {
	for model, limit := range map[string]float64{"any": 1.04, "aerial": 1.005} {
		energy := map[string]float64{}
		for _, solver := range []string{"cut-pursuit", "auto"} {
			o := pipeline(t, nil, tile, stage{"type": "filters.superpoint", "model": model, "solver": solver},
				stage{"type": "writers.null"}).ok(t)
			energy[solver], _ = o.stage[0]["energy"].(float64)
		}
		pursuit := energy["cut-pursuit"]
		t.Logf("%s: energy of cut pursuit %.6g, default %.4f of it", model, pursuit, energy["auto"]/pursuit)
		if pursuit <= 0 || energy["auto"] > limit*pursuit {
			t.Errorf("%s: energies %v", model, energy)
		}
	}
}

// connected fails the test unless every superpoint is one piece of the
// adjacency graph of the 10 nearest neighbours and the edges across scan lines, which
// has at least the edges of the built-in models.
func connected(t *testing.T, p *las.Points, column []float64) {
	t.Helper()
	run := parallel.Run{}
	cloud := must.Get(neighbor.New(p.X, p.Y, p.Z, run))(t)
	lists := must.Get(cloud.Nearest(neighbor.Around, run))(t)
	graph := must.Get(neighbor.Adjacency(lists, 10, run))(t)
	edges, _, err := neighbor.AcrossLines(cloud, lists, 5, neighbor.Around, run)
	must.OK(t, err)
	across := must.Get(neighbor.FromEdges(cloud.Len(), edges))(t)
	graph = must.Get(graph.Union(across))(t)
	component := make([]uint32, cloud.Len())
	for i, input := range cloud.Order {
		component[i] = uint32(column[input])
	}
	must.OK(t, graph.ConnectedWithin(component))
}
