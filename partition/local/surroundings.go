package local

import "superpoint/partition/reduced"

// surroundings are what is next to a vertex, and scratch memory of spare.
type surroundings struct {
	reduced.Surroundings
	same []uint32
}

// spare tells whether the neighbours of u in its component are joined by edges
// among themselves, so that the component stays whole without u.
func (r *refiner) spare(u uint32, near *surroundings) bool {
	same := near.same[:0]
	r.neighbors(u, func(v uint32, _ float32) {
		if r.label[v] == r.label[u] {
			same = append(same, v)
		}
	})
	near.same = same
	reached := min(1, len(same))
	for i := 0; i < reached; i++ {
		r.neighbors(same[i], func(v uint32, _ float32) {
			for j := reached; j < len(same); j++ {
				if same[j] == v {
					same[j], same[reached] = same[reached], v
					reached++
				}
			}
		})
	}
	return reached == len(same)
}
