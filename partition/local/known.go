package local

import (
	"math"

	"superpoint/partition/neighbor"
)

// Ground is where the points of a tile lie, along the ground.
type Ground struct {
	At  func(u uint32) (x, y float64) // metres
	Rim func(u uint32) float64        // metres to where the tile ends; infinite on the survey's rim
}

// Known tells at which points of a tile the graph has all edges of the whole and
// no other, and their weights. That of a sure point is known: its value and the
// edges that it begins. What is left are edges that others begin: points that the
// tile has not, and points that are not sure. They are at most reach long, in
// metres along the ground; longer ones Long lists, and whoever joins the tiles
// sees to it that all that are concerned have them.
func Known(g *neighbor.Graph, sure []bool, ground Ground, reach float64) []bool {
	known := append([]bool(nil), sure...)
	near, deepest := map[[2]int32]bool{}, 0.0
	cell := func(u uint32) [2]int32 {
		x, y := ground.At(u)
		return [2]int32{int32(math.Floor(x / reach)), int32(math.Floor(y / reach))}
	}
	for u, ok := range sure {
		if ok {
			continue
		}
		c := cell(uint32(u))
		deepest = max(deepest, ground.Rim(uint32(u)))
		for k := range int32(9) {
			near[[2]int32{c[0] + k%3 - 1, c[1] + k/3 - 1}] = true
		}
		for _, v := range g.Of(u) {
			known[v] = false
		}
	}
	for u := range known {
		rim := ground.Rim(uint32(u))
		if rim <= reach || rim <= deepest+4*reach && near[cell(uint32(u))] {
			known[u] = false
		}
		for _, v := range g.Of(u) {
			known[u] = known[u] && sure[v]
		}
	}
	return known
}

// Long returns the edges that are longer than reach, in metres along the ground.
func Long(g *neighbor.Graph, ground Ground, reach float64) (long [][2]uint32) {
	for u := range uint32(g.Vertices()) {
		x, y := ground.At(u)
		for _, v := range g.Of(int(u)) {
			if a, b := ground.At(v); (a-x)*(a-x)+(b-y)*(b-y) > reach*reach {
				long = append(long, [2]uint32{u, v})
			}
		}
	}
	return long
}
