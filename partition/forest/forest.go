// Package forest joins numbers into sets (union-find with path halving, Tarjan
// 1975, doi:10.1145/321879.321884). The root of a set is its least member, so it
// does not depend on the order of the joins.
package forest

// Forest holds for each number another one of its set, no larger.
type Forest []uint32

// New returns n sets of one number each.
func New(n int) Forest {
	f := make(Forest, n)
	for i := range f {
		f[i] = uint32(i)
	}
	return f
}

// Root returns the least member of u's set.
func (f Forest) Root(u uint32) uint32 {
	for f[u] != u {
		f[u] = f[f[u]]
		u = f[u]
	}
	return u
}

// Join makes the sets of u and v one.
func (f Forest) Join(u, v uint32) {
	u, v = f.Root(u), f.Root(v)
	if u < v {
		f[v] = u
	} else {
		f[u] = v
	}
}
