package pdaltest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"superpoint/testdata/las"
)

// cloud writes the points that fill adds to two files that lie side by side.
func cloud(t *testing.T, fill func(k int, random *rand.Rand, add func(x, y, z float64, class uint8))) (files []string) {
	random := rand.New(rand.NewPCG(9, 1))
	for k := range 2 {
		p := new(las.Points)
		fill(k, random, func(x, y, z float64, class uint8) {
			p.X, p.Y, p.Z = append(p.X, 652_000+x), append(p.Y, 5_412_000+y), append(p.Z, 100+z)
			p.Classification = append(p.Classification, class)
			p.Intensity = append(p.Intensity, uint16(len(p.X)))
			p.ReturnNumber, p.NumberOfReturns = append(p.ReturnNumber, 1), append(p.NumberOfReturns, 1)
			p.ScanAngle, p.PointSourceID = append(p.ScanAngle, 0), append(p.PointSourceID, uint16(k))
			p.GPSTime = append(p.GPSTime, float64(len(p.X)))
			p.Red, p.Green, p.Blue = append(p.Red, 0), append(p.Green, 0), append(p.Blue, 0)
		})
		files = append(files, filepath.Join(t.TempDir(), fmt.Sprintf("cloud%d.las", k)))
		if err := las.WriteFile(files[k], p, 0.001); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// town are houses on rolling ground, a few points high above, whose nearest neighbours
// are far, and a few points far out, which are joined by long edges with points that
// do not know of them.
func town(t *testing.T) (files []string) {
	return cloud(t, func(k int, random *rand.Rand, add func(x, y, z float64, class uint8)) {
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
		for i := range 6 {
			add(45+float64(90*k)+.4*float64(i), 100+.3*float64(i%3), 1, 1)
		}
	})
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

// result reads what a survey has made.
func result(t *testing.T, project string) ([][3]float64, []int) {
	out, err := filepath.Glob(filepath.Join(project, "out", "*.la[sz]"))
	if err != nil {
		t.Fatal(err)
	}
	return partition(t, out)
}

// stageAgrees tests that the stage makes some superpoints of the merged files.
func stageAgrees(t *testing.T, files []string, spacing string, lambda float64, places [][3]float64, want []int) {
	t.Helper()
	strength, found := 16., math.NaN() // λ̃, until λ of the merged files is that of the plan
	merged := filepath.Join(t.TempDir(), "stage.las")
	for range 3 {
		out := writer(merged)
		out["offset_x"], out["offset_y"] = 652_000, 5_412_000
		out["scale_x"], out["scale_y"], out["scale_z"] = .001, .001, .001
		o := pipeline(t, nil, files[0], files[1], stage{"type": "filters.merge"}, stage{"type": "filters.superpoint",
			"spacing": spacing, "regularization": fmt.Sprint(strength)}, out).ok(t)
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

// Tiles give the superpoints of the whole, whatever their size, in whatever order
// they are worked on, by however many processes, of which some are killed at any
// time; and the whole is what the stage makes with the same spacing and λ, whose
// default solver is the survey's.
func TestTilesGiveTheSuperpointsOfTheWhole(t *testing.T) {
	files := town(t)
	whole, n, spacing, lambda := planned(t, files, "--tile", "5000")
	if n != 1 {
		t.Fatalf("the whole has %d tiles", n)
	}
	pdal(t, nil, "superpoint", "survey", "run", whole).ok(t)
	places, want := result(t, whole)

	small, n, _, _ := planned(t, files, "--tile", "40", "--halo", "20")
	pdal(t, nil, "superpoint", "survey", "run", small).ok(t)
	if at, got := result(t, small); n < 6 || !slices.Equal(at, places) || !slices.Equal(got, want) {
		t.Errorf("%d tiles of 40 m: other points or superpoints than the whole", n)
	}
	wider(t, small, n)

	spread, n, _, _ := planned(t, files, "--tile", "95")
	for range 3 {
		killed := exec.Command(launcher(t), "superpoint", "survey", "run", "--threads", "1", spread)
		if err := killed.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.IntN(1500)) * time.Millisecond)
		if err := killed.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		_ = killed.Wait() // it may have been done
	}
	step := func(name string, numbers ...string) {
		args := []string{"superpoint", "survey", name}
		if name == "embed" || name == "run" || name == "refine" {
			args = append(args, "--threads", fmt.Sprint(1+len(numbers[0])%2))
		}
		pdal(t, nil, append(append(args, spread), numbers...)...).ok(t)
	}
	for _, name := range []string{"embed", "run", "join", "refine", "stitch", "finish"} {
		if name == "join" || name == "stitch" {
			step(name)
			continue
		}
		for _, k := range rand.Perm(n) {
			step(name, fmt.Sprint(k))
		}
	}
	if at, got := result(t, spread); n < 2 || !slices.Equal(at, places) || !slices.Equal(got, want) {
		t.Errorf("%d tiles of 95 m: other points or superpoints than the whole", n)
	}
	stageAgrees(t, files, spacing, lambda, places, want)
}

// wider tests that a survey had edges longer than the reach, places beyond the halo to
// look at, and halos that were too narrow to merge in.
func wider(t *testing.T, project string, tiles int) {
	t.Helper()
	var longest int64
	beyond, widened := 0, 0
	for n := range tiles {
		var embedded struct{ Places int }
		var run struct{ Halo float64 }
		for name, value := range map[string]any{".embedded.json": &embedded, ".json": &run} {
			text, err := os.ReadFile(filepath.Join(project, "tiles", fmt.Sprint(n)+name))
			if err == nil {
				err = json.Unmarshal(text, value)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		beyond += embedded.Places
		if run.Halo > 20 {
			widened++
		}
		if info, err := os.Stat(filepath.Join(project, "tiles", fmt.Sprint(n)+".long")); err == nil {
			longest = max(longest, info.Size())
		}
	}
	const empty = 28 // bytes of a file of two arrays without numbers
	if beyond == 0 || widened == 0 || longest <= empty {
		t.Errorf("%d places beyond halos, %d halos widened, long edges in %d bytes: nothing is tested", beyond, widened,
			longest)
	}
}
