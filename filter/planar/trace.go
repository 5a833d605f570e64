package planar

// lines is the planar graph of the lines between regions. Positions are half
// cells: a line runs through the middle of every side it follows (both odd and
// even coordinate), which makes diagonals of stairs, and lines meet at corners of
// cells (both even), the nodes.
type lines struct {
	width  int     // of a row of positions
	vertex []int32 // at each position, −1 for none
	at     []position
	link   [][2]int32 // the two beside a vertex on its line; of a node −1
}

type position struct{ x, y int32 }

const none = -1

// trace finds the lines of a raster.
func (r *raster) trace() *lines {
	l := &lines{width: 2*r.width + 1}
	l.vertex = make([]int32, l.width*(2*r.height+1))
	for i := range l.vertex {
		l.vertex[i] = none
	}
	for y := range 2*r.height + 1 {
		for x := range l.width {
			if r.onLine(x, y) {
				l.vertex[y*l.width+x] = int32(len(l.at))
				l.at = append(l.at, position{int32(x), int32(y)})
			}
		}
	}
	l.link = make([][2]int32, len(l.at))
	for v, p := range l.at {
		x, y := int(p.x), int(p.y)
		switch {
		case x%2 == 0 && y%2 == 0:
			l.link[v] = [2]int32{none, none}
		case x%2 == 1:
			l.link[v] = [2]int32{l.beyond(x-1, y, int32(v)), l.beyond(x+1, y, int32(v))}
		default:
			l.link[v] = [2]int32{l.beyond(x, y-1, int32(v)), l.beyond(x, y+1, int32(v))}
		}
	}
	return l
}

// onLine tells whether a vertex is at a position: the middle of a side between
// two labels, or a corner where more than two such sides meet.
func (r *raster) onLine(x, y int) bool {
	column, row := x/2, y/2
	switch {
	case x%2 == 1 && y%2 == 1:
		return false
	case x%2 == 1:
		return r.at(column, row-1) != r.at(column, row)
	case y%2 == 1:
		return r.at(column-1, row) != r.at(column, row)
	}
	a, b, c, d := r.at(column-1, row-1), r.at(column, row-1), r.at(column, row), r.at(column-1, row)
	sides := 0
	for _, differ := range [4]bool{a != b, b != c, c != d, d != a} {
		if differ {
			sides++
		}
	}
	return sides > 2
}

// beyond returns what follows vertex v over a corner: a node, or the other side
// that meets there.
func (l *lines) beyond(x, y int, v int32) int32 {
	if node := l.find(x, y); node != none {
		return node
	}
	for _, o := range [4]offset{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
		if w := l.find(x+o.x, y+o.y); w != none && w != v {
			return w
		}
	}
	return none // not reached: two sides meet at every corner that is no node
}

// find returns the vertex at a position, −1 for none.
func (l *lines) find(x, y int) int32 {
	if x < 0 || y < 0 || x >= l.width || y*l.width+x >= len(l.vertex) {
		return none
	}
	return l.vertex[y*l.width+x]
}

// node tells whether lines meet at a vertex.
func (l *lines) node(v int32) bool { return l.link[v][0] == none }
