// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"math"
	"slices"

	"superpoint/embed"
	"superpoint/partition/base/cube"
	"superpoint/partition/base/parallel"
	"superpoint/partition/base/shape"
)

// A group is points in boxes that touch one another, with a gap all around (embed.Group). Three kinds of
// groups are noise, see groupRule. All others are parts of the scene, however far they are: a second site, an
// island, a roof whose walls have no points, the floor of a courtyard.

// Limits of groups that are noise.
const (
	groupShare = 0.05 // greatest share of the points of the cloud

	placePoints = 10   // least number of points at one place
	placeWidth  = 0.01 // metres, of a place: rounding of coordinates
	farAway     = 1000 // metres from all larger groups, from which on a place may be as wide as the spacing

	pitWidth = 30   // greatest width of a low group, metres
	pitDepth = 2    // least depth below the surface, metres
	pitCells = 100  // least number of cells of that surface
	pitRough = 0.25 // greatest roughness of the surface, metres: a canopy is rougher
	pitShare = 0.05 // greatest share of its cells above low groups: ground below a canopy is below much of it
	// least number of points per cell above a group, relative to the surface: a well has no cover
	pitCover = 0.5

	// least height over the ground and all below, metres: the crown of no tree begins there
	fogHeight = 50
	// greatest number of points per area, relative to the cloud: roofs are as dense
	fogDensity    = 0.5
	fogScattering = 0.2 // least scattering of the neighbours of a point: lines and surfaces have less
	fogWidth      = 0.1 // least ratio of its width to its length: jibs and cables are narrower
)

// groupRule is a kind of groups that are noise.
type groupRule struct {
	name  string
	class uint8 // of their points
	is    func(g *groupSearch, k int) bool
}

// cubeRules are the rules for groups of cubes, and flatRules those for groups of flat boxes, which are apart
// where a gap of less height is between.
var (
	cubeRules = []groupRule{
		{"at one place", Noise, (*groupSearch).isPlace},
		{"high in the air, without a shape", HighNoise, (*groupSearch).isFog},
	}
	flatRules = []groupRule{{"below the ground", Noise, (*groupSearch).isBelow}}
)

// NoiseGroup is a group of points that are noise.
type NoiseGroup struct {
	What   string // name of its rule
	Class  uint8  // of its points
	Points int    //
	First  int    // the first of them in the cloud
}

// groupSearch has the groups of a cloud, and what the rules read.
type groupSearch struct {
	*Superpoints
	edge      float64 // of a box, metres
	boxes     []cube.Key
	ofBox     []int32      // group of each box
	of        []int32      // group of each point; any value for points of noise
	columns   []int        // boxes of the plane that each group covers
	points    []int        // of each group, without noise
	low, high [][3]float64 // bounds of each group, metres from the cloud's origin
	small     []bool       // groups that may be below the ground or fog
	density   float64      // mean number of points in a column of boxes
	rest      *rest        // see others; nil before it is computed
	below     []bool       // see findBelow; nil before it is computed
}

// markGroups marks the points of groups to which a rule applies as noise. edge is the edge of a box, in
// metres.
func (s *Superpoints) markGroups(run parallel.Run, boxes *embed.Boxes, edge float64,
	rules []groupRule) error {
	all, ofBox := boxes.Groups()
	if len(all) < 2 {
		return nil
	}
	of, err := boxes.OfPoints(run, ofBox)
	if err != nil {
		return err
	}
	g := &groupSearch{Superpoints: s, edge: edge, boxes: boxes.Keys(), ofBox: ofBox, of: of}
	g.measure(all)
	found := make([]*groupRule, len(all))
	left := false // whether points without a rule are left
	for k := range all {
		if g.isEmpty(k) {
			continue
		}
		for n := range rules {
			if found[k] == nil && rules[n].is(g, k) {
				found[k] = &rules[n]
			}
		}
		left = left || found[k] == nil
	}
	if left {
		g.mark(found)
	}
	return nil
}

