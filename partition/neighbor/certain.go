package neighbor

import (
	"math"
	"math/bits"

	"superpoint/partition/parallel"
)

// Certain tells what of a part of a cloud is as in the whole, by how far from a
// point the part is complete: rim, in metres, along the ground. A point's list
// is, if it is shorter than that. The edges that it begins in Join with those
// options are, if also what was looked at for them is: for edges across lines,
// its neighbours, how far it looked for others, and behind those, and the same of
// all of those.
//
// What others begin is not looked at: a point that the part has not, or whose own
// edges are not certain, may still be joined with one whose edges are.
func Certain(c *Cloud, l *Lists, k, around int, rim func(i uint32) float64, run parallel.Run) (listed, edges []bool,
	err error) {
	a, listed, err := newCertainty(c, l, k, around, rim, run)
	if err != nil || a.around == 0 || k >= a.around {
		return listed, append([]bool(nil), listed...), err
	}
	if err := a.find(run); err != nil {
		return nil, nil, err
	}
	edges, err = a.edges(run, listed)
	return listed, edges, err
}

// Edges are the edges that points begin in Join, as rows: Head[Start[i]:Start[i+1]]
// are the other ends of those of point i.
type Edges struct {
	Start, Head  []uint32
	Listed, Sure []bool    // what Certain tells: of a point's neighbours, of the edges that it begins
	Need         []float64 // metres around a point that were looked at from there
}

// Of returns the other ends of the edges that a point begins.
func (e *Edges) Of(i uint32) []uint32 { return e.Head[e.Start[i]:e.Start[i+1]] }

// Begun returns the edges that the points begin in Join with those options, and what
// Certain tells of them. Whatever is not certain is not because rim is not greater
// than Need at the point, at its neighbours, at the other ends, or at the neighbours
// of these.
func Begun(c *Cloud, l *Lists, k, around int, rim func(i uint32) float64, run parallel.Run) (*Edges, error) {
	a, listed, err := newCertainty(c, l, k, around, rim, run)
	if err != nil {
		return nil, err
	}
	n := c.Len()
	edges := append([]bool(nil), listed...)
	keep := make([]uint32, n)
	if a.around > 0 && k < a.around {
		if err := a.find(run); err != nil {
			return nil, err
		}
		if keep, err = a.kept(run); err != nil {
			return nil, err
		}
		if edges, err = a.edges(run, listed); err != nil {
			return nil, err
		}
	}
	e := &Edges{Start: make([]uint32, n+1), Listed: listed, Sure: edges, Need: a.needs()}
	first := min(k, l.K)
	for i, which := range keep {
		e.Start[i+1] = e.Start[i] + uint32(len(l.real(i, first))+bits.OnesCount32(which))
	}
	e.Head = make([]uint32, e.Start[n])
	return e, run.For(n, block, func(lo, hi int) {
		for i := uint32(lo); i < uint32(hi); i++ {
			row := e.Of(i)
			row = row[copy(row, l.real(int(i), first)):]
			for which, at := keep[i], 0; which != 0; which, at = which&(which-1), at+1 {
				row[at] = a.end(i, bits.TrailingZeros32(which))
			}
		}
	})
}

// needs returns how far was looked from each point, in metres.
func (a *certainty) needs() []float64 {
	need := make([]float64, a.cloud.Len())
	for i := range need {
		if a.lists.K > 0 {
			need[i] = a.distance(uint32(i), a.lists.K)
		}
	}
	for s, beside := range a.beside {
		i := a.seeds[s]
		need[i] = max(need[i], a.looked(i, beside[0]))
		for _, j := range beside {
			if j != none && a.border[i] == 1 {
				need[j] = max(need[j], a.looked(j, i))
			}
		}
	}
	for i := range need {
		need[i] = (need[i] + 2*margin) * a.cloud.Unit
	}
	return need
}

func newCertainty(c *Cloud, l *Lists, k, around int, rim func(i uint32) float64, run parallel.Run) (*certainty, []bool,
	error) {
	n := c.Len()
	around = min(around, Around, l.K)
	a := &certainty{wishes: wishes{cloud: c, lists: l, k: k, around: around},
		rim: func(i uint32) float64 { return rim(i)/c.Unit - margin }}
	listed := make([]bool, n)
	if err := run.For(n, block, func(lo, hi int) {
		for i := uint32(lo); i < uint32(hi); i++ {
			full := l.K > 0 && len(l.real(int(i), l.K)) == l.K // a row that is not may miss what lies beyond the rim
			listed[i] = math.IsInf(rim(i), 1) || full && a.distance(i, l.K) < a.rim(i)
		}
	}); err != nil {
		return nil, nil, err
	}
	return a, listed, nil
}

// margin is what distances may be off by rounding, in units.
const margin = 4

type certainty struct {
	wishes
	rim func(i uint32) float64 // in units
}

// distance returns that to a point's rank-th neighbour, in units.
func (a *certainty) distance(i uint32, rank int) float64 {
	return math.Sqrt(float64(a.cloud.squared(i, a.lists.Of(int(i))[rank-1])))
}

// edges tells whose edges are certain, once the wishes are found.
func (a *certainty) edges(run parallel.Run, listed []bool) ([]bool, error) {
	n := a.cloud.Len()
	wish, sure := make([]bool, n), make([]bool, n)
	if err := run.For(n, block, func(lo, hi int) {
		for i := uint32(lo); i < uint32(hi); i++ {
			wish[i] = listed[i] && all(listed, a.row(i))
		}
	}); err != nil {
		return nil, err
	}
	if err := run.For(len(a.seeds), block, func(lo, hi int) {
		for s := lo; s < hi; s++ {
			i := a.seeds[s]
			wish[i] = wish[i] && a.looked(i, a.beside[s][0]) < a.rim(i)
		}
	}); err != nil {
		return nil, err
	}
	err := run.For(n, block, func(lo, hi int) {
		for i := uint32(lo); i < uint32(hi); i++ {
			sure[i] = wish[i] && all(wish, a.row(i))
		}
	})
	for s, beside := range a.beside {
		i := a.seeds[s]
		for _, j := range beside {
			if j == none {
				continue
			}
			// Behind the other end of an edge across a gap is looked, too.
			behind := a.border[i] == 1 && a.looked(j, i) >= a.rim(j)
			sure[i] = sure[i] && wish[j] && !behind
		}
	}
	return sure, err
}

// all reports whether all of some points have a flag.
func all(flag []bool, points []uint32) bool {
	for _, j := range points {
		if !flag[j] {
			return false
		}
	}
	return true
}

// looked is how far a seed looked: if it found a point, on the other side of its
// line up to twice as far, or in a tube behind; if not, for the line beside it or
// beyond a gap, and behind that.
func (a *certainty) looked(i, found uint32) float64 {
	kth := a.distance(i, a.k)
	if found != none {
		length := math.Sqrt(float64(a.cloud.squared(i, found)))
		return max(behindGap*length, 2*length+kth)
	}
	last := a.distance(i, a.around)
	return max(lineReach*kth, behindGap*gapReach*last, 2*gapReach*last+kth)
}

// behindGap is how far gapBehind looks, in lengths of the edge: to the corner of a
// tube twice as long as the edge and half as wide.
const behindGap = 2.1
