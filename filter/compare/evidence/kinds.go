package main

import (
	"path"
	"slices"
)

// kind is a kind of clouds, by the names of data sets.
type kind struct {
	name  string
	match []string
}

// kinds lists them in the order of the tables.
func kinds() []kind {
	return []kind{
		{"towns and country from the air", []string{"lidarhd_*", "ahn_*", "ahn3_*", "ign_*", "isprs_*"}},
		{"trees in a marsh, from the air", []string{"ahn4_treemask_*"}},
		{"single trees, from the air", []string{"ahn4_trees_*"}},
		{"tables, depth camera", []string{"mosd_*"}},
		{"rooms, simulated", []string{"sim_room_*", "sim_home_*", "sim_handheld_*"}},
		{"tables, simulated", []string{"sim_table_*"}},
		{"streets and facades, simulated", []string{"sim_facade_*", "sim_mobile_*", "sim_spinning_*"}},
		{"from the air, simulated", []string{"sim_town_*", "sim_city_*", "sim_village_*", "sim_ellipse_*", "sim_field_*"}},
		{"forest and single trees, simulated", []string{"sim_forest_*", "sim_trees_*"}},
	}
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { ok, err := path.Match(p, name); return ok && err == nil })
}

// of returns the cells of a kind.
func (k *kind) of(all []cell) []cell {
	return with(all, func(c *cell) bool { return matches(k.match, c.set) })
}

// title names a kind and how many clouds it has, marked if one of them touches a
// tile of training.
func (k *kind) title(clouds []string) string {
	name := k.name
	if slices.ContainsFunc(clouds, touches) {
		name += touching
	}
	return name
}

// touching marks clouds that touch tiles of training: results there are optimistic.
const touching = "†"

// touches tells whether a cloud does.
func touches(set string) bool {
	return matches([]string{"lidarhd_*_627760", "ahn3_cropped_2"}, set)
}

// marked is a cloud's name with the mark.
func marked(set string) string {
	if touches(set) {
		return set + touching
	}
	return set
}
