// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// Cases of the campaign about commands other than `segment` and `survey`, and inputs other than LAS.

// otherCommands are run by the method of the same name. The first half writes records of LAS.
func otherCommands() map[string]func(c *campaignCase, t *testing.T, in string) {
	return map[string]func(c *campaignCase, t *testing.T, in string){
		"objects": (*campaignCase).objects, "map": (*campaignCase).mapped,
		"vpc": (*campaignCase).virtual, "text": (*campaignCase).text, "ply": (*campaignCase).ply,
		"pcd": (*campaignCase).pcd, "buffered survey": (*campaignCase).buffered,
	}
}

// outputs are names of dimensions that commands write.
var outputs = []string{"Classification", "SuperpointID", "ClassConfidence", "Embedding0", "Embedding1", "Embedding2",
	"Embedding3"} // read only

// result returns a result, which is LAS or LAZ.
func (c *campaignCase) result(t *testing.T, within ...string) *las.File {
	t.Helper()
	return readAny(t, c.find(t, within...))
}

func (c *campaignCase) find(t *testing.T, within ...string) string {
	t.Helper()
	pattern := filepath.Join(append([]string{c.folder}, within...)...) + ".la[sz]"
	named := must.Get(filepath.Glob(pattern))(t)
	if len(named) != 1 {
		t.Fatalf("%s: results %v", pattern, named)
	}
	return named[0]
}

func (c *campaignCase) ending() string { return []string{".las", ".laz"}[c.random.IntN(2)] }

func (c *campaignCase) objects(t *testing.T, in string) {
	do(t, "segment", "--classes", "aerial", in, filepath.Join(c.folder, "classes"+c.ending()))
	do(t, "objects", c.find(t, "classes"), filepath.Join(c.folder, "objects.gpkg"))
	sameCloud(t, "segment --classes", c.file, c.result(t, "classes"), outputs...)
}

func (c *campaignCase) mapped(t *testing.T, in string) {
	do(t, "map", in, filepath.Join(c.folder, "map"))
	sameCloud(t, "map", c.file, c.result(t, "map", "points", "in"), outputs...)
}

// virtual segments a virtual point cloud with the number of points.
func (c *campaignCase) virtual(t *testing.T, in string) {
	item := map[string]any{"id": "a", "properties": map[string]any{"pc:count": len(c.file.Records)},
		"assets": map[string]any{"data": map[string]any{"href": "./in.las"}}}
	text := must.Get(json.Marshal(map[string]any{"type": "FeatureCollection", "features": []any{item}}))(t)
	cloud := filepath.Join(c.folder, "all.vpc")
	must.OK(t, os.WriteFile(cloud, text, 0o666))
	do(t, "segment", "--model", "geometric", cloud, filepath.Join(c.folder, "out"))
	sameCloud(t, "vpc", c.file, c.result(t, "out", "in"), outputs[1:]...)
}

// buffered surveys two files with a common strip, whose points are other ones.
func (c *campaignCase) buffered(t *testing.T, in string) {
	other := *c.file
	other.Records = nil
	for _, r := range c.file.Records {
		if int32(le.Uint32(r))%3 == 0 {
			r = slices.Clone(r)
			le.PutUint16(r[12:], le.Uint16(r[12:])+1)
			other.Records = append(other.Records, r)
		}
	}
	must.OK(t, other.Write(filepath.Join(c.folder, "second.las")))
	survey := filepath.Join(c.folder, "survey")
	do(t, "survey", "plan", "--model", "geometric", "--output", survey, in, filepath.Join(c.folder, "second.las"))
	do(t, "survey", "run", survey)
	sameCloud(t, "buffered survey", c.file, c.result(t, "survey", "out", "in"), outputs[1:]...)
	sameCloud(t, "buffered survey, second file", &other, c.result(t, "survey", "out", "second"), outputs[1:]...)
}

// positions returns the coordinates of the case with decimals, as text and as numbers, and intensities.
func (c *campaignCase) positions() (text [][3]string, p [][3]float64, intensity []uint16) {
	shift := []float64{0, 499999.123, -5e6}[c.random.IntN(3)]
	decimals := c.random.IntN(5) + 1
	for _, r := range c.file.Records {
		var t [3]string
		var v [3]float64
		for k := range 3 {
			t[k] = fmt.Sprintf("%.*f", decimals, float64(int32(le.Uint32(r[4*k:])))*c.file.Scale[k]+shift)
			fmt.Sscan(t[k], &v[k])
		}
		text, p, intensity = append(text, t), append(p, v), append(intensity, le.Uint16(r[12:]))
	}
	return text, p, intensity
}

// placed checks a result of points that were not LAS.
func (c *campaignCase) placed(t *testing.T, p [][3]float64, intensity []uint16) {
	t.Helper()
	r := c.result(t, "out")
	if len(r.Records) != len(p) {
		t.Fatalf("%d of %d points", len(r.Records), len(p))
	}
	checkComputed(t, c.command, r)
	got, want := make([][]float64, len(p)), make([][]float64, len(p))
	for i, b := range r.Records {
		got[i], want[i] = []float64{float64(le.Uint16(b[12:]))}, append([]float64{float64(intensity[i])}, p[i][:]...)
		for k := range 3 {
			got[i] = append(got[i], float64(int32(le.Uint32(b[4*k:])))*r.Scale[k]+r.Offset[k])
		}
	}
	for i := range got {
		for k, v := range got[i] {
			if math.Abs(v-want[i][k]) > 1e-15*math.Abs(want[i][k])+1e-12 {
				t.Fatalf("intensity and coordinates of point %d are %.12f, not %.12f", i, got[i], want[i])
			}
		}
	}
	dense(t, ids(t, r.Points(), "SuperpointID"))
}

