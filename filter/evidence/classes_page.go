package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// clouds lists those of a set on which a method has a measure.
func (s shares) clouds(set, method, measure string) (names []string) {
	for _, k := range s.sorted() {
		if k.set == set && k.method == method && k.measure == measure {
			names = append(names, k.cloud)
		}
	}
	return names
}

// ious lists the IoU of each class.
func (s shares) ious(set, cloud, method string) string {
	var parts []string
	for _, k := range s.sorted() {
		if name, of := strings.CutPrefix(k.measure, iouOf); of && k.set == set && k.cloud == cloud && k.method == method {
			parts = append(parts, fmt.Sprintf("%s %.3f", name, s[k]))
		}
	}
	return strings.Join(parts, ", ")
}

// classes are the classes of superpoints beside a forest on points and PDAL's SMRF, and
// after few labels.
func (t *table) classes(folder string) error {
	s, err := readShares(filepath.Join(folder, "cells", "classes.csv"))
	if err != nil || len(s) == 0 {
		return err
	}
	t.line("## Classes of superpoints\n\nRows of the second validation set are of an earlier classifier.\n")
	t.head("cloud", "mIoU", "forest", "ground: SMRF", "IoU of superpoints")
	for _, set := range []string{"val", "second"} {
		clouds := s.clouds(set, own, meanIoU)
		mean := 0.0
		for _, cloud := range clouds {
			of := func(method, measure string) string {
				if v, known := s[share{set, cloud, method, measure}]; known {
					return fmt.Sprintf("%.3f", v)
				}
				return "–"
			}
			mean += s[share{set, cloud, own, meanIoU}] / float64(len(clouds))
			t.row(set+": "+marked(cloud), of(own, meanIoU), of(forest, meanIoU), of("SMRF", iouOf+"ground"),
				s.ious(set, cloud, own))
		}
		t.row(fmt.Sprintf("%s: mean of %d", set, len(clouds)), fmt.Sprintf("%.3f", mean), "", "", "")
	}
	t.line("\nAccuracy of all points of a tile after so many labelled superpoints, proposed by the tool or drawn by " +
		"chance:\n")
	clouds := s.clouds("val", byTool, labelled+allOf)
	t.head(append([]string{"labels"}, slices.Concat(each(clouds, "tool"), each(clouds, "chance"))...)...)
	for _, n := range append(slices.Clone(budgets), 0) {
		name := strconv.Itoa(n)
		if n == 0 {
			name = allOf
		}
		row := []string{name}
		for _, method := range []string{byTool, byChance} {
			for _, cloud := range clouds {
				if v, known := s[share{"val", cloud, method, labelled + name}]; known {
					row = append(row, fmt.Sprintf("%.3f", v))
				} else {
					row = append(row, "–")
				}
			}
		}
		t.row(row...)
	}
	t.line("")
	return nil
}

func each(clouds []string, who string) (list []string) {
	for _, cloud := range clouds {
		list = append(list, cloud+", "+who)
	}
	return list
}
