// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"context"
	"fmt"
	"strconv"

	"superpoint/pipelines/commands/survey/plan"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/job"
)

// openSources returns sources as LAS files that PDAL can read. One process unpacks all that are packed.
func openSources(ctx context.Context, p *plan.Plan, in pdalprocess.Process, which []int,
	inputs []job.Pinned) ([]*las.File, error) {
	var from []string
	for i, k := range which {
		name, err := in.PlainName(inputs[i].Read, strconv.Itoa(k))
		if err != nil {
			return nil, err
		}
		from = append(from, name)
	}
	all, err := in.Unpack(ctx, from...)
	for n, k := range which {
		if err == nil && int64(all[n].Count) != p.Sources[k].Points {
			err = fmt.Errorf("%d of %d points can be read: the file is damaged, or the disk is full",
				all[n].Count, p.Sources[k].Points)
		}
	}
	return all, err
}

// batches divides sources into batches that one process unpacks or packs: to start one takes as long as to
// decode a hundred thousand points.
func batches(p *plan.Plan, which []int) (all [][]int) {
	const mostPoints, mostFiles = 1 << 19, 64
	points := int64(0)
	for _, k := range which {
		n := len(all) - 1
		if points += p.Sources[k].Points; n < 0 || points > mostPoints || len(all[n]) == mostFiles {
			all = append(all, nil)
			points = p.Sources[k].Points
			n++
		}
		all[n] = append(all[n], k)
	}
	return all
}
