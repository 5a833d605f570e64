// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// block is the solid of the house of the village as CityJSON.
const block = `{"type":"CityJSON","version":"2.0","transform":{"scale":[0.001,0.001,0.001],"translate":[10,10,0]},
"CityObjects":{"building-1":{"type":"Building","geometry":[{"type":"Solid","lod":"1","boundaries":[[
[[0,3,2,1]],[[4,5,6,7]],[[0,1,5,4]],[[1,2,6,5]],[[2,3,7,6]],[[3,0,4,7]]]]}]}},
"vertices":[[10000,10000,102500],[20000,10000,102500],[20000,20000,102500],[10000,20000,102500],
[10000,10000,109500],[20000,10000,109500],[20000,20000,109500],[10000,20000,109500]]}`

const ofRoof = ofHouse + `,"edge":0,"roof":"gabled","eave":6.5,"ridge":7.5,"block":7`

// roofed is the village with the roof and the solid of its house.
func roofed(t *testing.T) (*mapping, *village) {
	t.Helper()
	m, v := mapped(t)
	v.buildings = feature("MultiPolygon", house, ofRoof)
	must.OK(t, os.WriteFile(filepath.Join(m.work, mapSolids), []byte(block), 0o666))
	return m, v
}

func TestRoofPromisesHold(t *testing.T) {
	m, _ := roofed(t)
	must.OK(t, m.keepRoofPromises())
}

// TestRoofPromisesOfThePage: every promise is made by words of the page.
func TestRoofPromisesOfThePage(t *testing.T) {
	page := string(must.Get(os.ReadFile(filepath.Join("..", "..", "map.md")))(t))
	page = strings.Join(strings.Fields(page), " ")
	for _, p := range roofPromises() {
		must.Say(t, page, p.says)
	}
}

// TestBrokenRoofPromises: a roof or solid that is not what the page says is an error that names file,
// building and value.
func TestBrokenRoofPromises(t *testing.T) {
	attribute := func(old, changed string) func(m *mapping, v *village) {
		return func(_ *mapping, v *village) { v.buildings = strings.Replace(v.buildings, old, changed, 1) }
	}
	solid := func(old, changed string) func(m *mapping, v *village) {
		return func(m *mapping, _ *village) {
			text := strings.ReplaceAll(block, old, changed)
			_ = os.WriteFile(filepath.Join(m.work, mapSolids), []byte(text), 0o666)
		}
	}
	for name, c := range map[string]struct {
		plant func(m *mapping, v *village)
		words []string
	}{
		"form that is none":      {attribute(`"gabled"`, `"tent"`), []string{"building 1", "tent"}},
		"form at the edge":       {attribute(`"edge":0`, `"edge":1`), []string{"edge of the tiles", "gabled"}},
		"heights of no form":     {attribute(`"gabled"`, `"unknown"`), []string{"unknown roof", "6.5"}},
		"eave above ridge":       {attribute(`"eave":6.5`, `"eave":7.6`), []string{"eave 7.6", "ridge 7.5"}},
		"eave below ground":      {attribute(`"eave":6.5`, `"eave":-1`), []string{"eave -1"}},
		"no eave":                {attribute(`"eave":6.5`, `"eave":null`), []string{"eave NaN"}},
		"ridge above the top":    {attribute(`"ridge":7.5`, `"ridge":9`), []string{"ridge 9"}},
		"block of another size":  {attribute(`"block":7`, `"block":5`), []string{mapSolids, "109.5", "107.5"}},
		"no solid":               {solid("building-1", "building-2"), []string{"building-1 is missing"}},
		"solid of nothing":       {solid(`"Building"`, `"Road"`), []string{"0 solids of 1"}},
		"solid elsewhere":        {solid(`[10,10,0]`, `[11,10,0]`), []string{"building-1", "footprint"}},
		"solid of other heights": {solid(`102500`, `101500`), []string{"height 101.5"}},
		"solid of a triangle":    {solid(`[20000,20000,`, `[20000,10000,`), []string{"3 corners"}},
		"no JSON":                {solid(`{`, `[`), []string{mapSolids}},
	} {
		t.Run(name, func(t *testing.T) {
			m, v := roofed(t)
			c.plant(m, v)
			must.Fail(m.keepRoofPromises())(t, c.words...)
		})
	}
}
