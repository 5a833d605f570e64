// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"bytes"
	"math"
	"testing"

	"superpoint/testdata/must"
)

// TestNodesOfCOPC: the nodes in the hierarchy of COPC lie in the file and have the points of its header, and
// pages that point to one another end.
func TestNodesOfCOPC(t *testing.T) {
	t.Parallel()
	const head, size = vlrHead + infoBytes, 1000
	const first, second = 500, 600 // places of two pages
	type node struct {
		at    uint64
		bytes uint32
		count int32
	}
	page := node{second, entryBytes, anotherPage}
	for _, c := range []struct {
		name          string
		root          span
		nodes, others []node // of the two pages
		words         string // of the error; "" = none
	}{
		{"all points", span{first, 3 * entryBytes}, []node{{300, 10, 40}, page, {}},
			[]node{{310, 5, 60}}, ""},
		{"a point more", span{first, 2 * entryBytes}, []node{{300, 10, 41}, page}, []node{{310, 5, 60}},
			"and the nodes of its hierarchy 101"},
		{"a page less", span{first, entryBytes}, []node{{300, 10, 40}, page}, nil,
			"and the nodes of its hierarchy 40"},
		{"a node behind the end", span{first, entryBytes}, []node{{size - 5, 10, 100}}, nil,
			"a node of its hierarchy"},
		{"a node before the start", span{first, entryBytes}, []node{{math.MaxUint64, 10, 100}}, nil,
			"a node of its hierarchy"},
		{"a negative number", span{first, entryBytes}, []node{{300, 10, -2}}, nil, "has -2 points"},
		{"a page behind the end", span{size, entryBytes}, nil, nil, "a page of its hierarchy"},
		{"a page of 2^40 bytes", span{first, 1 << 40}, nil, nil, "a page of its hierarchy"},
		{"a page of itself", span{first, entryBytes}, []node{{first, entryBytes, anotherPage}}, nil,
			"a page of its hierarchy"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := &File{Head: make([]byte, head), Count: 100, size: size,
				variable: []section{{copcUser, copcInfo, 0, head}}}
			le.PutUint64(l.Head[vlrHead+atRootPage:], uint64(c.root.at))
			le.PutUint64(l.Head[vlrHead+atRootSize:], uint64(c.root.size))
			file := make([]byte, size)
			for place, nodes := range map[int][]node{first: c.nodes, second: c.others} {
				for k, n := range nodes {
					entry := file[place+k*entryBytes:]
					le.PutUint64(entry[atNode:], n.at)
					le.PutUint32(entry[atNodeBytes:], n.bytes)
					le.PutUint32(entry[atNodeCount:], uint32(n.count))
				}
			}
			must.Says(t, l.checkNodes(bytes.NewReader(file)), c.words, "hierarchy")
		})
	}
}