// mark makes the points of groups with a rule noise.
func (g *groupSearch) mark(found []*groupRule) {
	marked := false
	for k, rule := range found {
		if rule == nil {
			continue
		}
		marked = true
		first := 0
		for g.Noise[first] || int(g.of[first]) != k {
			first++
		}
		g.Groups = append(g.Groups, NoiseGroup{rule.name, rule.class, g.points[k], first})
	}
	if !marked {
		return
	}
	if g.noiseClass == nil {
		g.noiseClass = make([]uint8, len(g.of))
	}
	for i, k := range g.of {
		if !g.Noise[i] && found[k] != nil {
			g.Noise[i] = true
			g.noiseClass[i] = found[k].class
		}
	}
}

// measure computes sizes and bounds of the groups, which of them are small, and the density of the cloud.
func (g *groupSearch) measure(groups []embed.Group) {
	n := len(groups)
	none := math.Inf(1)
	g.points = make([]int, n)
	g.low = slices.Repeat([][3]float64{{none, none, none}}, n)
	g.high = slices.Repeat([][3]float64{{-none, -none, -none}}, n)
	for i, k := range g.of {
		if g.Noise[i] {
			continue
		}
		g.points[k]++
		p := g.Cloud.Position(uint32(i))
		for axis, v := range [3]float64{p.X, p.Y, p.Z} {
			g.low[k][axis] = min(g.low[k][axis], v)
			g.high[k][axis] = max(g.high[k][axis], v)
		}
	}
	points, columns := 0, 0
	for k := range groups {
		g.columns = append(g.columns, groups[k].Columns)
		points += g.points[k]
		columns += groups[k].Columns
	}
	g.density = float64(points) / float64(columns)
	g.small = make([]bool, n)
	for k := range groups {
		g.small[k] = float64(g.points[k]) <= groupShare*float64(points)
	}
}

// isEmpty reports whether all points of a group are noise.
func (g *groupSearch) isEmpty(k int) bool { return g.points[k] == 0 }

// width returns the greater extent of a group in the plane, in metres.
func (g *groupSearch) width(k int) float64 {
	return max(g.high[k][0]-g.low[k][0], g.high[k][1]-g.low[k][1])
}

// isPlace reports whether the points of a group are at one place, as points without coordinates are, such as
// (0, 0, 0).
func (g *groupSearch) isPlace(k int) bool {
	if g.points[k] < placePoints {
		return false
	}
	if g.width(k) <= placeWidth && g.high[k][2]-g.low[k][2] <= placeWidth {
		return true
	}
	return g.width(k) <= g.spacing() && g.isAway(k)
}

// isAway reports whether a group is far from all larger ones, of which there is one.
func (g *groupSearch) isAway(k int) bool {
	found := false
	for o := range g.points {
		if g.points[o] <= g.points[k] {
			continue
		}
		found = true
		east := max(g.low[o][0]-g.high[k][0], g.low[k][0]-g.high[o][0])
		north := max(g.low[o][1]-g.high[k][1], g.low[k][1]-g.high[o][1])
		if max(east, north) < farAway {
			return false
		}
	}
	return found
}

// rest is the terrain of the points that are neither noise nor of a small group.
type rest struct {
	*raster
	out      []bool // all other points
	lowest   []float32
	ground   []bool      // cells of ground by SMRF
	surfaces []component // a component that is no land has no cells
	surface  []int32     // index of the surface of each cell, or −1
	heights  []float32   // height of each point over the ground, metres; nil before overGround
}

// others returns the terrain of the rest; nil without such points.
func (g *groupSearch) others() *rest {
	if g.rest != nil {
		return g.rest
	}
	r := &rest{out: make([]bool, len(g.of))}
	for i, k := range g.of {
		r.out[i] = g.Noise[i] || g.small[k]
	}
	if !slices.Contains(r.out, false) {
		return nil
	}
	r.raster = newRaster(g.Cloud, max(smrfCell, g.spacing()), r.out, func(i int) bool {
		return r.out[i] ||
			g.ignored(i)
	})
	r.lowest = slices.Clone(r.height)
	occupied := slices.Clone(r.known)
	r.ground = r.smrf(slices.Clone(occupied))
	r.surfaces, r.surface = r.components(r.lowest, occupied, r.ground)
	rough := r.roughness(r.lowest, r.surface, len(r.surfaces))
	for id := range r.surfaces {
		c := &r.surfaces[id]
		if !c.ground || c.cells < pitCells || rough[id] > pitRough {
			c.cells = 0
		}
	}
	g.rest = r
	return r
}

