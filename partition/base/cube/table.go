// SPDX-License-Identifier: BSD-3-Clause

// Package cube has hash tables of the occupied cubes of a regular grid.
package cube

import (
	"math"
	"slices"
)

// Key holds the indices of a cube along x, y and z.
type Key [3]int32

// Table is a hash table from keys to values. Entries have indices from 0, in the order in
// which they were added.
type Table[T any] struct {
	Keys   []Key
	Values []T
	slot   []uint32 // open addressing, at most half full: index of an entry + 1, 0 for none
}

func (k Key) hash() uint64 {
	h := uint64(uint32(k[0]))*0x9e3779b97f4a7c15 ^ uint64(uint32(k[1]))*0xc2b2ae3d27d4eb4f ^
		uint64(uint32(k[2]))*0x165667b19e3779f9
	return (h ^ h>>29) * 0xbf58476d1ce4e5b9 >> 20
}

// Share returns one of a number of shares, into which keys are divided evenly.
func (k Key) Share(shares int) int { return int(k.hash() & math.MaxUint32 * uint64(shares) >> 32) }

// Find returns the index of a key, or −1.
func (t *Table[T]) Find(k Key) int {
	if len(t.slot) == 0 {
		return -1
	}
	for h := k.hash(); ; h++ {
		at := t.slot[h&uint64(len(t.slot)-1)]
		if at == 0 {
			return -1
		}
		if t.Keys[at-1] == k {
			return int(at - 1)
		}
	}
}

// Add returns the index of a key, and adds the key with the zero value if it is new.
func (t *Table[T]) Add(k Key) int {
	if 2*len(t.Keys) >= len(t.slot) {
		t.rehash(max(64, 4*len(t.slot)))
	}
	mask := uint64(len(t.slot) - 1)
	for h := k.hash(); ; h++ {
		at := &t.slot[h&mask]
		if *at == 0 {
			var none T
			t.Keys = append(t.Keys, k)
			t.Values = append(t.Values, none)
			*at = uint32(len(t.Keys))
			return len(t.Keys) - 1
		}
		if t.Keys[*at-1] == k {
			return int(*at - 1)
		}
	}
}

// Reserve makes room for n more keys.
func (t *Table[T]) Reserve(n int) {
	t.Keys = slices.Grow(t.Keys, n)
	t.Values = slices.Grow(t.Values, n)
	size := max(64, len(t.slot))
	for size <= 2*(len(t.Keys)+n) {
		size *= 2
	}
	t.rehash(size)
}

// rehash distributes the keys over a number of slots, a power of 2.
func (t *Table[T]) rehash(slots int) {
	t.slot = make([]uint32, slots)
	mask := uint64(len(t.slot) - 1)
	for i, k := range t.Keys {
		h := k.hash()
		for t.slot[h&mask] != 0 {
			h++
		}
		t.slot[h&mask] = uint32(i + 1)
	}
}

// Around calls visit with the indices of the entries among the 26 cubes around a key.
func (t *Table[T]) Around(k Key, visit func(at int)) {
	for dx := int32(-1); dx <= 1; dx++ {
		for dy := int32(-1); dy <= 1; dy++ {
			for dz := int32(-1); dz <= 1; dz++ {
				if at := t.Find(Key{k[0] + dx, k[1] + dy, k[2] + dz}); dx|dy|dz != 0 && at >= 0 {
					visit(at)
				}
			}
		}
	}
}
