// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// tools compares with other tools: the IoU of classes on surveys that training left out, and of OpenPointClass and the
// cloth simulation filter on validation; time and memory for a million points.
func (p *page) tools() (string, error) {
	_, surveys, err := leftOut()
	if err != nil {
		return "", err
	}
	s, err := p.shares()
	if err != nil {
		return "", err
	}
	costs, err := p.costs("superpoint", "superpoint with classes", "filters.smrf")
	ours := []string{meanOver(surveys, iouOf+"ground"), meanOver(surveys, iouOf+"vegetation"),
		meanOver(surveys, iouOf+"building")}
	cost := costs[0]
	if costs[1] != unmeasured {
		cost += "; with classes " + costs[1]
	}
	clouds, validation := s.common("val", meanIoU, own, opc)
	t := newTable("tool", "IoU of ground, vegetation, building", "a million points", "needs", "why this one",
		"keep the other for")
	t.row("this one", strings.Join(ours, ", "), cost, "a [package](pipelines/platforms.md)", "", "")
	t.row("PDAL's `filters.smrf`", meanOver(surveys, smrfIoU), costs[2], "PDAL", "buildings and trees, too",
		"ground alone: faster, as good or better")
	t.row("OpenPointClass",
		fmt.Sprintf("all %s, this one %s (%d)", shown(validation, opc), shown(validation, own), clouds),
		unmeasured, "a compiler, training", "pieces to correct by few labels", "photogrammetry with colour")
	t.row("lidR", unmeasured, unmeasured, "R", "classes and footprints of towns", "forest metrics, single trees in woods")
	clouds, validation = s.common("val", iouOf+"ground", own, "CSF")
	t.row("CloudCompare",
		fmt.Sprintf("CSF: ground %s, this one %s (%d)", shown(validation, "CSF"), shown(validation, own), clouds),
		unmeasured, "a window", "many tiles at once", "looking, measuring, cleaning")
	t.row("Myria3D", unmeasured, unmeasured, "Python, a GPU", "any CPU", "its survey and classes")
	return t.text(), err
}

const unmeasured = "–"

// meanOver returns the mean of a measure over the real surveys that have it, and their number.
func meanOver(surveys map[string]map[string]float64, measure string) string {
	sum, count := 0.0, 0
	for _, name := range slices.Sorted(maps.Keys(surveys)) {
		if v, known := surveys[name][measure]; known && !strings.HasPrefix(name, "simulated") {
			sum, count = sum+v, count+1
		}
	}
	return fmt.Sprintf("%.2f (%d)", sum/float64(count), count)
}

// costs returns the time and the memory of filters for a million points on one thread.
func (p *page) costs(filters ...string) ([]string, error) {
	rows, err := speeds(p.folder)
	costs := make([]string, len(filters))
	for i, name := range filters {
		costs[i] = unmeasured
		for _, s := range rows {
			if s.what == name && s.threads == "1" && s.points == 1e6 {
				costs[i] = fmt.Sprintf("%.1f s, %.0f MB", s.seconds, s.bytes)
			}
		}
	}
	return costs, err
}
