// SPDX-License-Identifier: BSD-3-Clause

package classify

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/embed/classes"
	"superpoint/filter/georef"
	"superpoint/filter/models"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/commands/command"
	"superpoint/testdata/heights"
	"superpoint/testdata/must"
)

// stair is a host of a file with two steps of a stair, superpoints 7 and 9.
type stair struct{ command.Host }

func (stair) Context() context.Context { return context.Background() }
func (stair) Log(int, string)          {}
func (stair) Progress(string, float64) {}

func (stair) Read(string, []string) (*command.Columns, error) {
	c := &command.Columns{Dimensions: map[string][]float64{}}
	c.Reference = georef.Reference{WKT: `PROJCS["u",GEOGCS["g"],UNIT["metre",1],AUTHORITY["EPSG","32632"]]`}
	for i := range 200 {
		x, y := i%20, i/20
		c.X, c.Y, c.Z = append(c.X, float64(x)), append(c.Y, float64(y)), append(c.Z, float64(x/10*6))
		c.Dimensions["SuperpointID"] = append(c.Dimensions["SuperpointID"], float64(7+x/10*2))
	}
	return c, nil
}

// TestLabelsAreEvidence: what proposals are chosen by takes labels as evidence of the bodies that they are
// in.
func TestLabelsAreEvidence(t *testing.T) {
	m := must.Get(models.Classes("classes", heights.File(t)))(t)
	s := must.Get(readSegmented(stair{}, "made.las", "SuperpointID", 1, m))(t)
	_, done, err := s.learn(m, "made.las", labelSet{9: 2})
	want := []classes.Label{{Row: 1, Code: 2}}
	must.OK(t, err)
	must.Equal(t, done, []int{1}, "rows")
	must.Equal(t, s.features.Labels, want, "labels")
}

// TestLabelsOfRows: two equal labels of a superpoint are one.
func TestLabelsOfRows(t *testing.T) {
	s := &classifierInput{ids: []uint32{3, 5}}
	twice := must.Get(parseLabels(strings.NewReader("id,label\n3,6\n5,2\n3,6.0\n"), nil))(t)
	all, err := s.labels("made.las", twice)
	must.OK(t, err)
	must.Equal(t, all, []classes.Label{{Row: 0, Code: 6}, {Row: 1, Code: 2}}, "all")
}

// TestProposalsAreOfTheTrained: a table of proposals shows the probabilities of the classifier with the
// labels.
func TestProposalsAreOfTheTrained(t *testing.T) {
	m := must.Get(models.Classes("classes", heights.File(t)))(t)
	s := must.Get(readSegmented(stair{}, "made.las", "SuperpointID", 1, m))(t)
	before := slices.Clone(s.p)
	fitted, _, err := s.learn(m, "made.las", labelSet{9: 2, 7: 6})
	must.OK(t, err)
	want := must.Get(fitted.Last(parallel.Run{}, s.features, s.hidden))(t)
	must.Equal(t, s.p, want, "s.p")
	must.Hold(t, !slices.Equal(s.p, before), "s.p equals before")
}

func TestTablesOfLabels(t *testing.T) {
	known := []classes.Class{{Code: 2, Name: "ground"}, {Code: 6, Name: "building"}}
	g, err := parseLabels(strings.NewReader("\ufeffID,class,Label\n7,2,building\n9,2,\n12,,40.0\n"), known)
	want := map[uint32]int{7: 6, 12: 40}
	must.OK(t, err)
	must.Hold(t, maps.Equal(g, want), "g is %v, want %v", g, want)
	for _, text := range []string{ // of a spreadsheet, with the names of a legend or of the classifier
		"id;label;x\n7;Building;1,5\n12;unclassified;\n", "id\tlabel\n7\t6\n12\tother\n",
		"id,label\n7,building\n12,1\n",
	} {
		g, err := parseLabels(strings.NewReader(text), append(known, classes.Class{Code: 1, Name: "other"}))
		want := map[uint32]int{7: 6, 12: 1}
		must.Need(t, err == nil, "%q: %v", text, err)
		must.Hold(t, maps.Equal(g, want), "%q: g is %v, want %v", text, g, want)
	}
	for text, want := range map[string]string{
		"":                          "is not a table",
		"id,kind\n1,2\n":            "needs label or class, and id",
		"id,class\n":                "it has no labels",
		"x,y,class\n1,2,2\n":        "Join attributes by location",
		"id,class\n0,2\n":           "line 2",
		"id,class\n1,tree\n":        "ground (2), building (6)",
		"id,class\n1,300\n":         "is not a class",
		"id,class\n1,2\n1,6\n":      "superpoint 1 is 6 here and 2 before",
		"id,class\n1,2\n2\n":        "fields",
		"id,class\n99999999999,2\n": "is not the id",
	} {
		must.Fail(parseLabels(strings.NewReader(text), known))(t, want)
	}
}

