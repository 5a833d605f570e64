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

// Keyed is a number and what it is of.
type Keyed struct {
	Key uint64
	Of  uint32
}

// Sort sorts by key and keeps the order of equals: byte by byte from the last on
// (radix sort), without those in which all keys agree. Memory: as much again.
func Sort(items []Keyed) {
	var differ uint64
	for _, i := range items {
		differ |= i.Key ^ items[0].Key
	}
	from, to := items, make([]Keyed, len(items))
	for shift := 0; shift < 64; shift += 8 {
		if differ>>shift&0xff == 0 {
			continue
		}
		var place [256]uint32
		for _, i := range from {
			place[byte(i.Key>>shift)]++
		}
		next := uint32(0)
		for b, n := range place {
			place[b], next = next, next+n
		}
		for _, i := range from {
			b := byte(i.Key >> shift)
			to[place[b]] = i
			place[b]++
		}
		from, to = to, from
	}
	copy(items, from)
}
