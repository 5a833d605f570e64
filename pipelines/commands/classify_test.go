// SPDX-License-Identifier: BSD-3-Clause

package commands

import (
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/embed/classes"
	"superpoint/pipelines/commands/classify"
	"superpoint/pipelines/commands/train"
	"superpoint/testdata/heights"
	"superpoint/testdata/must"
)

func TestTablesOfLabels(t *testing.T) {
	known := []classes.Class{{Code: 2, Name: "ground"}, {Code: 6, Name: "building"}}
	g, err := classify.ParseLabels(strings.NewReader("\ufeffID,class,Label\n7,2,building\n9,2,\n12,,40.0\n"), known)
	if want := map[uint32]int{7: 6, 12: 40}; err != nil || !maps.Equal(g, want) {
		t.Errorf("%v, want %v: label comes before class, names count; %v", g, want, err)
	}
	for _, text := range []string{ // of a spreadsheet, with the names of a legend or of the classifier
		"id;label;x\n7;Building;1,5\n12;unclassified;\n", "id\tlabel\n7\t6\n12\tother\n", "id,label\n7,building\n12,1\n",
	} {
		g, err := classify.ParseLabels(strings.NewReader(text), append(known, classes.Class{Code: 1, Name: "other"}))
		if want := map[uint32]int{7: 6, 12: 1}; err != nil || !maps.Equal(g, want) {
			t.Errorf("%q: %v, want %v; %v", text, g, want, err)
		}
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
		must.Fail(classify.ParseLabels(strings.NewReader(text), known))(t, want)
	}
}

func FuzzTablesOfLabels(f *testing.F) {
	f.Add("id,class\n1,2\n")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := classify.ParseLabels(strings.NewReader(text), nil)
		if err == nil && len(g) == 0 {
			t.Error("no labels, and no error")
		}
	})
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
	if rows := readRows(t, next); len(rows) != 6 || strings.Join(rows[0], ",") != "id,count,x,y,z,class,confidence,label" {
		t.Fatalf("%v", rows)
	}
	must.OK(t, os.WriteFile(labels, []byte("id,label\n50,building\n10,2\n"), 0o644))
	m.run("propose", "--classes", heights.File(t), "--labels", labels, "--count", "2", "made.las", next)
	rows := readRows(t, next)
	if len(rows) != 3 {
		t.Fatalf("%v", rows)
	}
	for _, row := range rows[1:] {
		if row[0] == "50" || row[0] == "10" || row[5] != "2" || row[7] != "" || !strings.HasPrefix(row[3], "5000001.5") {
			t.Errorf("%v is proposed", row)
		}
	}
	err := Run(m, []string{"propose", "--classes", heights.File(t), "--labels", labels, "--id", "Classification",
		"made.las", next})
	must.Fail(err)(t, "no superpoint")
	for _, v := range []float64{2.5, math.NaN(), 1 << 33} {
		m.columns.Dimensions["SuperpointID"][7] = v
		for _, command := range []string{"propose", "classify"} {
			err = Run(m, []string{command, "--classes", heights.File(t), "--labels", labels, "made.las", next})
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

func TestTrainAsksForClasses(t *testing.T) {
	for args, want := range map[string]bool{
		"--classes rules.yaml a.laz b": true, "-classes=rules.yaml a b": true, "--input classes --output b": false, "": false,
	} {
		if got := train.TrainsClasses(strings.Fields(args)); got != want {
			t.Errorf("%q: %v", args, got)
		}
	}
}
