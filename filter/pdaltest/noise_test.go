package pdaltest

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"superpoint/testdata/las"
	"superpoint/testdata/must"
	"superpoint/testdata/realdata"
)

// TestNoiseOnATile: isolated points far below and above a tile of a national survey
// change the superpoints of the others, and their classes, by little.
func TestNoiseOnATile(t *testing.T) {
	t.Parallel()
	tile, folder := realdata.Read(t, "val/lidarhd_77055_627760.laz"), t.TempDir()
	var without [3]float64
	var classes map[[3]float64]uint8
	for _, noise := range []int{0, 5, 30, 100, 300} {
		file := filepath.Join(folder, fmt.Sprintf("noise%d.las", noise))
		writeNoisy(t, file, tile, noise)
		got := scores(t, file)
		given := classified(t, file)
		if noise == 0 {
			without, classes = got, given
			continue
		}
		share := 100 * float64(noise) / float64(len(tile.X))
		changed := 0
		for place, class := range classes {
			if given[place] != class {
				changed++
			}
		}
		t.Logf("%d points of noise (%.2f %%): OOA, BR, BP %.4f, without %.4f; %d of %d classes change", noise, share, got,
			without, changed, len(classes))
		for k, v := range got {
			if most := 0.005 * max(1, share/0.1); math.Abs(v-without[k]) > most {
				t.Errorf("%d points of noise: %s is %.4f, %.4f without", noise, [3]string{"OOA", "BR", "BP"}[k], v, without[k])
			}
		}
		if most := 0.01 * max(1, share/0.1); float64(changed) > most*float64(len(classes)) {
			t.Errorf("%d points of noise: %d of %d classes change", noise, changed, len(classes))
		}
	}
}

// writeNoisy writes a tile with points of class 0 2 to 30 m below its lowest point and
// above its highest one.
func writeNoisy(t *testing.T, file string, tile *las.Points, noise int) {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(noise), 5))
	low, high := [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}, [3]float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	p := new(las.Points)
	add := func(x, y, z float64, class uint8) {
		p.X, p.Y, p.Z = append(p.X, x), append(p.Y, y), append(p.Z, z)
		p.Classification = append(p.Classification, class)
	}
	for i := range tile.X {
		if tile.Classification[i] == 66 {
			continue // virtual points
		}
		for a, v := range [3]float64{tile.X[i], tile.Y[i], tile.Z[i]} {
			low[a], high[a] = min(low[a], v), max(high[a], v)
		}
		add(tile.X[i], tile.Y[i], tile.Z[i], tile.Classification[i])
	}
	for i := range noise {
		z := low[2] - 2 - 28*random.Float64()
		if i%4 == 0 {
			z = high[2] + 5 + 30*random.Float64()
		}
		add(low[0]+(high[0]-low[0])*random.Float64(), low[1]+(high[1]-low[1])*random.Float64(), z, 0)
	}
	must.OK(t, las.WriteFile(file, p, 0.001))
}

// scores returns OOA, BR as coded and BP of a file.
func scores(t *testing.T, file string) (all [3]float64) {
	t.Helper()
	out := pdal(t, nil, "superpoint", "eval", "--target_size", "100", "--format", "csv", file).ok(t)
	rows, err := csv.NewReader(strings.NewReader(out.stdout)).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%v in %q", err, out.stdout)
	}
	for k, name := range []string{"ooa", "br_as_coded", "bp"} {
		for c, title := range rows[0] {
			if title == name {
				all[k] = must.Get(strconv.ParseFloat(rows[1][c], 64))(t)
			}
		}
	}
	return all
}

// classified returns the classes that a file's points get, by position; of noise there
// are none.
func classified(t *testing.T, file string) map[[3]float64]uint8 {
	t.Helper()
	out := file + ".out.las"
	pdal(t, nil, "superpoint", "segment", "--classes", "aerial", "--class_change", "all", file, out).ok(t)
	p, before := read(t, out), read(t, file)
	class := map[[3]float64]uint8{}
	for i := range p.X {
		if before.Classification[i] != 0 {
			class[[3]float64{p.X[i], p.Y[i], p.Z[i]}] = p.Classification[i]
		}
	}
	return class
}
