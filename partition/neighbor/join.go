package neighbor

import "superpoint/partition/parallel"

// Joins says which points an adjacency graph joins. The filter, training and its
// validation make their graphs by it, so that a model is trained and chosen on what
// it is used on.
type Joins struct {
	Nearest int     // of each point's neighbours, the first so many
	Around  int     // neighbours that show where scan lines are; 0: no edges across lines
	Longest float64 // edge of the Delaunay triangulation in space, metres; 0: none
}

// Join joins each point with its first neighbours, if asked across the gaps between
// scan lines (AcrossLines), and if asked by the edges of the Delaunay triangulation
// in space that are short enough, as the paper does for sparse scans. It also returns
// how many points begin an edge across lines.
func Join(c *Cloud, l *Lists, how Joins, run parallel.Run) (g *Graph, across int, err error) {
	if l.K == 0 { // one point
		return &Graph{Start: make([]uint32, c.Len()+1)}, 0, nil
	}
	var more [][2]uint32
	if how.Around > 0 {
		if more, across, err = AcrossLines(c, l, how.Nearest, how.Around, run); err != nil {
			return nil, 0, err
		}
	}
	if g, err = adjacency(l, min(how.Nearest, l.K), more, run); err != nil {
		return nil, 0, err
	}
	if how.Longest > 0 {
		short, err := Delaunay3D(c, how.Longest, run)
		if err != nil {
			return nil, 0, err
		}
		if g, err = g.Union(short); err != nil {
			return nil, 0, err
		}
	}
	return g, across, nil
}
