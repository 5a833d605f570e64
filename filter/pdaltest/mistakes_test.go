package pdaltest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// TestMistakes makes mistakes of users: each is refused before any work, with the user's file, the reason and the
// remedy, and leaves nothing behind.
func TestMistakes(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	write := func(name, text string) { must.OK(t, os.WriteFile(at(name), []byte(text), 0o666)) }
	translate := func(name string, x float64, srs string) {
		in, _ := houseFile(t, 500000+x, 5400000, 1)
		options := stage{"type": "writers.las", "filename": at(name), "offset_x": "auto"}
		if srs != "" {
			options["a_srs"] = srs
		}
		pipeline(t, nil, in, options).ok(t)
	}
	translate("a.las", 0, utm)
	translate("b.las", 24, "EPSG:25832")
	translate("none.las", 24, "")
	translate("near.las", 20, utm)
	must.OK(t, os.Link(at("a.las"), at("copy.las")))
	write("points.txt", "X,Y,Z\n1,2,3\n2,3,3\n3,3,4\n")

	other := []string{"b.las: its spatial reference (EPSG:25832) is not that of ", "a.las (EPSG:32632)", "reproject"}
	missing := []string{"none.las: its spatial reference (none) is not that of ", "a.las", "--default_srs"}
	twice := []string{"a.las and ", "copy.las have the same points; leave one of them out"}
	for _, c := range []struct {
		args string // without superpoint; names of files have a dot, that of the output comes last
		want []string
	}{
		{"map a.las b.las new.d", other},
		{"map a.las none.las new.d", missing},
		{"map --default_srs EPSG:25832 a.las none.las new.d", []string{"none.las: its spatial reference (EPSG:25832)"}},
		{"map a.las copy.las new.d", twice},
		{"objects a.las b.las new.gpkg", other},
		{"objects a.las copy.las new.gpkg", twice},
		{"outline a.las b.las new.gpkg", other},
		{"survey plan a.las points.txt --output new.d", []string{"points.txt: its format has no header", "pdal translate"}},
	} {
		args := append([]string{"superpoint"}, strings.Fields(c.args)...)
		for k, name := range args {
			if strings.Contains(name, ".") {
				args[k] = at(name)
			}
		}
		t.Run(c.args, func(t *testing.T) { refused(t, pdal(t, nil, args...), args[len(args)-1], c.want...) })
	}
	o := pdal(t, nil, "superpoint", "map", at("a.las"), at("near.las"), at("map")).ok(t)
	if want := "near.las overlap by 4 × 24 m; points in both are counted twice"; !strings.Contains(o.stderr, want) {
		t.Errorf("%s\nlacks %q", o.stderr, want)
	}
}
