package embed

// Table returns what Gather reads, for code that gathers elsewhere: the plan of
// the channels, described in gather.h, and the columns of all points, number of
// points × plan[5].
func (s *Inputs) Table() (plan []int32, table []float32) {
	return s.plan(len(s.neighborsOf(0)), s.Neighbors), s.table
}

// plan describes the channels for C; see gather.h.
func (s *Inputs) plan(k, rows int) []int32 {
	plan := make([]int32, 0, 8+2*(len(s.set)+len(s.point)))
	for _, v := range []int{s.Neighbors, k, rows, s.NeighborChannels, s.PointChannels, s.width, s.normal} {
		plan = append(plan, int32(v))
	}
	for _, list := range [][]source{s.set, s.point} {
		for _, src := range list {
			plan = append(plan, int32(src.kind), int32(src.column))
		}
	}
	return append(plan, int32(s.lists.K))
}
