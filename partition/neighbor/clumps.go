// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"slices"

	"superpoint/partition/base/parallel"
)

// clumpSize is the number of points from which on a set of points is no clump. The list of a point of a
// smaller one has a point outside, if it has Around neighbours.
//
// Claim: a clump of a point with Around neighbors has an edge to offer. Reason: with at most clumpSize − 1
// members, one of the Around others in the list of a member is no member. Where lists are cut at Farthest
// there may be none (bridge).
const clumpSize = Around

// clumpReach is the greatest length of the edge of a clump, in distances of the point outside to its k-th
// neighbour. Farther groups of points, as birds above a roof, remain apart.
const clumpReach = 10

// clumps has the edges that connect clumps with the points around them.
//
// A clump is a set of fewer than clumpSize points that are the nearest neighbours of one another, as few
// returns of a passing car, a wire or a leaf far from the scanner. No edge would leave it, so it would be a
// superpoint at any regularization. It gets an edge, the shortest from one of its points to a point outside
// that the list of the former has, if that is within clumpReach.
//
// The clump of a point is what is reached from it by own edges, in both directions, but against their
// direction only to points in the list of the point before. So whether a point begins such an edge depends
// only on the own edges of the points of its clump and of those in their lists, and on these lists.
type clumps struct {
	ends
	has  []uint64          // a bit for each point that begins such an edge
	edge map[uint32]uint32 // other end, by the point
}

// with returns the own edges and the edges of clumps.
//
// A bit for every point is read first: clumps are rare, so that nearly all points are answered without the
// map.
func (c *clumps) with(u uint32, row []uint32) []uint32 {
	row = c.ends(u, row)
	if c.has[u/64]>>(u%64)&1 != 0 {
		row = append(slices.Clone(row), c.edge[u]) // row may be part of a list
	}
	return row
}

// findClumps returns the own edges of points and the edges of clumps. exact, if not nil, flags the points
// whose own edges equal the full cloud's. findClumps resets the flag of a point if it is open whether the
// full cloud has an edge of a clump there.
//
// Claim: the edges do not depend on threads or on the size of blocks. Reason: a block reads lists and own
// edges, which are complete, and what it found about its own points before; the points of other blocks count
// as unknown (isOpen). An edge is added by the one block that has its first point.
func findClumps(c *Cloud, l *Lists, k int, own ends, exact []bool, run parallel.Run) (ends, error) {
	n := c.Len()
	blocks := make([]clumpBlock, (n+block-1)/block)
	err := run.For(n, block, func(lo, hi int) {
		s := clumpSearch{cloud: c, lists: l, k: k, own: own, exact: exact, lo: uint32(lo),
			open: make([]bool, hi-lo),
			row:  make([]uint32, 0, 2*Around)}
		blocks[lo/block] = s.search(uint32(hi))
	})
	if err != nil {
		return nil, err
	}
	all := &clumps{ends: own, has: make([]uint64, (n+63)/64), edge: map[uint32]uint32{}}
	for _, b := range blocks {
		// A point begins one such edge at most: the edge of its own clump.
		for _, e := range b.found {
			all.has[e[0]/64] |= 1 << (e[0] % 64)
			all.edge[e[0]] = e[1]
		}
		if exact != nil {
			for _, i := range b.unsure {
				exact[i] = false
			}
		}
	}
	if len(all.edge) == 0 {
		return own, nil
	}
	return all.with, nil
}

// clumpBlock has what a block of points contributes.
type clumpBlock struct {
	found  [][2]uint32 // edges out of clumps: the point of the block, the other end
	unsure []uint32    // points of the block whose clumps another tile may see differently
}

// search finds the clumps of the points from s.lo to hi. The points of a block that are in one clump share
// its search.
//
// A clump may reach over the border of a block. Then each block finds it for its own points, with the same
// result, and adds the edge only if it begins at one of these: so it is added once.
func (s *clumpSearch) search(hi uint32) (b clumpBlock) {
	// Invariant: before i, open is final for the points from s.lo to i−1, and found and unsure have all that
	// they contribute.
	shared := make([]bool, hi-s.lo) // points with the clump of a point before
	for i := s.lo; i < hi; i++ {
		if shared[i-s.lo] {
			continue
		}
		open := s.nearOpen(i)
		sure := true
		if !open {
			open, sure = s.spread(i)
		}
		s.open[i-s.lo] = open
		if open {
			continue
		}
		alike := []uint32{i}
		if s.symmetric() {
			alike = s.members
		}
		from, to := s.bridge()
		later := slices.DeleteFunc(slices.Clone(alike), func(u uint32) bool { return u < i || u >= hi })
		for _, u := range later {
			shared[u-s.lo] = true
			if u == from && to != none {
				b.found = append(b.found, [2]uint32{u, to})
			}
		}
		if !sure {
			b.unsure = append(b.unsure, later...)
		}
	}
	return b
}

