// Package objects finds buildings and trees among superpoints that have classes.
//
// A building is what hangs together, seen from above, of superpoints of that class.
// A tree is a crown: the canopy's heights are flooded from their tops downwards
// (the watershed of Vincent and Soille 1991, doi:10.1109/34.87344, as in Chen et al.
// 2006, doi:10.14358/PERS.72.8.923), and where two crowns meet, the lower top is
// part of the higher one's tree if it is as near as a crown of its height reaches
// (Popescu and Wynne 2004, doi:10.14358/PERS.70.5.589) or hardly stands over the
// saddle. A superpoint that lies mostly in one crown is of it as a whole; one that
// several crowns share is divided among them.
//
// Lengths are metres. Results depend on the points and their order alone.
package objects

import (
	"superpoint/filter/planar"
	"superpoint/partition/parallel"
)

// Found is what there is in a cloud.
type Found struct {
	Buildings, Trees []Object
	Origin           planar.Cell // whose south-western corner outlines are measured from
}

// Find returns the buildings and the trees of a cloud.
func Find(run parallel.Run, p *Points, s Settings) (*Found, error) {
	ground, err := p.ground()
	if err != nil {
		return nil, err
	}
	v, err := p.view(gap)
	if err != nil {
		return nil, err
	}
	f := new(Found)
	if f.Buildings, err = p.buildings(run, v, ground, s); err != nil {
		return nil, err
	}
	f.Origin = planar.Cell{Column: v.Column, Row: v.Row}
	f.Trees, err = p.trees(ground, s)
	return f, err
}

// measure fills in what the points of an object say.
func (p *Points) measure(o *Object, ground *terrain) {
	seen := map[int32]bool{}
	sum := 0.0
	o.Top = o.Points[0]
	for _, i := range o.Points {
		seen[p.Owner[i]] = true
		sum += ground.at(p.Cell[i])
		if p.Z[i] > p.Z[o.Top] {
			o.Top = i
		}
	}
	o.Superpoints, o.Ground = len(seen), sum/float64(len(o.Points))
	o.Height = p.Z[o.Top] - o.Ground
}
