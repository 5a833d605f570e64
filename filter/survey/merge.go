package survey

import (
	"fmt"
	"slices"

	"superpoint/partition/local"
)

// The merged partition lies in two files of blocks, one of initial components and one of
// components, of which a tile reads what it needs. About a block of initial components
// the first and the last ID are known, as float64, which keeps the order.
const (
	mergedRows  = 1 << 14
	aboutMerged = 2
)

// mergedHead is what every tile must know of the merged partition.
type mergedHead struct {
	Initial int              `json:"initial_components"`
	Head    local.JoinedHead `json:"head"`
}

func (v *Survey) mergedInitial() string    { return v.Path("merge", "atoms") }
func (v *Survey) mergedComponents() string { return v.Path("merge", "components") }

// merge partitions the graph of the initial components of all tiles.
func (v *Survey) merge(_ int, m *Mark) error {
	marks, _, err := v.marks("coarsen")
	if err != nil {
		return err
	}
	dim, flat, atoms := 0, make([]*coarsened, len(marks)), make([]*local.Atoms, len(marks))
	for n := range flat {
		flat[n] = nothing()
		if _, err := readArrays(v.tileAtoms(n), flat[n].AtomArrays.Arrays()); err != nil {
			return fmt.Errorf("tile %d: %w", n, err)
		}
		if c := flat[n]; len(c.First) > 0 {
			dim = len(c.Mean) / len(c.First)
		}
	}
	m.Merged = new(mergedHead)
	for n, c := range flat {
		if atoms[n], err = c.Atoms(dim); err != nil {
			return fmt.Errorf("tile %d: %w", n, err)
		}
		m.Points, m.Merged.Initial, flat[n] = m.Points+marks[n].Points, m.Merged.Initial+len(c.First), nil
	}
	e := v.plan.Exact
	merged, err := local.Join(v.parallel(), dim, e.Sphere, e.Lambda, e.MinSize, atoms)
	if err != nil {
		return err
	}
	return v.writeMerged(merged, m)
}

func (v *Survey) writeMerged(j *local.Joined, m *Mark) error {
	blocks := func(n int) int { return (n + mergedRows - 1) / mergedRows }
	initial, err := writeBlocks(v.mergedInitial(), blocks(m.Merged.Initial), func(k int) ([]any, []float64) {
		part := j.Atoms(k*mergedRows, mergedRows)
		return part.Arrays(), []float64{float64(part.First[0]), float64(part.First[len(part.First)-1])}
	})
	if err != nil {
		return err
	}
	m.Merged.Head = j.Head()
	components, err := writeBlocks(v.mergedComponents(), blocks(m.Merged.Head.Components), func(k int) ([]any, []float64) {
		part := j.Components(k*mergedRows, mergedRows)
		return part.Arrays(), nil
	})
	if err != nil {
		return err
	}
	m.Sum = sumOf(initial, components)
	if err := v.made(m, v.mergedInitial()); err != nil {
		return err
	}
	return v.made(m, v.mergedComponents())
}

// readMerged reads what has become of some initial components, by the IDs of their first
// points.
func (v *Survey) readMerged(head *local.JoinedHead, first []uint64) (*local.Joined, error) {
	slices.Sort(first)
	first = slices.Compact(first)
	var all, atoms local.JoinedAtoms
	left := first
	_, err := readBlocks(v.mergedInitial(), aboutMerged, func(_ int, about []float64) bool {
		for len(left) > 0 && float64(left[0]) < about[0] {
			left = left[1:]
		}
		return len(left) > 0 && float64(left[0]) <= about[1]
	}, atoms.Arrays(), func(int) error {
		if len(atoms.Label) != len(atoms.First) {
			return damaged(v.mergedInitial(), errMisfit)
		}
		for i, id := range atoms.First {
			if _, ok := slices.BinarySearch(first, id); ok {
				all.First, all.Label = append(all.First, id), append(all.Label, atoms.Label[i])
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	number := slices.Compact(slices.Sorted(slices.Values(all.Label)))
	var some, components local.Components
	rest := number
	_, err = readBlocks(v.mergedComponents(), 0, func(k int, _ []float64) bool {
		return len(rest) > 0 && int(rest[0])/mergedRows == k
	}, components.Arrays(), func(k int) error {
		for d := head.Dim; len(rest) > 0 && int(rest[0])/mergedRows == k; rest = rest[1:] {
			at := int(rest[0]) % mergedRows
			if at >= len(components.Size) || (at+1)*d > len(components.Mean) {
				return damaged(v.mergedComponents(), errMisfit)
			}
			some.Size = append(some.Size, components.Size[at])
			some.Mean = append(some.Mean, components.Mean[at*d:(at+1)*d]...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return head.Part(all, number, some)
}
