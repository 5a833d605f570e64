package classes

import (
	"cmp"
	"slices"
)

// sums is a k-d tree over places in plan (Bentley 1975, doi:10.1145/361002.361007) with
// the sums of every part, so that what lies within a circle is added up in a time that
// grows with the root of the places: a scan from the ground has them all within 15 m.
type sums struct {
	place   [][3]float32
	weights []int64 // places × width
	width   int
	order   []int32 // places, those of a part together
	parts   []part
}

// part is a part of the places: order[from:to], its box, and its sums. Its halves are
// parts, unless it is a leaf.
type part struct {
	from, to  int
	low, high [2]float64
	left      int // part of the first half; 0 = leaf
	right     int
	sum       []int64
}

// leaf is the most places that are not halved.
const leaf = 8

func newSums(place [][3]float32, weights []int64, width int) *sums {
	t := &sums{place: place, weights: weights, width: width, order: make([]int32, len(place))}
	for i := range t.order {
		t.order[i] = int32(i)
	}
	if len(place) > 0 {
		t.build(0, len(place))
	}
	return t
}

// at returns a place in plan.
func (t *sums) at(i int32) [2]float64 {
	return [2]float64{float64(t.place[i][0]), float64(t.place[i][1])}
}

// of returns the weights of a place.
func (t *sums) of(i int32) []int64 { return t.weights[int(i)*t.width : (int(i)+1)*t.width] }

// build makes a part of places, and its halves along the longer side.
func (t *sums) build(from, to int) int {
	p := part{from: from, to: to, low: t.at(t.order[from]), high: t.at(t.order[from]), sum: make([]int64, t.width)}
	for _, i := range t.order[from:to] {
		for a, v := range t.at(i) {
			p.low[a], p.high[a] = min(p.low[a], v), max(p.high[a], v)
		}
		addTo(p.sum, t.of(i))
	}
	number := len(t.parts)
	t.parts = append(t.parts, p)
	if to-from <= leaf {
		return number
	}
	axis := 0
	if p.high[1]-p.low[1] > p.high[0]-p.low[0] {
		axis = 1
	}
	slices.SortFunc(t.order[from:to], func(a, b int32) int {
		return cmp.Or(cmp.Compare(t.place[a][axis], t.place[b][axis]), cmp.Compare(a, b))
	})
	middle := (from + to) / 2
	left := t.build(from, middle)
	right := t.build(middle, to)
	t.parts[number].left, t.parts[number].right = left, right
	return number
}

// add adds the weights within a radius of a place to y.
func (t *sums) add(y []int64, place [3]float32, radius float64) {
	if len(t.parts) > 0 {
		t.addPart(y, 0, [2]float64{float64(place[0]), float64(place[1])}, radius*radius)
	}
}

func (t *sums) addPart(y []int64, number int, c [2]float64, square float64) {
	p := &t.parts[number]
	var near, far [2]float64
	for a, v := range c {
		near[a] = max(p.low[a]-v, v-p.high[a], 0)
		far[a] = max(v-p.low[a], p.high[a]-v)
	}
	switch {
	case squared(near) > square:
	case squared(far) <= square:
		addTo(y, p.sum)
	case p.left == 0:
		for _, i := range t.order[p.from:p.to] {
			q := t.at(i)
			if squared([2]float64{q[0] - c[0], q[1] - c[1]}) <= square {
				addTo(y, t.of(i))
			}
		}
	default:
		t.addPart(y, p.left, c, square)
		t.addPart(y, p.right, c, square)
	}
}

// squared is a length's square, of products that are rounded on every machine.
func squared(d [2]float64) float64 { return float64(d[0]*d[0]) + float64(d[1]*d[1]) }

func addTo(y, x []int64) {
	for i, v := range x {
		y[i] += v
	}
}
