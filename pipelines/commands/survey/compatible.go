// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"cmp"
	"fmt"
	"slices"

	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/pipelines/commands/layers"
)

// compatible fails if sources cannot be one cloud: if two have the same content, different
// time systems or different spatial references.
func compatible(h host.Host, all []*inspected) error {
	path, timed := map[string]string{}, all[0]
	for _, s := range all {
		if other, twice := path[s.Content]; twice {
			return fmt.Errorf("%s and %s have the same points; leave one of them out", other, s.Path)
		}
		path[s.Content] = s.Path
		switch {
		case timed.gps == "":
			timed = s
		case s.gps != "" && s.gps != timed.gps:
			return fmt.Errorf("%s has %s and %s has %s; convert one of them (filters.gpstimeconvert)", timed.Path, timed.gps,
				s.Path, s.gps)
		}
	}
	return sameReference(h, all)
}

// sameReference fails if spatial references differ, cannot be used, or are geographic.
func sameReference(h host.Host, all []*inspected) error {
	for _, s := range all {
		_, geographic, err := s.reference.Unit()
		err = cmp.Or(err, layers.CheckReference(h, s.Path, s.reference, all[0].Path, all[0].reference))
		if err != nil {
			return message.File(s.Path, err)
		}
		if geographic {
			return fmt.Errorf("%s is in degrees, and tiles are squares of metres; reproject the files "+
				"(filters.reprojection)", s.Path)
		}
	}
	return nil
}

// available returns the dimensions that all sources have, and the dimension of classes if
// any source has it; it is 0 in the others.
func available(all []*inspected, classes string) (names []string) {
	count := map[string]int{}
	for _, s := range all {
		for _, d := range s.dimensions {
			count[d.Name]++
			if (count[d.Name] == len(all) || d.Name == classes) && !slices.Contains(names, d.Name) {
				names = append(names, d.Name)
			}
		}
	}
	return names
}
