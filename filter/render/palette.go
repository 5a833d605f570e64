package render

import "slices"

// Palette returns 40 colours that are easy to tell apart and easy on the eye:
// ten hues at two saturations and two lightnesses, every one far from grey.
func Palette() []RGB {
	return []RGB{
		{230, 85, 76}, {64, 140, 208}, {92, 178, 88}, {240, 170, 60}, {142, 104, 196},
		{52, 178, 170}, {226, 110, 166}, {170, 188, 58}, {160, 108, 72}, {96, 116, 216},
		{250, 148, 128}, {128, 192, 236}, {158, 214, 138}, {250, 208, 120}, {190, 160, 228},
		{122, 214, 200}, {244, 164, 204}, {212, 222, 120}, {206, 164, 128}, {150, 166, 240},
		{178, 48, 60}, {32, 98, 160}, {48, 130, 66}, {204, 120, 28}, {102, 66, 156},
		{22, 128, 130}, {180, 62, 122}, {124, 138, 30}, {118, 74, 46}, {58, 72, 164},
		{255, 112, 84}, {84, 168, 255}, {120, 200, 60}, {255, 190, 30}, {180, 110, 230},
		{40, 200, 220}, {255, 90, 150}, {200, 210, 50}, {190, 130, 80}, {110, 130, 255},
	}
}

// ungrouped is the colour of group 0, points that were not processed.
var ungrouped = RGB{172, 172, 172}

// ObjectColor returns a colour for a number by itself, without regard to its
// neighbours.
func ObjectColor(id uint32) RGB {
	if id == 0 {
		return ungrouped
	}
	list := Palette()
	return list[scatter(id)%uint32(len(list))]
}

// scatter mixes the bits of a number (Wellons 2018, lowbias32).
func scatter(x uint32) uint32 {
	x = (x ^ x>>16) * 0x7feb352d
	x = (x ^ x>>15) * 0x846ca68b
	return x ^ x>>16
}

// distinct colours the groups that are seen so that two which touch in the
// picture differ clearly: each takes its own first choice, or the palette's
// colour that is farthest from its neighbours'.
func (b *buffer) distinct(group func(int) uint32) func(int) RGB {
	ids := b.groups(group)
	number := func(id uint32) int {
		k, _ := slices.BinarySearch(ids, id)
		return k
	}
	start, heads := b.touching(group, number, len(ids))
	list := Palette()
	chosen := make([]int, len(ids))
	for k, id := range ids {
		best, bestGap := 0, -1
		first := int(scatter(id) % uint32(len(list)))
		for c := range list {
			c = (first + c) % len(list)
			gap := 1 << 30
			for _, n := range heads[start[k]:start[k+1]] {
				if n < k {
					gap = min(gap, apart(list[c], list[chosen[n]]))
				}
			}
			if gap >= enough {
				best = c
				break
			}
			if gap > bestGap {
				best, bestGap = c, gap
			}
		}
		chosen[k] = best
	}
	return func(i int) RGB {
		id := group(i)
		if id == 0 {
			return ungrouped
		}
		return list[chosen[number(id)]]
	}
}

// enough is a squared distance of two colours that an eye tells at once.
const enough = 90 * 90

func apart(a, b RGB) int {
	sum := 0
	for k, weight := range [3]int{2, 4, 3} { // the eye's weights of red, green and blue
		d := int(a[k]) - int(b[k])
		sum += weight * d * d / 3
	}
	return sum
}

// groups returns the groups that are seen, in order.
func (b *buffer) groups(group func(int) uint32) []uint32 {
	var ids []uint32
	last := uint32(0)
	for _, i := range b.front {
		if i < 0 {
			continue
		}
		if id := group(int(i)); id != last || len(ids) == 0 {
			ids = append(ids, id)
			last = id
		}
		if len(ids) > 1<<22 {
			slices.Sort(ids)
			ids = slices.Compact(ids)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// touching returns, for every group, the groups beside it in the picture.
func (b *buffer) touching(group func(int) uint32, number func(uint32) int, n int) (start, heads []int) {
	var pairs [][2]int
	near := [][2]int{{1, 0}, {0, 1}, {3, 0}, {0, 3}}
	for y := range b.height {
		for x := range b.width {
			i := b.front[y*b.width+x]
			if i < 0 {
				continue
			}
			mine := group(int(i))
			for _, o := range near {
				if x+o[0] >= b.width || y+o[1] >= b.height {
					continue
				}
				j := b.front[(y+o[1])*b.width+x+o[0]]
				if j < 0 {
					continue
				}
				if other := group(int(j)); other != mine {
					p, q := number(mine), number(other)
					pairs = append(pairs, [2]int{max(p, q), min(p, q)})
				}
			}
		}
		pairs = tidy(pairs, 1<<21)
	}
	pairs = tidy(pairs, 0)
	start = make([]int, n+1)
	for _, p := range pairs {
		start[p[0]+1]++
		heads = append(heads, p[1])
	}
	for k := range n {
		start[k+1] += start[k]
	}
	return start, heads
}

// tidy sorts pairs and drops repeated ones, if there are more than most.
func tidy(pairs [][2]int, most int) [][2]int {
	if len(pairs) <= most {
		return pairs
	}
	slices.SortFunc(pairs, func(a, b [2]int) int {
		if a[0] != b[0] {
			return a[0] - b[0]
		}
		return a[1] - b[1]
	})
	return slices.Compact(pairs)
}
