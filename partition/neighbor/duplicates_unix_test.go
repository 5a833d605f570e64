//go:build unix

// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

// processorTime returns that of the process. Unlike the time of a clock, it hardly depends on what else is
// running.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	must.OK(t, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// nearestTime returns the processor time of a cloud and its nearest points.
func nearestTime(t *testing.T, c columns) (*Cloud, *Lists, time.Duration) {
	t.Helper()
	begin := processorTime(t)
	cloud := mustNew(t, c, 1)
	l := must.Get(cloud.Nearest(20, parallel.Run{Threads: 1}))(t)
	return cloud, l, processorTime(t) - begin
}

// TestManyDuplicates: the neighbors of a point in a pile of duplicates are duplicates, and the time for piles
// is not quadratic in their height: for 100,000 points that would be about a hundred times that for different
// points.
func TestManyDuplicates(t *testing.T) {
	const n, most = 100_000, 10
	_, _, different := nearestTime(t, uniform(n, 1))
	for _, piles := range []int{1, 300} {
		t.Run(fmt.Sprint(piles), func(t *testing.T) {
			var c columns
			for i := range n {
				c.add(float64(i%piles), float64(i%piles%7), 0)
			}
			cloud, l, took := nearestTime(t, c)
			t.Logf("%v, of different points %v", took, different)
			must.Hold(t, took <= most*different, "piles take %v, different points %v", took, different)
			for i := 0; i < n; i += 1009 {
				for _, j := range l.Of(i) {
					must.Need(t, cloud.XYZ[j] == cloud.XYZ[i], "neighbor %d of %d has another position", j, i)
				}
			}
		})
	}
}
