// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"math"
	"testing"

	"superpoint/testdata/must"
)

// TestPartition: all items below a limit are in front of the others, and none is lost, for few and many
// chunks, with many items at the limit and with none.
func TestPartition(t *testing.T) {
	r := random(6)
	for _, n := range []int{0, 1, 2*chunk - 1, 2 * chunk, 2*chunk + 1, 3*chunk + 5, 40*chunk + 9} {
		for _, values := range []int64{1, 2, 1 << 32} {
			items := make([]item, n)
			for i := range items {
				for a := range 3 {
					items[i][a] = int32(r.Int64N(values))
				}
				items[i][3] = int32(i)
			}
			axis := r.IntN(3)
			limits := []int32{math.MinInt32, 0, 1, math.MaxInt32}
			for _, limit := range limits {
				before := append([]item(nil), items...)
				smaller := 0
				for i := range items {
					if items[i][axis] < limit {
						smaller++
					}
				}
				front := partition(items, axis, limit)
				must.Need(t, front == smaller, "%d items of %d values below %d: %d in front, %d are less", n,
					values, limit,
					front, smaller)
				seen := make([]bool, n)
				for i := range items {
					must.Need(t, (items[i][axis] < limit) == (i < front),
						"%d items of %d values: item %d is on the wrong side of %d",
						n, values, i, limit)
					must.Need(t, !seen[items[i][3]], "%d items of %d values: item %d is there twice", n,
						values, items[i][3])
					seen[items[i][3]] = true
				}
				byIndex := make([]item, n)
				for _, p := range before {
					byIndex[p[3]] = p
				}
				for _, p := range items {
					must.Need(t, p == byIndex[p[3]], "%d items of %d values: item %d has changed", n,
						values, p[3])
				}
			}
		}
	}
}