// mayBeBelow returns the small and narrow groups that have a box below all boxes of large groups in the same
// column.
func (g *groupSearch) mayBeBelow() []bool {
	var lowest cube.Table[int32] // index of the lowest box of large groups in each column
	for box, key := range g.boxes {
		k := g.ofBox[box]
		if k == embed.NoGroup || g.small[k] {
			continue
		}
		before := len(lowest.Keys)
		at := lowest.Add(cube.Key{key[0], key[1], 0})
		if at == before {
			lowest.Values[at] = key[2]
		}
		lowest.Values[at] = min(lowest.Values[at], key[2])
	}
	may := make([]bool, len(g.points))
	for box, key := range g.boxes {
		k := g.ofBox[box]
		if k == embed.NoGroup || !g.small[k] || g.width(int(k)) > pitWidth {
			continue
		}
		at := lowest.Find(cube.Key{key[0], key[1], 0})
		may[k] = may[k] || at >= 0 && key[2] < lowest.Values[at]
	}
	return may
}

// cover is what lies above a low group.
type cover struct {
	below   int   // points of the group below the surface
	surface int32 // index of the surface
	cells   int   // cells with points of the group
	points  int   // points of the surface in these
}

// findBelow finds the groups that are mostly below a surface of land which goes on above them: one of at
// least pitCells cells, as dense there as elsewhere, nearly all of which have nothing below.
func (g *groupSearch) findBelow() (below []bool) {
	below = g.mayBeBelow()
	if !slices.Contains(below, true) {
		return below
	}
	r := g.others()
	if r == nil {
		return make([]bool, len(below))
	}
	points, density := r.densities()
	covers := make([]cover, len(below))
	covering := make([]int, len(r.surfaces)) // cells of each surface above a group
	seen := make([]bool, len(r.lowest))
	for i, k := range g.of {
		cell := r.cell[i]
		id := r.surface[cell]
		if g.Noise[i] || !below[k] || id < 0 || r.surfaces[id].cells == 0 || !r.holds(g.Cloud.XYZ[i]) {
			continue
		}
		if z := float64(g.Cloud.XYZ[i][2]) * g.Cloud.Unit; float64(r.lowest[cell])-z < pitDepth {
			continue
		}
		c := &covers[k]
		c.below++
		c.surface = id
		if !seen[cell] {
			seen[cell] = true
			covering[id]++
			c.cells++
			c.points += points[cell]
		}
	}
	for k, c := range covers {
		mostly := 2*c.below > g.points[k]
		covered := float64(c.points) >= pitCover*density[c.surface]*float64(c.cells)
		few := float64(covering[c.surface]) <= pitShare*float64(r.surfaces[c.surface].cells)
		below[k] = below[k] && mostly && covered && few
	}
	return below
}

// densities returns the number of points of each cell, and for each surface the mean number in its cells.
func (r *rest) densities() (points []int, density []float64) {
	points = make([]int, len(r.lowest))
	for i, cell := range r.cell {
		if !r.out[i] {
			points[cell]++
		}
	}
	density = make([]float64, len(r.surfaces))
	for cell, id := range r.surface {
		if id >= 0 {
			density[id] += float64(points[cell]) / float64(max(1, r.surfaces[id].cells))
		}
	}
	return points, density
}

