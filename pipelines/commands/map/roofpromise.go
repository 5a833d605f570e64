// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

	"superpoint/pipelines/layers"
)

// roofPromises are what the page says of roofs and solids.
func roofPromises() []promise {
	return []promise{
		{"eave and ridge of a roof lie between the ground and the top of its building",
			(*results).checkRoofs},
		{"The solids stand on the footprints", (*results).checkSolids},
	}
}

// attributeError is the rounding of two heights in metres.
const attributeError = 0.02

// checkRoofs checks the roofs of the layer of buildings.
func (r *results) checkRoofs() error {
	for k := range r.buildings {
		f := &r.buildings[k]
		form := f.words["roof"]
		eave := f.number("eave")
		ridge := f.number("ridge")
		isKnown := form != "unknown"
		switch {
		case !slices.Contains([]string{"flat", "gabled", "hipped", "other", "unknown"}, form):
			return r.broken(mapObjects, "building %v has the roof %q", f.number("id"), form)
		case isKnown && f.number("edge") == 1:
			return r.broken(mapObjects, "building %v is at the edge of the tiles, and has a %s roof",
				f.number("id"), form)
		case !isKnown && !(math.IsNaN(eave) && math.IsNaN(ridge)):
			return r.broken(mapObjects, "building %v has an unknown roof with eave %v and ridge %v",
				f.number("id"), eave, ridge)
		case isKnown && !ordered(-attributeError, eave, ridge+attributeError,
			f.number("height")+2*attributeError):
			return r.broken(mapObjects, "building %v has eave %v, ridge %v and height %v", f.number("id"),
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

// checkSolids checks that each building has a solid on its footprint.
func (r *results) checkSolids() error {
	if !r.m.HasSolids() {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(r.m.work, mapSolids))
	if err != nil {
		return err
	}
	var all solids
	if err := json.Unmarshal(text, &all); err != nil {
		return r.broken(mapSolids, "%w", err)
	}
	count := 0
	for _, o := range all.CityObjects {
		if o.Type == "Building" {
			count++
		}
	}
	if count != len(r.buildings) {
		return r.broken(mapSolids, "%d solids of %d buildings", count, len(r.buildings))
	}
	for k := range r.buildings {
		if err := r.checkSolid(&all, &r.buildings[k]); err != nil {
			return err
		}
	}
	return nil
}

// checkSolid checks that the solid of a building has the corners of its footprint, at the ground and at the
// height of its block.
func (r *results) checkSolid(all *solids, f *object) error {
	name := fmt.Sprintf("building-%.0f", f.number("id"))
	whole, known := all.CityObjects[name]
	if !known {
		return r.broken(mapSolids, "%s is missing", name)
	}
	floor := f.number("ground")
	roof := floor + f.number("block")/r.m.Metres[2]
	step := math.Pow10(-layers.Decimals(r.m.Metres[1]))
	want := map[corner]bool{}
	for _, at := range corners(f.shape) {
		want[corner{int64(math.Round(at.X / step)), int64(math.Round(at.Y / step))}] = true
	}
	low, high := map[corner]bool{}, map[corner]bool{}
	for _, v := range all.vertices(append([]string{name}, whole.Children...)) {
		at := corner{int64(math.Round(v[0] / step)), int64(math.Round(v[1] / step))}
		switch {
		case math.Abs(v[2]-floor)*r.m.Metres[2] <= attributeError:
			low[at] = true
		case math.Abs(v[2]-roof)*r.m.Metres[2] <= attributeError:
			high[at] = true
		default:
			return r.broken(mapSolids,
				"%s has a corner at height %v; its ground is %v and its block ends at %v", name, v[2], floor,
				roof)
		}
	}
	if !maps.Equal(low, want) || !maps.Equal(high, want) {
		return r.broken(mapSolids,
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
