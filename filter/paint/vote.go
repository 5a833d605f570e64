package paint

import "superpoint/partition/arrays"

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
		winner[c] = arrays.Mode(votes, -1)
	}
	return winner
}
