package lpe

import (
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// halo is a block of points with the neighbours outside of it. Its points have local
// indices: first the block's points, then the others in the order of the lists.
type halo struct {
	points []uint32 // index in the cloud of each local index
	rows   []uint32 // the block's neighbour lists, as local indices
	xyz    [][3]int32
	table  []float32
	place  []int32 // local index of every point of the cloud, −1 for none; 4 bytes a point on the host
}

func newHalo(points int) *halo {
	h := &halo{place: make([]int32, points)}
	for i := range h.place {
		h.place[i] = -1
	}
	return h
}

// take sets the halo to the block lo to hi − 1. It returns false if the block and its
// neighbours are more than most points.
func (h *halo) take(lists *neighbor.Lists, lo, hi, most int) bool {
	for _, i := range h.points {
		h.place[i] = -1
	}
	h.points, h.rows = h.points[:0], h.rows[:0]
	number := func(i uint32) uint32 {
		if h.place[i] < 0 {
			h.place[i] = int32(len(h.points))
			h.points = append(h.points, i)
		}
		return uint32(h.place[i])
	}
	for i := lo; i < hi; i++ {
		number(uint32(i))
	}
	for _, j := range lists.Index[lo*lists.K : hi*lists.K] {
		h.rows = append(h.rows, number(j))
		if len(h.points) > most {
			return false
		}
	}
	return true
}

// gather copies the points' positions and columns.
func (h *halo) gather(run parallel.Run, cloud *neighbor.Cloud, table []float32) error {
	n, width := len(h.points), len(table)/cloud.Len()
	if cap(h.xyz) < n {
		h.xyz, h.table = make([][3]int32, n+n/8), make([]float32, (n+n/8)*width)
	}
	h.xyz, h.table = h.xyz[:n], h.table[:n*width]
	return run.For(n, 1<<14, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			p := int(h.points[i])
			h.xyz[i] = cloud.XYZ[p]
			copy(h.table[i*width:(i+1)*width], table[p*width:(p+1)*width])
		}
	})
}