// roughness returns how far, in metres, the cells of each component are from the mean of the two beside them,
// in a mean over its cells.
func (r *raster) roughness(lowest []float32, of []int32, components int) []float64 {
	sum, count := make([]float64, components), make([]int, components)
	for k, id := range of {
		column, row := k%r.columns, k/r.columns
		if id < 0 {
			continue
		}
		if column > 0 && column < r.columns-1 && of[k-1] == id && of[k+1] == id {
			sum[id] += math.Abs(float64(lowest[k] - (lowest[k-1]+lowest[k+1])/2))
			count[id]++
		}
		if row > 0 && row < r.rows-1 && of[k-r.columns] == id && of[k+r.columns] == id {
			sum[id] += math.Abs(float64(lowest[k] - (lowest[k-r.columns]+lowest[k+r.columns])/2))
			count[id]++
		}
	}
	for id := range sum {
		sum[id] /= float64(max(1, count[id]))
	}
	return sum
}

// isBelow reports whether a group is below the ground, as echoes that were reflected twice are.
func (g *groupSearch) isBelow(k int) bool {
	if g.below == nil {
		g.below = g.findBelow()
	}
	return g.below[k]
}

// isFog reports whether a group is high in the air, sparse, and neither a line nor a surface: fog, smoke,
// birds.
func (g *groupSearch) isFog(k int) bool {
	sparse := float64(g.points[k])/float64(g.columns[k]) < fogDensity*g.density
	low := g.low[k][2]
	if !g.small[k] || !sparse || low-g.lowest() < fogHeight {
		return false
	}
	if low-g.topBelow(k) < fogHeight || g.overGround(k) < fogHeight {
		return false
	}
	scattering, width := g.form(k)
	return scattering >= fogScattering && width >= fogWidth
}

// lowest returns the height of the lowest point, in metres from the cloud's origin.
func (g *groupSearch) lowest() float64 {
	least := math.Inf(1)
	for k := range g.low {
		least = min(least, g.low[k][2])
	}
	return least
}

// overGround returns the height of a group's lowest point over the ground of the rest, in metres.
func (g *groupSearch) overGround(k int) float64 {
	r := g.others()
	if r == nil {
		return 0
	}
	if r.heights == nil {
		r.heights = r.over(g.Cloud, r.lowest, r.ground)
	}
	least := math.Inf(1)
	for i, of := range g.of {
		if int(of) == k && !g.Noise[i] {
			least = min(least, float64(r.heights[i]))
		}
	}
	return least
}

// topBelow returns the height of the highest point of other groups that is lower than all of a group, in the
// columns of boxes that the group covers and those beside; −∞ without one.
func (g *groupSearch) topBelow(k int) float64 {
	column := func(i int) (east, north int64) {
		p := g.Cloud.Position(uint32(i)).Add(g.Cloud.Origin)
		return int64(math.Floor(p.X / g.edge)), int64(math.Floor(p.Y / g.edge))
	}
	covered := map[[2]int64]bool{}
	for i, of := range g.of {
		if int(of) != k || g.Noise[i] {
			continue
		}
		east, north := column(i)
		for n := range int64(9) {
			covered[[2]int64{east + n%3 - 1, north + n/3 - 1}] = true
		}
	}
	top := math.Inf(-1)
	for i, of := range g.of {
		z := float64(g.Cloud.XYZ[i][2]) * g.Cloud.Unit
		if int(of) == k || g.Noise[i] || z >= g.low[k][2] || z <= top {
			continue
		}
		if east, north := column(i); covered[[2]int64{east, north}] {
			top = z
		}
	}
	return top
}

// form returns the mean scattering of a group's points and their neighbours, and the ratio of the group's
// width to its length.
func (g *groupSearch) form(k int) (scattering, width float64) {
	var whole shape.Moments
	points := 0
	for i, of := range g.of {
		if int(of) != k || g.Noise[i] {
			continue
		}
		p := g.Cloud.Position(uint32(i))
		whole.Add(p.X-g.low[k][0], p.Y-g.low[k][1], p.Z-g.low[k][2])
		var near shape.Moments
		for _, j := range g.Neighbors.Of(i) {
			if int(g.of[j]) == k {
				q := g.Cloud.Position(j).Sub(p)
				near.Add(q.X, q.Y, q.Z)
			}
		}
		scattering += float64(shape.Dimensionality(near.Covariance().Eigenvalues()).Scattering)
		points++
	}
	axes := whole.Covariance().Eigenvalues()
	return scattering / float64(points), math.Sqrt(axes[1] / axes[0])
}