// clumpSearch finds the clumps of the points of a block.
type clumpSearch struct {
	cloud   *Cloud
	lists   *Lists
	k       int // neighbours to which points have own edges
	own     ends
	exact   []bool
	lo      uint32   // first point of the block
	open    []bool   // points of the block that are in no clump, as far as is known
	members []uint32 // of a clump
	row     []uint32 // memory of ends
}

// nearOpen reports whether one of the first k neighbours of a point is known to be in no clump.
//
// Such a point is in no clump itself: its own set has all that the set of the neighbor has, which is too
// large. Most points of a cloud are answered here, without a search.
func (s *clumpSearch) nearOpen(i uint32) bool {
	if !s.isExact(i) {
		return false
	}
	for _, v := range s.lists.Of(int(i))[:s.k] {
		if s.isOpen(v) {
			return true
		}
	}
	return false
}

// spread sets members to the clump of point i. It reports whether there are too many points for a clump, and
// whether that is so in the full cloud.
//
// Own edges of members are followed first. Only when none is left are lists searched for points whose own
// edges lead back. Most points reach clumpSize by the first and never need the second.
//
// sure is false if a point was met whose own edges may differ from the full cloud's: the tile may then see
// another clump. "Too large" is always sure, because further edges only enlarge a set.
func (s *clumpSearch) spread(i uint32) (open, sure bool) {
	s.members = append(s.members[:0], i)
	sure = true
	// Invariant: the own edges of the members before own have been followed, and the lists of those before
	// listed searched. own is at the end whenever listed advances. Both loops append to members.
	for own, listed := 0, 0; listed < len(s.members); {
		if own < len(s.members) { // most points are in no clump, as own edges show soon
			u := s.members[own]
			own++
			// An inexact point may have other own edges in the full cloud: none of its edges are followed,
			// and the answer is unsure.
			if !s.isExact(u) {
				sure = false
			} else if s.add(s.ends(u)) {
				return true, true
			}
			continue
		}
		u := s.members[listed]
		listed++
		for _, v := range s.list(u) {
			if !s.isExact(v) {
				sure = false
			} else if slices.Contains(s.ends(v), u) && s.add([]uint32{v}) {
				return true, true
			}
		}
	}
	return false, sure
}

// add adds points to the members, and reports whether they are too many then or one of them is in no clump.
//
// members has fewer than clumpSize points, so a search from its start is faster than a set.
func (s *clumpSearch) add(points []uint32) (open bool) {
	for _, v := range points {
		if s.isOpen(v) {
			return true
		}
		if !slices.Contains(s.members, v) {
			s.members = append(s.members, v)
		}
	}
	return len(s.members) >= clumpSize
}

// isOpen reports whether a point is known to be in no clump. Points of other blocks are not, in any run.
func (s *clumpSearch) isOpen(v uint32) bool {
	at := v - s.lo
	return int(at) < len(s.open) && s.open[at]
}

// Without flags the cloud is the full one, and all points are exact.
func (s *clumpSearch) isExact(u uint32) bool { return s.exact == nil || s.exact[u] }

// ends returns the ends of the own edges of a point; they are valid until the next call.
func (s *clumpSearch) ends(u uint32) []uint32 { return s.own(u, s.row) }

// list returns the list of a point.
//
// It ends before the fill of Within: points farther than Farthest are not seen from here.
func (s *clumpSearch) list(u uint32) []uint32 { return s.lists.real(int(u), min(Around, s.lists.K)) }

// symmetric reports whether all members have the same clump: own edges, the other way round, are followed
// too. Then one search is enough for all, and clumps of ten points take a tenth of the time. Most are
// symmetric, but for points so far from their neighbours that the lists of these lack them.
func (s *clumpSearch) symmetric() bool {
	for _, u := range s.members {
		if !s.isExact(u) {
			continue
		}
		for _, v := range s.ends(u) {
			if !slices.Contains(s.list(v), u) {
				return false
			}
		}
	}
	return true
}

// bridge returns the member that begins the clump's edge and the other end, which is none if it is too far
// away.
//
// The edge belongs to the clump, not to one of its points, so the search from each member must find the same
// one. The shortest is unique by the order of ties: by the position of the member, then by the position
// of the other end.
func (s *clumpSearch) bridge() (from, to uint32) {
	from = uint32(none)
	to = uint32(none)
	length := uint64(0)
	for _, u := range s.members {
		for _, v := range s.list(u) {
			if slices.Contains(s.members, v) {
				continue
			}
			// Lengths are exact integers, so two of them are equal only if they are equal in space, and
			// before decides then.
			d := s.cloud.squared(u, v)
			if from == none || d < length || d == length && (u != from && s.cloud.before(u, from) ||
				u == from && s.cloud.before(v, to)) {
				from = u
				to = v
				length = d
			}
		}
	}
	// The scale comes from the point outside: distances within the clump say nothing about the density of its
	// surroundings.
	if from != none && float64(length) > clumpReach*clumpReach*float64(s.cloud.squared(to,
		s.lists.Of(int(to))[s.k-1])) {
		to = none
	}
	return from, to
}
