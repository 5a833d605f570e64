package arrays

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
