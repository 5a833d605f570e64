// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"fmt"

	"superpoint/filter/host"
	"superpoint/pipelines/files/las"
)

// columns reads files, which have a number of points.
func (v *Survey) columns(all []*las.File, points int) (*host.Columns, error) {
	columns := new(host.Columns)
	for _, l := range all {
		more, err := v.host.Read(l.Path, v.plan.Reads)
		if err != nil {
			return nil, err
		}
		addColumns(columns, more)
	}
	if len(columns.X) != points {
		return nil, fmt.Errorf("%d of %d points were read", len(columns.X), points)
	}
	return columns, nil
}

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
