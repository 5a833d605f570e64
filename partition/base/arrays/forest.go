// SPDX-License-Identifier: BSD-3-Clause

package arrays

// Forest holds disjoint sets of integers (union-find with path halving, Tarjan 1975,
// doi:10.1145/321879.321884): the parent of each integer, a member of its set that is not
// larger. The root of a set is its least member, so it does not depend on the order of the
// unions. For other roots, callers can set the parent of a root and use Root only.
type Forest []uint32

// NewForest returns n sets of one number each.
func NewForest(n int) Forest { return Indices[uint32](n) }

// Root returns the root of u's set: its least member, after Join.
func (f Forest) Root(u uint32) uint32 {
	for f[u] != u {
		f[u] = f[f[u]]
		u = f[u]
	}
	return u
}

// Join merges the sets of u and v and returns the root of the union.
func (f Forest) Join(u, v uint32) uint32 {
	u = f.Root(u)
	v = f.Root(v)
	f[max(u, v)] = min(u, v)
	return min(u, v)
}

// Number returns the id of each integer's set, dense from 0 in the order of the roots, and
// the number of sets.
func (f Forest) Number() (set []uint32, count int) {
	set = make([]uint32, len(f))
	for u, parent := range f {
		if parent == uint32(u) {
			set[u] = uint32(count)
			count++
		} else {
			set[u] = set[parent] // no larger, so numbered already
		}
	}
	return set, count
}

// Parts numbers the sets of the integers for which has is true, in the order of their roots, and returns the
// number of each integer's set, −1 for other integers, and the roots. All integers of a set are in or out.
func (f Forest) Parts(has func(u int) bool) (part []int32, roots []int) {
	part = make([]int32, len(f))
	for u := range f {
		switch root := int(f.Root(uint32(u))); {
		case !has(u):
			part[u] = -1
		case root == u:
			part[u] = int32(len(roots))
			roots = append(roots, u)
		default:
			part[u] = part[root]
		}
	}
	return part, roots
}
