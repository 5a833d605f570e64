// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"slices"

	"superpoint/filter"
	"superpoint/pipelines/commands/survey/folder"
)

// divideOutputs returns the names of the outputs without ids, in the order of the plan: of step embed,
// then of step classify.
func divideOutputs(v *folder.Survey, f *filter.Filter) (embedded, classes []string) {
	for _, o := range v.Plan.Outputs[v.Plan.IDs():] {
		if slices.Contains(f.ClassOutputs(), o.Name) {
			classes = append(classes, o.Name)
		} else {
			embedded = append(embedded, o.Name)
		}
	}
	return embedded, classes
}

// outputs returns outputs of the filter for the core.
func outputs(names []string, core []bool, result *filter.Segmentation) (all [][]float64, err error) {
	points := countTrue(core)
	for _, name := range names {
		values, own := make([]float64, len(core)), make([]float64, 0, points)
		if err := result.Output(name, values); err != nil {
			return nil, err
		}
		for i, is := range core {
			if is {
				own = append(own, values[i])
			}
		}
		all = append(all, own)
	}
	return all, nil
}

// countTrue returns how many flags are set.
func countTrue(flags []bool) (n int) {
	for _, is := range flags {
		if is {
			n++
		}
	}
	return n
}