// converted segments points that were not LAS. fractions: their intensities have a quarter more, which LAS rounds.
func (c *campaignCase) converted(t *testing.T, name string, text []byte, p [][3]float64, intensity []uint16,
	fractions bool) {
	t.Helper()
	in := filepath.Join(c.folder, name)
	put(t, in, string(text))
	do(t, "segment", "--model", "geometric", in, filepath.Join(c.folder, "out"+c.ending()))
	c.placed(t, p, intensity)
	if r := c.result(t, "out"); fractions {
		for i, b := range r.Records {
			if v := r.Extra("Intensity_value").Value(b); v != float64(intensity[i])+.25 {
				t.Fatalf("Intensity_value of point %d is %v, and the intensity %d", i, v, intensity[i])
			}
		}
	}
}

// text has the endings of several programs.
func (c *campaignCase) text(t *testing.T, _ string) {
	text, p, intensity := c.positions()
	between := []string{",", " ", "\t", ";"}[c.random.IntN(4)]
	end := []string{"\n", "\r\n"}[c.random.IntN(2)]
	names := [][]string{{"X", "Y", "Z", "Intensity"}, {"x", "y", "z", "INTENSITY"}}[c.random.IntN(2)]
	lines := strings.Join(names, between) + end
	for i := range text {
		lines += strings.Join(append(text[i][:], fmt.Sprint(intensity[i])), between) + end
	}
	name := []string{"in.txt", "in.csv", "in.xyz", "in.ASC"}[c.random.IntN(4)]
	c.converted(t, name, []byte(lines), p, intensity, false)
}

// binaryPoints returns points as doubles, and intensities as integers or, with fractions, as float.
func binaryPoints(p [][3]float64, intensity []uint16, fractions bool) (b []byte) {
	for i := range p {
		for _, v := range p[i] {
			b = le.AppendUint64(b, math.Float64bits(v))
		}
		if fractions {
			b = le.AppendUint32(b, math.Float32bits(float32(intensity[i])+.25))
		} else {
			b = le.AppendUint16(b, intensity[i])
		}
	}
	return b
}

func (c *campaignCase) ply(t *testing.T, _ string) {
	_, p, intensity := c.positions()
	fractions := c.random.IntN(2) == 0
	head := fmt.Sprintf("ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty double x\nproperty double y\n"+
		"property double z\nproperty %s Intensity\nend_header\n", len(p), map[bool]string{true: "float",
		false: "ushort"}[fractions])
	c.converted(t, "in.ply", append([]byte(head), binaryPoints(p, intensity, fractions)...), p, intensity, fractions)
}

func (c *campaignCase) pcd(t *testing.T, _ string) {
	_, p, intensity := c.positions()
	fractions := c.random.IntN(2) == 0
	text := fmt.Sprintf("VERSION .7\nFIELDS x y z intensity\nSIZE 8 8 8 %s\nCOUNT 1 1 1 1\nWIDTH %d\nHEIGHT 1\n"+
		"VIEWPOINT 0 0 0 1 0 0 0\nPOINTS %d\nDATA ascii\n", map[bool]string{true: "4\nTYPE F F F F",
		false: "2\nTYPE F F F U"}[fractions], len(p), len(p))
	end := map[bool]string{true: ".25\n", false: "\n"}[fractions]
	for i, v := range p {
		text += fmt.Sprint(v[0], " ", v[1], " ", v[2], " ", intensity[i], end)
	}
	c.converted(t, "in.pcd", []byte(text), p, intensity, fractions)
}

// randomLattice has scales and offsets that are no round numbers.
func randomLattice(random *rand.Rand, f *las.File) {
	f.Scale = [][3]float64{{.001, .001, .001}, {.01, .01, .0025}, {.00025, .01, .0007}, {.05, .125, .0625},
		{1e-7, 1e-6, 1e-5}}[random.IntN(5)]
	for k := range f.Offset {
		f.Offset[k] = []float64{0, 1000, -123.456, 5e5, 499999.1234567, 5400000.123, 1. / 3}[random.IntN(7)]
	}
}

// randomHeader fills the fields of a header that do not depend on points, and adds extended records.
func randomHeader(random *rand.Rand, f *las.File) {
	f.Header = randomBytes(random, 94)
	f.Header[6], f.Header[7] = byte(random.IntN(2)), 0
	if f.Format >= 6 {
		f.Header[6] |= 16
	}
	for _, at := range [][2]int{{26, 58}, {58, 90}} {
		copy(f.Header[at[0]:at[1]], fmt.Sprintf("%-32.*x", random.IntN(16), random.Uint64()))
	}
	le.PutUint16(f.Header[90:], uint16(1+random.IntN(365)))
	le.PutUint16(f.Header[92:], uint16(1990+random.IntN(40)))
	if f.Minor == 4 {
		for k := range random.IntN(3) {
			f.Variable = append(f.Variable, las.Variable{User: "somebody", ID: uint16(100 + k), Extended: true,
				Data: randomBytes(random, random.IntN(70000))})
		}
	}
}
