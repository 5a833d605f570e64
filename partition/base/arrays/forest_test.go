// SPDX-License-Identifier: BSD-3-Clause

package arrays

import (
	"math/rand/v2"
	"testing"

	"superpoint/testdata/must"
)

// TestRootIsTheLeastMember: the root is the least member for any order of merges.
func TestRootIsTheLeastMember(t *testing.T) {
	const n = 500
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		f, label := NewForest(n), Indices[uint32](n)
		for range 300 {
			u, v := rng.Uint32N(n), rng.Uint32N(n)
			root := f.Join(u, v)
			must.Need(t, root == f.Root(u), "the root of the merged set is %d, of %d it is %d", root,
				u, f.Root(u))
			must.Need(t, root == f.Root(v), "the root of the merged set is %d, of %d it is %d", root,
				v, f.Root(v))
			a, b := min(label[u], label[v]), max(label[u], label[v])
			for i, l := range label {
				if l == b {
					label[i] = a
				}
			}
		}
		for u, want := range label {
			got := f.Root(uint32(u))
			must.Need(t, got == want, "root of %d is %d, least member %d", u, got, want)
		}
		set, count := f.Number()
		for u, want := range label {
			k := f.Root(uint32(u))
			must.Need(t, int(set[u]) < count,
				"%d is in set %d of %d: want set[u] less than count", u, set[u], count)
			must.Need(t, set[u] == set[want],
				"%d is in set %d of %d: set[u] is not set[want]", u, set[u], count)
			if u == int(k) {
				must.Need(t, set[u] == before(f, k),
					"%d is in set %d of %d: set[u] is not before(f, k)", u, set[u], count)
			}
		}
	}
}

// before returns how many roots come before k.
func before(f Forest, k uint32) (n uint32) {
	for u := range k {
		if f[u] == u {
			n++
		}
	}
	return n
}
