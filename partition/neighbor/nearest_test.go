// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

func mustNew(t testing.TB, c columns, threads int) *Cloud {
	t.Helper()
	return must.Get(New(c.x, c.y, c.z, parallel.Run{Threads: threads}))(t)
}

// oracle sorts all other points by the order that Nearest documents, in arithmetic without limits.
func oracle(c *Cloud, i, k int) []uint32 {
	n := c.Len()
	others := make([]uint32, 0, n)
	dist := make([]*big.Int, n)
	for j := range n {
		if j == i {
			continue
		}
		others = append(others, uint32(j))
		sum := new(big.Int)
		for a := range 3 {
			d := big.NewInt(int64(c.XYZ[j][a]) - int64(c.XYZ[i][a]))
			sum.Add(sum, d.Mul(d, d))
		}
		dist[j] = sum
	}
	slices.SortFunc(others, func(p, q uint32) int {
		if d := dist[p].Cmp(dist[q]); d != 0 {
			return d
		}
		if d := slices.Compare(c.XYZ[p][:], c.XYZ[q][:]); d != 0 {
			return d
		}
		if dist[p].Sign() == 0 { // coincident: nearest in input order
			return cmp.Or(cmp.Compare(apart(p, i), apart(q, i)), cmp.Compare(p, q))
		}
		return int(c.Order[p]) - int(c.Order[q])
	})
	return others[:min(k, n-1)]
}

func apart(p uint32, i int) int { return max(int(p)-i, i-int(p)) }

func checkLists(t *testing.T, c *Cloud, l *Lists, k int, some int) {
	t.Helper()
	want := min(k, max(c.Len()-1, 0))
	must.Need(t, l.K == want,
		"K = %d, %d indices for %d points, want K = %d: l.K is not want", l.K, len(l.Index), c.Len(), want)
	must.Need(t, len(l.Index) == want*c.Len(),
		"K = %d, %d indices for %d points, want K = %d: len(l.Index) is not want*c.Len()",
		l.K, len(l.Index), c.Len(), want)
	for i := 0; i < c.Len() && l.K > 0; i += max(1, c.Len()/some) {
		got, want := l.Of(i), oracle(c, i, k)
		must.Need(t, slices.Equal(got, want), "neighbours of %d at %v:\n got %v\nwant %v", i,
			c.XYZ[i], got, want)
	}
}

func TestNearestAgainstBruteForce(t *testing.T) {
	for name, cols := range degenerate() {
		cloud := mustNew(t, cols, 2)
		for _, k := range []int{1, 5, 20, 45} {
			t.Run(fmt.Sprintf("%s/%d", name, k), func(t *testing.T) {
				l := must.Get(cloud.Nearest(k, parallel.Run{Threads: 2}))(t)
				checkLists(t, cloud, l, k, 60)
			})
		}
	}
}
