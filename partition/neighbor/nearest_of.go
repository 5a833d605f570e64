package neighbor

import "superpoint/partition/base/parallel"

// NearestOf finds the neighbours of some points, as Nearest, and writes them to the points'
// rows of lists, which has a row of 1 to n − 1 neighbours for every point.
func (c *Cloud) NearestOf(points []uint32, l *Lists, run parallel.Run) error {
	return c.nearestSome(points, l.K, run, func(i int) []uint32 { return l.Of(int(points[i])) })
}

// NearestRows finds the neighbours of some points, and writes those of points[i]
// to row i of lists.
func (c *Cloud) NearestRows(points []uint32, l *Lists, run parallel.Run) error {
	return c.nearestSome(points, l.K, run, l.Of)
}

func (c *Cloud) nearestSome(points []uint32, k int, run parallel.Run, row func(i int) []uint32) error {
	run = run.Quiet()
	searches := make([]*search, run.Workers())
	return run.ForWorker(len(points), 1024, func(worker, lo, hi int) {
		if searches[worker] == nil {
			searches[worker] = newSearch(c, k)
		}
		for i := lo; i < hi; i++ {
			searches[worker].find(points[i], row(i))
		}
	})
}
