// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"superpoint/pipelines/commands/survey/plan"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/job"
)

// identity returns the identity of source k. It reads the file only if its stamp has changed since it was
// planned.
func (v *Survey) identity(k int) string {
	s := &v.plan.Sources[k]
	now, err := s.Now(s.Path)
	if err != nil {
		return err.Error()
	}
	return now
}

// content returns the identity of source k, which it reads.
func (v *Survey) content(k int) string {
	now, err := job.Content(v.plan.Sources[k].Path)
	if err != nil {
		return err.Error()
	}
	return now
}

// unchanged fails if sources have not the identity that they had when they were planned.
func (v *Survey) unchanged(which []int, identity func(k int) string) error {
	changed := make([]bool, len(which))
	err := v.parallel().ForEach(len(which), 1, func(n int) {
		changed[n] = identity(which[n]) != v.plan.Sources[which[n]].Content
	})
	var paths []string
	for n, k := range which {
		if changed[n] {
			paths = append(paths, v.plan.Sources[k].Path)
		}
	}
	switch count := len(paths); {
	case err != nil || count == 0:
		return err
	case count == 1:
		return fmt.Errorf("%s: the file has %w", paths[0], errChanged)
	case count > mostNamed:
		paths = append(paths[:mostNamed], fmt.Sprintf("and %d more", count-mostNamed))
		fallthrough
	default:
		return fmt.Errorf("%d of %d files %w: %s", count, len(v.plan.Sources), errChanged,
			strings.Join(paths, ", "))
	}
}

const mostNamed = 3 // files or errors in a message about many

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

// tilesOf returns the numbers of the tiles of source k by column and row.
func (v *Survey) tilesOf(k int) map[[2]int]int {
	index := map[[2]int]int{}
	for _, t := range v.plan.Tiles {
		if slices.Contains(t.Sources, k) {
			index[[2]int{t.Column, t.Row}] = t.Index
		}
	}
	return index
}
