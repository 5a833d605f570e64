// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"fmt"
	"slices"

	"superpoint/partition/local"
	"superpoint/pipelines/commands/survey/blocks"
	"superpoint/pipelines/commands/survey/folder"
)

// The merged partition is in two files of blocks, of initial components and of components,
// from which a tile reads the blocks that it needs. The summary of a block of initial
// components is its first and last ID, as float64, whose rounding keeps their order.
const (
	mergedBlock   = 1 << 14
	mergedSummary = 2
)

func mergedInitial(v *folder.Survey) string { return v.Path("merge", "atoms") }

func mergedComponents(v *folder.Survey) string { return v.Path("merge", "components") }

// merge partitions the reduced graph of the initial components of all tiles.
func merge(v *folder.Survey, _ int, m *folder.Mark) error {
	marks, _, err := v.Marks("coarsen")
	if err != nil {
		return err
	}
	m.Merged = new(folder.MergedHead)
	dim := 0
	initial := make([]*local.InitialComponents, len(marks))
	for n := range initial {
		components := new(local.InitialComponents)
		if err := v.ReadArrays(v.File("coarsen", n, "atoms"), components.Arrays()); err != nil {
			return fmt.Errorf("tile %d: %w", n, err)
		}
		initial[n] = components
		count := len(components.First)
		if count > 0 {
			dim = len(components.Mean) / count
		}
		m.Points += marks[n].Points
		m.Merged.Initial += count
	}
	shared := v.Plan.Shared
	merged, err := local.Merge(v.Parallel(), dim, shared.Lambda, shared.MinSize, initial)
	if err != nil {
		return err
	}
	return writeMerged(v, merged, m)
}

// mergedBlocks returns the number of blocks of n components.
func mergedBlocks(n int) int { return (n + mergedBlock - 1) / mergedBlock }

func writeMerged(v *folder.Survey, j *local.Merged, m *folder.Mark) error {
	initial, err := v.SaveBlocks(m, mergedInitial(v), mergedBlocks(m.Merged.Initial),
		func(k int) ([]any, []float64) {
			part := j.Initial(k*mergedBlock, mergedBlock)
			return part.Arrays(), []float64{float64(part.First[0]), float64(part.First[len(part.First)-1])}
		})
	if err != nil {
		return err
	}
	m.Merged.Head = j.Head()
	components, err := v.SaveBlocks(m, mergedComponents(v), mergedBlocks(m.Merged.Head.Components),
		func(k int) ([]any, []float64) {
			part := j.Components(k*mergedBlock, mergedBlock)
			return part.Arrays(), nil
		})
	m.Sum = blocks.Checksum(initial, components)
	return err
}

// readMerged reads the components of some initial components, given by the IDs of their
// first points.
func readMerged(v *folder.Survey, head *local.MergedHeader, first []uint64) (*local.Merged, error) {
	slices.Sort(first)
	first = slices.Compact(first)
	initial, err := readInitial(v, first)
	if err != nil {
		return nil, err
	}
	number := slices.Compact(slices.Sorted(slices.Values(initial.Label)))
	needed, err := readComponents(v, head, number)
	if err != nil {
		return nil, err
	}
	return head.Part(initial, number, needed)
}

// readInitial reads the initial components with the given first points, which are sorted.
func readInitial(v *folder.Survey, first []uint64) (all local.MergedInitial, err error) {
	var block local.MergedInitial
	left := first
	err = v.ReadBlocks(mergedInitial(v), mergedSummary, func(_ int, summary []float64) bool {
		for len(left) > 0 && float64(left[0]) < summary[0] {
			left = left[1:]
		}
		return len(left) > 0 && float64(left[0]) <= summary[1]
	}, block.Arrays(), func(int) error {
		if len(block.Label) != len(block.First) {
			return blocks.ErrMisfit
		}
		for i, id := range block.First {
			if _, ok := slices.BinarySearch(first, id); ok {
				all.First = append(all.First, id)
				all.Label = append(all.Label, block.Label[i])
			}
		}
		return nil
	})
	return all, err
}

// readComponents reads the merged components of given numbers, which are sorted.
func readComponents(v *folder.Survey, head *local.MergedHeader, number []uint32) (needed local.Components,
	err error) {
	var components local.Components
	d := head.Dim
	rest := number
	err = v.ReadBlocks(mergedComponents(v), 0, func(k int, _ []float64) bool {
		return len(rest) > 0 && int(rest[0])/mergedBlock == k
	}, components.Arrays(), func(k int) error {
		for ; len(rest) > 0 && int(rest[0])/mergedBlock == k; rest = rest[1:] {
			at := int(rest[0]) % mergedBlock
			short := at >= len(components.Size) || (at+1)*d > len(components.Mean)
			if short || head.Weighted > 0 && at >= len(components.Mass) {
				return blocks.ErrMisfit
			}
			needed.Size = append(needed.Size, components.Size[at])
			needed.Mean = append(needed.Mean, components.Mean[at*d:(at+1)*d]...)
			if head.Weighted > 0 {
				needed.Mass = append(needed.Mass, components.Mass[at])
			}
		}
		return nil
	})
	return needed, err
}
