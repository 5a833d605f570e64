package survey

import (
	"errors"
	"slices"

	"superpoint/partition/local"
)

// What is joined lies in two files of blocks, one of atoms and one of components, of
// which a tile reads what it needs. About a block of atoms the first and the last ID
// are told, as float64, which keeps the order.
const (
	joinedRows  = 1 << 14
	aboutJoined = 2
)

var errJoined = errors.New("damaged: its arrays do not fit together; remove it and start again")

func (v *Survey) joinedAtoms() string      { return v.path("joined.atoms") }
func (v *Survey) joinedComponents() string { return v.path("joined.components") }

func (v *Survey) writeJoined(j *local.Joined, done *JoinDone) (err error) {
	blocks := func(n int) int { return (n + joinedRows - 1) / joinedRows }
	done.AtomSum, err = writeBlocks(v.joinedAtoms(), blocks(done.Atoms), func(k int) ([]any, []float64) {
		part := j.Atoms(k*joinedRows, joinedRows)
		return part.Arrays(), []float64{float64(part.First[0]), float64(part.First[len(part.First)-1])}
	})
	if err != nil {
		return err
	}
	done.Head = j.Head()
	done.Sum, err = writeBlocks(v.joinedComponents(), blocks(done.Head.Components), func(k int) ([]any, []float64) {
		part := j.Components(k*joinedRows, joinedRows)
		return part.Arrays(), nil
	})
	return err
}

// joinedWhole tells whether both files are.
func (v *Survey) joinedWhole(done *JoinDone) bool {
	all, see := func(int, []float64) bool { return true }, func(int) error { return nil }
	atoms, errA := readBlocks(v.joinedAtoms(), aboutJoined, all, new(local.JoinedAtoms).Arrays(), see)
	components, errC := readBlocks(v.joinedComponents(), 0, all, new(local.Components).Arrays(), see)
	return errA == nil && errC == nil && atoms == done.AtomSum && components == done.Sum
}

// readJoined reads what has become of some atoms, by the IDs of their first points.
func (v *Survey) readJoined(done *JoinDone, first []uint64) (*local.Joined, error) {
	slices.Sort(first)
	first = slices.Compact(first)
	var all, atoms local.JoinedAtoms
	left := first
	_, err := readBlocks(v.joinedAtoms(), aboutJoined, func(_ int, about []float64) bool {
		for len(left) > 0 && float64(left[0]) < about[0] {
			left = left[1:]
		}
		return len(left) > 0 && float64(left[0]) <= about[1]
	}, atoms.Arrays(), func(int) error {
		if len(atoms.Label) != len(atoms.First) {
			return errJoined
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
	_, err = readBlocks(v.joinedComponents(), 0, func(k int, _ []float64) bool {
		return len(rest) > 0 && int(rest[0])/joinedRows == k
	}, components.Arrays(), func(k int) error {
		for d := done.Head.Dim; len(rest) > 0 && int(rest[0])/joinedRows == k; rest = rest[1:] {
			at := int(rest[0]) % joinedRows
			if at >= len(components.Size) || (at+1)*d > len(components.Mean) {
				return errJoined
			}
			some.Size = append(some.Size, components.Size[at])
			some.Mean = append(some.Mean, components.Mean[at*d:(at+1)*d]...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return done.Head.Part(all, number, some)
}
