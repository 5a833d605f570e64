// SPDX-License-Identifier: BSD-3-Clause

package commands

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"superpoint/filter/georef"
	"superpoint/pipelines/commands/command"
	"superpoint/testdata/heights"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// writeFiles makes files of so many points in a new working folder. Commands with several inputs read the
// headers themselves, and the points from a host that makes them.
func writeFiles(t *testing.T, points map[string]int) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, n := range points {
		must.OK(t, os.MkdirAll(filepath.Dir(name), 0o755))
		places := slices.Repeat([]float64{float64(len(name))}, n) // others in each file
		p := &las.Points{X: places, Y: places, Z: places, Classification: make([]uint8, n)}
		must.OK(t, las.WriteFile(name, p, 0.001))
	}
}

// fakeHost is a host with one file, "made.las".
type fakeHost struct {
	stepsHost
	columns command.Columns
	files   map[string]*fakeHost // further files
}

func (m *fakeHost) Read(path string, dimensions []string) (*command.Columns, error) {
	if other := m.files[path]; other != nil {
		return other.Read("made.las", dimensions)
	}
	if path != "made.las" {
		return nil, errors.New(path + ": no such file")
	}
	c := command.Columns{X: m.columns.X, Y: m.columns.Y, Z: m.columns.Z, Reference: m.columns.Reference,
		Dimensions: map[string][]float64{}, Available: []string{"X", "Y", "Z"}}
	for name, values := range m.columns.Dimensions {
		c.Available = append(c.Available, name)
		if slices.Contains(dimensions, name) {
			c.Dimensions[name] = values
		}
	}
	slices.Sort(c.Available[3:])
	return &c, nil
}

// Add adds a superpoint of points (x, y, z) that share a class.
func (m *fakeHost) add(id, class float64, points ...[3]float64) {
	c := &m.columns
	if c.Dimensions == nil {
		c.Dimensions = map[string][]float64{}
		c.Reference = georef.Reference{WKT: `PROJCS["u",GEOGCS["g"],UNIT["metre",1],AUTHORITY["EPSG","32632"]]`}
	}
	for _, p := range points {
		c.X, c.Y, c.Z = append(c.X, p[0]), append(c.Y, p[1]), append(c.Z, p[2])
		d := c.Dimensions
		d["SuperpointID"] = append(d["SuperpointID"], id)
		d["Classification"] = append(d["Classification"], class)
		d["Intensity"] = append(d["Intensity"], 10*id+float64(len(c.X)%2))
		d["Embedding0"] = append(d["Embedding0"], 1/id)
		d["Embedding1"] = append(d["Embedding1"], 0)
	}
}

// square returns (n+1)² points with corners (x, y) and (x+n, y+n), 1 m apart.
func square(x, y, z float64, n int) (points [][3]float64) {
	for i := range n + 1 {
		for j := range n + 1 {
			points = append(points, [3]float64{x + float64(i), y + float64(j), z})
		}
	}
	return points
}

// twoSquares has two level squares of side 3, one 1 m east of the other and
// 0.5 m higher.
func twoSquares(t *testing.T) *fakeHost {
	m := &fakeHost{stepsHost: stepsHost{t: t}}
	m.add(1, 2, square(600000, 5000000, 100, 3)...)
	m.add(2, 6, square(600004, 5000000, 100.5, 3)...)
	return m
}

func (m *fakeHost) run(args ...string) {
	m.t.Helper()
	must.OK(m.t, Run(m, args))
}

// write runs a command on made.las and returns the path of its output.
func (m *fakeHost) write(command, output string, options ...string) (path string) {
	m.t.Helper()
	path = filepath.Join(m.t.(*testing.T).TempDir(), output)
	m.run(append([]string{command, "made.las", path}, options...)...)
	return path
}

// csvColumns reads a CSV file of numbers by column; an empty cell is NaN.
func csvColumns(t *testing.T, path string) map[string][]float64 {
	t.Helper()
	rows := readRows(t, path)
	columns := map[string][]float64{}
	for _, row := range rows[1:] {
		for k, cell := range row {
			v := math.NaN()
			if cell != "" {
				v = must.Get(strconv.ParseFloat(cell, 64))(t)
			}
			columns[rows[0][k]] = append(columns[rows[0][k]], v)
		}
	}
	return columns
}

