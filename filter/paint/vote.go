package paint

import "slices"

// Majority returns the most frequent label of each component, the smallest of
// equals. Unlabelled points (below 0) do not vote; a component without a vote
// gets −1.
func Majority(label []int32, component []uint32, count int) []int32 {
	members := byComponent(component, count)
	winner := make([]int32, count)
	var votes []int32
	for c := range winner {
		votes = votes[:0]
		for _, i := range members.of(c) {
			if label[i] >= 0 {
				votes = append(votes, label[i])
			}
		}
		winner[c] = mode(votes)
	}
	return winner
}

// mode returns the most frequent value, the smallest of equals; −1 for none.
func mode(values []int32) int32 {
	slices.Sort(values)
	best, bestRun := int32(-1), 0
	for i := 0; i < len(values); {
		k := i + 1
		for k < len(values) && values[k] == values[i] {
			k++
		}
		if k-i > bestRun {
			best, bestRun = values[i], k-i
		}
		i = k
	}
	return best
}

// groups lists the points of every component.
type groups struct {
	start []uint32 // number of components + 1
	point []uint32
}

func (g *groups) of(c int) []uint32 { return g.point[g.start[c]:g.start[c+1]] }

func byComponent(component []uint32, count int) *groups {
	g := &groups{start: make([]uint32, count+1), point: make([]uint32, len(component))}
	for _, c := range component {
		g.start[c]++
	}
	sum := uint32(0)
	for c, n := range g.start {
		sum += n
		g.start[c] = sum
	}
	for i := len(component) - 1; i >= 0; i-- {
		c := component[i]
		g.start[c]--
		g.point[g.start[c]] = uint32(i)
	}
	return g
}
