// SPDX-License-Identifier: BSD-3-Clause

package extraction_test

import (
	"image"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/pipelines/land/extraction"
	"superpoint/pipelines/land/roof"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
	"superpoint/testdata/scan"
	"superpoint/testdata/scenes"
)

// roofOf returns the form that a roof of an estate has.
func roofOf(form string) roof.Form {
	return map[string]roof.Form{"flat": roof.Flat, "gabled": roof.Gabled, "hipped": roof.Hipped,
		"L-shaped": roof.Gabled, "lean-to": roof.Other}[form]
}

const (
	heightError = 0.3  // metres: of eave and ridge
	smallHouse  = 60.0 // square metres: smaller houses are not counted
	estateSide  = 180  // metres of a scanned estate: about 20 houses
	wholeHouse  = 12.0 // metres: houses nearer to the border of the scan are not counted
)

// roofTally counts the houses of estates with a form.
type roofTally struct {
	houses, right int
	near          int // right ones with eave and ridge within heightError
}

// countRoofs compares the roofs of a scanned estate with their truth.
func countRoofs(t *testing.T, seed uint64, density float64, tally map[string]*roofTally) {
	t.Helper()
	e := scenes.NewEstate(seed)
	p, q := scannedScene(t, e, scan.Options{Mode: scan.Aerial, Density: density, Seed: seed,
		Points: int(density * estateSide * estateSide)})
	q.Spacing = 1 / math.Sqrt(density)
	found := must.Get(extraction.Find(parallel.Run{}, q, extraction.DefaultSettings()))(t)
	for _, truth := range wholeHouses(e, p) {
		of := tally[truth.Form]
		of.houses++
		o := buildingAt(q, found, truth)
		if o == nil {
			continue
		}
		eave := o.Roof.Eave - truth.Eave
		ridge := o.Roof.Ridge - truth.Ridge
		isNear := math.Abs(eave) <= heightError && math.Abs(ridge) <= heightError
		isRight := o.Roof.Form == roofOf(truth.Form)
		if isRight {
			of.right++
		}
		if isRight && isNear {
			of.near++
		} else {
			t.Logf("seed %d, %v points/m², at %.0f %.0f: %s is %v, eave %+.2f, ridge %+.2f", seed, density,
				truth.X, truth.Y, truth.Form, o.Roof.Form, eave, ridge)
		}
	}
}

// wholeHouses returns the large houses of an estate that a scan has entirely.
func wholeHouses(e *scenes.Estate, p *las.Points) (all []scenes.Roof) {
	west, east := slices.Min(p.X)+wholeHouse, slices.Max(p.X)-wholeHouse
	south, north := slices.Min(p.Y)+wholeHouse, slices.Max(p.Y)-wholeHouse
	dx, dy := e.Size()
	for j := range int(north/dy) + 1 {
		for i := range int(east/dx) + 1 {
			truth := e.Roof(i, j)
			isInside := truth.X > west && truth.X < east && truth.Y > south && truth.Y < north
			if isInside && truth.Area > smallHouse {
				all = append(all, truth)
			}
		}
	}
	return all
}

// buildingAt returns the building with most points around the middle of a house.
func buildingAt(q *extraction.Points, found *extraction.Found, truth scenes.Roof) (best *extraction.Object) {
	most := 0
	box := image.Rect(-200, -200, 200, 200).Add(image.Pt(int(100*truth.X), int(100*truth.Y)))
	for k := range found.Buildings {
		o := &found.Buildings[k]
		count := 0
		for _, i := range o.Points {
			if q.At[i].In(box) {
				count++
			}
		}
		if count > most {
			best, most = o, count
		}
	}
	return best
}

// TestRoofs: of the houses of simulated estates, of all forms and turned any way, 90 % have the right form,
// and of these 90 % have eave and ridge within 0.3 m. The method was developed on odd seeds; these are even.
// SUPERPOINT_ROOFS=20 takes the even seeds up to 20 at four densities.
func TestRoofs(t *testing.T) {
	scans := map[float64][]uint64{8: {2}, 14: {4}}
	if last, err := strconv.Atoi(os.Getenv("SUPERPOINT_ROOFS")); err == nil {
		scans = map[float64][]uint64{}
		for seed := 2; seed <= last; seed += 2 {
			for _, density := range []float64{4, 8, 14, 30} {
				scans[density] = append(scans[density], uint64(seed))
			}
		}
	}
	tally := map[string]*roofTally{}
	for _, form := range scenes.RoofForms() {
		tally[form] = &roofTally{}
	}
	for density, seeds := range scans {
		for _, seed := range seeds {
			countRoofs(t, seed, density, tally)
		}
	}
	for form, of := range tally {
		t.Logf("%s: %d of %d, and heights of %d", form, of.right, of.houses, of.near)
		must.Hold(t, of.houses >= 4, "%s: %d houses, want at least 4", form, of.houses)
		must.Hold(t, 10*of.right >= 9*of.houses, "%s: the form of %d of %d houses is right", form, of.right,
			of.houses)
		must.Hold(t, 10*of.near >= 9*of.right, "%s: the heights of %d of %d roofs are right", form, of.near,
			of.right)
	}
}