// expect compares columns of numbers to 1e-4; NaN equals NaN.
func expect(t *testing.T, got, want map[string][]float64) {
	t.Helper()
	for name, values := range want {
		same := len(got[name]) == len(values)
		for i := 0; same && i < len(values); i++ {
			same = math.Abs(got[name][i]-values[i]) <= 1e-4 || math.IsNaN(got[name][i]) &&
				math.IsNaN(values[i])
		}
		must.Hold(t, same, "%s: %v, want %v", name, got[name], values)
	}
}

func TestTableByHand(t *testing.T) {
	m := twoSquares(t)
	expect(t, csvColumns(t, m.write("table", "a.csv")), map[string][]float64{
		"id": {1, 2}, "count": {16, 16}, "x": {600001.5, 600005.5}, "y": {5000001.5, 5000001.5},
		"z":    {100, 100.5},
		"xmin": {600000, 600004}, "xmax": {600003, 600007}, "ymin": {5000000, 5000000}, "ymax": {5000003,
			5000003}, "zmin": {100, 100.5}, "zmax": {100, 100.5},
		"height": {0, 0}, "linearity": {0, 0}, "planarity": {1, 1}, "scattering": {0, 0}, "verticality": {0,
			0}, "residual": {0, 0},
		"normal_x": {0, 0}, "normal_y": {0, 0}, "normal_z": {1, 1}, "class": {2, 6}, "class_share": {1, 1},
		"Intensity_mean": {10.5, 20.5}, "Intensity_std": {0.5, 0.5}, "Embedding0_mean": {1, 0.5},
		"Embedding0_std": {0, 0},
	})
	c := csvColumns(t, m.write("table", "a.csv", "--dimensions", "Intensity"))
	must.Need(t, c["Intensity_mean"] != nil, `c["Intensity_mean"] is nil`)
	must.Hold(t, c["Embedding0_mean"] == nil,
		`c["Embedding0_mean"] is %v, want nil`, c["Embedding0_mean"])
	m.add(5, math.NaN(), [3]float64{600020, 5000000, 7}) // one point, without a class, whose cell is empty
	expect(t, csvColumns(t, m.write("table", "a.csv")), map[string][]float64{"id": {1, 2, 5},
		"count": {16, 16, 1},
		"x":     {600001.5, 600005.5, 600020}, "class": {2, 6, math.NaN()}})
}

// TestGraphByHand joins the squares over a border of four points a side whose
// neighbours across are 1 m east and 0.5 m up.
func TestGraphByHand(t *testing.T) {
	m := twoSquares(t)
	m.add(3, 1, square(600100, 5000000, 0, 3)...) // far from both
	across := math.Sqrt(1.25)
	got := csvColumns(t, m.write("graph", "a.csv", "--adjacency_knn", "4"))
	expect(t, got, map[string][]float64{
		"a": {1}, "b": {2}, "height_difference": {0.5}, "centroid_distance": {4.031}, "normal_angle": {0},
		"embedding_difference": {0.5},
		"border":               {math.Round(4*across*1000) / 1000},
	})
	must.Hold(t, got["edges"][0] >= 4, `got["edges"][0] is %v, want at least 4`, got["edges"][0])
	must.Hold(t, got["distance"][0] >= math.Round(across*1e4)/1e4,
		`got["distance"][0] is %v, want at least %v`, got["distance"][0], math.Round(across*1e4)/1e4)
	edges := got["edges"][0]
	for _, k := range []string{"5", "9", "16"} { // the default is 5
		of := csvColumns(t, m.write("graph", "a.csv", "--adjacency_knn", k))
		more := of["edges"][0]
		must.Hold(t, more > edges, "%v edges with %s neighbours, %v with fewer", more, k, edges)
		edges = more
	}
	delete(m.columns.Dimensions, "Embedding0")
	for i, x := range m.columns.X[16:32] { // the second square rises to the east, in other units
		m.columns.Z[16+i] += x - 600004
	}
	m.columns.Reference = georef.Reference{HorizontalUnit: 0.5, VerticalUnit: 0.25}
	c := csvColumns(t, m.write("graph", "a.csv"))
	expect(t, c, map[string][]float64{"a": {1}, "height_difference": {0.5}, "centroid_distance": {2.062},
		"normal_angle": {26.57}})
	must.Hold(t, c["embedding_difference"] == nil, "%v", c)
}

