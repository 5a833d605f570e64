// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/pipelines/commands/map/contents"
	"superpoint/pipelines/commands/map/promises"
	"superpoint/pipelines/layers"
	"superpoint/testdata/must"
)

// block is the solid of the house of the village as CityJSON.
const block = `{"type":"CityJSON","version":"2.0","transform":{"scale":[0.001,0.001,0.001],"translate":[10,10,0]},
"CityObjects":{"building-1":{"type":"Building","geometry":[{"type":"Solid","lod":"1","boundaries":[[
[[0,3,2,1]],[[4,5,6,7]],[[0,1,5,4]],[[1,2,6,5]],[[2,3,7,6]],[[3,0,4,7]]]]}]}},
"vertices":[[10000,10000,102500],[20000,10000,102500],[20000,20000,102500],[10000,20000,102500],
[10000,10000,109500],[20000,10000,109500],[20000,20000,109500],[10000,20000,109500]]}`

// roofed is the village with the roof and the solid of its house.
func roofed(t *testing.T) (*mapping, *roofedVillage) {
	t.Helper()
	m, _ := mapped(t)
	v := &roofedVillage{columns: "WKT,id,top,ground,height,edge,roof,eave,ridge,block",
		building: `"MULTIPOLYGON(((20 20,30 20,30 30,20 30,20 20)))",1,110,102.5,7.5,0,gabled,6.5,7.5,7`}
	m.Host = v
	must.OK(t, os.WriteFile(filepath.Join(m.work, contents.Solids), []byte(block), 0o666))
	return m, v
}

// roofedVillage is a host with a table of one building, as GDAL writes it.
type roofedVillage struct {
	village
	columns, building string
}

func (v *roofedVillage) Convert(_, to string, names ...string) error {
	if err := emptyTables(to, names); err != nil {
		return err
	}
	text := v.columns + "\n" + v.building + "\n"
	return os.WriteFile(filepath.Join(to, layers.Buildings+".csv"), []byte(text), 0o666)
}

// keepRoofs reads the layers, and checks roofs and solids.
func keepRoofs(m *mapping) error {
	all := slices.DeleteFunc(promises.OfFiles(), func(p promises.Promise) bool {
		return !strings.HasPrefix(p.Says, "buildings, trees (tops)")
	})
	return promises.Keep(m.Run("checking"), m.stated(), m.witness, append(all, promises.OfRoofs()...))
}

func TestRoofPromisesHold(t *testing.T) {
	m, _ := roofed(t)
	must.OK(t, keepRoofs(m))
}

// TestRoofPromisesOfThePage: every promise is made by words of the page.
func TestRoofPromisesOfThePage(t *testing.T) {
	page := string(must.Get(os.ReadFile(filepath.Join("..", "..", "map.md")))(t))
	page = strings.Join(strings.Fields(page), " ")
	for _, p := range promises.OfRoofs() {
		must.Say(t, page, p.Says)
	}
}

// TestBrokenRoofPromises: a roof or solid that is not what the page says is an error that names file,
// building and value.
func TestBrokenRoofPromises(t *testing.T) {
	attribute := func(old, changed string) func(m *mapping, v *roofedVillage) {
		return func(_ *mapping, v *roofedVillage) {
			v.building = strings.Replace(v.building, old, changed, 1)
		}
	}
	solid := func(old, changed string) func(m *mapping, v *roofedVillage) {
		return func(m *mapping, _ *roofedVillage) {
			text := strings.ReplaceAll(block, old, changed)
			_ = os.WriteFile(filepath.Join(m.work, contents.Solids), []byte(text), 0o666)
		}
	}
	for name, c := range map[string]struct {
		plant func(m *mapping, v *roofedVillage)
		words []string
	}{
		"form that is none":      {attribute(`gabled`, `tent`), []string{"building 1", "tent"}},
		"form at the edge":       {attribute(`7.5,0,`, `7.5,1,`), []string{"edge of the tiles", "gabled"}},
		"heights of no form":     {attribute(`gabled`, `unknown`), []string{"unknown roof", "6.5"}},
		"eave above ridge":       {attribute(`,6.5,`, `,7.6,`), []string{"eave 7.6", "ridge 7.5"}},
		"eave below ground":      {attribute(`,6.5,`, `,-1,`), []string{"eave -1"}},
		"no eave":                {attribute(`,6.5,`, `,,`), []string{"eave NaN"}},
		"ridge above the top":    {attribute(`7.5,7`, `9,7`), []string{"ridge 9"}},
		"block of another size":  {attribute(`7.5,7`, `7.5,5`), []string{contents.Solids, "109.5", "107.5"}},
		"no solid":               {solid("building-1", "building-2"), []string{"building-1 is missing"}},
		"solid of nothing":       {solid(`"Building"`, `"Road"`), []string{"0 solids of 1"}},
		"solid elsewhere":        {solid(`[10,10,0]`, `[11,10,0]`), []string{"building-1", "footprint"}},
		"solid of other heights": {solid(`102500`, `101500`), []string{"height 101.5"}},
		"solid of a triangle":    {solid(`[20000,20000,`, `[20000,10000,`), []string{"3 corners"}},
		"no JSON":                {solid(`{`, `[`), []string{contents.Solids}},
	} {
		t.Run(name, func(t *testing.T) {
			m, v := roofed(t)
			c.plant(m, v)
			must.Fail(keepRoofs(m))(t, c.words...)
		})
	}
}
