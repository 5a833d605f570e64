package arrays

// Groups lists the items of every group: those of group k are
// Item[Start[k]:Start[k+1]], ascending.
type Groups struct {
	Start []uint32 // groups + 1
	Item  []uint32
}

// GroupBy lists the items 0, 1, … by their keys, of which there are count; an item
// whose key is negative or not below count is in no group. Memory: 4 bytes an item
// and 4 a group.
func GroupBy[K ~int32 | ~uint32](key []K, count int) Groups {
	var g Groups
	GroupInto(&g, key, count)
	return g
}

// GroupInto is GroupBy into the memory of g.
func GroupInto[K ~int32 | ~uint32](g *Groups, key []K, count int) {
	start := Zeroed(g.Start, count+2)
	next := start[1:] // filling a group moves its start into place
	size := start[2:]
	for _, k := range key {
		if uint32(k) < uint32(count) {
			size[k]++
		}
	}
	for k := range size {
		start[k+2] += start[k+1]
	}
	g.Item = Resized(g.Item, int(start[count+1]))
	for i, k := range key {
		if uint32(k) < uint32(count) {
			g.Item[next[k]] = uint32(i)
			next[k]++
		}
	}
	g.Start = start[:count+1]
}

// Len returns the number of groups.
func (g *Groups) Len() int { return len(g.Start) - 1 }

// Of returns the items of a group.
func (g *Groups) Of(k int) []uint32 { return g.Item[g.Start[k]:g.Start[k+1]] }

// Begin turns the sizes of groups that lie one behind the other into the places
// where they begin, and returns where the last ends.
func Begin(size []uint32) (end uint32) {
	for k, n := range size {
		size[k] = end
		end += n
	}
	return end
}
