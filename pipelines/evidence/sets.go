// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"path"
	"path/filepath"
	"slices"
)

// set is a set of labelled clouds, which measure.sh compares.
type set struct {
	name, title string
	earlier     int    // readings before readings.csv begins
	role        string // what it is for, and what it has decided
}

func sets() []set {
	return []set{
		{name: "val", title: "validation",
			role: "chose weights, settings and defaults of both sides; read for every decision"},
		{name: "second", title: "second validation set", earlier: 12,
			role: "a test set until it had guided development twice"},
		{name: "third", title: "third validation set",
			role: "a test set until it was read on 2026-11-23"},
		{name: "simulated", title: "simulated scans, seed 2001", earlier: 12,
			role: "a rule on edges was chosen on one of seven façades"},
		{name: "fresh", title: "simulated scans, seed 4001",
			role: "decided nothing"},
	}
}

func setNamed(name string) *set {
	for _, s := range sets() {
		if s.name == name {
			return &s
		}
	}
	return nil
}

// reading is a row of readings.csv: that a set was measured.
type reading struct{ set, date string }

func readReadings(folder string) (all []reading, err error) {
	rows, err := readTable(filepath.Join(folder, "cells", "readings.csv"))
	for i, row := range rows {
		if i > 0 && len(row) == 6 {
			all = append(all, reading{row[0], row[1]})
		}
	}
	return all, err
}

// Systems of `superpoint compare`.
const (
	ours      = "ssp"
	geomGraph = "geom-graph"
	vccs      = "vccs"
	lin       = "lin"
)

// kind is a kind of clouds, by the names of clouds.
type kind struct {
	name  string
	match []string
}

// kinds lists them in the order of the tables.
func kinds() []kind {
	return []kind{
		{"towns and country from the air", []string{"lidarhd_*", "ahn_*", "ahn3_*", "ign_*", "isprs_*", "pnoa_*"}},
		{"trees in a marsh, from the air", []string{"ahn4_treemask_*"}},
		{"single trees, from the air", []string{"ahn4_trees_*"}},
		{"tables, depth camera", []string{"mosd_*"}},
		{"rooms, simulated", []string{"sim_room_*", "sim_home_*", "sim_handheld_*"}},
		{"tables, simulated", []string{"sim_table_*"}},
		{"streets and façades, simulated", []string{"sim_facade_*", "sim_mobile_*", "sim_spinning_*"}},
		{"from the air, simulated", []string{"sim_town_*", "sim_city_*", "sim_village_*", "sim_ellipse_*", "sim_field_*"}},
		{"forest and single trees, simulated", []string{"sim_forest_*", "sim_trees_*"}},
	}
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { ok, err := path.Match(p, name); return ok && err == nil })
}

// of returns the cells of a kind.
func (k *kind) of(all []cell) []cell {
	return with(all, func(c *cell) bool { return matches(k.match, c.Set) })
}

// touching marks clouds that touch tiles of training: results there are optimistic.
const touching = "†"

// learned reports whether a cloud is itself a tile of training, which no table counts: lidarhd_suburb is
// lidarhd_77050_627755.
func learned(cloud string) bool { return cloud == "lidarhd_suburb" }

// marked is a cloud's name with the mark.
func marked(cloud string) string {
	if matches([]string{"lidarhd_*_627760", "ahn3_cropped_2"}, cloud) {
		return cloud + touching
	}
	return cloud
}

// title names a kind, marked if one of its clouds touches a tile of training.
func (k *kind) title(clouds []string) string {
	if slices.ContainsFunc(clouds, func(cloud string) bool { return marked(cloud) != cloud }) {
		return k.name + touching
	}
	return k.name
}
