package main

import (
	"path"
	"slices"
)

// set is a set of labelled clouds.
type set struct {
	name, title string
	folder      string // of the data; "" = simulated
	seed        int    // of simulated scans
	earlier     int    // readings before readings.csv begins
	role        string // what it is for, and what it has decided
	once        bool   // a test set: measured by -test alone
}

// simulatedPoints is the size of a simulated scan.
const simulatedPoints = 60000

func sets() []set {
	return []set{
		{name: "val", title: "validation", folder: "val",
			role: "chose checkpoints, weights, settings and defaults, of ours and of the rivals; read for every decision"},
		{name: "second", title: "second validation set", folder: "test", earlier: 12,
			role: "was the test set until it had guided development twice: what it showed of single trees was worked on, " +
				"and a build that validation preferred was dropped for what it showed"},
		{name: "simulated", title: "simulated scans, seed 2001", seed: 2001, earlier: 12,
			role: "trained nothing; one of seven façades that a rule on edges was chosen on, and its sparse city was " +
				"worked on with other seeds"},
		{name: "test", title: "test set", folder: "test2", once: true,
			role: "decides nothing; a fifth cloud, which is a tile of training, is left out"},
		{name: "fresh", title: "simulated scans, seed 4001", seed: 4001, once: true, role: "decide nothing"},
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

// Systems of `superpoint compare`.
const (
	ours      = "ssp"
	geomGraph = "geom-graph"
	vccs      = "vccs"
	lin       = "lin"
)

// rivals are the settings that are searched for every rival, on every cloud; coloured
// those for clouds with colours. The best counts, cell by cell.
func rivals(cloud string) []string {
	all := []string{geomGraph, geomGraph + "+adjacency_knn=5", geomGraph + "+adjacency_knn=5+spatial_weight=0.2",
		vccs, vccs + "+normal_importance=0.4", lin}
	if matches([]string{"mosd_*", "*_rgb_*", "sim_*"}, cloud) {
		all = append(all, vccs+"+color_importance=0.2", vccs+"+color_importance=1", vccs+"+color_importance=3")
	}
	return all
}

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

func touches(cloud string) bool {
	return matches([]string{"lidarhd_*_627760", "ahn3_cropped_2"}, cloud)
}

// learned reports whether a cloud of a test set is itself a tile of training, which no table counts: lidarhd_suburb
// is lidarhd_77050_627755.
func learned(cloud string) bool { return cloud == "lidarhd_suburb" }

// marked is a cloud's name with the mark.
func marked(cloud string) string {
	if touches(cloud) {
		return cloud + touching
	}
	return cloud
}

// title names a kind, marked if one of its clouds touches a tile of training.
func (k *kind) title(clouds []string) string {
	if slices.ContainsFunc(clouds, touches) {
		return k.name + touching
	}
	return k.name
}