// TestSameForAnyThreads compares bytes.
func TestSameForAnyThreads(t *testing.T) {
	for command, output := range map[string]string{"table": "a.csv", "graph": "a.csv", "outline": "a.geojson",
		"mesh": "a.stl"} {
		var first []byte
		for _, threads := range []string{"1", "3"} {
			m := twoSquares(t)
			for i := range 200 {
				m.add(float64(1000-i), 1, square(600000+float64(20*i), 5000100, float64(i), 2+i%5)...)
			}
			data := must.Get(os.ReadFile(m.write(command, output, "--threads", threads)))(t)
			if first != nil {
				must.Hold(t, slices.Equal(first, data),
					"%s differs on %s threads: first is not data", command, threads)
			}
			first = data
		}
	}
}

func TestSuperpointErrors(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	for _, c := range []struct{ args, wants string }{
		{"table made.las", "one output file that ends in .csv"},
		{"table made.las " + out + ".txt", "ends in .csv"},
		{"graph made.las " + out + ".geojson", "ends in .csv"},
		{"outline made.las " + out, "out: the output, the last name, is a GeoPackage (.gpkg) or GeoJSON"},
		{"outline made.las " + out + ".shp", "ogr2ogr and QGIS write other formats"},
		{"outline made.las " + out + ".GPKG", "no driver; write .geojson, which needs none"},
		{"outline " + out + ".gpkg", "name point cloud files and, last, one output file"},
		{"outline --top made.las " + out + ".geojson", "there is no option --top"},
		{"mesh made.las " + out + ".obj", ".stl"},
		{"table other.las " + out + ".csv", "other.las: no such file"},
		{"table --id ClusterID made.las " + out + ".csv",
			`dimension "ClusterID" is missing; compute superpoints first, ` +
				`with pdal superpoint segment IN OUT`},
		{"table --id Intensity made.las " + out + ".csv", ""},
		{"table --class Type made.las " + out + ".csv",
			`dimension "Type" is missing; the file has X, Y, Z, Classification, Embedding0`},
		{"table --dimensions Red made.las " + out + ".csv", `dimension "Red" is missing`},
		{"table --dimensions Intensity,,Red made.las " + out + ".csv", "option dimensions: a name is empty"},
		{"table --dimensions Intensity,Intensity made.las " + out + ".csv",
			"option dimensions: Intensity is named twice"},
		{"outline --max_edge -1 made.las " + out + ".geojson", `--max_edge "-1": give`},
		{"graph --adjacency_knn 0 made.las " + out + ".csv", `--adjacency_knn "0": give`},
		{"graph --threads -1 made.las " + out + ".csv", `--threads "-1": give`},
		{"mesh --planarity 2 made.las " + out + ".stl", `--planarity "2": give`},
		{"mesh --residual 0 made.las " + out + ".stl", `--residual "0": give`},
		{"mesh --origin 1,2 made.las " + out + ".stl", "option origin"},
		{"table --nonsense made.las " + out + ".csv", "table --help"},
		{"table made.las /nowhere/a.csv", "/nowhere"},
		{"mesh --min_points 17 made.las " + out + ".stl", "none of 2 superpoints has 17 points"},
		{"objects made.las " + out + ".shp", "blocks of buildings are .city.json and .stl files"},
		{"objects --trees 6 made.las " + out + ".geojson", "class 6 is in two"},
		{"objects --class Missing made.las " + out + ".geojson", `dimension "Missing" is missing`},
		{"objects --trees tree made.las " + out + ".geojson", `"tree" is not a class`},
		{"objects --cell 0.0011 made.las " + out + ".geojson more",
			"more: the output, the last name, is a GeoPackage"},
		{"objects --points p made.las " + out + ".geojson", "there is no option --points"},
		{"objects " + out + ".geojson", "name point cloud files and, last, one output file"},
		{"objects --id Missing made.las " + out + ".geojson",
			"with pdal superpoint segment --classifier aerial IN OUT"},
	} {
		err := Run(twoSquares(t), strings.Fields(c.args))
		must.Equal(t, err == nil, c.wants == "", "%s: err == nil, for error %v", c.args, err)
		if err != nil {
			must.Hold(t, strings.Contains(err.Error(), c.wants),
				"%s: got %q, want %q in it", c.args, err.Error(), c.wants)
		}
	}
	m := twoSquares(t)
	m.columns.Dimensions["SuperpointID"] = make([]float64, len(m.columns.X))
	must.OK(t, os.WriteFile(out+"labels.csv", []byte("id,label\n1,ground\n"), 0o644))
	for _, args := range []string{"table made.las " + out + ".csv", "objects made.las " + out + ".geojson",
		"classify --labels " + out + "labels.csv made.las " + out + ".laz"} {
		must.Fail(Run(m, strings.Fields(args)))(t, "no point has an id above 0",
			"or name another dimension of ids with --id")
	}
	m = &fakeHost{stepsHost: stepsHost{t: t}}
	m.columns.Dimensions = map[string][]float64{"SuperpointID": {}, "Classification": {}}
	for _, args := range []string{"table made.las " + out + ".csv", "objects made.las " + out + ".geojson",
		"outline made.las " + out + ".geojson", "mesh made.las " + out + ".stl",
		"graph made.las " + out + ".csv", "propose made.las " + out + ".csv",
		"render made.las " + out + ".png"} {
		must.Fail(Run(m, strings.Fields(args)))(t, "made.las: the input has no points; name another")
	}
	m = twoSquares(t)
	m.columns.Dimensions["SuperpointID"][3] = 1.5
	must.Fail(Run(m, []string{"table", "made.las", out + ".csv"}))(t,
		`dimension "SuperpointID" of point 3 is 1.5`)
	m = twoSquares(t)
	m.columns.Z[7] = math.Inf(1)
	must.OK(t, Run(m, []string{"table", "made.las", out + ".csv"}))
	must.Hold(t, strings.Contains(m.said, "made.las: 1 point without finite coordinates left out"),
		"it said %q", m.said)
}

