package georef

import (
	"math"
	"testing"
)

func TestScaleOfReferences(t *testing.T) {
	feet := `PROJCS["f",GEOGCS["g",UNIT["degree",0.0174532925199433]],UNIT["US survey foot",0.3048006096012192]]`
	for name, c := range map[string]struct {
		reference Reference
		y         float64
		want      [3]float64
	}{
		"none": {Reference{}, 5e6, [3]float64{1, 1, 1}},
		"feet": {Reference{WKT: feet}, 5e6, [3]float64{0.3048006096012192, 0.3048006096012192, 0.3048006096012192}},
		// a degree of WGS 84 (NIMA TR8350.2)
		"equator": {Reference{Geographic: true}, 0, [3]float64{111319.49, 110574.28, 1}},
		"60°":     {Reference{Geographic: true}, 60, [3]float64{55800.00, 111412.29, 1}},
	} {
		scale, err := c.reference.Scale(nil)
		if err != nil {
			t.Fatal(err)
		}
		for a, v := range scale(c.y) {
			if math.Abs(v-c.want[a]) > 1e-6*c.want[a] {
				t.Errorf("%s: %v, want %v", name, scale(c.y), c.want)
				break
			}
		}
	}
}

func TestCodeOfReferences(t *testing.T) {
	for text, want := range map[string][2]string{
		"": {}, "nonsense[": {}, `PROJCS["a",GEOGCS["b",AUTHORITY["EPSG","4326"]]]`: {},
		`PROJCS["a",GEOGCS["b",AUTHORITY["EPSG","4326"]],AUTHORITY["EPSG",` +
			`"2154"]]`: {"EPSG", "2154"},
		`COMPD_CS["c",PROJCS["a",AUTHORITY["EPSG","2154"]],VERT_CS["v",AUTHORITY["EPSG","5720"]],AUTHORITY["EPSG",` +
			`"5698"]]`: {"EPSG", "2154"},
		`PROJCRS["a",BASEGEOGCRS["b",ID["EPSG",4326]],ID["EPSG",` +
			`32632]]`: {"EPSG", "32632"},
		`BOUNDCRS[SOURCECRS[GEOGCRS["g",ID["EPSG",4258]]],TARGETCRS[GEOGCRS["w",ID["EPSG",` +
			`4326]]]]`: {"EPSG", "4258"},
	} {
		if authority, code := (Reference{WKT: text}).Code(); authority != want[0] || code != want[1] {
			t.Errorf("%q: %s:%s, want %v", text, authority, code, want)
		}
	}
}
