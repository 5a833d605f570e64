package neighbor

import (
	"math/bits"

	"superpoint/partition/parallel"
)

// Around is the number of nearest neighbours that show whether a point has some
// on all sides.
const Around = 20

// AcrossLines returns edges across the gaps between scan lines, the smaller point first,
// and how many points begin one.
//
// A scanner that turns or swings sets its points much closer along a scan line
// than the lines lie apart, or sets several lines close together and then leaves
// a gap. Nearest neighbours stay in the line or the bundle of lines, and a graph
// of them falls into stripes. Where that is so is seen from where the neighbours
// are, and from nothing else. Of each point's first around neighbours (Around, or
// fewer; the lists may hold more) it takes
//
//   - those after the k-th that have no other point nearer to both, the edges of
//     the relative neighbourhood graph (Toussaint 1980,
//     doi:10.1016/0031-3203(80)90066-7);
//   - if all lie on a line, the nearest point beside it, and the nearest on the
//     other side;
//   - if they leave a third of their plane's directions free, as at the border of
//     a bundle of lines, the nearest point there, if what is behind either end has
//     a gap of the same kind and both lie in one plane. A roof or a wall has no such
//     gap, a window pane another plane.
//
// For the last two, some of the neighbours must be at such a border, too.
//
// Such edges are everywhere, but where there are no scan lines they have all
// directions. An edge is kept only if those of the neighbours have its direction,
// which is across the lines, and if it is at most twice as long as the shortest of
// the other point, or as the distance to that one's k-th neighbour: so a wire is
// not joined with the ground. Less is asked of edges across gaps that lie level, which
// z says.
//
// The result is exact and a function of the positions: it does not depend on the
// order of points, on threads, translation or scale, nor on points farther away than
// about twice the longest edge. About 20 bytes a point while it works.
func AcrossLines(c *Cloud, l *Lists, k, around int, run parallel.Run) (edges [][2]uint32, points int, err error) {
	around = min(around, Around, l.K)
	if k >= around {
		return nil, 0, run.Err()
	}
	w := &wishes{cloud: c, lists: l, k: k, around: around}
	if err := w.find(run); err != nil {
		return nil, 0, err
	}
	keep, err := w.kept(run)
	if err != nil {
		return nil, 0, err
	}
	for u, which := range keep {
		if which != 0 {
			points++
		}
		for rest := which; rest != 0; rest &= rest - 1 {
			bit := bits.TrailingZeros32(rest)
			v := w.end(uint32(u), bit)
			if w.begins(which&(1<<bit-1), uint32(u), v) { // a neighbour that is beside, too
				continue
			}
			if v > uint32(u) || !w.begins(keep[v], v, uint32(u)) {
				edges = append(edges, [2]uint32{min(uint32(u), v), max(uint32(u), v)})
			}
		}
	}
	return edges, points, nil
}

// begins reports whether one of these wishes of a point ends at v.
func (w *wishes) begins(which, u, v uint32) bool {
	for ; which != 0; which &= which - 1 {
		if w.end(u, bits.TrailingZeros32(which)) == v {
			return true
		}
	}
	return false
}

// kept returns a bit for each wish of a point that is kept.
func (w *wishes) kept(run parallel.Run) ([]uint32, error) {
	keep := make([]uint32, w.cloud.Len())
	return keep, run.For(len(keep), 2048, func(lo, hi int) { w.keptOf(keep, lo, hi) })
}
