// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

	"superpoint/pipelines/commands/map/contents"
	"superpoint/pipelines/layers"
)

// attributeError is the rounding of two heights in metres.
const attributeError = 0.02

// checkRoofs checks the roofs of the layer of buildings.
func checkRoofs(buildings []object) error {
	for k := range buildings {
		f := &buildings[k]
		form := f.words["roof"]
		eave := f.number("eave")
		ridge := f.number("ridge")
		isKnown := form != "unknown"
		switch {
		case !slices.Contains([]string{"flat", "gabled", "hipped", "other", "unknown"}, form):
			return broken(contents.Objects, "building %v has the roof %q", f.number("id"), form)
		case isKnown && f.number("edge") == 1:
			return broken(contents.Objects, "building %v is at the edge of the tiles, and has a %s roof",
				f.number("id"), form)
		case !isKnown && !(math.IsNaN(eave) && math.IsNaN(ridge)):
			return broken(contents.Objects, "building %v has an unknown roof with eave %v and ridge %v",
				f.number("id"), eave, ridge)
		case isKnown && !ordered(-attributeError, eave, ridge+attributeError,
			f.number("height")+2*attributeError):
			return broken(contents.Objects, "building %v has eave %v, ridge %v and height %v", f.number("id"),
				eave, ridge, f.number("height"))
		}
	}
	return nil
}

// ordered reports whether no value is below the one before it, and none is missing.
func ordered(values ...float64) bool {
	for k := 1; k < len(values); k++ {
		if !(values[k-1] <= values[k]) {
			return false
		}
	}
	return true
}

// solids are what is read of a file of CityJSON.
type solids struct {
	Transform   struct{ Scale, Translate [3]float64 }
	CityObjects map[string]struct {
		Type     string
		Children []string
		Geometry []struct{ Boundaries [][][][]int }
	}
	Vertices [][3]float64
}

// corner is a vertex in whole steps.
type corner [2]int64

// checkSolids checks that each building has a solid on its footprint in the file of a folder. A unit of each
// axis has some metres.
func checkSolids(folder string, buildings []object, metres [3]float64) error {
	text, err := os.ReadFile(filepath.Join(folder, contents.Solids))
	if err != nil {
		return err
	}
	var all solids
	if err := json.Unmarshal(text, &all); err != nil {
		return broken(contents.Solids, "%w", err)
	}
	count := 0
	for _, o := range all.CityObjects {
		if o.Type == "Building" {
			count++
		}
	}
	if count != len(buildings) {
		return broken(contents.Solids, "%d solids of %d buildings", count, len(buildings))
	}
	for k := range buildings {
		if err := checkSolid(&all, &buildings[k], metres); err != nil {
			return err
		}
	}
	return nil
}

// checkSolid checks that the solid of a building has the corners of its footprint, at the ground and at the
// height of its block. A unit of each axis has some metres.
func checkSolid(all *solids, f *object, metres [3]float64) error {
	name := fmt.Sprintf("building-%.0f", f.number("id"))
	whole, known := all.CityObjects[name]
	if !known {
		return broken(contents.Solids, "%s is missing", name)
	}
	floor := f.number("ground")
	roof := floor + f.number("block")/metres[2]
	step := math.Pow10(-layers.Decimals(metres[1]))
	want := map[corner]bool{}
	for _, at := range corners(f.shape) {
		want[corner{int64(math.Round(at.X / step)), int64(math.Round(at.Y / step))}] = true
	}
	low, high := map[corner]bool{}, map[corner]bool{}
	for _, v := range all.vertices(append([]string{name}, whole.Children...)) {
		at := corner{int64(math.Round(v[0] / step)), int64(math.Round(v[1] / step))}
		switch {
		case math.Abs(v[2]-floor)*metres[2] <= attributeError:
			low[at] = true
		case math.Abs(v[2]-roof)*metres[2] <= attributeError:
			high[at] = true
		default:
			return broken(contents.Solids,
				"%s has a corner at height %v; its ground is %v and its block ends at %v", name, v[2], floor,
				roof)
		}
	}
	if !maps.Equal(low, want) || !maps.Equal(high, want) {
		return broken(contents.Solids,
			"%s has %d corners at the ground and %d above, and its footprint %d others", name, len(low),
			len(high), len(want))
	}
	return nil
}

// vertices returns the coordinates of the vertices of objects.
func (all *solids) vertices(names []string) (made [][3]float64) {
	for _, name := range names {
		for _, g := range all.CityObjects[name].Geometry {
			for _, surface := range slices.Concat(g.Boundaries...) {
				for _, number := range slices.Concat(surface...) {
					v := all.Vertices[number]
					for axis := range v {
						v[axis] = v[axis]*all.Transform.Scale[axis] + all.Transform.Translate[axis]
					}
					made = append(made, v)
				}
			}
		}
	}
	return made
}