// TestPropose has five squares, one of them high; two are labelled.
func TestPropose(t *testing.T) {
	m := &fakeHost{stepsHost: stepsHost{t: t}}
	for k := range 5 {
		m.add(float64(10*k+10), 1, square(600000+float64(4*k), 5000000, 100+float64(k/4*6), 3)...)
	}
	dir := t.TempDir()
	next, labels := filepath.Join(dir, "next.csv"), filepath.Join(dir, "labels.csv")
	m.run("propose", "--classes", heights.File(t), "made.las", next)
	rows := readRows(t, next)
	must.Need(t, len(rows) == 6, "len(rows) is %v, want 6", len(rows))
	must.Need(t, strings.Join(rows[0], ",") == "id,count,x,y,z,class,confidence,label",
		`strings.Join(rows[0], ",") is %q, want %q`,
		strings.Join(rows[0], ","), "id,count,x,y,z,class,confidence,label")
	must.OK(t, os.WriteFile(labels, []byte("id,label\n50,building\n10,2\n"), 0o644))
	m.run("propose", "--classes", heights.File(t), "--labels", labels, "--count", "2", "made.las", next)
	rows = readRows(t, next)
	must.Need(t, len(rows) == 3, "%v", rows)
	for _, row := range rows[1:] {
		must.Hold(t, row[0] != "50", `%v is proposed: row[0] is "50"`, row)
		must.Hold(t, row[0] != "10", `%v is proposed: row[0] is "10"`, row)
		must.Hold(t, row[5] == "2", `%v is proposed: row[5] is not "2"`, row)
		must.Hold(t, row[7] == "", `%v is proposed: row[7] is not ""`, row)
		must.Hold(t, strings.HasPrefix(row[3], "5000001.5"), "%v is proposed: no %q", row, "5000001.5")
	}
	err := Run(m, []string{"propose", "--classes", heights.File(t), "--labels", labels, "--id",
		"Classification",
		"made.las", next})
	must.Fail(err)(t, "no superpoint")
	for _, v := range []float64{2.5, math.NaN(), 1 << 33} {
		m.columns.Dimensions["SuperpointID"][7] = v
		for _, command := range []string{"propose", "classify"} {
			err = Run(m, []string{command, "--classes", heights.File(t), "--labels", labels,
				"made.las", next})
			must.Fail(err)(t, "oint 7 ", fmt.Sprint(v))
		}
	}
}

func readRows(t *testing.T, path string) [][]string {
	t.Helper()
	file := must.Get(os.Open(path))(t)
	defer file.Close()
	return must.Get(csv.NewReader(file).ReadAll())(t)
}
