package paint

import (
	"slices"

	"superpoint/partition/arrays"
)

// Majority returns the most frequent label of each component, the smallest of
// equals. Unlabelled points (below 0) do not vote; a component without a vote
// gets −1.
func Majority(label []int32, component []uint32, count int) []int32 {
	members := arrays.GroupBy(component, count)
	winner := make([]int32, count)
	var votes []int32
	for c := range winner {
		votes = votes[:0]
		for _, i := range members.Of(c) {
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
