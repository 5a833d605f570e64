package pdaltest

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"superpoint/testdata/las"
)

// town writes houses on rolling ground into two files that lie side by side, and a
// few points high above: a stray one's nearest neighbours are far.
func town(t *testing.T) (files []string) {
	random := rand.New(rand.NewPCG(9, 1))
	for k := range 2 {
		p := new(las.Points)
		add := func(x, y, z float64, class uint8) {
			p.X, p.Y, p.Z = append(p.X, 652_000+x), append(p.Y, 5_412_000+y), append(p.Z, 100+z)
			p.Classification = append(p.Classification, class)
			p.Intensity = append(p.Intensity, uint16(len(p.X)))
			p.ReturnNumber, p.NumberOfReturns = append(p.ReturnNumber, 1), append(p.NumberOfReturns, 1)
			p.ScanAngle, p.PointSourceID = append(p.ScanAngle, 0), append(p.PointSourceID, uint16(k))
			p.GPSTime = append(p.GPSTime, float64(len(p.X)))
			p.Red, p.Green, p.Blue = append(p.Red, 0), append(p.Green, 0), append(p.Blue, 0)
		}
		for range 4500 {
			x, y := 90*(float64(k)+random.Float64()), 70*random.Float64()
			z, class := 2*math.Sin(x/13)+math.Cos(y/9)+.03*random.NormFloat64(), uint8(2)
			if a, b := math.Mod(x, 31), math.Mod(y, 23); a > 8 && a < 19 && b > 5 && b < 15 {
				z, class = z+6, 6
			} else if a < 5 && b > 17 {
				z, class = z+5*random.Float64(), 5
			}
			add(x, y, z, class)
		}
		for range 3 {
			add(90*(float64(k)+random.Float64()), 70*random.Float64(), 20+10*random.Float64(), 1)
		}
		files = append(files, filepath.Join(t.TempDir(), fmt.Sprintf("town%d.las", k)))
		if err := las.WriteFile(files[k], p, 0.001); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// partition returns the points of LAS or LAZ files in the order of their positions,
// and their superpoints numbered in that order.
func partition(t *testing.T, files []string) (places [][3]float64, canonical []int) {
	type point struct {
		at [3]float64
		id float64
	}
	var all []point
	for _, path := range files {
		raw := filepath.Join(t.TempDir(), "tile.las")
		pdal(t, nil, "translate", path, raw, "--writers.las.extra_dims=all", "--writers.las.minor_version=4",
			"--writers.las.forward=all").ok(t)
		p := read(t, raw)
		for i := range p.Len() {
			mm := func(v float64) float64 { return math.Round(1000 * v) }
			all = append(all, point{[3]float64{mm(p.X[i]), mm(p.Y[i]), mm(p.Z[i])}, p.Extra["SuperpointID"][i]})
		}
	}
	slices.SortFunc(all, func(a, b point) int { return slices.Compare(a.at[:], b.at[:]) })
	number := map[float64]int{}
	for _, p := range all {
		if _, ok := number[p.id]; !ok {
			number[p.id] = len(number)
		}
		places, canonical = append(places, p.at), append(canonical, number[p.id])
	}
	return places, canonical
}

// planned plans a survey and returns its folder and the number of its tiles.
func planned(t *testing.T, files []string, options ...string) (project string, tiles int, spacing string,
	lambda float64) {
	project = filepath.Join(t.TempDir(), "project")
	pdal(t, nil, append(append([]string{"superpoint", "survey", "plan", "--output", project}, options...), files...)...).
		ok(t)
	text, err := os.ReadFile(filepath.Join(project, "plan.json"))
	if err != nil {
		t.Fatal(err)
	}
	var plan struct {
		Tiles   []struct{ Name string }
		Options struct{ Spacing string }
		Exact   *struct{ Lambda float64 }
	}
	if err := json.Unmarshal(text, &plan); err != nil || plan.Exact == nil {
		t.Fatalf("%v: the plan is not one of exact tiles: %s", err, text)
	}
	return project, len(plan.Tiles), plan.Options.Spacing, plan.Exact.Lambda
}

// Tiles give the superpoints of the whole, whatever their size, in whatever order
// they are worked on, by however many processes, of which one is killed; and the
// whole is what the stage makes with the same spacing and λ.
func TestTilesGiveTheSuperpointsOfTheWhole(t *testing.T) {
	files := town(t)
	result := func(project string) ([][3]float64, []int) {
		out, err := filepath.Glob(filepath.Join(project, "out", "*.la[sz]"))
		if err != nil {
			t.Fatal(err)
		}
		return partition(t, out)
	}
	whole, n, spacing, lambda := planned(t, files, "--tile", "5000")
	if n != 1 {
		t.Fatalf("the whole has %d tiles", n)
	}
	pdal(t, nil, "superpoint", "survey", "run", whole).ok(t)
	places, want := result(whole)

	small, n, _, _ := planned(t, files, "--tile", "60", "--halo", "50")
	pdal(t, nil, "superpoint", "survey", "run", small).ok(t)
	if at, got := result(small); n < 6 || !slices.Equal(at, places) || !slices.Equal(got, want) {
		t.Errorf("%d tiles of 60 m: other points or superpoints than the whole", n)
	}

	spread, n, _, _ := planned(t, files, "--tile", "95", "--halo", "60")
	killed := exec.Command(launcher(t), "superpoint", "survey", "run", spread, "1")
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := killed.Wait(); err == nil {
		t.Error("the worker ended before it was killed")
	}
	step := func(name string, numbers ...string) {
		args := []string{"superpoint", "survey", name}
		if name == "run" || name == "refine" {
			args = append(args, "--threads", fmt.Sprint(1+len(numbers[0])%2))
		}
		pdal(t, nil, append(append(args, spread), numbers...)...).ok(t)
	}
	for _, name := range []string{"run", "join", "refine", "stitch", "finish"} {
		if name == "join" || name == "stitch" {
			step(name)
			continue
		}
		for _, k := range rand.Perm(n) {
			step(name, fmt.Sprint(k))
		}
	}
	if at, got := result(spread); n < 2 || !slices.Equal(at, places) || !slices.Equal(got, want) {
		t.Errorf("%d tiles of 95 m: other points or superpoints than the whole", n)
	}
	strength, found := 16., math.NaN() // λ̃, until λ of the merged files is that of the plan
	merged := filepath.Join(t.TempDir(), "stage.las")
	for range 3 {
		out := writer(merged)
		out["offset_x"], out["offset_y"] = 652_000, 5_412_000
		out["scale_x"], out["scale_y"], out["scale_z"] = .001, .001, .001
		o := pipeline(t, nil, files[0], files[1], stage{"type": "filters.merge"}, stage{"type": "filters.superpoint",
			"solver": "local", "spacing": spacing, "regularization": fmt.Sprint(strength)}, out).ok(t)
		if found = o.stage[0]["lambda"].(float64); math.Abs(found-lambda) < 1e-12*lambda {
			break
		}
		strength *= lambda / found
	}
	at, got := partition(t, []string{merged})
	if math.Abs(found-lambda) > 1e-12*lambda || !slices.Equal(at, places) || !slices.Equal(got, want) {
		t.Errorf("at λ %v for %v the stage makes other superpoints of the merged files than the survey of one tile", found,
			lambda)
	}
}
