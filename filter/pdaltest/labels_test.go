// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"superpoint/testdata/las"
	"superpoint/testdata/must"
	"superpoint/testdata/scan"
)

// TestLabelsOfVectorLayers classifies a village by the classes of outlines, as a GeoPackage and as GeoJSON. Points
// without ids are refused.
func TestLabelsOfVectorLayers(t *testing.T) {
	t.Parallel()
	p, at := scene(t)
	do(t, "segment", "--default_srs", "EPSG:32632", at("plain.las"), at("in.las"))
	do(t, "outline", at("in.las"), at("labels.gpkg"))
	do(t, "outline", at("in.las"), at("labels.geojson"))
	must.OK(t, os.WriteFile(at("points.geojson"), []byte(`{"type":"FeatureCollection","features":[{"type":"Feature",
"properties":{"label":6},"geometry":{"type":"Point","coordinates":[1,2]}}]}`), 0o644))
	var first []uint8
	for _, labels := range []string{"labels.gpkg", "labels.geojson"} {
		o := do(t, "classify", "--labels", at(labels), "--class_change", "all", at("in.las"), at("out.las"))
		if strings.Contains(o.stderr, "other superpoints") {
			t.Errorf("%s: %s", labels, o.stderr)
		}
		out := read(t, at("out.las"))
		if share := agreement(out.Classification, p.Classification); share < 0.85 {
			t.Errorf("%s: %.3f of the points have their class", labels, share)
		}
		if first != nil && string(first) != string(out.Classification) {
			t.Errorf("%s and labels.gpkg give other classes", labels)
		}
		first = out.Classification
	}
	o := do(t, "classify", "--labels", at("labels.gpkg"), "--target_size", "500", at("in.las"), at("larger.las"))
	if !strings.Contains(o.stderr, "larger.las has other superpoints than "+at("in.las")) {
		t.Errorf("with another size it said %q", o.stderr)
	}
	refused(t, try(t, "propose", "--labels", at("points.geojson"), at("in.las"), at("next.csv")), at("next.csv"),
		"points.geojson", "it needs label or class, and id: points get the id of the superpoint")
	do(t, "outline", "--label", "aerial", at("in.las"), at("empty.gpkg"))
	geoPackage(t, at("empty.gpkg"), 60, 32632, "categorizedSymbol", "ValueMap")
	refused(t, try(t, "propose", "--labels", at("empty.gpkg"), at("in.las"), at("next2.csv")),
		at("next2.csv"), "empty.gpkg", "it has no labels")
}

// TestLabelsRaiseAccuracy follows pipelines/labels.md on a simulated street scanned from a car, which the classifier
// has not learned, and on a village, where nearly all classes are right. True classes answer: after twenty proposed
// labels more points of the street have their class than before. Where nearly all classes are right, labels may cost
// 25 points in ten thousand: one superpoint. More have their class after forty than at first.
func TestLabelsRaiseAccuracy(t *testing.T) {
	t.Parallel()
	for scene, mode := range map[string]string{"street": scan.Mobile, "village": scan.Aerial} {
		t.Run(scene, func(t *testing.T) {
			t.Parallel()
			labelsRaiseAccuracy(t, must.Get(scanned(scene, mode, 30000))(t))
		})
	}
}

func labelsRaiseAccuracy(t *testing.T, p *las.Points) {
	t.Helper()
	const cost = .0025
	at := place(t)
	must.OK(t, las.WriteFile(at("plain.las"), p, 0.001))
	do(t, "segment", at("plain.las"), at("segmented.las"))
	segmented := read(t, at("segmented.las"))
	truth := map[string]map[uint8]int{} // by superpoint
	for i, id := range segmented.Extra["SuperpointID"] {
		key := fmt.Sprint(id)
		if truth[key] == nil {
			truth[key] = map[uint8]int{}
		}
		truth[key][known(p.Classification[i])]++
	}
	accuracy := func(path string) float64 {
		right := 0
		for i, c := range read(t, path).Classification {
			if known(c) == known(p.Classification[i]) {
				right++
			}
		}
		return float64(right) / float64(p.Len())
	}
	o := do(t, "segment", "--classes", "aerial", "--class_change", "all", at("plain.las"), at("classified.las"))
	if strings.Count(o.stdout, "\n") != 1 || !strings.Contains(o.stdout, "ground ") ||
		!strings.Contains(o.stdout, "; mean confidence 0.") {
		t.Errorf("not one line with the classes: %q", o.stdout)
	}
	before := accuracy(at("classified.las"))
	first, result := before, at("classified.las")
	labels := []string{"id,label"}
	for round := range 2 {
		args := []string{"superpoint", "propose", "--count", "20", at("segmented.las"), at("next.csv")}
		if round > 0 {
			args = slices.Insert(args, 4, "--labels", at("labels.csv"))
		}
		pdal(t, nil, args...).ok(t)
		file := must.Get(os.Open(at("next.csv")))(t)
		rows, err := csv.NewReader(file).ReadAll()
		file.Close()
		if err != nil || len(rows) != 21 || rows[0][0] != "id" {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		class, others := map[string]uint8{}, 0 // by superpoint
		for i, c := range read(t, result).Classification {
			class[fmt.Sprint(segmented.Extra["SuperpointID"][i])] = known(c)
		}
		for _, row := range rows[1:] {
			if code := must.Get(strconv.Atoi(row[5]))(t); known(uint8(code)) != class[row[0]] {
				others++
			}
			best := uint8(0)
			for c, n := range truth[row[0]] {
				if n > truth[row[0]][best] || n == truth[row[0]][best] && c > best {
					best = c
				}
			}
			labels = append(labels, fmt.Sprintf("%s,%d", row[0], best))
		}
		if others > 2 { // heights change few
			t.Errorf("%d superpoints that are proposed have another class in the result", others)
		}
		must.OK(t, os.WriteFile(at("labels.csv"), []byte(strings.Join(labels, "\n")+"\n"), 0o644))
		result = at("better.las")
		do(t, "classify", "--labels", at("labels.csv"), "--class_change", "all", at("segmented.las"), result)
		after := accuracy(result)
		t.Logf("%d labels: %.4f of the points have their class, %.4f before", len(labels)-1, after, before)
		if after < before-cost || after <= first && round > 0 {
			t.Errorf("%d labels: %.4f of the points have their class, %.4f before", len(labels)-1, after, before)
		}
		before = after
	}
}

// known is the class of aerial's networks, before heights of vegetation, for a class of the simulated scanner or a
// result.
func known(class uint8) uint8 {
	switch class {
	case 2, 6:
		return class
	case 3, 4, 5:
		return 5
	}
	return 1
}
