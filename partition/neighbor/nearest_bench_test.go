// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"flag"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

// Points of the clouds in benchmarks.
//
//	go test ./partition/neighbor -run - -bench 'New|Nearest|Adjacency|AcrossLines' -points 1000000
var benchPoints = flag.Int("points", 200_000, "points of the clouds in benchmarks")

func benchThreads(b *testing.B, f func(run parallel.Run)) {
	for threads := 1; threads <= 2; threads++ {
		b.Run([]string{"", "thread", "threads2"}[threads], func(b *testing.B) {
			for b.Loop() {
				f(parallel.Run{Threads: threads})
			}
			b.ReportMetric(float64(*benchPoints)*float64(b.N)/b.Elapsed().Seconds()/1e3, "kpoints/s")
		})
	}
}

func BenchmarkNew(b *testing.B) {
	c := lidar(*benchPoints, 1)
	benchThreads(b, func(run parallel.Run) {
		must.Get(New(c.x, c.y, c.z, run))(b)
	})
}

func benchNearest(b *testing.B, k int, nearest func(*Cloud, *Lists, parallel.Run) error) {
	cloud := mustNew(b, lidar(*benchPoints, 1), 2)
	l := newLists(cloud.Len(), k)
	benchThreads(b, func(run parallel.Run) {
		must.OK(b, nearest(cloud, l, run))
	})
}

func BenchmarkNearest20(b *testing.B)   { benchNearest(b, 20, (*Cloud).nearest) }
func BenchmarkNearestGo20(b *testing.B) { benchNearest(b, 20, (*Cloud).nearestGo) }
func BenchmarkNearest45(b *testing.B)   { benchNearest(b, 45, (*Cloud).nearest) }

func BenchmarkAdjacency10(b *testing.B) {
	cloud := mustNew(b, lidar(*benchPoints, 1), 2)
	l := must.Get(cloud.Nearest(20, parallel.Run{}))(b)
	benchThreads(b, func(run parallel.Run) {
		must.Get(Adjacency(l, 10, run))(b)
	})
}

func BenchmarkDelaunay3D(b *testing.B) {
	cloud := mustNew(b, lidar(*benchPoints, 1), 2)
	for b.Loop() {
		g := must.Get(Delaunay3D(cloud, 0.5, parallel.Run{}))(b)
		b.ReportMetric(float64(g.Edges())/float64(g.Vertices()), "edges/point")
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N)/float64(*benchPoints), "µs/point")
}

func BenchmarkAcrossLines(b *testing.B) {
	cloud := mustNew(b, lidar(*benchPoints, 1), 2)
	l := newLists(cloud.Len(), Around)
	must.OK(b, cloud.nearest(l, parallel.Run{}))
	benchThreads(b, func(run parallel.Run) {
		must.Get(acrossLines(cloud, l, 5, Around, run))(b)
	})
}
