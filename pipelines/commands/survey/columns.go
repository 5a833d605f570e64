// SPDX-License-Identifier: BSD-3-Clause

package survey

import "superpoint/filter/host"

// addColumns appends the points of another file. Dimensions that one of both lacks are 0 there.
func addColumns(all, more *host.Columns) {
	before, added := len(all.X), len(more.X)
	if all.Dimensions == nil {
		all.Dimensions, all.Reference = map[string][]float64{}, more.Reference
	}
	for name := range more.Dimensions {
		if all.Dimensions[name] == nil {
			all.Dimensions[name] = make([]float64, before)
		}
	}
	for name := range all.Dimensions {
		values := more.Dimensions[name]
		if values == nil {
			values = make([]float64, added)
		}
		all.Dimensions[name] = append(all.Dimensions[name], values...)
	}
	all.X = append(all.X, more.X...)
	all.Y = append(all.Y, more.Y...)
	all.Z = append(all.Z, more.Z...)
}