// TestEncodingsOfLabels: a table in another encoding is read, or the error says which line is in none that is
// known.
func TestEncodingsOfLabels(t *testing.T) {
	t.Parallel()
	known := []classes.Class{{Code: 6, Name: "Gebäude"}}
	for _, c := range []struct{ name, text, words string }{
		{"UTF-8", "id,label\n7,Gebäude\n", ""},
		{"UTF-16", "\xff\xfei\x00d\x00,\x00l\x00a\x00b\x00e\x00l\x00\n\x007\x00,\x006\x00", ""},
		{"carriage returns alone", "id,label\r7,6\r", ""},
		{"Windows-1252 in a column that nobody reads", "id,label,note\n7,6,f\xfcr\n", ""},
		{"Windows-1252 in a label", "id,label\n7,Geb\xe4ude\n",
			`line 2 is not UTF-8: "7,Geb\xe4ude"; save the file as UTF-8`},
		{"Windows-1252 in the head", "id,label f\xfcr\n7,6\n", "line 1 is not UTF-8"},
		{"a byte 0", "id,label\n7,\x006\n", "not text; save the file as UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "labels.csv")
			must.OK(t, os.WriteFile(path, []byte(c.text), 0o666))
			labels, err := readLabels(nil, path, known)
			must.Says(t, err, c.words, "labels")
			if err == nil {
				must.Equal(t, labels[7], 6, "labels[7]")
			}
		})
	}
}

func FuzzTablesOfLabels(f *testing.F) {
	f.Add("id,class\n1,2\n")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := parseLabels(strings.NewReader(text), nil)
		if err == nil {
			must.Hold(t, len(g) != 0, "no labels, and no error: len(g) is 0")
		}
	})
}

// columns is a host of a file whose points have ids.
type columns struct {
	command.Host
	ids  []float64
	said *[]string
}

func (columns) Context() context.Context { return context.Background() }
func (columns) Progress(string, float64) {}
func (c columns) Log(_ int, text string) { *c.said = append(*c.said, text) }
func (c columns) Read(path string, names []string) (*command.Columns, error) {
	if !strings.HasPrefix(strings.ToLower(path), "out.") {
		return nil, errors.New(path + " is not the output")
	}
	cloud, err := stair{}.Read(path, names)
	if err == nil {
		cloud.Dimensions["SuperpointID"] = c.ids
	}
	return cloud, err
}

// TestOtherIDsOfTheOutput: the ids of the output are compared with those that were labelled; the warning
// says which file has others than which.
func TestOtherIDsOfTheOutput(t *testing.T) {
	labelled := []uint32{7, 7, 9}
	for _, c := range []struct {
		name   string
		output string
		ids    []float64
		want   []string
	}{
		{"the same ids", "out.las", []float64{7, 7, 9}, nil},
		{"no ids", "out.las", nil, nil},
		{"another id", "out.las", []float64{7, 8, 9}, []string{"out.las has other superpoints than in.las"}},
		{"fewer points", "out.las", []float64{7, 7}, []string{"out.las has other superpoints than in.las"}},
		{"another order", "out.las", []float64{9, 7, 7}, []string{"out.las has other superpoints"}},
		{"the order of COPC", "out.copc.laz", []float64{9, 7, 7}, nil},
		{"other ids in COPC", "OUT.COPC.LAZ", []float64{9, 9, 7},
			[]string{"OUT.COPC.LAZ has other superpoints"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var said []string
			host := columns{ids: c.ids, said: &said}
			must.OK(t, compareIDs(host, "SuperpointID", labelled, "in.las", c.output))
			must.Equal(t, len(said), len(c.want), "warnings")
			for i, text := range said {
				must.Say(t, text, c.want[i])
			}
		})
	}
}

// TestFilesWithSomeIDs: points without a superpoint are left out; a file in which no point has one is
// refused.
func TestFilesWithSomeIDs(t *testing.T) {
	m := must.Get(models.Classes("classes", heights.File(t)))(t)
	whole := must.Get(stair{}.Read("", nil))(t).Dimensions["SuperpointID"]
	some, none := slices.Clone(whole), make([]float64, len(whole))
	some[3], some[5] = 0, 0
	var said []string
	s := must.Get(readSegmented(columns{ids: some, said: &said}, "out.las", "SuperpointID", 1, m))(t)
	must.Equal(t, s.ids, []uint32{7, 9}, "superpoints")
	must.Equal(t, s.id[3], uint32(0), "id of a point without a superpoint")
	must.Fail(readSegmented(columns{ids: none, said: &said}, "out.las", "SuperpointID", 1, m))(t, "out.las",
		"SuperpointID")
}
